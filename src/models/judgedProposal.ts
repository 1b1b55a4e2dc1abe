/**
 * What judges that were never climbed add to a search: the best rows as they are, with which it begins or ends, and
 * variants of the best designs met, with which it closes.
 */
import type { Setup } from '../algorithm.js';
import { foldKey, type Key } from '../numeric/key.js';
import { fitStandardization, median } from '../numeric/stats.js';
import type { NemoOptions } from '../options/nemoOptions.js';
import { encode } from '../search/encoding.js';
import { evolve } from '../search/evolve.js';
import {
  type BredDesigns,
  batchOf,
  careful,
  type MetDesigns,
  meet,
  noDesigns,
} from '../search/metDesigns.js';
import { SearchSpace } from '../search/searchSpace.js';
import { towardsCommon } from '../search/towardsCommon.js';
import type { SearchPanel } from './searchPanel.js';

/** Generations of variants. */
const GENERATIONS = 60;

/** The best rows as they are, judged; where judges cannot rank rows, what is proposed in place of a search. */
export async function doNothing(setup: Setup<NemoOptions>, panel: SearchPanel, key: Key) {
  const { data, space, options } = setup;
  const asTheyAre = new SearchSpace(data, space, { box: null }); // the search's box would move them
  await asTheyAre.prepare();
  const x = asTheyAre.settle(asTheyAre.start(options, null));
  if (panel.canRank) return { met: meet(noDesigns, { x, ...panel.read(x) }, options.batchSize) };
  const designs = asTheyAre.isConstrained ? x : towardsCommon(data, space, x, foldKey(key, 'common'));
  return { met: noDesigns, unranked: designs };
}

/** Variants of the best designs met, the M that judges like best: what lies between two climbs, or beside them. */
export async function breed(
  setup: Setup<NemoOptions>,
  search: SearchSpace,
  panel: SearchPanel,
  key: Key,
  met: MetDesigns,
): Promise<BredDesigns> {
  const { data, space, options } = setup;
  let bred: MetDesigns = noDesigns;
  const judge = (x: Float64Array) => {
    const reading = panel.read(x);
    bred = meet(bred, { x, ...reading }, options.batchSize);
    return careful(reading);
  };
  await evolve(space, met.x, judge, {
    population: met.mean.length,
    generations: GENERATIONS,
    key: foldKey(key, 'variants'),
    project: (design) => {
      const parameters = encode(search.encoding, design);
      search.hold(parameters);
      return search.settle(parameters);
    },
    spread: fitStandardization(data.x, space.columns.length).scale,
  });
  const expected = panel.secondOpinion(foldKey(key, 'second opinion'));
  const ofBatch = (kind: MetDesigns) => median(expected(batchOf(kind, options.batchSize)));
  return { ...bred, isPreferred: ofBatch(bred) > ofBatch(met) };
}
