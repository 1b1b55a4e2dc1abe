/**
 * The best designs that a search met on all its steps, by judges that it did not climb. Two lists are kept: careful ones,
 * by what is expected less some doubt, and bold ones, by what they may reach. A batch is mostly careful.
 */
import { rowOf } from '../numeric/rows.js';
import { argsort } from '../numeric/stats.js';

/** Plain data: n designs in the order they were met. */
export interface MetDesigns {
  /** n x d. */
  readonly x: Float64Array;
  readonly mean: Float64Array;
  readonly doubt: Float64Array;
  readonly reach: Float64Array;
}

/** Deviations that are taken off a careful design. */
const CAREFUL = 0.25;
/** Share of a batch that is bold. */
const BOLD_SHARE = 1 / 8;

export const noDesigns: MetDesigns = {
  x: new Float64Array(),
  mean: new Float64Array(),
  doubt: new Float64Array(),
  reach: new Float64Array(),
};

/** What is expected less some doubt. */
export const careful = ({ mean, doubt }: Pick<MetDesigns, 'mean' | 'doubt'>) =>
  mean.map((m, i) => m - CAREFUL * doubt[i]!);

/** Both lists of `size`, of those met before and these; a design that was met twice, and judged alike, counts once. */
export function meet(before: MetDesigns, now: MetDesigns, size: number): MetDesigns {
  const n = now.mean.length + before.mean.length;
  if (n === 0) return before;
  const d = (now.x.length + before.x.length) / n;
  const all = joined(before, now);
  const keep = new Set<number>();
  for (const values of [careful(all), all.reach]) {
    // equal designs have equal judgements, so only those are compared
    const kept = new Map<string, number[]>();
    let count = 0;
    for (const i of argsort(values, 'descending')) {
      if (count === size) break;
      const judgement = `${all.mean[i]} ${all.doubt[i]}`;
      const alike = kept.get(judgement) ?? [];
      if (alike.some((j) => rowOf(all.x, d, j).every((v, c) => v === all.x[i * d + c]))) continue;
      kept.set(judgement, [...alike, i]);
      keep.add(i);
      count++;
    }
  }
  return take(
    all,
    [...keep].sort((a, b) => a - b),
  );
}

/** M of the designs, M x d, none of which is among `others` (n x d); one after the other again where there are fewer. */
export function batchOf(met: MetDesigns, M: number, others: Float64Array = new Float64Array()): Float64Array {
  const d = met.x.length / met.mean.length;
  const known = new Set(Array.from({ length: others.length / d }, (_, i) => rowOf(others, d, i).join()));
  const isNew = met.mean.map((_, i) => Number(!known.has(rowOf(met.x, d, i).join())));
  const chosen = new Set<number>();
  const add = (values: Float64Array, until: number) => {
    for (const i of argsort(values, 'descending')) {
      if (chosen.size >= until) return;
      if (isNew[i]) chosen.add(i);
    }
  };
  add(careful(met), M - Math.floor(BOLD_SHARE * M));
  add(met.reach, M);
  const rows = chosen.size > 0 ? [...chosen] : Array.from(isNew.keys());
  const batch = new Float64Array(M * d);
  for (let m = 0; m < M; m++) batch.set(rowOf(met.x, d, rows[m % rows.length]!), m * d);
  return batch;
}

function joined(a: MetDesigns, b: MetDesigns): MetDesigns {
  const join = (p: Float64Array, q: Float64Array) => {
    const all = new Float64Array(p.length + q.length);
    all.set(p);
    all.set(q, p.length);
    return all;
  };
  return {
    x: join(a.x, b.x),
    mean: join(a.mean, b.mean),
    doubt: join(a.doubt, b.doubt),
    reach: join(a.reach, b.reach),
  };
}

function take(all: MetDesigns, rows: readonly number[]): MetDesigns {
  const d = all.x.length / all.mean.length;
  const x = new Float64Array(rows.length * d);
  rows.forEach((row, i) => {
    x.set(rowOf(all.x, d, row), i * d);
  });
  return {
    x,
    mean: Float64Array.from(rows, (row) => all.mean[row]!),
    doubt: Float64Array.from(rows, (row) => all.doubt[row]!),
    reach: Float64Array.from(rows, (row) => all.reach[row]!),
  };
}
