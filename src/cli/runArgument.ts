/** The run a command is given: a path, or the name of a folder in runs/. */
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { openKernel } from '../design/engineChoice.js';
import type { Engine } from '../numeric/index.js';
import { type Manifest, manifestName } from '../runs/manifest.js';
import { exists } from '../runs/runFiles.js';
import { listRuns } from '../runs/runsFolder.js';
import { nearestName } from '../table/index.js';
import { CommandError, exitCodes } from './exitCodes.js';
import { sayStage } from './heartbeat.js';
import { palette } from './palette.js';
import { writeErr } from './screen.js';

/** Where runs are kept unless a folder is given. */
export const runsFolder = 'runs';

/** What `RUN` means in help texts. */
export const runArgument = 'folder of a run, or its name in runs/';

export async function runPath(text: string): Promise<string> {
  sayStage('reading the run');
  const inRuns = join(runsFolder, text);
  for (const path of [text, inRuns]) if (await exists(join(path, manifestName))) return path;
  // A folder that is not a run: opening it reports what is wrong.
  for (const path of [text, inRuns])
    if (text !== '' && (await stat(path).catch(() => undefined))?.isDirectory()) return path;
  const names = (await listRuns(runsFolder)).filter(({ manifest }) => manifest).map(({ name }) => name);
  const near = nearestName(basename(text), names) ?? names.find((name) => text !== '' && name.includes(text));
  const advice = near
    ? `; did you mean ${near}?`
    : names.length > 0
      ? '; "nemokit runs list" shows those that are there'
      : `; there are none in ${runsFolder}/`;
  throw new CommandError(exitCodes.usage, `there is no run "${text}"${advice}`);
}

/** An engine with the kernel of the run, so that predictions repeat; another kernel, with a note, if it cannot run here. */
export async function engineFor({ kernel }: Pick<Manifest, 'kernel'>, threads?: number): Promise<Engine> {
  const { engine, note } = await openKernel(kernel, threads);
  if (note !== null) writeErr(`${palette(process.stderr).dim('note:')} ${note}\n`);
  return engine;
}
