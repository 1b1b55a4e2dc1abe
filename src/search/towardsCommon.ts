/**
 * What is proposed where no judge can rank rows: the best rows as they are. Where all columns are classes, and rows with
 * fewer rare classes score higher by more than chance, the best rows on their way to the commonest classes: a half and three
 * quarters of what is rare in a row is undone, drawn at random. Of many changes to one working sequence most do harm,
 * and that shows where single changes cannot be told apart.
 */
import type { Key } from '../numeric/key.js';
import { Stream } from '../numeric/random.js';
import { rowOf } from '../numeric/rows.js';
import { extent, spearman } from '../numeric/stats.js';
import type { Dataset, Space } from '../space/space.js';
import { isAllClasses } from './encoding.js';

/** Standard errors by which a rank correlation has to differ from 0. */
export const SURE = 3;
/** Shares of what is rare that are undone, in turn. */
const UNDONE = [0.5, 0.75];
/** Draws after which a design that was proposed already stays as its row is. */
const TRIES = 20;

/** Designs, M x d, of the best rows (M x d); the rows themselves where nothing speaks for other ones. */
export function towardsCommon(data: Dataset, space: Space, best: Float64Array, key: Key): Float64Array {
  const d = space.columns.length;
  const { y } = data;
  if (!isAllClasses(space)) return best;
  const common = commonest(data, space);
  const rare = Float64Array.from(y, (_, i) => rareIn(rowOf(data.x, d, i), common).length);
  const { min, max } = extent(rare);
  if (min === max || spearman(rare, y) * Math.sqrt(y.length) > -SURE) return best;
  const stream = new Stream(key);
  const taken = new Set<string>();
  const designs = best.slice();
  for (let i = 0; i < best.length / d; i++) {
    const row = rowOf(best, d, i);
    const places = rareIn(row, common);
    const count = Math.ceil(UNDONE[i % UNDONE.length]! * places.length);
    for (let draw = 0; draw < TRIES; draw++) {
      const design = row.slice();
      for (const at of stream.choose(places.length, count)) design[places[at]!] = common[places[at]!]!;
      const name = design.join();
      if (taken.has(name)) continue;
      taken.add(name);
      designs.set(design, i * d);
      break;
    }
  }
  return designs;
}

/** The class that most rows have, per column. */
function commonest({ x, y }: Dataset, { columns }: Space): Float64Array {
  const d = columns.length;
  return Float64Array.from(columns, (column, j) => {
    const counts = new Float64Array(column.kind === 'categorical' ? column.classes : 1);
    for (let i = 0; i < y.length; i++) counts[x[i * d + j]!]! += 1;
    return counts.indexOf(extent(counts).max);
  });
}

const rareIn = (row: Float64Array, common: Float64Array): number[] =>
  Array.from(row.keys()).filter((j) => row[j] !== common[j]);
