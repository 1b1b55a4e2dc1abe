/**
 * The best designs that a search met on all its steps, by judges that it did not climb. Two lists are kept: careful ones,
 * by what is expected less some doubt, and bold ones, by what they may reach. A batch is mostly careful. Where variants were
 * bred of the designs met, both kinds are in it, mostly the one that a judge prefers by whom it was not bred: judges alone made
 * variants, while those that were met please a model that climbed and judges as well.
 */
import { rowOf } from '../numeric/rows.js';
import { argsort } from '../numeric/stats.js';

/** Plain data: n designs in the order they were met. */
export interface MetDesigns {
  /** n x d. */
  readonly x: Float64Array;
  readonly mean: Float64Array;
  readonly doubt: Float64Array;
}

/** Deviations that are taken off a careful design, and added to a bold one. */
const CAREFUL = 0.25;
const BOLD = 1;
/** Share of a batch that is bold, and share of the kind, met or bred, that is not preferred. */
const BOLD_SHARE = 1 / 8;
const OTHER_SHARE = 1 / 4;

export const noDesigns: MetDesigns = {
  x: new Float64Array(),
  mean: new Float64Array(),
  doubt: new Float64Array(),
};

/** What is expected less some doubt. */
export const careful = ({ mean, doubt }: Pick<MetDesigns, 'mean' | 'doubt'>) =>
  mean.map((m, i) => m - CAREFUL * doubt[i]!);
const bold = ({ mean, doubt }: MetDesigns) => mean.map((m, i) => m + BOLD * doubt[i]!);

/** Both lists of `size`, of those met before and these; a design that was met twice, and judged alike, counts once. */
export function meet(before: MetDesigns, now: MetDesigns, size: number): MetDesigns {
  const n = now.mean.length + before.mean.length;
  if (n === 0) return before;
  const d = (now.x.length + before.x.length) / n;
  const all = joined(before, now);
  const keep = new Set<number>();
  for (const values of [careful(all), bold(all)]) {
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

/** Variants of designs met, and whether they are the better kind. */
export interface BredDesigns extends MetDesigns {
  readonly isPreferred: boolean;
}

/** M of the designs, M x d, the preferred kind first; one after the other again where there are fewer. */
export function batchOf(met: MetDesigns, M: number, bred?: BredDesigns): Float64Array {
  const d = met.x.length / met.mean.length;
  const boldCount = Math.floor(BOLD_SHARE * M);
  const otherCount = Math.floor(OTHER_SHARE * M);
  const taken = new Set<string>();
  const chosen: Float64Array[] = [];
  const add = (from: MetDesigns, values: Float64Array, count: number) => {
    if (from.mean.length === 0) return;
    let added = 0;
    for (const i of argsort(values, 'descending')) {
      if (added === count) return;
      const x = rowOf(from.x, d, i);
      const name = x.join();
      if (taken.has(name)) continue;
      taken.add(name);
      chosen.push(x);
      added++;
    }
  };
  const kinds = !bred ? [met] : bred.isPreferred ? [bred, met] : [met, bred];
  kinds.forEach((kind, i) => {
    const count = i === 0 ? M - boldCount - (kinds.length - 1) * otherCount : otherCount;
    add(kind, careful(kind), count);
  });
  add(met, bold(met), boldCount);
  for (const kind of kinds) add(kind, careful(kind), M - chosen.length);
  const batch = new Float64Array(M * d);
  for (let m = 0; m < M; m++) batch.set(chosen[m % chosen.length]!, m * d);
  return batch;
}

function joined(a: MetDesigns, b: MetDesigns): MetDesigns {
  const join = (p: Float64Array, q: Float64Array) => {
    const all = new Float64Array(p.length + q.length);
    all.set(p);
    all.set(q, p.length);
    return all;
  };
  return { x: join(a.x, b.x), mean: join(a.mean, b.mean), doubt: join(a.doubt, b.doubt) };
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
  };
}
