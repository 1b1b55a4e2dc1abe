/**
 * Pairs of rows that are alike while one is better (Tagasovska et al. 2024): row i is matched with every row j that
 * scores more than `rise` above it and is no further than `reach` from it.
 */
import { argsort, median } from '../numeric/stats.js';
import { evenly } from '../search/rowSubset.js';

export interface PairSettings {
  /** Difference of standardised scores above which j is better. */
  readonly rise: number;
  /** Greatest Euclidean distance; 'auto': the median over rows of the distance to their `partners`th nearest better row. */
  readonly reach: number | 'auto';
  readonly partners: number;
}

export interface MatchedPairs {
  /** Numbers i and j of every pair, by the score of i. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /** The distance that was used. */
  readonly reach: number;
}

/** Rows that `reach` is measured at, at most. */
const MEASURED = 512;

/** `inputs` n x P; `y` n, standardised. */
export function matchPairs(
  inputs: Float64Array,
  y: Float64Array,
  { rise, reach, partners }: PairSettings,
): MatchedPairs {
  const n = y.length;
  const P = inputs.length / n;
  const order = argsort(y, 'ascending');

  /** Calls back with every row that is better than row i and whose squared distance is at most `limit`. */
  const visitBetter = (place: number, limit: number, visit: (j: number, squared: number) => void) => {
    const i = order[place]!;
    for (let k = place + 1; k < n; k++) {
      const j = order[k]!;
      if (!(y[j]! - y[i]! > rise)) continue;
      let squared = 0;
      for (let c = 0; c < P && squared <= limit; c++)
        squared += (inputs[i * P + c]! - inputs[j * P + c]!) ** 2;
      if (squared <= limit) visit(j, squared);
    }
  };

  /** Where the `partners`th nearest better row is, or the furthest if there are fewer; squared. */
  const usual = () => {
    const distances = Array.from(evenly(n, MEASURED)).flatMap((place) => {
      const near: number[] = [];
      visitBetter(place, Number.POSITIVE_INFINITY, (_, squared) => near.push(squared));
      near.sort((a, b) => a - b);
      return near.slice(0, partners).slice(-1);
    });
    return distances.length > 0 ? median(distances) : 0;
  };

  const limit = reach === 'auto' ? usual() : reach * reach;
  const from: number[] = [];
  const to: number[] = [];
  for (let place = 0; place < n; place++) {
    visitBetter(place, limit, (j) => {
      from.push(order[place]!);
      to.push(j);
    });
  }
  return { from: Uint32Array.from(from), to: Uint32Array.from(to), reach: Math.sqrt(limit) };
}
