/**
 * Conditioning by adaptive sampling: what CbAS and autofocus share. An ensemble of Gaussian networks (the oracle) says
 * how likely a design's score is above a threshold gamma; a generative model q is drawn from and refitted to its own draws,
 * each with weight p0(x|z) / q(x|z) P(y > gamma | x), while gamma climbs. p0 is q before the search.
 */
import type { Engine } from '../numeric/engine.js';
import { foldKey, type Key } from '../numeric/key.js';
import { Stream, type StreamState } from '../numeric/random.js';
import { median, quantile } from '../numeric/stats.js';
import { choice, count, interval, number, type OptionsOf, steps, widths } from '../options/option.js';
import { batchSize, box, startFrom } from '../options/searchOptions.js';
import { requireConverging } from '../search/divergence.js';
import { encode } from '../search/encoding.js';
import { SearchSpace } from '../search/searchSpace.js';
import type { Dataset, Space } from '../space/space.js';
import { logExceedance, meanOfNetworks, normalizedWeights } from './conditioning.js';
import { RegressionNetworks, type RegressionState } from './regressionNetworks.js';
import { SearchModel } from './searchModel.js';
import type { VaeState } from './vae.js';

/** How the defaults were chosen: docs/algorithms/cbas.md. */
export const adaptiveSamplingOptions = {
  networks: count(5, 'Networks of the oracle, each with a bootstrap resample of its own'),
  hidden: widths([256], "Widths of the oracle's hidden layers, leaky ReLU"),
  trainSteps: steps(2000, 'Steps of training of the oracle'),
  trainRate: number(1e-3, "Adam's rate for the oracle", { least: 0 }),
  minibatch: count(128, 'Rows per step, of the oracle and of the generative model'),
  latent: count(32, 'Columns of z'),
  vaeHidden: widths([256], "Widths of the encoder's hidden layers; the decoder's are the same in reverse"),
  vaeSteps: steps(2000, 'Steps of training of the generative model on the data'),
  vaeRate: number(1e-3, "Adam's rate for the generative model, on data and in refits", { least: 0 }),
  beta: number(1, 'Weight of the divergence in the ELBO', { least: 0 }),
  deviation: interval([0.1, 1], 'Least and greatest standard deviation of a standardised column given z'),
  steps: count(20, 'Iterations of the search'),
  samples: count(1000, 'S, designs drawn per iteration'),
  quantile: number(0.8, "Q: gamma is this quantile of the oracle's means over the draws", {
    least: 0,
    most: 1,
  }),
  threshold: choice('rising', 'How gamma moves', {
    rising: 'it never falls, as in the paper',
    free: "it is the quantile of each iteration's draws",
  }),
  leastEffective: number(
    0.02,
    'Weights are flattened where the effective sample size would be a smaller share of the draws; 0: never',
    { least: 0, below: 1 },
  ),
  refitSteps: steps(100, 'Steps of the generative model per iteration'),
  batchSize: batchSize('M, designs that are proposed'),
  startFrom: startFrom('Which visible designs are proposed until the search has drawn some'),
  box: box('Designs stay where all but this share of the data lies, on either side of each column'),
};

export type AdaptiveSamplingOptions = OptionsOf<typeof adaptiveSamplingOptions>;

/** All that a run changes, as plain data. */
export interface AdaptiveSamplingState {
  readonly stream: StreamState;
  readonly oracle: RegressionState;
  readonly vae: VaeState;
  /** gamma; null before the first iteration. */
  readonly threshold: number | null;
  /** Effective sample size of the last iteration's weights, as a share of the draws; 1 before the first. */
  readonly effective: number;
  /** M x d. */
  readonly proposals: Float64Array;
}

/** What to change where the networks diverge. */
const advice = {
  training: 'lower trainRate or vaeRate',
  search: 'lower vaeRate, trainRate or refitSteps',
};

export class AdaptiveSampling {
  readonly search: SearchSpace;
  readonly model: SearchModel;
  private readonly oracle: RegressionNetworks;
  private stream: Stream | null = null;
  private threshold: number | null = null;
  private effective = 1;
  private proposals: Float64Array = new Float64Array(0);

  constructor(
    engine: Engine,
    data: Dataset,
    space: Space,
    private readonly options: AdaptiveSamplingOptions,
  ) {
    const { networks, hidden, vaeHidden, latent, beta, deviation, minibatch, samples, batchSize } = options;
    this.search = new SearchSpace(data, space, options);
    this.oracle = new RegressionNetworks(engine, {
      encoding: this.search.encoding,
      networks,
      head: 'gaussian',
      hidden,
      activation: 'leakyRelu',
      alpha: 0.3,
      parameters: this.search.parameters,
      y: data.y,
      minibatch,
      batchSize,
    });
    const spec = { latent, hidden: vaeHidden, beta, deviation, minibatch, samples, advice };
    this.model = new SearchModel(engine, this.search, spec);
  }

