/** nemokit: offline model-based optimisation. The compute core stands alone as `nemokit/numeric`. */
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
export { version } from './version.js';
