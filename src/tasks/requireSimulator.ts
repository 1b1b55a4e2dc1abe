import { ArgumentError } from '../numeric/errors.js';
import type { Simulator } from '../simulation/robot.js';
import type { DataSource } from './task.js';

/** The simulator of a source; a task about robots has no scores without. */
export function requireSimulator(source: DataSource, task: string): Promise<Simulator> {
  if (source.simulator) return source.simulator();
  throw new ArgumentError(
    'source',
    `${task} needs a simulator; run npm install @mujoco/mujoco@3.10.0, and give the source a "simulator"`,
  );
}
