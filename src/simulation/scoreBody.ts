import { type Mujoco, rethrowCrash, Simulation } from './mujoco.js';

/** Score of one body, at least `floor`; `floor` also where MuJoCo refuses the body or its simulation breaks down. */
export function scoreBody(
  mujoco: Mujoco,
  xml: string,
  floor: number,
  run: (simulation: Simulation) => number,
): number {
  let simulation: Simulation | undefined;
  try {
    simulation = new Simulation(mujoco, xml);
    const score = run(simulation);
    return Number.isFinite(score) ? Math.max(floor, score) : floor;
  } catch (error) {
    rethrowCrash(error);
    return floor;
  } finally {
    simulation?.free();
  }
}
