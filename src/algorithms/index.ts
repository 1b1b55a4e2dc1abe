/** The algorithms, in the order of the paper's tables. */
export { type AutofocusOptions, type AutofocusState, autofocus } from './autofocus.js';
export { type CbasOptions, type CbasState, cbas, cbasPresets } from './cbas.js';
export { assessDesigns, type NemoOptions, type NemoState, nemo, nemoPaperPresets } from './nemo.js';

import { autofocus } from './autofocus.js';
import { cbas } from './cbas.js';
import { nemo } from './nemo.js';

/** Every algorithm by the name it is asked for. */
export const algorithms = { nemo, cbas, autofocus } as const;
