/** nemokit: offline model-based optimisation. Its parts stand alone as `nemokit/numeric`, `/models`, `/algorithms`. */
export {
  type Algorithm,
  type AlgorithmState,
  defineAlgorithm,
  type Preset,
  presetOptions,
  type RunLength,
  type Setup,
} from './algorithm.js';
export {
  assessDesigns,
  type NemoOptions,
  type NemoState,
  nemo,
} from './algorithms/index.js';
export {
  ArgumentError,
  capabilities,
  Engine,
  EngineError,
  type EngineOptions,
  gradient,
  type Kernel,
  type KernelChoice,
  type Key,
  kernelChoices,
  NetworkStack,
  NotFiniteError,
  OutOfMemoryError,
  openEngine,
  rootKey,
  ShapeError,
  type StackSpec,
  type StackState,
  Stream,
  splitKey,
} from './numeric/index.js';
export { type OptionDeclarations, type OptionsOf, option } from './options/option.js';
export { type RunOptions, run, states } from './run.js';
export type { Dataset, Space, SpaceColumn } from './space/space.js';
export { version } from './version.js';
