/**
 * What judges that were never climbed add to a search: the best rows as they are, with which it begins or ends, and
 * variants of the best designs met, with which it closes.
 */
import type { Setup } from '../algorithm.js';
import { foldKey, type Key } from '../numeric/key.js';
import { argsort, fitStandardization } from '../numeric/stats.js';
import type { NemoOptions } from '../options/nemoOptions.js';
import { encode } from '../search/encoding.js';
import { evolve } from '../search/evolve.js';
import { careful, type MetDesigns, meet, noDesigns } from '../search/metDesigns.js';
import { SearchSpace } from '../search/searchSpace.js';
import { towardsCommon } from '../search/towardsCommon.js';
import { towardsMiddle } from '../search/towardsMiddle.js';
import type { SearchPanel } from './searchPanel.js';

/** Generations of variants. */
const GENERATIONS = 60;

/** Shares of the way to the middle that the best rows are moved by: one after the other, or in turn where none can be judged. */
const MOVED = [0.25, 0.5, 0.75];
const UNJUDGED = [0.5, 0.75];

/** The best rows as they are and on their way to the middle, judged; where judges cannot rank rows, what is proposed in place of a search. */
export async function doNothing(setup: Setup<NemoOptions>, panel: SearchPanel, key: Key) {
  const { data, space, options } = setup;
  const asTheyAre = new SearchSpace(data, space, { box: null }); // the search's box would move them
  await asTheyAre.prepare();
  const x = asTheyAre.settle(asTheyAre.start(options, null));
  const moved = (shares: readonly number[]) => {
    const designs = towardsMiddle(data, space, x, shares);
    return designs && asTheyAre.settle(encode(asTheyAre.encoding, designs));
  };
  if (!panel.canRank) {
    const common = asTheyAre.isConstrained ? x : towardsCommon(data, space, x, foldKey(key, 'common'));
    return { met: noDesigns, unranked: moved(UNJUDGED) ?? common };
  }
  const order = argsort(data.y, options.startFrom === 'best' ? 'descending' : 'ascending');
  const rows = Array.from({ length: options.batchSize }, (_, m) => order[m % order.length]!);
  let met = meet(noDesigns, { x, ...panel.readRows(rows) }, options.batchSize);
  for (const share of MOVED) {
    const designs = moved([share]);
    if (designs) met = meet(met, { x: designs, ...panel.read(designs) }, options.batchSize);
  }
  return { met };
}

/**
 * Designs met, and variants of them: what lies between two climbs, or beside them. Variants are bred to please judges with
 * trees of other draws, and then judged as all designs are, so that a luck of those trees does not count. What they may
 * reach is no more than what is expected of them: a process alone is pleased too easily.
 */
export async function breed(
  setup: Setup<NemoOptions>,
  search: SearchSpace,
  panel: SearchPanel,
  key: Key,
  met: MetDesigns,
): Promise<MetDesigns> {
  const { data, space, options } = setup;
  const breeders = panel.redrawn(foldKey(key, 'breeders'));
  let bred: MetDesigns = noDesigns;
  const judge = (x: Float64Array) => {
    const reading = breeders.read(x);
    bred = meet(bred, { x, ...reading, reach: careful(reading) }, options.batchSize);
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
  const { mean, doubt, reach } = panel.read(bred.x);
  const capped = reach.map((p, i) => Math.min(p, mean[i]!));
  return meet(met, { x: bred.x, mean, doubt, reach: capped }, options.batchSize);
}