  /** Nothing is trained; proposed are visible designs. */
  async initialize(key: Key): Promise<void> {
    await this.search.prepare();
    this.oracle.initialize(foldKey(key, 'oracle'), { bootstrap: true });
    this.model.initialize(foldKey(key, 'vae'));
    this.stream = new Stream(foldKey(key, 'draws'));
    this.threshold = null;
    this.effective = 1;
    this.proposals = this.search.settle(this.search.start(this.options, foldKey(key, 'start')));
  }

  /** Iteration t: the oracle's training, then the generative model's, then, from 0 on, the search. */
  async step(t: number): Promise<void> {
    const { vaeSteps, trainRate, vaeRate } = this.options;
    const stream = this.stream!;
    if (t < -vaeSteps) await this.oracle.train(this.oracle.draw(stream), trainRate);
    else if (t < 0) await this.model.learnData(stream, vaeRate);
    else await this.iterate(t + 1);
    if (t === -1) {
      requireConverging([await this.oracle.dataLoss(), await this.priorLoss()], 0, advice);
      this.model.keepPrior();
    }
  }

  private async iterate(iteration: number): Promise<void> {
    const { samples: S, quantile: Q, threshold, leastEffective, refitSteps, vaeRate } = this.options;
    const stream = this.stream!;
    const { designs, logRatios } = await this.model.draw(stream, iteration);
    const prediction = await this.oracle.predictDesigns(designs);
    const reached = quantile(meanOfNetworks(prediction, S), Q);
    const gamma = threshold === 'rising' ? Math.max(this.threshold ?? reached, reached) : reached;
    const logTail = logExceedance(prediction, S, gamma);
    const found = normalizedWeights(
      logTail.map((v, i) => v + logRatios[i]!),
      leastEffective,
    );
    this.threshold = gamma;
    this.effective = found?.effective ?? 0;
    if (found) await this.model.refit(found.weights, refitSteps, stream, vaeRate);
  }

  /** Draws the designs that are proposed: M of the model, the same for the same weights. */
  async drawProposals(iteration: number): Promise<void> {
    const key = foldKey(this.keyOf(), 'proposals');
    this.proposals = this.search.settle(await this.model.propose(this.options.batchSize, key, iteration));
  }

  /** Randomness that is not drawn in order. */
  keyOf(): Key {
    return this.stream!.state().key;
  }

  /** Steps of the oracle on weighted rows, each network on its own resample still. */
  async refitOracle(weights: Float64Array, steps: number, iteration: number): Promise<void> {
    this.oracle.setWeights(weights);
    for (let step = 0; step < steps; step++) {
      await this.oracle.train(this.oracle.draw(this.stream!), this.options.trainRate);
    }
    requireConverging([await this.oracle.dataLoss()], iteration, advice);
  }

  private priorLoss(): Promise<number> {
    return this.model.dataLoss(foldKey(this.keyOf(), 'judge'));
  }

  /** Numbers worth plotting; while the oracle trains, of the oracle alone. */
  async watch(iteration: number): Promise<Record<string, number>> {
    const trainingLoss = await this.oracle.dataLoss();
    const reconstructionLoss = await this.priorLoss();
    requireConverging([trainingLoss, reconstructionLoss], iteration, advice);
    if (iteration < 0) return { iteration, trainingLoss, reconstructionLoss };
    const { encoding } = this.search;
    const prediction = await this.oracle.predictDesigns(encode(encoding, this.proposals));
    const expected = meanOfNetworks(prediction, this.options.batchSize);
    return {
      iteration,
      trainingLoss,
      reconstructionLoss,
      predictedBest: Math.max(...expected),
      predictedMedian: median(expected),
      effective: this.effective,
      ...(this.threshold !== null && { threshold: this.threshold }),
    };
  }

  state(): AdaptiveSamplingState {
    return {
      stream: this.stream!.state(),
      oracle: this.oracle.state(),
      vae: this.model.state(),
      threshold: this.threshold,
      effective: this.effective,
      proposals: this.proposals.slice(),
    };
  }

  restore({ stream, oracle, vae, threshold, effective, proposals }: AdaptiveSamplingState): void {
    this.stream = new Stream(stream);
    this.oracle.restore(oracle);
    this.model.restore(vae);
    this.threshold = threshold;
    this.effective = effective;
    this.proposals = proposals.slice();
  }
}
