/**
 * Plug-ins: a module of the user (`export default { algorithms, tasks }`), or an executable that speaks JSON lines. Each
 * call of an executable is a new process that is given the whole problem, so that a seed gives the same designs on any
 * machine. docs/plugins.md
 */

import { access } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { defineAlgorithm, type Preset, type Setup } from '../algorithm.js';
import { ArgumentError, requireCount, requireSteps } from '../numeric/errors.js';
import { foldKey, type Key } from '../numeric/key.js';
import { rowOf } from '../numeric/rows.js';
import { count, looseOptions, type OptionDeclarations } from '../options/option.js';
import { declarationFault } from '../options/requireOptions.js';
import { SearchSpace } from '../search/searchSpace.js';
import { violations } from '../space/index.js';
import { callProgram } from './programCall.js';
import { type AnyAlgorithm, type Options, type Plugin, type PluginAlgorithm, Registry } from './registry.js';

/** The command's exit code for bad input. */
const BAD_INPUT = 2;

/** Files that are modules; any other is a program. */
export const moduleEndings = ['.js', '.mjs', '.cjs'];

/** The built-in algorithms and tasks, and those of the plug-ins at `paths`. */
export async function openRegistry(paths: readonly string[]): Promise<Registry> {
  const plugins: Plugin[] = [];
  for (const path of paths) plugins.push(await openPlugin(resolve(path)));
  return new Registry(plugins);
}

