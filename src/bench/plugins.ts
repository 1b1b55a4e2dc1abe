/**
 * Plug-ins: a module of the user's (`export default { algorithms, tasks }`), or any executable that speaks JSON lines.
 * docs/plugins.md
 */
import { access } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ArgumentError } from '../numeric/errors.js';
import { openProgram } from './program.js';
import { type Plugin, Registry } from './registry.js';

/** Files that are modules; any other is a program. */
export const moduleEndings = ['.js', '.mjs', '.cjs'];

/** Of paths as they are typed. */
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
  let exported: unknown;
  try {
    exported = ((await import(pathToFileURL(path).href)) as { default?: unknown }).default;
  } catch (error) {
    throw new ArgumentError('plugin', `${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return requirePlugin(path, exported);
}

const algorithmParts = ['length', 'init', 'step', 'propose', 'watch'] as const;

/** Says what is missing before anything runs. */
function requirePlugin(path: string, exported: unknown): Plugin {
  const fail = (words: string) => new ArgumentError('plugin', `${path}: ${words}; see docs/plugins.md`);
  if (typeof exported !== 'object' || exported === null)
    throw fail('has no default export; expected { algorithms: [...], tasks: [...] }');
  const { algorithms = [], tasks = [] } = exported as Plugin;
  if (!Array.isArray(algorithms) || !Array.isArray(tasks) || algorithms.length + tasks.length === 0)
    throw fail('brings neither algorithms nor tasks; expected lists of them');
  for (const algorithm of algorithms) {
    if (typeof algorithm?.id !== 'string' || typeof algorithm.defaults !== 'object')
      throw fail('an algorithm needs "id" and "defaults"');
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
