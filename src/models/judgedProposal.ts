/**
 * What judges that were never climbed add to a search: the best rows as they are, with which it begins or ends, and
 * variants of the best designs met, with which it closes.
 */
import type { Setup } from '../algorithm.js';
import { foldKey, type Key } from '../numeric/key.js';
import { argsort, fitStandardization } from '../numeric/stats.js';
import type { NemoOptions } from '../options/nemoOptions.js';
import { concatenate } from '../search/candidates.js';
import { encode } from '../search/encoding.js';
import { evolve } from '../search/evolve.js';
import { careful, type MetDesigns, meet, noDesigns } from '../search/metDesigns.js';
import { recombine } from '../search/recombine.js';
import { SearchSpace } from '../search/searchSpace.js';
import { towardsCommon } from '../search/towardsCommon.js';
import { towardsMiddle } from '../search/towardsMiddle.js';
import type { SearchPanel } from './searchPanel.js';

/** Generations of variants. */
const GENERATIONS = 60;

/** Shares of the way to the middle that the best rows are moved by: one after the other, or in turn where none can be judged. */
const MOVED = [0.25, 0.5, 0.75];
const UNJUDGED = [0.5, 0.75];

/** Shares of a batch that need no judge: best rows as they are, and designs made of several of them. */
const WITHOUT_JUDGE = {
  full: { rows: 0, made: 0 },
  much: { rows: 3 / 16, made: 0 },
  some: { rows: 9 / 32, made: 0 },
  little: { rows: 1 / 8, made: 5 / 8 },
};

/**
 * What a search begins with: the best rows as they are, designs made of several of them, and rows on their way to the
 * middle, judged; and the part of the batch that is proposed whatever judges say, the whole of it where they cannot rank rows.
 */
export async function doNothing(setup: Setup<NemoOptions>, panel: SearchPanel, key: Key) {
  const { data, space, options } = setup;
  const M = options.batchSize;
  const asTheyAre = new SearchSpace(data, space, { box: null }); // the search's box would move them
  await asTheyAre.prepare();
  const settle = (designs: Float64Array) => asTheyAre.settle(encode(asTheyAre.encoding, designs));
  const x = asTheyAre.settle(asTheyAre.start(options, null));
  const best = asTheyAre.settle(asTheyAre.start({ batchSize: M, startFrom: 'best' }, null));
  const moved = (shares: readonly number[]) => {
    const designs = towardsMiddle(data, space, best, shares);
    return designs && settle(designs);
  };
  const made = settle(recombine(space, best, M, foldKey(key, 'made')));
  const d = space.columns.length;
  const share = WITHOUT_JUDGE[panel.trust];
  const rows = best.slice(0, Math.round(share.rows * M) * d);
  if (!panel.canRank) {
    const towards =
      moved(UNJUDGED) ??
      (asTheyAre.isConstrained ? best : towardsCommon(data, space, best, foldKey(key, 'common')));
    const half = Math.round((M * d - rows.length) / (2 * d)) * d;
    const rest = made.slice(0, M * d - rows.length - half);
    return {
      met: noDesigns,
      known: concatenate(concatenate(rows, towards.slice(rows.length, rows.length + half)), rest),
    };
  }
  const order = argsort(data.y, options.startFrom === 'best' ? 'descending' : 'ascending');
  const starts = Array.from({ length: M }, (_, m) => order[m % order.length]!);
  let met = meet(noDesigns, { x, ...panel.readRows(starts) }, M);
  for (const designs of [made, ...MOVED.map((part) => moved([part]))]) {
    if (designs) met = meet(met, { x: designs, ...panel.read(designs) }, M);
  }
  return { met, known: concatenate(rows, made.slice(0, Math.round(share.made * M) * d)) };
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
