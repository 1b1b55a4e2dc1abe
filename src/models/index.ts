/** Models that are fitted: conditional NML in its exact, amortised and last-layer forms, what they are made of, trees, and an autoencoder. */

export {
  centringShift,
  decode,
  type Encoding,
  type EncodingOptions,
  encode,
  fitEncoding,
  modelInputs,
  project,
  roundToGrid,
} from '../search/encoding.js';
export { SearchSpace, type Start } from '../search/searchSpace.js';
export { type Aggregate, aggregateMeans, aggregateSlopes } from './aggregate.js';
export { AmortizedCnml, type AmortizedCnmlSpec, type AmortizedCnmlState } from './amortizedCnml.js';
export { type AmortizedReadout, type OutputHead, readOutputs } from './amortizedReadout.js';
export { ConditionalGan, type ConditionalGanSpec, type GanState } from './conditionalGan.js';
export { expectedImprovement, type Improvement, logExpectedImprovement } from './expectedImprovement.js';
export { type GaussianPrediction, GaussianProcess } from './gaussianProcess.js';
export { type Hyperparameters, hyperparametersOf, type KernelShape, kernelShape } from './gpKernel.js';
export { type BoostingOptions, boostingDefaults, boostingSteps, fitBoosting } from './gradientBoosting.js';
export {
  fitLastLayer,
  type LastLayer,
  type LastLayerOptions,
  leverageReadout,
  type Readout,
  readout,
} from './lastLayer.js';
export {
  type HyperparameterFit,
  type LogMarginal,
  MarginalLikelihood,
  startFit,
  stepFit,
} from './marginalLikelihood.js';
export {
  binOf,
  fitQuantizer,
  type Quantizer,
  type QuantizerOptions,
  scoreOf,
  scoreOfMean,
  thermometerOf,
} from './quantizer.js';
export {
  balancedWeights,
  type ForestOptions,
  fitForest,
  forestDefaults,
  forestTrees,
  joinForest,
} from './randomForest.js';
export {
  type NetworkPrediction,
  RegressionNetworks,
  type RegressionSpec,
  type RegressionState,
} from './regressionNetworks.js';
export type { TreeOptions } from './regressionTree.js';
export type { TreeData } from './treeData.js';
export { decodeTrees, encodeTrees } from './treeFile.js';
export { predictTrees, type Tree, type Trees } from './trees.js';
export { type Elbo, Vae, type VaeSpec, type VaeState } from './vae.js';
