/** Algorithms and tasks by name: those of nemokit, and those of plug-ins. */
import {
  type Algorithm,
  type AlgorithmState,
  defineAlgorithm,
  type LooseDefinition,
  presetNames,
  presetOptions,
} from '../algorithm.js';
import { algorithms as builtInAlgorithms } from '../algorithms/index.js';
import { nearestName } from '../nearestName.js';
import { ArgumentError } from '../numeric/errors.js';
import { tasks as builtInTasks, type TaskDefinition } from '../tasks/index.js';
import { nulls } from './nulls/index.js';

export type Options = Readonly<Record<string, unknown>>;
export type AnyAlgorithm = Algorithm<Options, AlgorithmState>;

/** An algorithm of a plug-in: with `options` as nemokit's, or with `defaults` only. */
export type PluginAlgorithm = AnyAlgorithm | LooseDefinition<Options, AlgorithmState>;

/** What a plug-in brings. */
export interface Plugin {
  readonly algorithms?: readonly PluginAlgorithm[];
  readonly tasks?: readonly TaskDefinition[];
}

export class Registry {
  readonly algorithms: ReadonlyMap<string, AnyAlgorithm>;
  readonly tasks: ReadonlyMap<string, TaskDefinition>;

  /** Throws where two have the same name: a record would not say which was run. */
  constructor(plugins: readonly Plugin[] = []) {
    const algorithms = new Map(
      Object.entries({ ...builtInAlgorithms, ...nulls }).map(([id, algorithm]) => [
        id,
        algorithm as unknown as AnyAlgorithm,
      ]),
    );
    const tasks = new Map(builtInTasks.map((task) => [task.id, task]));
    for (const plugin of plugins) {
      for (const algorithm of plugin.algorithms ?? []) {
        requireNew(algorithms, 'an algorithm', algorithm.id);
        algorithms.set(algorithm.id, withOptions(algorithm));
      }
      for (const task of plugin.tasks ?? []) {
        requireNew(tasks, 'a task', task.id);
        tasks.set(task.id, task);
      }
    }
    this.algorithms = algorithms;
    this.tasks = tasks;
  }

  algorithmOf(id: string): AnyAlgorithm {
    return found(this.algorithms, 'algorithm', id);
  }

  taskOf(id: string): TaskDefinition {
    return found(this.tasks, 'task', id);
  }

  /** Name of a task in the paper's tables, or of the task it stands in for; null beyond the paper. */
  paperNameOf(id: string): string | null {
    return this.tasks.get(id)?.paper ?? standIns[id] ?? null;
  }

  /** Names of an algorithm's presets; "defaults" first. */
  presetNames(algorithm: string): string[] {
    return presetNames(this.algorithmOf(algorithm));
  }

  /** All options of a preset on a task; of a preset that is for the paper's tasks, throws on any other. */
  presetOptions(algorithm: string, preset: string, task: string): Options {
    const paperName = this.paperNameOf(task);
    return presetOptions(this.algorithmOf(algorithm), preset, paperName ?? task);
  }
}

/** A plug-in's algorithm with its options declared, and checked before it runs. */
export function withOptions(algorithm: PluginAlgorithm): AnyAlgorithm {
  return algorithm.options === undefined ? defineAlgorithm(algorithm) : defineAlgorithm(algorithm);
}

/** nemokit's own. */
export const builtIn = new Registry();

const standIns: Readonly<Record<string, string>> = {
  'molecule-activity-forest-v1': 'MoleculeActivity',
  'ant-morphology-cpg-v1': 'AntMorphology',
  'dkitty-morphology-cpg-v1': 'DKittyMorphology',
};

/** The paper's tasks by their names there, in the order of its tables. */
export const paperTasks: readonly string[] = [
  'Superconductor',
  'GFP',
  'MoleculeActivity',
  'HopperController',
  'AntMorphology',
  'DKittyMorphology',
];

function requireNew(known: ReadonlyMap<string, unknown>, kind: string, id: string): void {
  if (known.has(id))
    throw new ArgumentError('plugin', `there is ${kind} "${id}" already; give yours another id`);
}

function found<T>(things: ReadonlyMap<string, T>, kind: string, id: string): T {
  const thing = things.get(id);
  if (thing) return thing;
  const names = [...things.keys()];
  const near = nearestName(id, names);
  const hint = near === undefined ? `there are ${names.join(', ')}` : `did you mean "${near}"?`;
  throw new ArgumentError(kind, `there is no ${kind} "${id}"; ${hint}`);
}
