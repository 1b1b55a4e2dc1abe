/** Runs in a folder with progress on standard error, Ctrl-C and time limits, and results on standard output. */
import type { Command } from 'commander';
import type { DesignRequest } from '../design/designRequest.js';
import type { RunDocument } from '../design/runDocument.js';
import type { Engine } from '../numeric/index.js';
import { listenForInterrupts } from '../runs/interrupts.js';
import type { RunFolder } from '../runs/runFolder.js';
import { runInFolder } from '../runs/runInFolder.js';
import { type ErrorEvent, printError } from './errorDocument.js';
import { exitCodes } from './exitCodes.js';
import { secondsOf } from './optionValues.js';
import { palette, wantsColor } from './palette.js';
import { printJson, printJsonLine } from './printJson.js';
import { printRun } from './printRun.js';
import { Progress } from './progress.js';
import { writeErr, writeOut } from './screen.js';
import { shellQuote } from './shellQuote.js';

export interface RunOptions {
  readonly time?: string;
  readonly json?: boolean;
  readonly jsonl?: boolean;
  readonly quiet?: boolean;
}

export const eventsVersion = 1;

/** A line of `--jsonl`. The first is `started`, or an error before there was a run. */
export type DesignEvent =
  | { readonly event: 'started'; readonly eventsVersion: typeof eventsVersion; readonly run: string }
  | {
      readonly event: 'progress';
      readonly stage: string;
      /** Of the run, 0 to 1. */
      readonly fraction: number;
      readonly detail: string;
      readonly watched?: Readonly<Record<string, number>>;
    }
  | { readonly event: 'done' | 'partial'; readonly run: string; readonly document: RunDocument }
  | { readonly event: 'interrupted' | 'timeLimit'; readonly run: string }
  | ErrorEvent;

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
  try {
    if (jsonl) printEvent({ event: 'started', eventsVersion, run: folder.path });
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
        if (jsonl) printEvent({ event: 'progress', stage, fraction, detail, ...(watched && { watched }) });
      },
    });
    progress.finish();
    for (const note of folder.notes) writeErr(`${palette(process.stderr).dim('note:')} ${note}\n`);
    if (!('document' in value)) {
      const { outcome } = value;
      sayHowToGoOn(folder.path, outcome);
      const isStopped = outcome === 'interrupted';
      const exitCode = isStopped ? (interrupts.exitCode ?? exitCodes.interrupted) : exitCodes.partial;
      process.exitCode = exitCode;
      if (jsonl) printEvent({ event: outcome, run: folder.path });
      else if (json)
        printError(
          {
            code: isStopped ? 'interrupted' : 'partial',
            exitCode,
            message: `${reasonOf(outcome)}, and there is no design yet; the state is saved`,
            hint: resumeCommand(folder.path),
            run: folder.path,
          },
          'json',
        );
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
  if (jsonl) printEvent({ event: document.run.complete ? 'done' : 'partial', run: path, document });
  else if (json) printJson(document);
  else writeOut(printed(document, path));
}

function printEvent(event: DesignEvent): void {
  printJsonLine(event);
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
  writeErr(`${reasonOf(outcome)}; go on with: ${resumeCommand(path)}\n`);
}

function reasonOf(outcome: 'interrupted' | 'timeLimit'): string {
  return outcome === 'interrupted' ? 'stopped' : 'the time is over';
}

function resumeCommand(path: string): string {
  return `nemokit runs resume ${shellQuote(path)}`;
}
