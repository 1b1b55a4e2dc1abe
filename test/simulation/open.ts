// MuJoCo and its pool of threads for tests, from the sources.
import loadMujoco from '@mujoco/mujoco';
import type { Mujoco } from '../../src/simulation/mujoco.js';
import { openSimulator } from '../../src/simulation/platform/node.js';
import type { Simulator } from '../../src/simulation/robot.js';

const silent = () => {};

export async function openMujoco(): Promise<Mujoco> {
  return (await loadMujoco({ print: silent, printErr: silent })) as unknown as Mujoco;
}

export function openSourceSimulator(threads = 2): Promise<Simulator> {
  return openSimulator({ threads, script: new URL('./sourceThread.js', import.meta.url) });
}

/** Action of the golden trajectories at step t: amplitude (((⌊t/5⌋ 37 + k 101 + 17) mod 64) - 32) / 32. */
export function goldenAction(t: number, k: number, amplitude: number): number {
  return (amplitude * (((Math.floor(t / 5) * 37 + k * 101 + 17) % 64) - 32)) / 32;
}
