/**
 * Predictions shown to users: conditional NML (Eq. 2) of the last layers of networks that each left out one fold of the
 * data (crossFit.ts), averaged over the folds. Rows of the data are predicted by the networks that have not seen them,
 * which measures how good the predictions are.
 */
import type { LinearAlgebra } from '../numeric/linalg.js';
import { takeRows } from '../numeric/rows.js';
import { standardDeviation } from '../numeric/stats.js';
import type { TensorData } from '../numeric/tensorFile.js';
import { modelInputs } from '../search/encoding.js';
import type { CrossFit } from './crossFit.js';
import { mean as meanOf } from './discretizedLogistic.js';
import { fitLastLayer, type LastLayer, readout } from './lastLayer.js';
import { lastLayerTensors } from './lastLayerTensors.js';
import { type Quantizer, scoreOfMean } from './quantizer.js';

export interface CrossReadout {
  /** Expected score under the fits to the data alone. */
  readonly mean: Float64Array;
  /** n x K: p_NML. */
  readonly probabilities: Float64Array;
  /** Individual regret: 0 if the data determine the score, log K if every score is possible. */
  readonly gamma: Float64Array;
  /** Standard deviation of the scores that networks which learned from the same rows expect. */
  readonly spread: Float64Array;
}

/** Ridge on the last layer, which makes fits unique where outputs are saturated. */
export const RIDGE = 1e-3;

export class CrossAssessor {
  private constructor(
    private readonly networks: CrossFit,
    readonly quantizer: Quantizer,
    private readonly layers: readonly LastLayer[],
  ) {}

  static async fit(linalg: LinearAlgebra, networks: CrossFit, quantizer: Quantizer): Promise<CrossAssessor> {
    const { encoding, parameters, labels, folds, head } = networks.spec;
    const features = await networks.features(modelInputs(encoding, parameters));
    const layers = features.map((phi, group) => {
      const seen = networks.seen[group]!;
      const p = phi.length / folds.length;
      const seenPhi = takeRows(phi, p, seen);
      const lows = seen.map((row) => labels[2 * row]!);
      const highs = seen.map((row) => labels[2 * row + 1]!);
      return fitLastLayer(linalg, seenPhi, seen.length, p, lows, { head, ridge: RIDGE, highs });
    });
    return new CrossAssessor(networks, quantizer, layers);
  }

  /** The last layers of the folds, so that others can read designs out without fitting them again. */
  tensors(): Record<string, TensorData> {
    const ofFolds = this.layers.slice(0, this.networks.foldCount);
    return Object.fromEntries(
      ofFolds.flatMap((layer, fold) =>
        Object.entries(lastLayerTensors(layer)).map(([name, data]) => [`readout${fold}.${name}`, data]),
      ),
    );
  }

  /** Designs given by their parameters, n x P, by all folds together. */
  assess(parameters: ArrayLike<number>): Promise<CrossReadout> {
    return this.read(parameters, null);
  }

  /** Rows of the data, each by the fold that has not seen it. */
  heldOut(rows: ArrayLike<number>): Promise<CrossReadout> {
    const { folds } = this.networks.spec;
    return this.readRows(
      rows,
      Int32Array.from(rows, (row) => folds[row]!),
    );
  }

  /** Some of the best rows, by networks that have seen none of them. */
  hiddenTop(rows: Int32Array): Promise<CrossReadout> {
    return this.readRows(rows, new Int32Array(rows.length).fill(this.networks.foldCount));
  }

  private readRows(rows: ArrayLike<number>, groups: Int32Array): Promise<CrossReadout> {
    const { parameters, encoding } = this.networks.spec;
    return this.read(takeRows(parameters, encoding.parameters, rows), groups);
  }

  /** `only`: the one group that reads row i; null: all folds. */
  private async read(parameters: ArrayLike<number>, only: Int32Array | null): Promise<CrossReadout> {
    const { spec, foldCount } = this.networks;
    const { encoding, head } = spec;
    const n = parameters.length / encoding.parameters;
    const K = head.bins;
    const inputs = modelInputs(encoding, parameters);
    const features = await this.networks.features(inputs);
    const result: CrossReadout = {
      mean: new Float64Array(n),
      probabilities: new Float64Array(n * K),
      gamma: new Float64Array(n),
      spread: this.spreadOf(await this.networks.locations(inputs), n, only),
    };
    const share = only ? 1 : 1 / foldCount;
    this.layers.forEach((layer, group) => {
      const reads = (i: number) => (only ? only[i] === group : group < foldCount);
      const rows = Int32Array.from({ length: n }, (_, i) => i).filter(reads);
      if (rows.length === 0) return;
      const phi = features[group]!;
      const { pnml, gamma, base } = readout(layer, takeRows(phi, phi.length / n, rows), rows.length);
      rows.forEach((row, i) => {
        result.gamma[row]! += share * Math.max(gamma[i]!, 0);
        result.mean[row]! += share * scoreOfLocation(this.quantizer, base[i]!);
        for (let k = 0; k < K; k++) {
          result.probabilities[row * K + k]! += share * pnml[i * K + k]!;
        }
      });
    });
    return result;
  }

  private spreadOf(mu: ArrayLike<number>, n: number, only: Int32Array | null): Float64Array {
    const { foldCount, groupCount, spec } = this.networks;
    const { networksPerGroup: R, head } = spec;
    return Float64Array.from({ length: n }, (_, i) => {
      let sum = 0;
      let count = 0;
      for (let group = 0; group < groupCount; group++) {
        if (only ? only[i] !== group : group >= foldCount) continue;
        const scores = Array.from({ length: R }, (_, r) =>
          scoreOfMean(this.quantizer, meanOf(head, mu[(r * groupCount + group) * n + i]!)),
        );
        sum += standardDeviation(scores);
        count += 1;
      }
      return sum / count;
    });
  }
}

/** y_mean of the head is about mu + 1/(2K); unlike it, this reaches the ends of the bins. */
function scoreOfLocation(quantizer: Quantizer, mu: number): number {
  return Math.max(quantizer.low, Math.min(quantizer.high, scoreOfMean(quantizer, mu + 0.5 / quantizer.bins)));
}
