import { describe, expect, it } from 'vitest';
import { ardForms, ardRows, ardShape } from '../../src/models/ardKernel.js';
import { ArdProcess } from '../../src/models/ardProcess.js';
import { QuickProcess } from '../../src/models/quickProcess.js';
import { openLinearAlgebra, rootKey, Stream } from '../../src/numeric/index.js';
import { fitEncoding } from '../../src/search/encoding.js';
import type { Space } from '../../src/space/space.js';

const space: Space = {
  columns: [
    { kind: 'continuous', lower: 0, upper: 10 },
    { kind: 'categorical', classes: 3 },
    { kind: 'continuous', lower: -1, upper: 1 },
  ],
};
const stream = new Stream(rootKey(12));
const designsOf = (n: number) =>
  Float64Array.from({ length: 3 * n }, (_, at) => {
    if (at % 3 === 1) return stream.integer(3);
    return at % 3 === 0 ? 10 * stream.uniform() : 2 * stream.uniform() - 1;
  });
/** v, lengths, effects, line, noise. */
const theta = Float64Array.of(0.2, 0.1, 0.8, 0.5, -1, -1.5, -2, -1.2, -3);
const opened = openLinearAlgebra({ kernel: 'wasm' });

async function both(n: number, form: (typeof ardForms)[number]) {
  const linalg = await opened;
  const x = designsOf(n);
  const z = Float64Array.from(
    { length: n },
    (_, i) => Math.sin(x[3 * i]!) + x[3 * i + 2]! + 0.2 * stream.normal(),
  );
  const encoding = fitEncoding({ x, y: z }, space, { box: null });
  const shape = ardShape(encoding);
  const exact = new ArdProcess(linalg, shape, ardRows(shape, encoding, x), z, theta, form);
  const at = ardRows(shape, encoding, designsOf(40));
  return {
    noise: exact.parameters.noise,
    exact: exact.predict(at),
    quick: new QuickProcess(linalg, exact).predict(at),
  };
}

const most = (values: Float64Array) => values.reduce((a, b) => Math.max(a, Math.abs(b)), 0);

describe.each(ardForms)('a quick process of form %s', (form) => {
  it('is the process itself where enough rows are chosen', async () => {
    const { exact, quick, noise } = await both(100, form);
    // what is left of a row is at most a thousandth of the noise, which is a deviation of 0.03
    const deviation = Math.sqrt(noise);
    expect(most(quick.mean.map((mean, i) => (mean - exact.mean[i]!) / deviation))).toBeLessThan(0.03);
    expect(most(quick.variance.map((value, i) => (value - exact.variance[i]!) / noise))).toBeLessThan(1e-2);
  });

  it('stays near it with 160 of 900 rows', async () => {
    const { exact, quick, noise } = await both(900, form);
    // an 80 % band is 2.56 deviations wide: these are 6 % of its width, two pixels of a band of 30
    const total = exact.variance.map((variance) => variance + noise);
    expect(most(quick.mean.map((mean, i) => (mean - exact.mean[i]!) / Math.sqrt(total[i]!)))).toBeLessThan(
      0.15,
    );
    expect(most(quick.variance.map((value, i) => (value - exact.variance[i]!) / total[i]!))).toBeLessThan(
      0.15,
    );
  });
});
