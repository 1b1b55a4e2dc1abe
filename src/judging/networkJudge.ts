/**
 * Networks of NEMO's kind as a judge of one score: each has left out a fold of the rows (models/crossFit.ts), no search
 * has climbed them. Their mean is what they expect, their spread how far they disagree.
 */
import type { CrossFit } from '../models/crossFit.js';
import type { Opinion } from '../models/opinion.js';
import { type Quantizer, scoreOfMean } from '../models/quantizer.js';
import { type Response, toScale } from '../models/response.js';
import { takeRows } from '../numeric/rows.js';
import { encode, modelInputs } from '../search/encoding.js';

/** No network is surer than this, on a scale of standard deviations. */
const LEAST = 1e-3;

export class NetworkJudge {
  constructor(
    private readonly networks: CrossFit,
    private readonly quantizer: Quantizer,
    private readonly response: Response,
  ) {}

  /** Designs, n x d, by all networks but those that never saw the best rows. */
  read(x: ArrayLike<number>): Promise<Opinion> {
    return this.readParameters(encode(this.networks.spec.encoding, x), null);
  }

  /** Rows of the data, each by the networks that have not seen it. */
  heldOut(rows: ArrayLike<number>): Promise<Opinion> {
    const { folds } = this.networks.spec;
    return this.readRows(
      rows,
      Int32Array.from(rows, (row) => folds[row]!),
    );
  }

  /** Rows of the data by the networks that have seen none of the best ones. */
  withoutTop(rows: ArrayLike<number>): Promise<Opinion> {
    return this.readRows(rows, new Int32Array(rows.length).fill(this.networks.foldCount));
  }

  private readRows(rows: ArrayLike<number>, groups: Int32Array): Promise<Opinion> {
    const { parameters, encoding } = this.networks.spec;
    return this.readParameters(takeRows(parameters, encoding.parameters, rows), groups);
  }

  /** `only`: the one group that reads row i; null: all folds. */
  private async readParameters(parameters: Float64Array, only: Int32Array | null): Promise<Opinion> {
    const { networks, quantizer } = this;
    const { encoding, networksPerGroup: R } = networks.spec;
    const { groupCount, foldCount } = networks;
    const n = parameters.length / encoding.parameters;
    const mu = await networks.locations(modelInputs(encoding, parameters));
    const mean = new Float64Array(n);
    const deviation = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      let [sum, squares, count] = [0, 0, 0];
      for (let group = 0; group < groupCount; group++) {
        if (only ? only[i] !== group : group >= foldCount) continue;
        for (let r = 0; r < R; r++) {
          const z = toScale(this.response, scoreOfLocation(quantizer, mu[(r * groupCount + group) * n + i]!));
          sum += z;
          squares += z * z;
          count += 1;
        }
      }
      mean[i] = sum / count;
      deviation[i] = Math.max(LEAST, Math.sqrt(Math.max(0, squares / count - mean[i]! ** 2)));
    }
    return { mean, deviation };
  }
}

/** y_mean of the head is about mu + 1/(2K); unlike it, this reaches the ends of the bins. */
function scoreOfLocation(quantizer: Quantizer, mu: number): number {
  return Math.max(quantizer.low, Math.min(quantizer.high, scoreOfMean(quantizer, mu + 0.5 / quantizer.bins)));
}
