/** The algorithms, in the order of the paper's tables. */
export { type AutofocusOptions, type AutofocusState, autofocus, autofocusPresets } from './autofocus.js';
export { type CbasOptions, type CbasState, cbas, cbasPresets } from './cbas.js';
export { type CmaEsOptions, type CmaEsSearchState, cmaEs, cmaEsPresets } from './cmaEs.js';
export { type ComsOptions, type ComsState, coms, comsPresets } from './coms.js';
export { type EnsembleOptions, type EnsembleState, ensemble, ensemblePresets } from './ensemble.js';
export { type ForwardOptions, type ForwardState, forward, forwardPresets } from './forward.js';
export { type GpBoOptions, type GpBoState, gpBo, gpBoPresets } from './gpBo.js';
export { type MinsOptions, type MinsState, mins, minsPresets } from './mins.js';
export {
  assessDesigns,
  type NemoOptions,
  type NemoState,
  nemo,
  nemoPaperPresets,
  nemoTunedPresets,
} from './nemo.js';

import { autofocus } from './autofocus.js';
import { cbas } from './cbas.js';
import { cmaEs } from './cmaEs.js';
import { coms } from './coms.js';
import { ensemble } from './ensemble.js';
import { forward } from './forward.js';
import { gpBo } from './gpBo.js';
import { mins } from './mins.js';
import { nemo } from './nemo.js';

/** Every algorithm by the name it is asked for. */
export const algorithms = {
  nemo,
  ensemble,
  forward,
  mins,
  cbas,
  autofocus,
  'gp-bo': gpBo,
  coms,
  'cma-es': cmaEs,
} as const;
