/** Runs in a folder with progress on standard error, Ctrl-C and time limits, and results on standard output. */
import type { Command } from 'commander';
import type { DesignRequest } from '../design/designRequest.js';
import type { RunDocument } from '../design/runDocument.js';
import type { Engine } from '../numeric/index.js';
import { listenForInterrupts } from '../runs/interrupts.js';
import type { RunFolder } from '../runs/runFolder.js';
import { runInFolder } from '../runs/runInFolder.js';
import { exitCodes } from './exitCodes.js';
import { secondsOf } from './optionValues.js';
import { palette, wantsColor } from './palette.js';
import { printRun, toJson } from './printRun.js';
import { Progress } from './progress.js';
import { shellQuote } from './shellQuote.js';

export interface RunOptions {
  readonly time?: string;
  readonly json?: boolean;
  readonly jsonl?: boolean;
  readonly quiet?: boolean;
}

export function addRunOptions(command: Command): Command {
  return command
    .option('--time <time>', 'end the search after this time, such as 90s, 5m or 1h, with what it has')
    .option('--json', 'print one JSON document')
    .option('--jsonl', 'print events as they happen, one JSON document per line')
    .option('--quiet', 'no progress');
}

export const stageNames: Readonly<Record<string, string>> = {
  validate: 'validating',
  train: 'training',
  search: 'searching',
  assess: 'assessing',
};

/** Sets the exit code; closes the folder whatever happens. */
export async function followRun(
  folder: RunFolder,
  request: DesignRequest,
  engine: Engine,
  options: RunOptions,
): Promise<void> {
  const { json = false, jsonl = false, quiet = false } = options;
  const saveSeconds = process.env.NEMOKIT_SAVE;
  using progress = new Progress({ quiet, json: json || jsonl });
  const print = (event: object) => process.stdout.write(`${JSON.stringify(event)}\n`);
  try {
    if (jsonl) print({ event: 'started', run: folder.path });
    using interrupts = listenForInterrupts({
      onInterrupt: () => progress.say('stopping; the state is saved ...'),
    });
    const value = await runInFolder(folder, request, engine, {
      signal: interrupts.signal,
      ...(options.time !== undefined && {
        deadline: Date.now() + 1000 * secondsOf('--time', options.time),
      }),
      ...(saveSeconds && { saveEvery: 1000 * secondsOf('NEMOKIT_SAVE', saveSeconds) }),
      onProgress: ({ stage, fraction, detail }, watched) => {
        progress.update(stageNames[stage] ?? stage, fraction, detail);
        if (jsonl) print({ event: 'progress', stage, fraction, detail, ...(watched && { watched }) });
      },
    });
    progress.finish();
    for (const note of folder.notes)
      process.stderr.write(`${palette(process.stderr).dim('note:')} ${note}\n`);
    if (!('document' in value)) {
      sayHowToGoOn(folder.path, value.outcome);
      process.exitCode =
        value.outcome === 'interrupted' ? (interrupts.exitCode ?? exitCodes.interrupted) : exitCodes.partial;
      if (jsonl) print({ event: value.outcome, run: folder.path });
      return;
    }
    const { document, outcome } = value;
    printResults(document, folder.path, options);
    process.exitCode = exitCodeOf(document);
    if (outcome === 'partial') sayHowToGoOn(folder.path, 'timeLimit');
  } catch (error) {
    await folder.fail(error).catch(() => {});
    throw error;
  } finally {
    await folder.close();
  }
}

/** What a run found, as the options say. */
export function printResults(document: RunDocument, path: string, { json, jsonl }: RunOptions): void {
  const event = document.run.complete ? 'done' : 'partial';
  process.stdout.write(
    jsonl
      ? `${JSON.stringify({ event, run: path, document })}\n`
      : json
        ? toJson(document)
        : printed(document, path),
  );
}

function printed(document: RunDocument, folder: string): string {
  return `\n${printRun(document, {
    width: process.stdout.columns ?? 100,
    color: wantsColor(process.stdout.isTTY === true),
    folder,
  })}\n`;
}

function exitCodeOf({ run, verdict }: RunDocument): number {
  if (!run.complete) return exitCodes.partial;
  return verdict.level === 'unsupported' ? exitCodes.unsupported : exitCodes.ok;
}

function sayHowToGoOn(path: string, outcome: 'interrupted' | 'timeLimit'): void {
  const why = outcome === 'interrupted' ? 'stopped' : 'the time is over';
  process.stderr.write(`${why}; go on with: nemokit runs resume ${shellQuote(path)}\n`);
}