export async function openPlugin(path: string): Promise<Plugin> {
  await access(path).catch(() => {
    throw new ArgumentError('plugin', `${path} is not there; expected a module (.mjs) or a program`);
  });
  if (!moduleEndings.includes(extname(path))) return { algorithms: [await openProgram(path)] };
  process.once('exit', ended);
  try {
    const { default: exported } = (await import(pathToFileURL(path).href)) as { default?: unknown };
    return requirePlugin(path, exported);
  } catch (error) {
    if (error instanceof ArgumentError) throw error;
    // whatever a module throws while it is loaded or its exports are read
    throw new ArgumentError('plugin', `${path}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    process.off('exit', ended);
  }

  /** A module that ends the process says nothing of itself, and its exit code would be taken for ours. */
  function ended(): void {
    process.stderr.write(`nemokit: ${path}: the module ended the process while it was loaded\n`);
    process.exitCode = BAD_INPUT;
  }
}

const algorithmParts = ['length', 'init', 'step', 'propose', 'watch'] as const;

function declarationFaults(options: Options = {}): string[] {
  return Object.entries(options).flatMap(([name, declared]) => declarationFault(name, declared) ?? []);
}

/** Throws, naming what is missing, before anything runs. */
function requirePlugin(path: string, exported: unknown): Plugin {
  const fail = (fault: string) => new ArgumentError('plugin', `${path}: ${fault}; see docs/plugins.md`);
  if (typeof exported !== 'object' || exported === null)
    throw fail('has no default export; expected { algorithms: [...], tasks: [...] }');
  const { algorithms = [], tasks = [] } = exported as Plugin;
  if (!Array.isArray(algorithms) || !Array.isArray(tasks) || algorithms.length + tasks.length === 0)
    throw fail('exports neither algorithms nor tasks; expected lists of them');
  for (const algorithm of algorithms) {
    const { id, options, defaults } = (algorithm ?? {}) as Partial<AnyAlgorithm>;
    if (typeof id !== 'string' || typeof (options ?? defaults) !== 'object')
      throw fail('an algorithm needs "id", and "options" or "defaults"');
    const fault = declarationFaults(options)[0];
    if (fault !== undefined) throw fail(`algorithm "${id}": ${fault}`);
    for (const part of algorithmParts)
      if (typeof algorithm[part] !== 'function')
        throw fail(`algorithm "${algorithm.id}" needs a function "${part}"`);
  }
  for (const task of tasks) {
    if (typeof task?.id !== 'string' || typeof task.open !== 'function')
      throw fail('a task needs "id" and a function "open"');
  }
  return { algorithms, tasks };
}

interface ProgramState {
  readonly iteration: number;
  readonly key: Key;
  /** M x d. */
  readonly proposals: Float64Array;
  readonly watched: Readonly<Record<string, number>>;
}

/** `{"error": ...}`: the program does not support the problem; the message is the program's. */
export class ProgramRefusal extends ArgumentError {
  override readonly name = 'ProgramRefusal';
}

const values = z.record(z.string(), z.unknown());
const description = z.object({
  id: z.string().min(1),
  defaults: values.default({}),
  /** As a module declares them; instead of `defaults`. */
  options: values.optional(),
  presets: z.record(z.string(), z.object({ help: z.string(), options: values.optional() })).default({}),
});
const answer = z.union([
  z.object({ progress: z.number() }),
  z.object({ error: z.string() }),
  z.object({ designs: z.array(z.array(z.number())), watched: z.record(z.string(), z.number()).default({}) }),
]);

export async function openProgram(path: string): Promise<PluginAlgorithm> {
  const { id, defaults, options, presets } = await callProgram(path, { describe: 1 }, (line) =>
    description.parse(line),
  );
  const fault = declarationFaults(options)[0];
  if (fault !== undefined) throw new ArgumentError('plugin', `${path}: ${fault}; see docs/plugins.md`);
  const batchSize = count(Number(defaults.batchSize ?? 128), 'Designs that are proposed');
  const declared = options
    ? { batchSize, ...(options as OptionDeclarations) }
    : { ...looseOptions({ startFrom: 'best', ...defaults }), batchSize };

  const spaceOf = ({ data, space, options }: Setup<Options>) => {
    requireCount('batchSize', Number(options.batchSize));
    return new SearchSpace(data, space, { box: null });
  };

  return defineAlgorithm({
    id,
    options: declared,
    presets: presets as Readonly<Record<string, Preset<Options>>>,
    length: () => ({ training: 0, search: 1 }),
    async init(setup, key) {
      const search = spaceOf(setup);
      await search.prepare();
      const start = search.start({ batchSize: Number(setup.options.batchSize), startFrom: 'best' }, null);
      return { iteration: 0, key, proposals: search.settle(start), watched: {} } as ProgramState;
    },
    async step(state, setup, iterations = 1) {
      requireSteps('iterations', iterations);
      const { key, ...before } = state as ProgramState;
      if (iterations === 0 || before.iteration > 0) return { ...before, key };
      const { data, space, options } = setup;
      const d = space.columns.length;
      const rows = (values: Float64Array) =>
        Array.from({ length: values.length / d }, (_, i) => Array.from(rowOf(values, d, i)));
      const request = {
        propose: { x: rows(data.x), y: [...data.y], space, options, seed: foldKey(key, 'program')[0] },
      };
      const reply = await callProgram(path, request, (line) => {
        const parsed = answer.parse(line);
        if ('error' in parsed) throw new ProgramRefusal(id, `${id} says: ${parsed.error}`);
        return 'designs' in parsed ? parsed : undefined;
      });
      return {
        iteration: 1,
        key,
        proposals: requireBatch(id, reply.designs, setup),
        watched: reply.watched,
      } as ProgramState;
    },
    propose: (state) => (state as ProgramState).proposals.slice(),
    async watch(state) {
      return { ...(state as ProgramState).watched, iteration: state.iteration };
    },
  });
}

function requireBatch(
  id: string,
  designs: readonly number[][],
  { space, options }: Setup<Options>,
): Float64Array {
  const d = space.columns.length;
  const M = Number(options.batchSize);
  if (designs.length !== M || designs.some((design) => design.length !== d))
    throw new ArgumentError(id, `${id} gave ${designs.length} designs; expected ${M} of ${d} numbers each`);
  const x = Float64Array.from(designs.flat());
  for (let m = 0; m < M; m++) {
    const [broken] = violations(space, rowOf(x, d, m));
    if (broken !== undefined)
      throw new ArgumentError(id, `design ${m} of ${id} is not in the space: ${broken}`);
  }
  return x;
}
