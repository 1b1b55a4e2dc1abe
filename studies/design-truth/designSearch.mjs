// Where a score is greatest in a space: many designs drawn from all of it and the past rows, then small changes of the
// best. The same search serves every peer that has a model.
import { argsort, extent, foldKey, rootKey, Stream } from '../../dist/numeric/index.js';
import { fromScale, projector, sample, toScale } from '../../dist/space/index.js';

/**
 * @typedef {import('../../dist/problem/index.js').Problem} Problem
 * @typedef {(designs: Float64Array) => Float64Array} Score of n x d designs
 * @typedef {Awaited<ReturnType<typeof openSearch>>} Search
 */

/** Designs drawn from the space. */
const DRAWS = 1000;

/** @param {Problem} problem @param {number} seed */
export async function openSearch({ space, data }, seed) {
  const d = space.columns.length;
  const { project } = await projector(space);
  const draws = await sample(space, new Stream(foldKey(rootKey(seed), 'draws')), DRAWS);
  const fixed = new Set((space.fixed ?? []).map(({ column }) => column));
  const free = Array.from(space.columns.keys()).filter((j) => !fixed.has(j));
  /** The best past rows, with what is fixed now. */
  const past = Array.from(argsort(data.y, 'descending').slice(0, 100), (i) =>
    project(data.x.subarray(i * d, (i + 1) * d)),
  );
  const scales = space.columns.map((column, j) => {
    if (column.kind === 'categorical') return 1;
    const width = toScale(column, column.upper) - toScale(column, column.lower);
    if (Number.isFinite(width)) return width;
    const seen = past.map((row) => toScale(column, row[j]));
    const { min, max } = extent(seen);
    return max - min || 1;
  });

  /** One number or class changes, or about a third of them. @param {Float64Array} row @param {number} width @param {Stream} stream */
  const changed = (row, width, stream) => {
    const next = row.slice();
    const only = stream.boolean() ? free[stream.integer(free.length)] : -1;
    for (const j of free) {
      if (only >= 0 ? j !== only : !stream.boolean(0.3)) continue;
      const column = space.columns[j];
      next[j] =
        column.kind === 'categorical'
          ? stream.integer(column.classes)
          : fromScale(column, toScale(column, row[j]) + width * scales[j] * stream.normal());
    }
    return project(next);
  };

  return {
    d,
    draws,
    /**
     * A design near another: normal noise of `size` deviations on every number, another class with the chance `size`.
     * @param {Float64Array} row @param {number} size @param {number[]} deviations @param {Stream} stream
     */
    near(row, size, deviations, stream) {
      const next = row.slice();
      for (const j of free) {
        const column = space.columns[j];
        if (column.kind === 'continuous')
          next[j] = fromScale(column, toScale(column, row[j]) + size * deviations[j] * stream.normal());
        else if (stream.boolean(size)) next[j] = stream.integer(column.classes);
      }
      return project(next);
    },
    /**
     * Up to 300 designs of high score, the highest first.
     * @param {Score} score
     * @param {{ lines: number, rounds: number, children: number }} effort lines that are followed, and changes tried per line and round
     * @param {Stream} stream
     */
    maximise(score, { lines, rounds, children }, stream) {
      const first = joined([draws, ...past], d);
      const values = score(first);
      const row = (/** @type {Float64Array} */ all, /** @type {number} */ i) => all.slice(i * d, (i + 1) * d);
      const order = Array.from(argsort(values, 'descending'));
      /** @type {{ design: Float64Array, value: number }[]} */
      const found = order.slice(0, 300).map((i) => ({ design: row(first, i), value: values[i] }));
      const best = found.slice(0, lines);
      for (let round = 0; round < rounds; round++) {
        const width = 0.3 * (0.003 / 0.3) ** (round / rounds);
        const tried = best.flatMap(({ design }) =>
          Array.from({ length: children }, () => changed(design, width, stream)),
        );
        const scored = score(joined(tried, d));
        for (const [i, design] of tried.entries()) {
          const line = Math.floor(i / children);
          if (scored[i] <= best[line].value) continue;
          best[line] = { design, value: scored[i] };
          found.push(best[line]);
        }
      }
      return found.sort((a, b) => b.value - a.value).slice(0, 300);
    },
  };
}

/** @param {readonly Float64Array[]} parts @param {number} d whole rows of d numbers each */
export function joined(parts, d) {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  if (all.length % d !== 0) throw new Error(`${all.length} numbers are not whole rows of ${d}`);
  return all;
}
