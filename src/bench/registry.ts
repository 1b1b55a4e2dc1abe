/** Algorithms and tasks by name: those of nemokit, and those of plug-ins. */
import type { Algorithm, AlgorithmState } from '../algorithm.js';
import type { NemoOptions } from '../algorithms/index.js';
import * as own from '../algorithms/index.js';
import { ArgumentError } from '../numeric/errors.js';
import { tasks as ownTasks, type TaskDefinition } from '../tasks/index.js';

export type AnyAlgorithm = Algorithm<Record<string, unknown>, AlgorithmState>;
export type Options = Readonly<Record<string, unknown>>;

/** What a plug-in brings. */
export interface Plugin {
  readonly algorithms?: readonly AnyAlgorithm[];
  readonly tasks?: readonly TaskDefinition[];
}

export class Registry {
  readonly algorithms: ReadonlyMap<string, AnyAlgorithm>;
  readonly tasks: ReadonlyMap<string, TaskDefinition>;

  /** Throws where two have the same name: a record would not say which was run. */
  constructor(plugins: readonly Plugin[] = []) {
    const algorithms = new Map(
      Object.entries(own.algorithms).map(([id, algorithm]) => [id, algorithm as unknown as AnyAlgorithm]),
    );
    const tasks = new Map(ownTasks.map((task) => [task.id, task]));
    const add = <T extends { readonly id: string }>(
      to: Map<string, T>,
      kind: string,
      things: readonly T[] = [],
    ) => {
      for (const thing of things) {
        if (to.has(thing.id))
          throw new ArgumentError('plugin', `there is ${kind} "${thing.id}" already; give yours another id`);
        to.set(thing.id, thing);
      }
    };
    for (const plugin of plugins) {
      add(algorithms, 'an algorithm', plugin.algorithms);
      add(tasks, 'a task', plugin.tasks);
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
    this.algorithmOf(algorithm);
    const names =
      algorithm === 'nemo' ? Object.keys(nemoByTask) : Object.keys(presets[camel(algorithm)] ?? {});
    return ['defaults', ...names];
  }

  /** Options that a variant begins with: a preset if it is the name of one, else the defaults. */
  presetOptions(algorithm: string, variant: string, task: string): Options {
    const { defaults } = this.algorithmOf(algorithm);
    const byTask = algorithm === 'nemo' ? nemoByTask[variant] : undefined;
    if (byTask) {
      const name = this.paperNameOf(task);
      const preset = name === null ? undefined : nemoNames[name];
      if (preset) return byTask[preset] as unknown as Options;
      throw new ArgumentError(
        'variant',
        `there are no ${variant} hyperparameters for ${task}; nemo@${variant} is for the tasks of the paper's tables`,
      );
    }
    return (presets[camel(algorithm)]?.[variant] as Options | undefined) ?? defaults;
  }
}

/** nemokit's own. */
export const builtIn = new Registry();

const standIns: Readonly<Record<string, string>> = {
  'molecule-activity-forest-v1': 'MoleculeActivity',
  'ant-morphology-cpg-v1': 'AntMorphology',
  'dkitty-morphology-cpg-v1': 'DKittyMorphology',
};

/** Presets of the algorithms by name; those of NEMO are one per task. */
const presets: Readonly<Record<string, Options>> = Object.fromEntries(
  Object.entries(own)
    .filter(([name]) => name.endsWith('Presets') && !name.startsWith('nemo'))
    .map(([name, value]) => [name.slice(0, -'Presets'.length), value as Options]),
);

const nemoByTask: Readonly<Record<string, Readonly<Record<NemoTask, NemoOptions>>>> = {
  tuned: own.nemoTunedPresets,
  paper: own.nemoPaperPresets,
};

type NemoTask = keyof typeof own.nemoPaperPresets;

const nemoNames: Readonly<Record<string, NemoTask>> = {
  Superconductor: 'superconductor',
  GFP: 'gfp',
  MoleculeActivity: 'moleculeActivity',
  HopperController: 'hopperController',
  AntMorphology: 'antMorphology',
  DKittyMorphology: 'dKittyMorphology',
};

/** The paper's tasks by their names there, in the order of its tables. */
export const paperTasks: readonly string[] = Object.keys(nemoNames);

function camel(id: string): string {
  return id.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function found<T>(things: ReadonlyMap<string, T>, kind: string, id: string): T {
  const thing = things.get(id);
  if (thing) return thing;
  throw new ArgumentError(kind, `there is no ${kind} "${id}"; there are ${[...things.keys()].join(', ')}`);
}
