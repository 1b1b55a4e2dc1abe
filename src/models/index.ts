/** Models that are fitted: conditional NML in its exact, amortised and last-layer forms, and what they are made of. */
export { AmortizedCnml, type AmortizedCnmlSpec, type AmortizedCnmlState } from './amortizedCnml.js';
export { type AmortizedReadout, type OutputHead, readOutputs } from './amortizedReadout.js';
export {
  decode,
  type Encoding,
  type EncodingOptions,
  encode,
  fitEncoding,
  modelInputs,
  project,
  roundToGrid,
} from './encoding.js';
export {
  fitLastLayer,
  type LastLayer,
  type LastLayerOptions,
  leverageReadout,
  type Readout,
  readout,
} from './lastLayer.js';
export {
  binOf,
  fitQuantizer,
  type Quantizer,
  type QuantizerOptions,
  scoreOf,
  scoreOfMean,
  thermometerOf,
} from './quantizer.js';
