import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  braninTask,
  closedFormOptima,
  hartmann6Task,
  levy50Task,
  rosenbrock20Task,
} from '../../src/tasks/closedForms.js';
import { textSource } from './sources.js';

const nothing = textSource({});
const tasks = [braninTask, hartmann6Task, rosenbrock20Task, levy50Task];

describe.each(tasks)('$id', ({ id, open }) => {
  const { score: best, at } = closedFormOptima[id]!;

  it('has its known optimum', async () => {
    const { score, space } = await open(nothing);
    for (const place of at) {
      expect(place).toHaveLength(space.columns.length);
      expect((await score(Float64Array.from(place)))[0]).toBeCloseTo(best, 12);
    }
  });

  it('has no better design, anywhere or near the optimum', async () => {
    const { score, space } = await open(nothing);
    const anywhere = fc.tuple(
      ...space.columns.map((column) => {
        if (column.kind !== 'continuous') throw new Error('expected numbers');
        return fc.double({ min: column.lower, max: column.upper, noNaN: true });
      }),
    );
    await fc.assert(
      fc.asyncProperty(anywhere, fc.constantFrom(...at), fc.nat(8), async (x, place, digits) => {
        const near = place.map((value, j) => value + (x[j]! - value) * 10 ** -digits);
        expect((await score(Float64Array.from(near)))[0]).toBeLessThanOrEqual(best + 1e-12);
      }),
    );
  });

  it('refuses what is no design', async () => {
    const { score, space } = await open(nothing);
    const d = space.columns.length;
    const x = Float64Array.from({ length: 2 * d }, (_, j) => at[0]![j % d]!);
    await expect(score(x.with(d, Number.NaN))).rejects.toThrow('design 1 (counted from 0): x1 is NaN');
    await expect(score(x.with(d, 16))).rejects.toThrow('design 1 (counted from 0): x1 in');
    await expect(score(x.subarray(1))).rejects.toThrow(`not a multiple of the ${d} columns`);
  });

  it('labels are scores, and the same bits when opened again', async () => {
    const { data, score } = await open(nothing);
    expect(await score(data.x)).toEqual(data.y);
    const again = await open(nothing);
    expect(again.data.y).toEqual(data.y);
    expect(Buffer.from(again.data.x.buffer).equals(Buffer.from(data.x.buffer))).toBe(true);
  });
});

// Bits of the machine on which this was written; every other one has the same.
it.each([
  [braninTask, 200, -47.19850425753884, { worst: -290.92338529737236, best: -0.684468783583549 }],
  [hartmann6Task, 1000, 0.06952026073272957, { worst: 0.000015216271731376113, best: 2.8817014637260767 }],
  [rosenbrock20Task, 4000, -2590691.315496962, { worst: -6742862.627804188, best: -98161.28416273699 }],
  [levy50Task, 10_000, -662.4400484246416, { worst: -1102.196601550552, best: -272.40627801845096 }],
] as const)('what is seen of %o', async (task, rows, best, range) => {
  const { data, space, ...opened } = await task.open(nothing);
  expect([data.y.length, data.x.length]).toEqual([rows, rows * space.columns.length]);
  expect(Math.max(...data.y)).toBe(best);
  expect(opened.range).toEqual(range);
});

describe('formulas', () => {
  const at = async (task: (typeof tasks)[number], x: readonly number[]) =>
    (await (await task.open(nothing)).score(Float64Array.from(x)))[0]!;
  const { sin, PI } = Math;

  it('branin', async () => {
    // 36 + 10 (1 - 1/(8 pi)) + 10
    expect(await at(braninTask, [0, 0])).toBeCloseTo(-55.602112642270264, 12);
    expect(await at(braninTask, [-5, 0])).toBeCloseTo(-308.12909601160663, 10);
  });

  it('hartmann', async () => {
    // BoTorch's documentation gives the optimum as -3.32237
    expect(closedFormOptima['hartmann6-v1']!.score).toBeCloseTo(3.32237, 5);
    expect(await at(hartmann6Task, [0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886])).toBeGreaterThan(1);
  });

  it('rosenbrock', async () => {
    expect(await at(rosenbrock20Task, new Array(20).fill(0))).toBe(-19);
    // 100 (2 - 4)² + 1 for each pair
    expect(await at(rosenbrock20Task, new Array(20).fill(2))).toBe(-19 * 401);
  });

  it('levy', async () => {
    const w = 1 + (4 - 1) / 4;
    const inner = (w - 1) ** 2 * (1 + 10 * sin(PI * w + 1) ** 2);
    const sum = sin(PI * w) ** 2 + 49 * inner + (w - 1) ** 2 * (1 + sin(2 * PI * w) ** 2);
    expect(await at(levy50Task, new Array(50).fill(4))).toBeCloseTo(-sum, 10);
  });
});
