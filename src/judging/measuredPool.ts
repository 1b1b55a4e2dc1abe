/**
 * A method judged by measured rows alone: the best rows of a table are hidden, the method sees the others, and is then
 * asked to rank rows. How many of the hidden best stand at the top of its ranking, against chance? No oracle is
 * involved, so nothing can be gained by fooling one; and nothing is said about designs that nobody measured.
 * docs/tasks/measured-pool.md
 */
import { ArgumentError, requireCount, requireFinite, ShapeError } from '../numeric/errors.js';
import { foldKey, rootKey } from '../numeric/key.js';
import { portableExp, portableLog } from '../numeric/portable.js';
import { Stream } from '../numeric/random.js';
import { rowOf, takeRows } from '../numeric/rows.js';
import { argsort, quantile, spearman } from '../numeric/stats.js';
import type { Dataset } from '../space/space.js';

export interface PoolOptions {
  /** Rows above the quantile 1 - top of the scores are hidden. Default 0.2. */
  readonly top?: number;
  /** Share of the other rows that is withheld too, so that not every unseen row is a good one. Default 0. */
  readonly withheld?: number;
  /** Decides which rows are withheld. Default 0. */
  readonly seed?: number;
}

export interface MeasuredPool {
  /** What a method may see. */
  readonly visible: Dataset;
  /** Rows of the data that these are. */
  readonly seen: Uint32Array;
  /** All rows that can be ranked, n x d and n, in the order of the data. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** n: 1 for the best rows, which are to be found. */
  readonly isTop: Uint8Array;
  /** n: 1 for rows that are not in `visible`. */
  readonly isUnseen: Uint8Array;
  /** Top rows whose design is also a visible row: repeats of an experiment, which need no model to be known. */
  readonly repeated: number;
  /** Rows of which nobody knows on which side of the cut they are, because their score is a bound. */
  readonly undecided: number;
}

/** Cuts `data` into what may be seen and what is to be found. */
export function measuredPool(
  data: Dataset,
  { top = 0.2, withheld = 0, seed = 0 }: PoolOptions = {},
): MeasuredPool {
  const N = data.y.length;
  if (N < 2 || data.x.length % N !== 0 || data.x.length === 0) {
    throw new ShapeError(
      'data',
      `data has ${data.x.length} numbers and ${N} scores; expected at least two rows of equal length`,
    );
  }
  requireFinite('data.x', data.x);
  requireFinite('data.y', data.y);
  if (!(top > 0 && top < 1))
    throw new ArgumentError('top', `top is ${top}; expected a share between 0 and 1`);
  if (!(withheld >= 0 && withheld < 1))
    throw new ArgumentError('withheld', `withheld is ${withheld}; expected a share from 0 to below 1`);

  const cut = quantile(data.y, 1 - top);
  const bound = (row: number) => data.censored?.[row] ?? 0;
  const isUndecided = (row: number) => (data.y[row]! > cut ? bound(row) < 0 : bound(row) > 0);
  const decided = Uint32Array.from({ length: N }, (_, row) => row).filter((row) => !isUndecided(row));
  const isTop = Uint8Array.from(decided, (row) => (data.y[row]! > cut ? 1 : 0));
  if (!isTop.includes(1)) {
    throw new ArgumentError(
      'top',
      `no row is above the cut at ${cut}: too many rows share the best score; hide a larger share than ${top}`,
    );
  }
  const isUnseen = isTop.slice();
  const others = Uint32Array.from(isTop.keys()).filter((i) => isTop[i] === 0);
  const stream = new Stream(foldKey(rootKey(seed), 'measured pool'));
  for (const i of stream.choose(others.length, Math.round(withheld * others.length)))
    isUnseen[others[i]!] = 1;
  const seen = decided.filter((_, i) => isUnseen[i] === 0);
  if (seen.length === 0) throw new ArgumentError('withheld', 'no row is left to be seen; withhold fewer');

  const d = data.x.length / N;
  const designOf = (row: number) => rowOf(data.x, d, row).join();
  const known = new Set(Array.from(seen, designOf));
  const visible = rowsOf(data, seen);
  return {
    visible: data.censored ? { ...visible, censored: Int8Array.from(seen, bound) } : visible,
    seen,
    ...rowsOf(data, decided),
    isTop,
    isUnseen,
    repeated: decided.filter((row, i) => isTop[i] === 1 && known.has(designOf(row))).length,
    undecided: N - decided.length,
  };
}

function rowsOf({ x, y }: Dataset, rows: Uint32Array): { x: Float64Array; y: Float64Array } {
  const d = x.length / y.length;
  return { x: takeRows(x, d, rows), y: Float64Array.from(rows, (row) => y[row]!) };
}

/** Scores of designs (n x d); larger is better. */
export type RowScorer = (x: Float64Array) => Float64Array | Promise<Float64Array>;

