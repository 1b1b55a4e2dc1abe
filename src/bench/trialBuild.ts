/**
 * What a trial's result follows from besides its options: the code of nemokit, the data of its task and the plug-ins. A
 * worker that has others does not run the trial.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { datasetOf } from '../tasks/datasets.js';
import type { Registry } from './registry.js';

export const trialBuild = z.object({
  /** Of the files of code. */
  code: z.string(),
  /** Of the checksums that the task's files are held to. */
  data: z.string(),
  /** Of the files of plug-ins. */
  plugins: z.string(),
});

export type TrialBuild = z.output<typeof trialBuild>;

/** One function per command: code and plug-ins are read once. */
export async function builds(
  registry: Registry,
  plugins: readonly string[],
): Promise<(task: string) => TrialBuild> {
  const folder = dirname(fileURLToPath(import.meta.url));
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js')).toSorted();
  const code = await hashOf(names.map((name) => ({ name, path: join(folder, name) })));
  const extra = await hashOf(plugins.map((path) => ({ name: '', path })));
  return (task) => {
    // tasks of plug-ins need not name any
    const files = (registry.taskOf(task).datasets ?? []).flatMap((id) =>
      datasetOf(id).files.map(({ name, sha256 }) => `${id} ${name} ${sha256}`),
    );
    return { code, data: short(createHash('sha256').update(files.join('\n'))), plugins: extra };
  };
}

/** How a worker's build differs from the one that a trial asks for, with what to do; null where it does not. */
export function buildFault(asked: TrialBuild, own: TrialBuild): string | null {
  if (asked.code !== own.code)
    return `its code is ${own.code}, and the trial is for ${asked.code}; install the same build of nemokit`;
  if (asked.plugins !== own.plugins) return 'it has other plug-ins; give it the same files with --plugin';
  if (asked.data !== own.data) return 'its task has other data';
  return null;
}

async function hashOf(files: readonly { readonly name: string; readonly path: string }[]): Promise<string> {
  const hash = createHash('sha256');
  for (const { name, path } of files) hash.update(`${name}\n`).update(await readFile(path));
  return short(hash);
}

function short(hash: ReturnType<typeof createHash>): string {
  return hash.digest('hex').slice(0, 16);
}
