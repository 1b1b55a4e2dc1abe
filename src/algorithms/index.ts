/** The algorithms, in the order of the paper's tables. */
export { defineAlgorithm, type Preset, presetOptions } from '../algorithm.js';
export { type OptionDeclarations, type OptionsOf, option } from '../options/option.js';
export { type AutofocusOptions, type AutofocusState, autofocus } from './autofocus.js';
export { type CbasOptions, type CbasState, cbas } from './cbas.js';
export { type CmaEsOptions, type CmaEsSearchState, cmaEs } from './cmaEs.js';
export { type ComsOptions, type ComsState, coms } from './coms.js';
export { type EnsembleOptions, type EnsembleState, ensemble } from './ensemble.js';
export { type ForwardOptions, type ForwardState, forward } from './forward.js';
export { type GpAscentOptions, type GpAscentState, gpAscent } from './gpAscent.js';
export { type GpBoOptions, type GpBoState, gpBo } from './gpBo.js';
export { type MatchOptOptions, type MatchOptState, matchOpt } from './matchOpt.js';
export { type MinsOptions, type MinsState, mins } from './mins.js';
export {
  assessDesigns,
  type NemoOptions,
  type NemoState,
  nemo,
} from './nemo.js';
export { type PropEnOptions, type PropEnState, propEn } from './propEn.js';
export { type RamOptions, type RamState, ram } from './ram.js';
export { type ReinforceOptions, type ReinforceState, reinforce } from './reinforce.js';
export { type RootOptions, type RootState, root } from './root.js';

import { autofocus } from './autofocus.js';
import { cbas } from './cbas.js';
import { cmaEs } from './cmaEs.js';
import { coms } from './coms.js';
import { ensemble } from './ensemble.js';
import { forward } from './forward.js';
import { gpAscent } from './gpAscent.js';
import { gpBo } from './gpBo.js';
import { matchOpt } from './matchOpt.js';
import { mins } from './mins.js';
import { nemo } from './nemo.js';
import { propEn } from './propEn.js';
import { ram } from './ram.js';
import { reinforce } from './reinforce.js';
import { root } from './root.js';

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
  ram,
  reinforce,
  'match-opt': matchOpt,
  propen: propEn,
  'gp-ascent': gpAscent,
  root,
} as const;
