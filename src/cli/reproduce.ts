/** `nemokit reproduce`: repeats a run and compares. */
import type { Command } from 'commander';
import { documentIn } from '../design/run.js';
import { openEngine } from '../numeric/index.js';
import { count } from '../report/index.js';
import { listenForInterrupts } from '../runs/interrupts.js';
import { type Comparison, compareRuns, repeatRun } from '../runs/reproduce.js';
import { readFinishedRun } from '../runs/savedRun.js';
import { version } from '../version.js';
import { printError } from './errorDocument.js';
import { CommandError, exitCodes } from './exitCodes.js';
import { stageNames } from './followRun.js';
import { numberOf } from './optionValues.js';
import { palette } from './palette.js';
import { printJson } from './printJson.js';
import { Progress } from './progress.js';
import { engineFor, runArgument, runPath } from './runArgument.js';
import { writeErr, writeOut } from './screen.js';
import { shellQuote } from './shellQuote.js';
import { cut, oneLineOf } from './textLayout.js';

interface ReproduceOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly threads?: string;
}

/** Differences that are listed; the others are counted. */
const mostDifferences = 20;

export function addReproduce(program: Command): void {
  program
    .command('reproduce')
    .description('repeat a run, and check that the same bits come out')
    .argument('<run>', runArgument)
    .option('--threads <count>', 'threads to use; never changes a result')
    .option('--json', 'print one JSON document')
    .option('--quiet', 'no progress')
    .action(async (run: string, options: ReproduceOptions) => {
      const threads =
        options.threads === undefined ? undefined : numberOf('--threads', options.threads, { least: 1 });
      const path = await runPath(run);
      const finished = await readFinishedRun(path);
      const { manifest, run: stored } = finished;
      if (!stored.run.complete)
        throw new CommandError(
          exitCodes.usage,
          `${path} was cut short by its time limit, so it cannot be repeated exactly; finish it with "nemokit runs resume ${shellQuote(path)}"`,
        );
      // NEMOKIT_KERNEL names the kernel to compare with.
      const isChosen = !['', 'auto', undefined].includes(process.env.NEMOKIT_KERNEL);
      await using engine = isChosen
        ? await openEngine(threads === undefined ? {} : { threads })
        : await engineFor(manifest, threads);
      using progress = new Progress({ quiet: options.quiet ?? false, json: options.json ?? false });
      using interrupts = listenForInterrupts();
      const again = await repeatRun(path, finished, engine, {
        signal: interrupts.signal,
        onProgress: ({ stage, fraction, detail }) =>
          progress.update(stageNames[stage] ?? stage, fraction, detail),
      });
      progress.finish();
      if (!again) {
        const message = 'stopped; nothing was compared';
        writeErr(`${message}\n`);
        const exitCode = interrupts.exitCode ?? exitCodes.interrupted;
        if (options.json) printError({ code: 'interrupted', exitCode, message }, 'json');
        process.exitCode = exitCode;
        return;
      }
      const found = judged(compareRuns(documentIn(stored), again), stored.run.version);
      if (options.json) printJson({ reproduceVersion: 1, run: path, ...found } satisfies ReproduceDocument);
      else writeOut(printed(path, found));
      process.exitCode = found.isSame ? exitCodes.ok : exitCodes.internal;
    });
}

interface Judgement extends Comparison {
  /** Where another version made the run. */
  readonly versions: { readonly a: string; readonly b: string } | null;
}

/** What `--json` prints. */
export interface ReproduceDocument extends Judgement {
  readonly reproduceVersion: 1;
  /** Folder of the run. */
  readonly run: string;
}

/** Another version alone is not a difference; it is reported separately. */
function judged({ differences, kernels }: Comparison, made: string): Judgement {
  const others = differences.filter(({ path }) => path !== 'run.version');
  return {
    isSame: others.length === 0,
    versions: made === version ? null : { a: made, b: version },
    kernels,
    differences: others,
  };
}

function printed(path: string, { isSame, versions, kernels, differences }: Judgement): string {
  const paint = palette(process.stdout);
  const width = process.stdout.columns ?? 100;
  const before = [
    ...(versions ? [`made by nemokit ${versions.a}; this is ${versions.b}`] : []),
    ...(kernels
      ? [`made by the kernel ${kernels.a}; this is ${kernels.b}, which rounds differently: expect other bits`]
      : []),
  ];
  if (isSame) return `${[...before, `${paint.green('the same bits')}: ${path}`].join('\n')}\n`;
  const text = (value: unknown) =>
    value === undefined ? 'nothing' : cut(oneLineOf(JSON.stringify(value)), 40);
  const rest = differences.length - mostDifferences;
  return `${[
    ...before,
    `${paint.red('not the same')}: ${count(differences.length, 'value')} of ${path} differ${differences.length === 1 ? 's' : ''}, then → now`,
    ...differences
      .slice(0, mostDifferences)
      .map(({ path: at, a, b }) => cut(`  ${oneLineOf(at)}: ${text(a)} → ${text(b)}`, Math.max(60, width))),
    ...(rest > 0 ? [`  and ${rest} more; --json lists all`] : []),
  ].join('\n')}\n`;
}
