/** Robots by name: what a thread needs to know to score a design. */
import { ArgumentError } from '../numeric/errors.js';
import { ant, antInside } from './ant.js';
import { dkitty } from './dkitty.js';
import { hopper, hopperNoisy } from './hopper.js';
import type { Mujoco } from './mujoco.js';

export interface Robot {
  readonly id: 'hopper' | 'hopper-noisy-start' | 'ant' | 'ant-joints-inside' | 'dkitty';
  /** Numbers of a design. */
  readonly parameters: number;
  /** Score of a design whose simulation breaks down, and the least there is. */
  readonly floor: number;
  /**
   * Score of one design: always finite, and the same whatever was computed before. Throws only if MuJoCo itself broke
   * down (`rethrowCrash`).
   */
  rollout(mujoco: Mujoco, design: Float64Array): number;
}

/** Scores designs on threads of its own. */
export interface Simulator {
  /** Scores of designs (n x the robot's parameters). `report` is told the share that is done, 0 to 1. */
  score(robot: string, designs: Float64Array, report?: (share: number) => void): Promise<Float64Array>;
  close(): Promise<void>;
}

export const robots: readonly Robot[] = [ant, antInside, dkitty, hopper, hopperNoisy];

export function robotOf(id: string): Robot {
  const found = robots.find((robot) => robot.id === id);
  if (found) return found;
  throw new ArgumentError(
    'robot',
    `there is no robot "${id}"; there are ${robots.map((robot) => robot.id).join(', ')}`,
  );
}
