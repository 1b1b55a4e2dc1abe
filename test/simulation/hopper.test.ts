// Against native MuJoCo 2.2.2, and what Gym defines.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { HOPPER_STEPS, HopperPolicy, HopperWorld, hopper, hopperXml } from '../../src/simulation/hopper.js';
import { type Mujoco, Simulation } from '../../src/simulation/mujoco.js';
import { goldenAction, openMujoco } from './open.js';

const golden = (name: string) => readFileSync(new URL(`../golden/mujoco/${name}`, import.meta.url));

/** A policy trained by somebody else, 5126 numbers of 4 bytes. */
const trained = Float64Array.from({ length: 5126 }, (_, i) => golden('ars_s1_best.f32').readFloatLE(4 * i));

let mujoco: Mujoco;
beforeAll(async () => {
  mujoco = await openMujoco();
});

describe('the body', () => {
  it('moves as in native MuJoCo', () => {
    const world = new HopperWorld(new Simulation(mujoco, hopperXml));
    world.reset();
    const lines = golden('hopper_native2.2.2_200steps.txt').toString().trim().split('\n');
    expect(lines).toHaveLength(200);
    let largest = 0;
    lines.forEach((line, t) => {
      world.step([0, 1, 2].map((k) => goldenAction(t, k, 0.3)));
      const { qpos, qvel } = world.simulation.state;
      expect([...qpos, ...qvel]).toBeAllClose(line.trim().split(/\s+/).map(Number), { rtol: 0, atol: 1e-10 });
      largest = Math.max(largest, ...qvel.map(Math.abs));
    });
    // It did move, and hit the floor.
    expect(largest).toBeGreaterThan(1);
    world.simulation.free();
  });

  it('is reset without a trace', () => {
    const world = new HopperWorld(new Simulation(mujoco, hopperXml));
    const walk = () => {
      world.reset();
      for (let t = 0; t < 30; t++) world.step([1, -1, 0.5]);
      return [...world.simulation.state.qpos];
    };
    const first = walk();
    expect(walk()).toEqual(first);
    world.reset(() => 0.005);
    expect([...world.simulation.state.qpos]).toEqual([0.005, 1.255, 0.005, 0.005, 0.005, 0.005]);
    expect(world.observation[10]).toBe(0.005);
    world.simulation.free();
  });
});

describe('a policy', () => {
  it('returns what it returned elsewhere', () => {
    expect(hopper.rollout(mujoco, trained)).toBeCloseTo(2439.642181, 6);
    const world = new HopperWorld(new Simulation(mujoco, hopperXml));
    const policy = new HopperPolicy(trained);
    world.reset();
    let steps = 0;
    for (; steps < HOPPER_STEPS && !world.isOver; steps++) world.step(policy.act(world.observation));
    expect(steps).toBe(1000);
    expect(world.simulation.state.qpos[0]).toBeCloseTo(11.52084385, 6);
    world.simulation.free();
  });

  it('does not use its last three numbers', () => {
    const other = Float64Array.from(trained).fill(5, 5123);
    expect(hopper.rollout(mujoco, other)).toBe(hopper.rollout(mujoco, trained));
  });

  it('falls if it does nothing', () => {
    const score = hopper.rollout(mujoco, new Float64Array(5126));
    expect(score).toBeGreaterThan(20);
    expect(score).toBeLessThan(200);
  });

  it.each([
    ['huge', 1e150],
    ['infinite', Number.POSITIVE_INFINITY],
    ['no number', Number.NaN],
  ])('scores the floor if its numbers are %s', (_, value) => {
    expect(hopper.rollout(mujoco, new Float64Array(5126).fill(value))).toBe(hopper.floor);
    expect(hopper.rollout(mujoco, trained)).toBeCloseTo(2439.642181, 6);
  });

  it('pays for pushing, down to the floor', () => {
    const push = (strength: number) =>
      hopper.rollout(
        mujoco,
        Float64Array.from({ length: 5126 }, (_, i) => (i === 5120 ? strength : 0)),
      );
    // Motors are limited to 1, so that 2 is a push of 1 that costs 0.003 more, and 3 one that costs 0.008 more, a step.
    expect(push(1) - push(2)).toBeGreaterThan(0.01);
    expect(push(1) - push(3)).toBeCloseTo(((push(1) - push(2)) * 8) / 3, 9);
    expect(push(1e6)).toBe(hopper.floor);
  });

  it('scores the floor where MuJoCo gives up, and the next one is scored as ever', () => {
    let freed = 0;
    let isBroken = true;
    const moody: Mujoco = {
      MjModel: mujoco.MjModel,
      MjData: mujoco.MjData,
      mj_forward: mujoco.mj_forward,
      mj_resetData: (model, data) => mujoco.mj_resetData(model, data),
      mj_step(model, data) {
        if (!isBroken) return mujoco.mj_step(model, data);
        const free = data.delete.bind(data);
        data.delete = () => {
          freed += 1;
          free();
        };
        throw new Error('mj_stackAlloc: insufficient memory');
      },
    };
    expect(hopper.rollout(moody, trained)).toBe(hopper.floor);
    expect(freed).toBe(1);
    isBroken = false;
    expect(hopper.rollout(moody, trained)).toBeCloseTo(2439.642181, 6);
  });

  it('ends a thread whose WebAssembly has crashed, rather than score the floor ever after', () => {
    const crashed: Mujoco = {
      MjModel: mujoco.MjModel,
      MjData: mujoco.MjData,
      mj_forward: mujoco.mj_forward,
      mj_resetData: (model, data) => mujoco.mj_resetData(model, data),
      mj_step() {
        throw Object.assign(new Error('memory access out of bounds'), { name: 'RuntimeError' });
      },
    };
    expect(() => hopper.rollout(crashed, trained)).toThrow('out of bounds');
  });
});
