import { describe, expect, it } from 'vitest';
import type { Setup } from '../../src/algorithm.js';
import { type GpBoOptions, gpBo } from '../../src/algorithms/gpBo.js';
import { offlineProblem } from '../../src/conformance/problems.js';
import { type Engine, openEngine, rootKey } from '../../src/numeric/index.js';
import { run } from '../../src/run.js';
import { chooseRows } from '../../src/search/rowSubset.js';

const { data, space, score } = offlineProblem(
  2,
  120,
  0.2,
  (x) => -x.reduce((sum, v) => sum + (v - 0.5) ** 2, 0),
  1,
);
const options: GpBoOptions = { ...gpBo.defaults, batchSize: 12, trainSteps: 40, candidates: 64, restarts: 4 };

function setupOf(engine: Engine, changes: Partial<GpBoOptions> = {}): Setup<GpBoOptions> {
  return { data, space, engine, options: { ...options, ...changes } };
}

describe('gp-bo', () => {
  it('finds the top of a smooth function within a batch, each design another one', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = setupOf(engine);
    const x = gpBo.propose(await run(gpBo, setup, rootKey(1)), setup);
    expect(Math.max(...data.y)).toBeLessThan(-0.5);
    expect(Math.max(...score(x))).toBeGreaterThan(-0.01); // the greatest is 0
    const designs = new Set(Array.from({ length: 12 }, (_, i) => `${x[2 * i]} ${x[2 * i + 1]}`));
    expect(designs.size).toBe(12);
  });

  it('finds one design per step, and leaves the others at their start', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = setupOf(engine);
    const start = await run(gpBo, setup, rootKey(1), { until: 0 });
    const later = await gpBo.step(start, setup, 3);
    const [before, after] = [gpBo.propose(start, setup), gpBo.propose(later, setup)];
    for (let m = 0; m < 12; m++) {
      const isSame = before[2 * m] === after[2 * m] && before[2 * m + 1] === after[2 * m + 1];
      expect(isSame, `design ${m}`).toBe(m >= 3);
    }
  });

  it('says how many rows it uses when it does not use all', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const setup = setupOf(engine, { rows: 50, fitRows: 20 });
    const start = await gpBo.init(setup, rootKey(1));
    expect(await gpBo.watch(start, setup)).toMatchObject({ rows: 50, fitRows: 20 });
    const end = await run(gpBo, setup, rootKey(1));
    expect(await gpBo.watch(end, setup)).toMatchObject({ rows: 50 });
  });
});

it('takes the best half of the rows, and the rest from all others', () => {
  const y = Float64Array.from({ length: 1000 }, (_, i) => (i * 7) % 1000);
  const rows = chooseRows(y, 100, rootKey(3));
  const scores = Array.from(rows, (row) => y[row]!).sort((a, b) => b - a);
  expect(new Set(rows).size).toBe(100);
  expect(scores.slice(0, 50)).toEqual(Array.from({ length: 50 }, (_, i) => 999 - i));
  expect(scores.at(-1)).toBeLessThan(150); // 50 evenly of 950: the lowest is below 150 but once in 4,000 times
  expect([...chooseRows(y, 2000, rootKey(3))].sort((a, b) => a - b)).toEqual(Array.from(y.keys()));
});
