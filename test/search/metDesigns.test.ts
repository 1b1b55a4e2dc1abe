import { expect, it } from 'vitest';
import { batchOf, meet, noDesigns } from '../../src/search/metDesigns.js';

const met = (...designs: readonly (readonly [x: number, mean: number, doubt: number, reach: number])[]) => ({
  x: Float64Array.from(designs, ([x]) => x),
  mean: Float64Array.from(designs, ([, mean]) => mean),
  doubt: Float64Array.from(designs, ([, , doubt]) => doubt),
  reach: Float64Array.from(designs, ([, , , reach]) => reach),
});

it('keeps the best careful and the best bold designs of all that were met, each once', () => {
  const first = meet(noDesigns, met([1, 1, 0, 1], [2, 0.9, 0, 0.9], [3, 0, 5, 5]), 2);
  expect([...first.x]).toEqual([1, 2, 3]); // careful 1 and 2, bold 3 and 1
  const then = meet(first, met([1, 1, 0, 1], [4, 3, 0, 3], [5, -9, 0, -9]), 2);
  expect([...then.x]).toEqual([1, 3, 4]); // careful 4 and 1, which was met twice; bold 3 and 4
  expect([...meet(then, noDesigns, 2).x]).toEqual([1, 3, 4]);
});

it('takes a quarter of the doubt off a careful design', () => {
  expect([...batchOf(met([1, 1, 8, 0], [2, 0, 0, 0], [3, -3, 0, 9]), 2)]).toEqual([2, 1]);
});

it('fills seven eighths of a batch with careful designs, one eighth with those that may reach most, none twice', () => {
  const designs = met(...Array.from({ length: 20 }, (_, i) => [i, -i, 0, i === 19 ? 100 : 0] as const));
  expect([...batchOf(designs, 8)]).toEqual([0, 1, 2, 3, 4, 5, 6, 19]);
  expect([...batchOf(met([7, 0, 1, 0], [8, 1, 1, 1]), 4)]).toEqual([8, 7, 8, 7]);
});

it('leaves out what is in the batch already, and takes it again only where there is nothing else', () => {
  const designs = met([1, 3, 0, 3], [2, 2, 0, 2], [3, 1, 0, 1]);
  expect([...batchOf(designs, 2, Float64Array.of(9, 1))]).toEqual([2, 3]);
  expect([...batchOf(designs, 1, Float64Array.of(1, 2, 3))]).toEqual([1]);
});