export interface RankingOptions {
  /** Whether visible rows are ranked as well. Default 'all'. */
  readonly among?: 'all' | 'unseen';
  /** Lengths of the list that is looked at. Default: 10, 30, 100, 300, 1000 as far as there are rows. */
  readonly k?: readonly number[];
}

/** How many of the hidden best rows are among the first k of a ranking. */
export interface Enrichment {
  readonly k: number;
  /** Top rows among the first k; of rows with equal scores, what a random order gives on average. */
  readonly found: number;
  /** found / k. */
  readonly share: number;
  /** found / all top rows. */
  readonly recall: number;
  /** What a random order finds on average, k H / n. */
  readonly expected: number;
  /** found / expected. */
  readonly factor: number;
  /** Probability that a random order finds as many or more (found rounded down); hypergeometric. */
  readonly chance: number;
}

/** How a method ranked measured rows, some of them hidden from it. */
export interface Ranking {
  /** n and H: rows that were ranked, and top rows among them. */
  readonly rows: number;
  readonly topRows: number;
  readonly enrichment: readonly Enrichment[];
  /** Rank correlation of scores and measurements within the top rows; null if one side is constant. */
  readonly orderWithinTop: number | null;
}

/** Ranks the rows of a pool by a method's scores. The method must have been given `pool.visible` only. */
export async function rankPool(
  pool: MeasuredPool,
  scorer: RowScorer,
  { among = 'all', k = [10, 30, 100, 300, 1000] }: RankingOptions = {},
): Promise<Ranking> {
  const rows = Uint32Array.from(pool.y.keys()).filter((i) => among === 'all' || pool.isUnseen[i] === 1);
  const { x, y } = rowsOf(pool, rows);
  const scores = await scorer(x.slice());
  if (scores.length !== rows.length) {
    throw new ShapeError('scorer', `the method scored ${rows.length} rows by ${scores.length} numbers`);
  }
  requireFinite("the method's score", scores);
  for (const length of k) requireCount('k', length);

  const isTop = Uint8Array.from(rows, (i) => pool.isTop[i]!);
  const H = isTop.reduce((sum, value) => sum + value, 0);
  const found = foundWithin(scores, isTop);
  const lengths = [...new Set(k)].filter((length) => length <= rows.length).sort((a, b) => a - b);
  return {
    rows: rows.length,
    topRows: H,
    enrichment: lengths.map((length) => {
      const random = new Hypergeometric(rows.length, H, length);
      const count = found[length]!;
      return {
        k: length,
        found: count,
        share: count / length,
        recall: count / H,
        expected: random.expectation,
        factor: count / random.expectation,
        chance: random.atLeast(Math.floor(count)),
      };
    }),
    orderWithinTop: correlation(
      scores.filter((_, i) => isTop[i] === 1),
      y.filter((_, i) => isTop[i] === 1),
    ),
  };
}

/** Element k: marked rows among the k with the highest scores, on average over all orders of equal scores. */
function foundWithin(scores: Float64Array, isMarked: Uint8Array): Float64Array {
  const order = argsort(scores, 'descending');
  const found = new Float64Array(scores.length + 1);
  for (let start = 0; start < order.length; ) {
    let end = start;
    let marked = 0;
    while (end < order.length && scores[order[end]!] === scores[order[start]!])
      marked += isMarked[order[end++]!]!;
    for (let k = start + 1; k <= end; k++) found[k] = found[start]! + (marked * (k - start)) / (end - start);
    start = end;
  }
  return found;
}

function correlation(a: Float64Array, b: Float64Array): number | null {
  const isConstant = (values: Float64Array) => values.every((value) => value === values[0]);
  return isConstant(a) || isConstant(b) ? null : spearman(a, b);
}

/** Numbers of marked things among `drawn` of `total`, of which `marked` are marked, drawn without putting back. */
export class Hypergeometric {
  private readonly logFactorials: Float64Array;

  constructor(
    readonly total: number,
    readonly marked: number,
    readonly drawn: number,
  ) {
    this.logFactorials = new Float64Array(total + 1);
    for (let n = 2; n <= total; n++) this.logFactorials[n] = this.logFactorials[n - 1]! + portableLog(n);
  }

  get expectation(): number {
    return (this.drawn * this.marked) / this.total;
  }

  /** P(X = count). */
  probability(count: number): number {
    const { total, marked, drawn } = this;
    if (count < Math.max(0, drawn + marked - total) || count > Math.min(drawn, marked)) return 0;
    return portableExp(
      this.logChoose(marked, count) +
        this.logChoose(total - marked, drawn - count) -
        this.logChoose(total, drawn),
    );
  }

  /** P(X >= count). */
  atLeast(count: number): number {
    let sum = 0;
    for (let n = Math.min(this.drawn, this.marked); n >= Math.max(0, count); n--) sum += this.probability(n);
    return Math.min(1, sum);
  }

  private logChoose(n: number, k: number): number {
    return this.logFactorials[n]! - this.logFactorials[k]! - this.logFactorials[n - k]!;
  }
}
