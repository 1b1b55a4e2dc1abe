// Distances are those of the definition, bit for bit, however they are found.
import { expect, it } from 'vitest';
import { DataDistance } from '../../src/bench/dataDistance.js';
import { foldKey, rootKey, Stream } from '../../src/numeric/index.js';
import { encode, fitEncoding, modelInputs } from '../../src/search/encoding.js';
import type { Space } from '../../src/space/space.js';

const number = { kind: 'continuous', lower: -10, upper: 10 } as const;
const letter = (classes: number) => ({ kind: 'categorical', classes }) as const;

/** The definition: every row, every parameter, in order. */
function plain(
  data: { x: Float64Array; y: Float64Array },
  space: Space,
  designs: Float64Array,
): Float64Array {
  const encoding = fitEncoding(data, space, { box: null });
  const P = encoding.parameters;
  const rows = modelInputs(encoding, encode(encoding, data.x));
  const points = modelInputs(encoding, encode(encoding, designs));
  return Float64Array.from({ length: points.length / P }, (_, m) => {
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < data.y.length; i++) {
      let sum = 0;
      for (let j = 0; j < P; j++) sum += (rows[i * P + j]! - points[m * P + j]!) ** 2;
      least = Math.min(least, sum);
    }
    return Math.sqrt(least / P);
  });
}

it.each([
  ['numbers', [number, number, number, number]],
  ['letters', Array.from({ length: 12 }, () => letter(20))],
  ['classes of several sizes', [letter(2), letter(5), letter(3), letter(2), letter(7)]],
  ['many classes', [letter(300), letter(2), letter(400)]],
  ['both', [number, letter(4), number, letter(3)]],
] as const)('%s', (_name, columns) => {
  const space: Space = { columns };
  const stream = new Stream(foldKey(rootKey(1), 'distances'));
  const draw = (n: number) =>
    Float64Array.from({ length: n * columns.length }, (_, at) => {
      const column = columns[at % columns.length]!;
      return column.kind === 'categorical' ? stream.integer(column.classes) : 3 * stream.normal();
    });
  const data = { x: draw(60), y: Float64Array.from({ length: 60 }, () => stream.normal()) };
  const distance = new DataDistance(data, space);
  const first = draw(9);
  const second = draw(9);
  expect(distance.of(first)).toEqual(plain(data, space, first));
  // what was nearest before is no longer
  expect(distance.of(second)).toEqual(plain(data, space, second));
  expect(distance.of(draw(4))).toHaveLength(4);
  expect(distance.of(data.x)).toEqual(new Float64Array(60));
});
