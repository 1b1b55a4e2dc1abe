import { expect, it } from 'vitest';
import { batchOf, meet, noDesigns } from '../../src/search/metDesigns.js';

const met = (...designs: readonly (readonly [x: number, mean: number, doubt: number])[]) => ({
  x: Float64Array.from(designs, ([x]) => x),
  mean: Float64Array.from(designs, ([, mean]) => mean),
  doubt: Float64Array.from(designs, ([, , doubt]) => doubt),
});

it('keeps the best careful and the best bold designs of all that were met, each once', () => {
  const first = meet(noDesigns, met([1, 1, 0], [2, 0.9, 0], [3, 0, 5]), 2);
  expect([...first.x]).toEqual([1, 2, 3]); // careful 1 and 2, bold 3 and 1
  const then = meet(first, met([1, 1, 0], [4, 3, 0], [5, -9, 0]), 2);
  expect([...then.x]).toEqual([1, 3, 4]); // careful 4 and 1, which was met twice; bold 3 and 4
  expect([...meet(then, noDesigns, 2).x]).toEqual([1, 3, 4]);
});

it('fills seven eighths of a batch with careful designs, one eighth with bold ones', () => {
  const designs = met(...Array.from({ length: 20 }, (_, i) => [i, -i, i === 19 ? 100 : 0] as const));
  expect([...batchOf(designs, 8)]).toEqual([0, 1, 2, 3, 4, 5, 6, 19]);
  expect([...batchOf(met([7, 0, 1], [8, 1, 1]), 4)]).toEqual([8, 7, 8, 7]);
});

it('fills five eighths of a batch with the preferred kind, a quarter with the other, and takes no design twice', () => {
  const designs = met(...Array.from({ length: 20 }, (_, i) => [i, -i, i === 19 ? 100 : 0] as const));
  const variants = met([0, 5, 0], [31, 4, 0], [32, 3, 0], [33, 2, 0], [34, 1, 0], [35, 0, 0]);
  const bred = { ...variants, isPreferred: true };
  expect([...batchOf(designs, 8, bred)]).toEqual([0, 31, 32, 33, 34, 1, 2, 19]);
  expect([...batchOf(designs, 8, { ...bred, isPreferred: false })]).toEqual([0, 1, 2, 3, 4, 31, 32, 19]);
  const few = { ...met([40, 1, 0]), isPreferred: true };
  expect([...batchOf(designs, 8, few)]).toEqual([40, 0, 1, 19, 2, 3, 4, 5]);
});
