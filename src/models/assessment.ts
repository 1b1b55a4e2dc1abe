/**
 * Predictions shown to users: conditional NML of the last layer of one network (lastLayer.ts), with K fits for each
 * design. The amortised networks steer the search, but they were trained on all designs of the batch at once, so their
 * own p_NML is too coarse to show.
 */
import type { LinearAlgebra } from '../numeric/linalg.js';
import { rowOf } from '../numeric/rows.js';
import { modelInputs } from '../search/encoding.js';
import type { AmortizedCnml } from './amortizedCnml.js';
import type { Head } from './discretizedLogistic.js';
import { fitLastLayer, type LastLayer, readout } from './lastLayer.js';
import { type Quantizer, scoreOfMean, scoreQuantile } from './quantizer.js';

export interface Assessment {
  /** Expected score. */
  readonly mean: Float64Array;
  /** 10 % and 90 % points of p_NML, as scores. */
  readonly low80: Float64Array;
  readonly high80: Float64Array;
  /** Individual regret: 0 if the data determine the score, log K if every score is possible. */
  readonly gamma: Float64Array;
}

/** Ridge on the last layer, which makes fits unique where outputs are saturated. */
const RIDGE = 1e-3;

export class Assessor {
  private constructor(
    private readonly models: AmortizedCnml,
    private readonly layer: LastLayer,
    private readonly head: Head,
    private readonly quantizer: Quantizer,
    private readonly network: number,
  ) {}

  /** `parameters` of the data, N x P, `labels` their bins, N x 2; features come from the network of the middle bin. */
  static async fit(
    linalg: LinearAlgebra,
    models: AmortizedCnml,
    head: Head,
    quantizer: Quantizer,
    parameters: ArrayLike<number>,
    labels: Int32Array,
  ): Promise<Assessor> {
    const network = Math.floor(head.bins / 2);
    const phi = await models.features(modelInputs(models.encoding, parameters), network);
    const lows = labels.filter((_, i) => i % 2 === 0);
    const highs = labels.filter((_, i) => i % 2 === 1);
    const options = { head, ridge: RIDGE, highs };
    const layer = fitLastLayer(linalg, phi, lows.length, phi.length / lows.length, lows, options);
    return new Assessor(models, layer, head, quantizer, network);
  }

  /** Reads out designs given by their parameters, n x P. */
  async assess(parameters: ArrayLike<number>): Promise<Assessment> {
    const { head, quantizer, models } = this;
    const n = parameters.length / models.encoding.parameters;
    const phi = await models.features(modelInputs(models.encoding, parameters), this.network);
    const { pnml, gamma, mean } = readout(this.layer, phi, n);
    const at = (i: number, p: number) => scoreQuantile(quantizer, rowOf(pnml, head.bins, i), p);
    return {
      mean: mean.map((m) => scoreOfMean(quantizer, m)),
      low80: mean.map((_, i) => at(i, 0.1)),
      high80: mean.map((_, i) => at(i, 0.9)),
      gamma: gamma.map((g) => Math.max(g, 0)),
    };
  }
}
