/**
 * Pieces of conditioning by adaptive sampling, for CbAS and autofocus: models, the threshold gamma, the weights
 * of draws. An ensemble of Gaussian networks (the oracle) gives the probability that a design scores above gamma. A
 * generative model q (the search model) is refitted to weighted draws of itself; p0 is q before the search.
 */
import type { Engine } from '../numeric/engine.js';
import { foldKey, type Key } from '../numeric/key.js';
import { Stream, type StreamState } from '../numeric/random.js';
import { largest, median, quantile } from '../numeric/stats.js';
import type { AdaptiveSamplingOptions } from '../options/adaptiveSamplingOptions.js';
import { requireConverging } from '../search/divergence.js';
import { encode } from '../search/encoding.js';
import { SearchSpace } from '../search/searchSpace.js';
import type { Dataset, Space } from '../space/space.js';
import { logExceedance, meanOfNetworks, normalizedWeights, type Weights } from './conditioning.js';
import { type NetworkPrediction, RegressionNetworks, type RegressionState } from './regressionNetworks.js';
import { SearchModel } from './searchModel.js';
import type { VaeState } from './vae.js';

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
export const samplingAdvice = {
  training: 'lower trainRate or vaeRate',
  search: 'lower vaeRate, trainRate or refitSteps',
};

export interface SamplingModels {
  readonly search: SearchSpace;
  readonly oracle: RegressionNetworks;
  readonly searchModel: SearchModel;
}

export function samplingModels(
  engine: Engine,
  data: Dataset,
  space: Space,
  options: AdaptiveSamplingOptions,
): SamplingModels {
  const { networks, hidden, vaeHidden, latent, beta, deviation, minibatch, samples, batchSize } = options;
  const search = new SearchSpace(data, space, options);
  const oracle = new RegressionNetworks(engine, {
    encoding: search.encoding,
    networks,
    head: 'gaussian',
    hidden,
    activation: 'leakyRelu',
    alpha: 0.3,
    parameters: search.parameters,
    y: data.y,
    minibatch,
    batchSize,
  });
  const spec = {
    latent,
    hidden: vaeHidden,
    beta,
    deviation,
    minibatch,
    samples,
    advice: samplingAdvice,
  };
  return { search, oracle, searchModel: new SearchModel(engine, search, spec) };
}

/** The state before the first step: nothing is trained, and visible designs are proposed. */
export async function startSampling(
  { search, oracle, searchModel }: SamplingModels,
  options: AdaptiveSamplingOptions,
  key: Key,
): Promise<AdaptiveSamplingState> {
  await search.prepare();
  oracle.initialize(foldKey(key, 'oracle'), { bootstrap: true });
  searchModel.initialize(foldKey(key, 'vae'));
  return {
    stream: new Stream(foldKey(key, 'draws')).state(),
    oracle: oracle.state(),
    vae: searchModel.state(),
    threshold: null,
    effective: 1,
    proposals: search.settle(search.start(options, foldKey(key, 'start'))),
  };
}

/** gamma of the next iteration: the Q-quantile of the oracle's means over S draws; if rising, never below the last. */
export function nextThreshold(
  prediction: NetworkPrediction,
  last: number | null,
  { samples, quantile: Q, threshold }: AdaptiveSamplingOptions,
): number {
  const reached = quantile(meanOfNetworks(prediction, samples), Q);
  return threshold === 'rising' ? Math.max(last ?? reached, reached) : reached;
}

/** Weights p0(x|z) / q(x|z) P(y > gamma | x) of S draws; null if all vanish. */
export function drawWeights(
  prediction: NetworkPrediction,
  logRatios: Float64Array,
  gamma: number,
  { samples, leastEffective }: AdaptiveSamplingOptions,
): Weights | null {
  const logTail = logExceedance(prediction, samples, gamma);
  return normalizedWeights(
    logTail.map((v, i) => v + logRatios[i]!),
    leastEffective,
  );
}

/** Training ends: throws if it diverged, and keeps the search model as the prior p0. */
export async function endTraining({ oracle, searchModel }: SamplingModels, key: Key): Promise<void> {
  const losses = [await oracle.dataLoss(), await searchModel.dataLoss(foldKey(key, 'judge'))];
  requireConverging(losses, 0, samplingAdvice);
  searchModel.keepPrior();
}

/** M designs of the search model, M x d; the same for the same weights and key. */
export async function drawProposals(
  { search, searchModel }: SamplingModels,
  { batchSize: M }: AdaptiveSamplingOptions,
  key: Key,
  iteration: number,
): Promise<Float64Array> {
  return search.settle(await searchModel.propose(M, foldKey(key, 'proposals'), iteration));
}

/** Numbers worth plotting; in training, the losses alone. */
export async function samplingMetrics(
  { search, oracle, searchModel }: SamplingModels,
  { stream, effective, threshold, proposals }: AdaptiveSamplingState,
  { batchSize }: AdaptiveSamplingOptions,
  iteration: number,
): Promise<Record<string, number>> {
  await search.prepare();
  const trainingLoss = await oracle.dataLoss();
  const reconstructionLoss = await searchModel.dataLoss(foldKey(stream.key, 'judge'));
  requireConverging([trainingLoss, reconstructionLoss], iteration, samplingAdvice);
  if (iteration < 0) return { iteration, trainingLoss, reconstructionLoss };
  const prediction = await oracle.predictDesigns(encode(search.encoding, proposals));
  const expected = meanOfNetworks(prediction, batchSize);
  return {
    iteration,
    trainingLoss,
    reconstructionLoss,
    predictedBest: largest(expected),
    predictedMedian: median(expected),
    effective,
    ...(threshold !== null && { threshold }),
  };
}
