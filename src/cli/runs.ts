/** `nemokit runs`: saved runs. */
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { requestFrom } from '../design/run.js';
import { type Engine, openEngine } from '../numeric/index.js';
import { count, formatDuration, formatTime } from '../report/index.js';
import { readEvents } from '../runs/events.js';
import { lockOf } from '../runs/lock.js';
import { type Manifest, type RunStatus, readManifest } from '../runs/manifest.js';
import { eventsName } from '../runs/runFiles.js';
import { openRun, tidyDone } from '../runs/runFolder.js';
import { type ListedRun, listRuns, removeRun } from '../runs/runsFolder.js';
import { readAsked, readDocument } from '../runs/savedRun.js';
import { CommandError, exitCodes } from './exitCodes.js';
import { addRunOptions, followRun, printResults, type RunOptions, stageNames } from './followRun.js';
import { pauseHeartbeat } from './heartbeat.js';
import { secondsOf } from './optionValues.js';
import { palette, paletteOf, wantsColor } from './palette.js';
import { printJson } from './printJson.js';
import { runArgument, runPath, runsFolder } from './runArgument.js';
import { writeErr, writeOut } from './screen.js';
import { shellQuote } from './shellQuote.js';
import { cut, type GridColumn, gridLines, gridWidth, hang, oneLineOf } from './textLayout.js';

/** What `runs list --json` prints. */
export interface RunsDocument {
  readonly runsVersion: 1;
  readonly folder: string;
  readonly runs: readonly ListedRun[];
}

/** What `runs show --json` prints of a run without results; of others it prints the document of the run. */
export interface RunProgressDocument {
  readonly runsVersion: 1;
  /** Folder of the run. */
  readonly run: string;
  /** "running" only while a process works on it. */
  readonly status: RunStatus;
  /** Null before the first step. */
  readonly stage: string | null;
  /** Of the run, 0 to 1. */
  readonly fraction: number;
  readonly detail: string | null;
  readonly manifest: Manifest;
}

export function addRuns(program: Command): void {
  const runs = program.command('runs').description('list, show, resume and remove runs');
  runs
    .command('list')
    .description('list the runs and their status')
    .argument('[folder]', 'folder that holds runs', runsFolder)
    .option('--json', 'print one JSON document')
    .action(async (folder: string, { json }: { json?: boolean }) => {
      const found = await listRuns(folder);
      if (json) printJson({ runsVersion: 1, folder, runs: found } satisfies RunsDocument);
      else writeOut(printList(folder, found, process.stdout.columns ?? 100));
    });
  runs
    .command('show')
    .description('print the result of a run again, or its progress')
    .argument('<run>', runArgument)
    .option('--json', 'print one JSON document')
    .action(async (run: string, options: { json?: boolean }) => {
      const path = await runPath(run);
      const manifest = await readManifest(path);
      if (manifest.files['candidates.json']) printResults(await readDocument(path, manifest), path, options);
      else await showUnfinished(path, manifest, options.json ?? false);
    });
  addRunOptions(
    runs
      .command('resume')
      .description('resume a run that was stopped; the result is the same as without the stop')
      .argument('<run>', runArgument),
  ).action(async (run: string, options: RunOptions) => {
    if (options.time !== undefined) secondsOf('--time', options.time);
    await resumeRun(await runPath(run), options);
  });
  runs
    .command('rm')
    .description('remove runs, unless something in them was not written by nemokit')
    .argument('<run...>', runArgument)
    .option('-y, --yes', 'do not ask')
    .action(async (names: readonly string[], { yes = false }: { yes?: boolean }) => {
      const paths: string[] = [];
      for (const name of names) paths.push(await runPath(name));
      for (const path of paths) await readManifest(path);
      if (!yes && !(await isConfirmed(paths))) {
        writeErr('nothing was removed\n');
        return;
      }
      for (const path of paths) {
        await removeRun(path);
        writeErr(`Removed ${path}.\n`);
      }
    });
}

/** Resumes a run. If it is done already, prints its result. */
export async function resumeRun(path: string, options: RunOptions): Promise<void> {
  const manifest = await readManifest(path);
  if (manifest.status === 'done') {
    const document = await readDocument(path, manifest);
    await tidyDone(path);
    if (!options.quiet) writeErr(`${path} is done already\n`);
    printResults(document, path, options);
    process.exitCode = exitCodes.ok;
    return;
  }
  const request = await requestFrom(await readAsked(path, manifest));
  await using engine = await openEngine({ kernel: manifest.kernel as Engine['kernel'] });
  await followRun(await openRun(path), request, engine, options);
}

