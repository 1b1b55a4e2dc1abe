import { expect, it } from 'vitest';
import { rootKey, Stream } from '../../src/numeric/index.js';
import { towardsMiddle } from '../../src/search/towardsMiddle.js';
import type { Space } from '../../src/space/space.js';

const d = 6;
const numbers: Space = {
  columns: Array.from({ length: d }, () => ({ kind: 'continuous', lower: -9, upper: 9 })),
};

/** 200 rows around 1, of which each loses `harm` times its squared distance from there. */
function around(harm: number) {
  const stream = new Stream(rootKey(5));
  const x = Float64Array.from({ length: 200 * d }, () => 1 + stream.normal());
  const y = Float64Array.from({ length: 200 }, (_, i) =>
    x.subarray(i * d, (i + 1) * d).reduce((sum, v) => sum - harm * (v - 1) ** 2, stream.normal()),
  );
  return { x, y };
}

it('moves rows towards the mean of the columns, where rows near it score higher', () => {
  const data = around(1);
  const best = data.x.slice(0, 3 * d);
  const designs = towardsMiddle(data, numbers, best, [0.5, 0.75])!;
  for (let j = 0; j < d; j++) {
    let mean = 0;
    for (let i = 0; i < 200; i++) mean += data.x[i * d + j]! / 200;
    [0.5, 0.75, 0.5].forEach((share, i) => {
      expect(designs[i * d + j]).toBeCloseTo(best[i * d + j]! + share * (mean - best[i * d + j]!), 12);
    });
  }
});

it('gives nothing where the distance does no harm or good, or where a column is a class', () => {
  const best = around(1).x.slice(0, d);
  for (const harm of [0, -1]) expect(towardsMiddle(around(harm), numbers, best, [0.5])).toBeNull();
  const mixed: Space = { columns: [{ kind: 'categorical', classes: 3 }, ...numbers.columns.slice(1)] };
  expect(towardsMiddle(around(1), mixed, best, [0.5])).toBeNull();
});
