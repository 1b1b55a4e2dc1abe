/**
 * For researchers and authors of plug-ins: the algorithms and their interface, the engine that trains K networks side by
 * side, random numbers, spaces of designs, trees and Gaussian processes.
 *
 * @module
 */
export {
  type Algorithm,
  type AlgorithmState,
  defineAlgorithm,
  type Preset,
  presetOptions,
  type RunLength,
  type Setup,
} from './algorithm.js';
export { algorithms, assessDesigns, type NemoOptions, type NemoState, nemo } from './algorithms/index.js';
export { measuredPool, rankPool } from './judging/index.js';
export {
  AmortizedCnml,
  binOf,
  decodeTrees,
  encode,
  encodeTrees,
  fitBoosting,
  fitEncoding,
  fitForest,
  fitQuantizer,
  modelInputs,
  predictTrees,
  SearchSpace,
} from './models/index.js';
export {
  ArgumentError,
  categorical,
  constant,
  Engine,
  foldKey,
  gradient,
  type Key,
  NetworkStack,
  openEngine,
  rootKey,
  rows,
  type StackSpec,
  Stream,
  splitKey,
  type Tensor,
  value,
} from './numeric/index.js';
export { type OptionDeclarations, type OptionsOf, option } from './options/option.js';
export { type Problem, stateProblem, toCells } from './problem/stateProblem.js';
export { type RunOptions, run, states } from './run.js';
export {
  decideFeasibility,
  projector,
  sample,
  violations,
} from './space/index.js';
export type { Dataset, Space, SpaceColumn } from './space/space.js';
