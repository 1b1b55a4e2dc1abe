// Recorded policies of hopper-controller-v1 come out again.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { foldKey, rootKey } from '../../src/numeric/key.js';
import { Stream } from '../../src/numeric/random.js';
import { HopperWorld, hopper, hopperXml } from '../../src/simulation/hopper.js';
import { Simulation } from '../../src/simulation/mujoco.js';
import { decodeDesigns, roundToHalf } from '../../src/tasks/designFile.js';
import { ppo } from '../../studies/robots/ppo.mjs';
import { openMujoco } from '../simulation/open.js';

it('PPO makes the first policies of the first run', async () => {
  const file = readFileSync(new URL('../../data/hopper-controller/designs.bin', import.meta.url));
  const { x, y, columns } = decodeDesigns(file, 'designs.bin');
  const mujoco = await openMujoco();
  const world = new HopperWorld(new Simulation(mujoco, hopperXml));
  const stream = new Stream(foldKey(foldKey(rootKey(0), 'hopper-controller-v1'), 0));
  let row = 0;
  for (const values of ppo(world, 11, 3, stream, 2)) {
    const design = roundToHalf(values);
    expect(design).toEqual(x.slice(row * columns, (row + 1) * columns));
    expect(hopper.rollout(mujoco, design)).toBe(y[row]);
    row += 1;
  }
  expect(row).toBe(4);
});
