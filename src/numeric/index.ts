export { type Adam, type AdamOptions, type AdamState, adam, type StepSettings } from './adam.js';
export type { Kernel } from './backend.js';
export {
  type Capabilities,
  capabilities,
  Engine,
  type EngineOptions,
  type KernelChoice,
  kernelChoices,
  openEngine,
  Program,
  type RunOptions,
} from './engine.js';
export { ArgumentError, EngineError, NotFiniteError, OutOfMemoryError, ShapeError } from './errors.js';
export { gradient } from './gradient.js';
export {
  type Activation,
  add,
  apply,
  broadcast,
  categorical,
  columns,
  concat,
  constant,
  divide,
  type FunctionName,
  matmul,
  matmulTransposed,
  multiply,
  outer,
  rows,
  scale,
  softmax,
  subtract,
  sumColumns,
  sumRows,
  type Tensor,
  thermometer,
  value,
} from './graph.js';
export type { Effect } from './instruction.js';
export { foldKey, type Key, rootKey, splitKey } from './key.js';
export {
  type LinearAlgebra,
  type LinearAlgebraOptions,
  NotPositiveDefiniteError,
  openLinearAlgebra,
} from './linalg.js';
export { portableExp, portableLog } from './portable.js';
export { Stream, type StreamState } from './random.js';
export {
  erf,
  erfc,
  erfcx,
  log1mexp,
  logAddExp,
  logSigmoid,
  logSumExp,
  normalCdf,
  normalLogCdf,
  normalLogPdf,
  normalPdf,
  normalQuantile,
  sigmoid,
  softplus,
} from './special.js';
export { NetworkStack, type StackSpec, type StackState } from './stack.js';
export {
  argsort,
  extent,
  fitStandardization,
  mean,
  median,
  pearson,
  quantile,
  quantiles,
  ranks,
  type Standardization,
  spearman,
  standardDeviation,
  standardize,
  topIndices,
  unstandardize,
  variance,
  weightedMean,
} from './stats.js';
export { decodeTensors, encodeTensors, type TensorData, type TensorFile } from './tensorFile.js';
export { type Layout, Variable, type VariableShape } from './variable.js';
