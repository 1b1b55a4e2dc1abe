// The task on the data that come with the package.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { extent } from '../../src/numeric/stats.js';
import { hopper } from '../../src/simulation/hopper.js';
import type { Mujoco } from '../../src/simulation/mujoco.js';
import { violations } from '../../src/space/index.js';
import { decodeDesigns } from '../../src/tasks/designFile.js';
import { hopperController } from '../../src/tasks/hopperController.js';
import type { Task } from '../../src/tasks/task.js';
import { openMujoco } from '../simulation/open.js';
import { memorySource, realSource } from './sources.js';

const d = 5126;
const file = readFileSync(
  fileURLToPath(new URL('../../data/hopper-controller/designs.bin', import.meta.url)),
);

let mujoco: Mujoco;
let task: Task;
beforeAll(async () => {
  mujoco = await openMujoco();
  task = await hopperController.open(realSource());
});

describe('the data', () => {
  it('are scored as they were', () => {
    const { x, y } = task.data;
    for (let row = 0; row < y.length; row += Math.ceil(y.length / 12))
      expect(hopper.rollout(mujoco, x.subarray(row * d, (row + 1) * d))).toBe(y[row]);
  });

  it('end at 1400, and better designs were seen', () => {
    const { y } = task.data;
    expect(y.length).toBeGreaterThanOrEqual(1600);
    expect(extent(y).max).toBeLessThanOrEqual(1400);
    expect(extent(y).max).toBeGreaterThan(1300);
    const { hidden } = decodeDesigns(file, 'designs');
    const { min: worst, max: best } = extent([...y, ...hidden]);
    expect(task.range).toEqual({ worst, best });
    expect(task.range.best).toBeGreaterThan(2000);
  });

  it('name every number of a policy once, with room around the data', () => {
    const { columns } = task.space;
    const names = columns.map(({ name }) => name);
    expect(names).toHaveLength(d);
    expect(new Set(names).size).toBe(d);
    expect([0, 704, 768, 4863, 4928, 5120, 5125].map((j) => names[j])).toEqual([
      'weight 1.0.0',
      'bias 1.0',
      'weight 2.0.0',
      'weight 2.63.63',
      'weight 3.0.0',
      'bias 3.0',
      'log spread 2',
    ]);
    const { min, max } = extent(task.data.x);
    expect(Math.max(-min, max)).toBeLessThan(2);
    expect(columns.every((column) => column.kind === 'continuous' && column.upper === 4)).toBe(true);
  });
});

describe('headroom', () => {
  it('was found by a search that asks the simulator, inside the space', () => {
    const place = new URL('../../studies/robots/hopper-search.bin', import.meta.url);
    const { x, y } = decodeDesigns(readFileSync(place), 'hopper-search.bin');
    expect(violations(task.space, x)).toEqual([]);
    expect(hopper.rollout(mujoco, x)).toBe(y[0]);
    expect(y[0]).toBeGreaterThan(1.5 * extent(task.data.y).max);
  });
});

describe('a score', () => {
  it('says how far it is', async () => {
    const shares: number[] = [];
    const scores = await task.score(task.data.x.slice(0, 3 * d), (share) => shares.push(share));
    expect(scores).toEqual(task.data.y.slice(0, 3));
    expect(shares).toEqual([1 / 3, 2 / 3, 1]);
  });

  it('needs a simulator, and data do not', async () => {
    const bare = await hopperController.open(memorySource({ 'hopper-controller/designs.bin': file }));
    expect(bare.data.y).toEqual(task.data.y);
    await expect(bare.score(bare.data.x.slice(0, d))).rejects.toThrow(
      'hopper-controller-v1 needs a simulator; run npm install @mujoco/mujoco@3.10.0',
    );
  });
});

describe('the second scorer', () => {
  it('is the mean over starts near the one at rest, the same for every design', async () => {
    const score = task.secondScorers!['noisy-start']!;
    const best = task.data.y.reduce((at, y, i, all) => (y > all[at]! ? i : at), 0);
    const x = task.data.x.slice(best * d, (best + 1) * d);
    const [once] = await score(x);
    expect(await score(x)).toEqual(Float64Array.of(once!));
    // a rollout from rest is one of many: the mean is none of the single returns, and of their size
    expect(once).not.toBe(task.data.y[best]);
    expect(once).toBeGreaterThan(task.range.worst);
    expect(once).toBeLessThan(task.range.best);
    await expect(score(x.slice(1))).rejects.toThrow('5125 numbers');
  });
});
