import { expect, it } from 'vitest';
import { type ArdForm, type ArdRows, type ArdShape, ardForms } from '../../src/models/ardKernel.js';
import { ArdProcess } from '../../src/models/ardProcess.js';
import { columnShifts } from '../../src/models/columnShifts.js';
import { openLinearAlgebra, rootKey, Stream } from '../../src/numeric/index.js';

const opened = openLinearAlgebra({ kernel: 'reference' });
const n = 23;

function shapeOf(numbers: number, classes: number): ArdShape {
  const groups = Array.from({ length: numbers + classes }, (_, j) => j);
  return {
    numbers: groups.slice(0, numbers),
    classes: groups.slice(numbers),
    groups,
    groupCount: numbers + classes,
  };
}

it.each(
  ardForms.flatMap((form): [ArdForm, number, number][] => [
    [form, 3, 2],
    [form, 4, 0],
    [form, 0, 3],
  ]),
)(
  'is what the mean changes by where a column takes another value: %s, %i numbers, %i classes',
  async (form, c, G) => {
    const linalg = await opened;
    const stream = new Stream(rootKey(c));
    const shape = shapeOf(c, G);
    const rows: ArdRows = {
      count: n,
      x: Float64Array.from({ length: n * c }, () => stream.normal()),
      k: Int32Array.from({ length: n * G }, () => stream.integer(3)),
    };
    const z = Float64Array.from({ length: n }, () => stream.normal());
    const theta = Float64Array.from({ length: 3 + 2 * (c + G) }, () => -0.5 + 0.5 * stream.normal());
    const gaussian = new ArdProcess(linalg, shape, rows, z, theta, form);
    const before = gaussian.mean(rows);
    const at = [0, 4, 5, 22];
    const from = [7, 4, 1, 0];
    const shifts = columnShifts(gaussian, at, from);
    for (let u = 0; u < c + G; u++) {
      at.forEach((here, i) => {
        const [x, k] = [rows.x.slice(), rows.k.slice()];
        if (u < c) x[here * c + u] = rows.x[from[i]! * c + u]!;
        else k[here * G + u - c] = rows.k[from[i]! * G + u - c]!;
        const after = gaussian.mean({ count: n, x, k });
        expect(shifts[u * at.length + i]).toBeCloseTo(after[here]! - before[here]!, 10);
      });
    }
  },
);
