/** The algorithms, in the order of the paper's tables. */
export { type GpBoOptions, type GpBoState, gpBo } from './gpBo.js';
export { assessDesigns, type NemoOptions, type NemoState, nemo, nemoPaperPresets } from './nemo.js';

import { gpBo } from './gpBo.js';
import { nemo } from './nemo.js';

/** Every algorithm by the name it is asked for. */
export const algorithms = { nemo, 'gp-bo': gpBo } as const;
