import { expect, it } from 'vitest';
import { rootKey, Stream } from '../../src/numeric/index.js';
import { towardsCommon } from '../../src/search/towardsCommon.js';
import type { Space } from '../../src/space/space.js';

const d = 12;
const letters: Space = { columns: Array.from({ length: d }, () => ({ kind: 'categorical', classes: 4 })) };

/** 200 mutants of 0000..., of which each change costs `harm`. */
function mutants(harm: number) {
  const stream = new Stream(rootKey(3));
  const x = new Float64Array(200 * d);
  const y = Float64Array.from({ length: 200 }, (_, i) => {
    const changes = stream.choose(d, 2 + stream.integer(4));
    for (const at of changes) x[i * d + at] = 1 + stream.integer(3);
    return stream.normal() - harm * changes.length;
  });
  return { x, y };
}

const rareIn = (x: Float64Array, i: number) => x.subarray(i * d, (i + 1) * d).filter((v) => v !== 0).length;

it('undoes a half and three quarters of what is rare, where rows with less of it score higher', () => {
  const data = mutants(0.5);
  const best = data.x.slice(0, 20 * d);
  const designs = towardsCommon(data, letters, best, rootKey(1));
  const names = new Set<string>();
  for (let i = 0; i < 20; i++) {
    const row = best.subarray(i * d, (i + 1) * d);
    const design = designs.subarray(i * d, (i + 1) * d);
    expect(design.every((v, j) => v === 0 || v === row[j])).toBe(true);
    const undone = Math.ceil((i % 2 === 0 ? 0.5 : 0.75) * rareIn(best, i));
    const isLeft = rareIn(designs, i) === rareIn(best, i); // where all such designs are taken
    if (!isLeft) expect(rareIn(designs, i)).toBe(rareIn(best, i) - undone);
    names.add(design.join());
  }
  expect(names.size).toBe(20);
  expect(towardsCommon(data, letters, best, rootKey(1))).toEqual(designs);
});

it('leaves rows as they are where changes do no harm, do good, or where a column is a number', () => {
  for (const harm of [0, -0.5]) {
    const data = mutants(harm);
    const best = data.x.slice(0, 5 * d);
    expect(towardsCommon(data, letters, best, rootKey(1))).toEqual(best);
  }
  const data = mutants(0.5);
  const mixed: Space = {
    columns: letters.columns.map((column, j) =>
      j === 0 ? { kind: 'continuous', lower: 0, upper: 3 } : column,
    ),
  };
  const best = data.x.slice(0, 5 * d);
  expect(towardsCommon(data, mixed, best, rootKey(1))).toEqual(best);
});
