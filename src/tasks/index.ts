/**
 * Benchmark tasks: what a method is given, and the hidden scorer that only the experimenter asks.
 *
 * @module
 */
import { ArgumentError } from '../numeric/errors.js';
import { antMorphologyCpg } from './antMorphology.js';
import { braninTask, hartmann6Task, levy50Task, rosenbrock20Task } from './closedForms.js';
import { dkittyMorphologyCpg } from './dkittyMorphology.js';
import { ehrlichLikeTask } from './ehrlichLike.js';
import { gfpGp } from './gfp.js';
import { hopperController } from './hopperController.js';
import { moleculeActivity } from './moleculeActivity.js';
import { superconductorCompositionV1, superconductorGbdtV1 } from './superconductor.js';
import type { TaskDefinition } from './task.js';
import { tfbind8Exact } from './tfbind8.js';

export type { DataSource, Scorer, Task, TaskDefinition } from './task.js';
export { requireDesigns } from './task.js';

/** Every task of the benchmark, in the order of their ids. */
export const tasks: readonly TaskDefinition[] = [
  antMorphologyCpg,
  braninTask,
  dkittyMorphologyCpg,
  ehrlichLikeTask,
  gfpGp,
  hartmann6Task,
  hopperController,
  levy50Task,
  moleculeActivity,
  rosenbrock20Task,
  superconductorCompositionV1,
  superconductorGbdtV1,
  tfbind8Exact,
];

/** The task with this id. Throws `ArgumentError` where there is none. */
export function taskOf(id: string): TaskDefinition {
  const found = tasks.find((task) => task.id === id);
  if (found) return found;
  throw new ArgumentError(
    'task',
    `there is no task "${id}"; there are ${tasks.map((task) => task.id).join(', ')}`,
  );
}
