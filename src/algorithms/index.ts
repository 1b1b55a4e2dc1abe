/** The algorithms, in the order of the paper's tables. */
export { assessDesigns, type NemoOptions, type NemoState, nemo, nemoPaperPresets } from './nemo.js';
