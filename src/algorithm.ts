/** What an algorithm is: functions over plain-data state. It is given data and a space, never a scorer. */
import { nearestName } from './nearestName.js';
import type { Engine } from './numeric/engine.js';
import { ArgumentError } from './numeric/errors.js';
import type { Key } from './numeric/key.js';
import { defaultsOf, looseOptions, type OptionDeclarations, type OptionsOf } from './options/option.js';
import { requireOptions } from './options/requireOptions.js';
import type { Dataset, Space } from './space/space.js';

/** All that does not change while an algorithm runs. */
export interface Setup<Options> {
  readonly data: Dataset;
  readonly space: Space;
  readonly options: Options;
  /** What it computes with; never part of the result, beyond the choice of kernel. */
  readonly engine: Engine;
}

/** How many steps a whole run takes: first those that train, then those that move designs. */
export interface RunLength {
  readonly training: number;
  readonly search: number;
}

/** What every state has. A state is plain data: it survives structuredClone and bytes, and goes on bit for bit. */
export interface AlgorithmState {
  /** Where a run is: -training before the first step, 0 when all is trained and no design has moved, `search` at its end. */
  readonly iteration: number;
}

/** A named set of options of an algorithm. */
export interface Preset<Options> {
  /** One line: where the values come from. */
  readonly help: string;
  /** Where they differ from the defaults. */
  readonly options?: Partial<Options>;
  /** Where they differ further, by the name of a task in the paper's tables; the preset is for these tasks only. */
  readonly byTask?: Readonly<Record<string, Partial<Options>>>;
}

/** An algorithm of offline optimisation: pure functions over states that are plain data. */
export interface Algorithm<Options, State extends AlgorithmState> {
  readonly id: string;
  /**
   * The version of nemokit in which its bits last changed: other versions are other rows of a benchmark. Plug-ins count
   * as they like.
   */
  readonly version: string;
  /** Each option once: kind, range or choices, default, help. */
  readonly options: OptionDeclarations;
  readonly defaults: Options;
  readonly presets: Readonly<Record<string, Preset<Options>>>;
  length(setup: Setup<Options>): RunLength;
  /** The state before the first step, nothing trained. Refuses bad input and a space without designs. */
  init(setup: Setup<Options>, key: Key): Promise<State>;
  /**
   * The state `iterations` (default 1) steps later, of training or search or both; `state` stays as it is. However
   * steps are cut into calls, the states are the same. They are copied out of the engine once per call, so many steps
   * in one call are cheaper.
   */
  step(state: State, setup: Setup<Options>, iterations?: number): Promise<State>;
  /** M x d designs in the units of the data, all inside the space; those it starts from, while it trains. */
  propose(state: State, setup: Setup<Options>): Float64Array;
  /** Numbers worth plotting while it runs, all finite; which ones may depend on whether it trains or searches. */
  watch(state: State, setup: Setup<Options>): Promise<Readonly<Record<string, number>>>;
}

type Functions = 'id' | 'length' | 'init' | 'step' | 'propose' | 'watch';

/** An algorithm as it is written down; `defaults` and the check of options come from the declarations. */
export interface AlgorithmDefinition<Declarations extends OptionDeclarations, State extends AlgorithmState>
  extends Pick<Algorithm<OptionsOf<Declarations>, State>, Functions> {
  /** Default: "1". */
  readonly version?: string;
  readonly options: Declarations;
  readonly presets?: Readonly<Record<string, Preset<OptionsOf<Declarations>>>>;
}

/** A plug-in that only has defaults: its options are checked by their names and kinds. */
export interface LooseDefinition<Options, State extends AlgorithmState>
  extends Pick<Algorithm<Options, State>, Functions> {
  /** Default: "1". */
  readonly version?: string;
  readonly options?: undefined;
  readonly defaults: Options;
  readonly presets?: Readonly<Record<string, Preset<Options>>>;
}

type Values = Readonly<Record<string, unknown>>;

/** An algorithm whose options are checked before anything is computed. */
export function defineAlgorithm<Declarations extends OptionDeclarations, State extends AlgorithmState>(
  definition: AlgorithmDefinition<Declarations, State>,
): Algorithm<OptionsOf<Declarations>, State>;
export function defineAlgorithm<Options extends Values, State extends AlgorithmState>(
  definition: LooseDefinition<Options, State>,
): Algorithm<Options, State>;
export function defineAlgorithm(
  definition:
    | AlgorithmDefinition<OptionDeclarations, AlgorithmState>
    | LooseDefinition<Values, AlgorithmState>,
): Algorithm<Values, AlgorithmState> {
  const { id, version = '1', presets = {} } = definition;
  const options = definition.options ?? looseOptions(definition.defaults);
  const check = (setup: Setup<Values>) => requireOptions(id, options, setup.options);
  return {
    id,
    version,
    options,
    defaults: defaultsOf(options),
    presets,
    length(setup) {
      check(setup);
      return definition.length(setup);
    },
    async init(setup, key) {
      check(setup);
      return definition.init(setup, key);
    },
    async step(state, setup, iterations) {
      check(setup);
      return definition.step(state, setup, iterations);
    },
    propose: (state, setup) => definition.propose(state, setup),
    watch: (state, setup) => definition.watch(state, setup),
  };
}

type Presets<Options> = Pick<Algorithm<Options, AlgorithmState>, 'id' | 'defaults' | 'presets'>;

/** Names of an algorithm's presets; "defaults" first. */
export function presetNames({ presets }: { readonly presets: object }): string[] {
  return ['defaults', ...Object.keys(presets)];
}

/** Throws `ArgumentError` unless the algorithm has a preset of this name. */
export function requirePreset(
  algorithm: { readonly id: string; readonly presets: object },
  name: string,
): void {
  const names = presetNames(algorithm);
  if (names.includes(name)) return;
  const near = nearestName(name, names);
  const hint = near === undefined ? `it has ${names.join(', ')}` : `did you mean "${near}"?`;
  throw new ArgumentError('preset', `${algorithm.id} has no preset "${name}"; ${hint}`);
}

/**
 * All options of a preset, or of "defaults".
 *
 * @param task Its name in the paper's tables, such as "Superconductor", where the preset has values per task.
 */
export function presetOptions<Options>(algorithm: Presets<Options>, name: string, task?: string): Options {
  const { id, defaults, presets } = algorithm;
  requirePreset(algorithm, name);
  if (name === 'defaults') return defaults;
  const { options, byTask } = presets[name]!;
  if (!byTask) return { ...defaults, ...options };
  const further = task !== undefined && Object.hasOwn(byTask, task) ? byTask[task] : undefined;
  if (further) return { ...defaults, ...options, ...further };
  throw new ArgumentError(
    'preset',
    `${id}@${name} has options for ${Object.keys(byTask).join(', ')}${task === undefined ? '; name one of them' : `, not for ${task}`}`,
  );
}
