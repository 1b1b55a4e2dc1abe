import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hopper } from '../../src/simulation/hopper.js';
import { openSimulator } from '../../src/simulation/platform/node.js';
import type { Simulator } from '../../src/simulation/robot.js';
import { openMujoco, openSourceSimulator } from './open.js';

const d = hopper.parameters;

/** Policies that do something for a few steps. */
const designs = Float64Array.from({ length: 7 * d }, (_, at) => Math.sin(at * 1.7) * 0.2);

let simulator: Simulator;
beforeAll(async () => {
  simulator = await openSourceSimulator();
});
afterAll(() => simulator.close());

describe('a simulator', () => {
  it('scores as the robot does, on any number of threads', async () => {
    const mujoco = await openMujoco();
    const expected = Float64Array.from({ length: 7 }, (_, i) =>
      hopper.rollout(mujoco, designs.subarray(i * d, (i + 1) * d)),
    );
    expect(await simulator.score('hopper', designs)).toEqual(expected);
    const single = await openSourceSimulator(1);
    expect(await single.score('hopper', designs)).toEqual(expected);
    await single.close();
    expect(new Set(expected).size).toBe(7);
  });

  it('reports the share that is done', async () => {
    const shares: number[] = [];
    await simulator.score('hopper', designs, (share) => shares.push(share));
    expect(shares).toEqual([1, 2, 3, 4, 5, 6, 7].map((k) => k / 7));
  });

  it('has the floor for what breaks down, and goes on', async () => {
    const some = Float64Array.from(designs);
    some.fill(Number.NaN, d, 2 * d);
    const [scores, whole] = [await simulator.score('hopper', some), await simulator.score('hopper', designs)];
    expect(scores[1]).toBe(hopper.floor);
    expect(scores.with(1, whole[1]!)).toEqual(whole);
  });

  it('takes several requests at a time', async () => {
    const [a, b] = await Promise.all([
      simulator.score('hopper', designs.subarray(0, 3 * d)),
      simulator.score('hopper', designs.subarray(3 * d)),
    ]);
    expect([...a, ...b]).toEqual([...(await simulator.score('hopper', designs))]);
  });

  it('refuses what is no robot, or no design', async () => {
    await expect(simulator.score('walker', designs)).rejects.toThrow('there is no robot "walker"');
    await expect(simulator.score('hopper', designs.subarray(1))).rejects.toThrow('not a multiple of 5126');
  });

  it('is of no use once it is closed', async () => {
    const closed = await openSourceSimulator(1);
    const running = expect(closed.score('hopper', designs)).rejects.toThrow('the simulator was closed');
    await closed.close();
    await running;
    await expect(closed.score('hopper', designs)).rejects.toThrow('the simulator is closed');
  });
});

/** A thread made up for a test. */
const threadOf = (text: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads';${text}`)}`,
  );

describe('threads', () => {
  it('are replaced when they die, and the design they died over scores the floor', async () => {
    const mortal = await openSimulator({
      threads: 2,
      script: threadOf(`
        parentPort.on('message', ({ design }) => {
          if (design[0] < 0) process.exit(3);
          if (design[0] > 5) throw new Error('aborted');
          parentPort.postMessage({ kind: 'score', score: design[0] });
        });
        parentPort.postMessage({ kind: 'ready' });`),
    });
    const first = [1, -1, 2, 9, -1, -1, 3, 9, 4];
    const x = Float64Array.from({ length: first.length * d }, (_, at) => first[Math.floor(at / d)]!);
    const { floor } = hopper;
    const expected = [1, floor, 2, floor, floor, floor, 3, floor, 4];
    expect([...(await mortal.score('hopper', x))]).toEqual(expected);
    expect([...(await mortal.score('hopper', x))]).toEqual(expected);
    await mortal.close();
  });

  it('say in one line what to install', async () => {
    const hooks = `export const resolve = (name, context, next) => {
      if (name === '@mujoco/mujoco') throw new Error('not there');
      return next(name, context);
    };`;
    const thread = new URL('./sourceThread.js', import.meta.url).href;
    const script = threadOf(`
      import { register } from 'node:module';
      register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}));
      await import(${JSON.stringify(thread)});`);
    await expect(openSimulator({ script })).rejects.toThrow(
      /^MuJoCo is not installed; run npm install @mujoco\/mujoco@3\.10\.0$/,
    );
  });

  it('that started do the work of those that cannot', async () => {
    const flag = join(mkdtempSync(join(tmpdir(), 'nemokit-')), 'started');
    const lonely = await openSimulator({
      threads: 3,
      script: threadOf(`
        import { mkdirSync } from 'node:fs';
        mkdirSync(${JSON.stringify(flag)}); // a second time it is there
        parentPort.on('message', ({ design }) =>
          setTimeout(() => parentPort.postMessage({ kind: 'score', score: design[0] }), 100),
        );
        parentPort.postMessage({ kind: 'ready' });`),
    });
    const x = Float64Array.from({ length: 4 * d }, (_, at) => Math.floor(at / d));
    expect([...(await lonely.score('hopper', x))]).toEqual([0, 1, 2, 3]);
    await lonely.close();
  });

  it('that cannot start are a reason, not a wait', async () => {
    await expect(openSimulator({ script: threadOf('process.exit(4);') })).rejects.toThrow(
      'ended with code 4',
    );
    await expect(openSimulator({ script: threadOf("throw new Error('no memory');") })).rejects.toThrow(
      'no memory',
    );
  });
});
