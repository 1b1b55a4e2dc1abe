import { describe, expect, it } from 'vitest';
import { HopperWorld, hopper, hopperXml } from '../../src/simulation/hopper.js';
import { Simulation } from '../../src/simulation/mujoco.js';
import { openMujoco } from './open.js';

/** Bytes of MuJoCo's memory, as a view of it knows. */
const bytesOf = (simulation: Simulation) => simulation.reset().qpos.buffer.byteLength;

describe('memory', () => {
  it('does not grow over 2,000 evaluations', async () => {
    const mujoco = await openMujoco();
    const probe = new Simulation(mujoco, hopperXml);
    // A strong push falls after a few steps.
    const design = Float64Array.from({ length: hopper.parameters }, (_, i) =>
      i >= 5120 && i < 5123 ? 1 : 0,
    );
    const first = hopper.rollout(mujoco, design);
    const before = bytesOf(probe);
    const heap = () => {
      (globalThis as { gc?: () => void }).gc?.();
      return process.memoryUsage().rss;
    };
    const start = heap();
    for (let i = 0; i < 2000; i++) hopper.rollout(mujoco, design);
    expect(hopper.rollout(mujoco, design)).toBe(first);
    expect(bytesOf(probe)).toBe(before);
    // Without a leak 5 to 30 MB come and go with the collector.
    expect(heap() - start).toBeLessThan(100e6);
    probe.free();
  });

  it('is given back with each model', async () => {
    const mujoco = await openMujoco();
    const probe = new Simulation(mujoco, hopperXml);
    const make = () => {
      const world = new HopperWorld(new Simulation(mujoco, hopperXml));
      world.reset();
      world.step([0, 0, 0]);
      world.simulation.free();
    };
    make();
    const before = bytesOf(probe);
    for (let i = 0; i < 300; i++) make();
    expect(bytesOf(probe)).toBe(before);
    probe.free();
  });

  it('is given back when a model is refused', async () => {
    const mujoco = await openMujoco();
    expect(() => new Simulation(mujoco, '<mujoco><worldbody><geom/></worldbody></mujoco>')).toThrow();
    expect(() => new Simulation(mujoco, 'no model')).toThrow();
    const simulation = new Simulation(mujoco, hopperXml);
    expect(simulation.state.qpos).toHaveLength(6);
    simulation.free();
  });
});
