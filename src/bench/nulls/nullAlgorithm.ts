/**
 * A row of the benchmark that uses no model: one step, in which the designs are drawn. What an algorithm reaches counts as
 * far as it is better than these. docs/bench.md
 */
import {
  type Algorithm,
  type AlgorithmState,
  defineAlgorithm,
  type Preset,
  type Setup,
} from '../../algorithm.js';
import { requireSteps } from '../../numeric/errors.js';
import type { Key } from '../../numeric/key.js';
import { takeRows } from '../../numeric/rows.js';
import { argsort } from '../../numeric/stats.js';
import type { OptionDeclarations, OptionsOf } from '../../options/option.js';
import { SearchSpace } from '../../search/searchSpace.js';
import { perSetup } from '../../search/session.js';
import { violations } from '../../space/index.js';
import { DataDistance } from '../dataDistance.js';

export interface NullState extends AlgorithmState {
  readonly key: Key;
  /** M x d. */
  readonly designs: Float64Array;
}

export interface NullOptions {
  readonly batchSize: number;
  readonly startFrom: 'best' | 'worst';
}

/** What the rows draw with, made once per setup. */
export interface NullSession {
  readonly search: SearchSpace;
  readonly distance: DataDistance;
}

export interface NullDefinition<Declarations extends OptionDeclarations> {
  readonly id: string;
  readonly options: Declarations;
  readonly presets?: Readonly<Record<string, Preset<OptionsOf<Declarations>>>>;
  /** M x d designs inside the space. `start` are the rows that every search begins at. */
  draw(
    setup: Setup<OptionsOf<Declarations>>,
    key: Key,
    start: Float64Array,
    session: NullSession,
  ): Promise<Float64Array>;
}

/** The version of nemokit in which the bits of these rows last changed. */
const version = '0.2.0';

export function nullAlgorithm<Declarations extends OptionDeclarations>(
  definition: NullDefinition<Declarations>,
): Algorithm<OptionsOf<Declarations>, NullState> {
  type Options = OptionsOf<Declarations> & NullOptions;
  const { id, options, presets, draw } = definition;
  const sessionOf = perSetup(
    ({ data, space }: Setup<Options>): NullSession => ({
      search: new SearchSpace(data, space, { box: null }),
      distance: new DataDistance(data, space),
    }),
  );
  return defineAlgorithm<Declarations, NullState>({
    id,
    version,
    options,
    ...(presets && { presets }),

    length() {
      return { training: 0, search: 1 };
    },

    async init(setup, key) {
      const { search } = sessionOf(setup as Setup<Options>);
      await search.prepare(); // refuses a space without designs
      return { iteration: 0, key, designs: startRows(setup as Setup<Options>, search) };
    },

    async step(state, setup, iterations = 1) {
      requireSteps('iterations', iterations);
      const session = sessionOf(setup as Setup<Options>);
      await session.search.prepare();
      const iteration = state.iteration + iterations;
      const isDrawn = state.iteration === 0 && iteration > 0;
      const designs = isDrawn ? await draw(setup, state.key, state.designs, session) : state.designs.slice();
      return { iteration, key: state.key, designs };
    },

    propose(state) {
      return state.designs.slice();
    },

    async watch(state, setup) {
      const { distance } = sessionOf(setup as Setup<Options>);
      return { iteration: state.iteration, distance: distance.medianOf(state.designs) };
    },
  });
}

/** The first rows by score, as they are; a row that is not in the space is moved into it. M x d. */
function startRows({ data, space, options }: Setup<NullOptions>, search: SearchSpace): Float64Array {
  const { batchSize, startFrom } = options;
  const d = space.columns.length;
  const order = argsort(data.y, startFrom === 'best' ? 'descending' : 'ascending');
  const rows = Array.from({ length: batchSize }, (_, m) => order[m % order.length]!);
  const designs = takeRows(data.x, d, rows);
  const moved = search.settle(search.start(options, null));
  for (let at = 0; at < designs.length; at += d) {
    if (violations(space, designs.subarray(at, at + d)).length > 0)
      designs.set(moved.subarray(at, at + d), at);
  }
  return designs;
}
