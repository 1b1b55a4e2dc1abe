/** The algorithms, in the order of the paper's tables. */
export { assessDesigns, type NemoOptions, type NemoState, nemo, nemoPaperPresets } from './nemo.js';

import { nemo } from './nemo.js';

/** Every algorithm by the name it is asked for. */
export const algorithms = { nemo } as const;
