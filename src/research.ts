/**
 * For researchers and authors of plug-ins: the algorithms and their interface, the engine that trains K networks side by
 * side, random numbers, spaces of designs, trees and Gaussian processes.
 *
 * @module nemokit/research
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
  type Encoding,
  encode,
  encodeTrees,
  fitBoosting,
  fitEncoding,
  fitForest,
  fitQuantizer,
  modelInputs,
  predictTrees,
  type Quantizer,
  SearchSpace,
  type Start,
  type Trees,
} from './models/index.js';
export {
  ArgumentError,
  adam,
  categorical,
  constant,
  decodeTensors,
  Engine,
  encodeTensors,
  foldKey,
  gradient,
  type Key,
  NetworkStack,
  openEngine,
  Program,
  rootKey,
  rows,
  type StackSpec,
  type StackState,
  Stream,
  splitKey,
  type Tensor,
  Variable,
  value,
} from './numeric/index.js';
export { type OptionDeclarations, type OptionsOf, option } from './options/option.js';
export { type Problem, stateProblem, toCells } from './problem/stateProblem.js';
export { type RunOptions, run, states } from './run.js';
export {
  decideFeasibility,
  type Feasibility,
  type Projector,
  projector,
  sample,
  violations,
} from './space/index.js';
export type { Dataset, Space, SpaceColumn } from './space/space.js';