async function isConfirmed(paths: readonly string[]): Promise<boolean> {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true)
    throw new CommandError(
      exitCodes.usage,
      'this is not a terminal, so nothing can be confirmed; --yes removes without asking',
    );
  pauseHeartbeat();
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const what = paths.length === 1 ? paths[0]! : `${paths.length} runs (${paths.join(', ')})`;
    return /^y/i.test((await reader.question(`Remove ${what} for good? y or n [n] `)).trim());
  } finally {
    reader.close();
  }
}

const statusLabels: Readonly<Record<string, string>> = {
  running: 'running',
  interrupted: 'stopped',
  partial: 'cut short',
  done: 'done',
  failed: 'failed',
};

export function printList(folder: string, found: readonly ListedRun[], width: number): string {
  const runs = found.filter(({ manifest }) => manifest);
  const odd = found.flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
  if (found.length === 0) return `there are no runs in ${folder}\n`;
  const paint = paletteOf(wantsColor(process.stdout.isTTY === true));
  const fixed: GridColumn[] = [
    { head: 'run', cells: runs.map(({ name }) => oneLineOf(name)) },
    { head: 'status', cells: runs.map(({ status }) => statusLabels[status!] ?? status!) },
  ];
  const more: GridColumn[] = [
    { head: 'goal', cells: runs.map(({ manifest }) => cut(oneLineOf(manifest!.goal), 40)) },
    { head: 'table', cells: runs.map(({ manifest }) => cut(oneLineOf(manifest!.source.file), 28)) },
    { head: 'rows', align: 'right', cells: runs.map(({ manifest }) => String(manifest!.table.rows)) },
    { head: 'effort', cells: runs.map(({ manifest }) => manifest!.effort) },
    { head: 'took', align: 'right', cells: runs.map(({ manifest }) => formatDuration(secondsIn(manifest!))) },
  ];
  let shown = more.length;
  while (shown > 0 && gridWidth([...fixed, ...more.slice(0, shown)]) > width) shown--;
  const left = width - gridWidth(fixed) - 2;
  const kept =
    shown === 0 && left >= 12
      ? [{ head: 'goal', cells: more[0]!.cells.map((goal) => cut(goal, left)) }]
      : more.slice(0, shown);
  const lines = runs.length > 0 ? gridLines([...fixed, ...kept], paint.dim) : [];
  return `${[...lines, ...odd.map((text) => hang('', text, width))].join('\n')}\n`;
}

function secondsIn({ timings }: Manifest): number {
  return Object.values(timings).reduce((sum, spent) => sum + spent, 0);
}

async function showUnfinished(path: string, manifest: Manifest, json: boolean): Promise<void> {
  const isHeld = (await lockOf(path))?.isHeld ?? false;
  const status = isHeld ? 'running' : manifest.status === 'running' ? 'interrupted' : manifest.status;
  const last = (await readEvents(join(path, eventsName))).findLast(({ fraction }) => fraction !== undefined);
  const { stage = null, fraction = 0, detail = null } = last ?? {};
  if (json) {
    const document: RunProgressDocument = {
      runsVersion: 1,
      run: path,
      status,
      stage,
      fraction,
      detail,
      manifest,
    };
    return printJson(document);
  }
  const paint = palette(process.stdout);
  const seconds = secondsIn(manifest);
  const line = (label: string, text: string) => hang(paint.bold(label.padEnd(9)), text, 100);
  const lines = [
    line('Run', path),
    line('Goal', oneLineOf(manifest.goal)),
    line('Table', `${oneLineOf(manifest.source.file)}, ${count(manifest.table.rows, 'row')}`),
    line('Begun', formatTime(manifest.created)),
    line(
      'Status',
      `${statusLabels[status]}, ${Math.floor(100 * fraction)} % done after ${formatDuration(seconds)}` +
        `${stage === null ? '' : ` (${stageNames[stage] ?? stage}: ${detail})`}`,
    ),
    ...(status === 'failed' && manifest.error ? [line('Error', oneLineOf(manifest.error.message))] : []),
    ...(isHeld ? [] : [`${paint.bold('Next'.padEnd(9))}nemokit runs resume ${shellQuote(path)}`]),
  ];
  writeOut(`${lines.join('\n')}\n`);
}
