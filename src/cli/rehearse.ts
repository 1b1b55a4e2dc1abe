import type { Command } from 'commander';
import { rehearse } from '../design/rehearse.js';
import type { Ranking } from '../judging/measuredPool.js';
import type { RankingMethod, Rehearsal } from '../judging/rehearsal.js';
import { count, formatPercent, typedNumber } from '../report/index.js';
import { listenForInterrupts } from '../runs/interrupts.js';
import { printError } from './errorDocument.js';
import { CommandError, exitCodes } from './exitCodes.js';
import { sayStage } from './heartbeat.js';
import { numberOf } from './optionValues.js';
import { type Palette, paletteOf, wantsColor } from './palette.js';
import { printJson } from './printJson.js';
import {
  addProblemOptions,
  type ProblemFlags,
  questionOf,
  readAsked,
  requireGoal,
} from './problemOptions.js';
import { Progress } from './progress.js';
import { writeOut } from './screen.js';
import { gridLines, hang } from './textLayout.js';

interface RehearseOptions extends ProblemFlags {
  readonly top: string;
  readonly withheld: string;
  readonly seed?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** What `--json` prints. */
export interface RehearsalDocument extends Rehearsal {
  readonly rehearsalVersion: 2;
  readonly file: string;
  /** Goals in the user's words. */
  readonly goal: string;
  readonly seed: number;
}

const widestProse = 100;

/** Lengths of lists that fit on a line. */
const mostColumns = 4;

const methodNames: Readonly<Record<RankingMethod, string>> = {
  design: 'nemokit design',
  forest: 'random forest',
  nearest: 'nearest rows',
};

export function addRehearse(program: Command): void {
  const command = program
    .command('rehearse')
    .description('hide the best rows of a table, and see whether a model of the others would have found them')
    .argument('<table>', 'table of past experiments, or a problem file (.yaml); - is standard input');
  addProblemOptions(command)
    .option('--top <share>', 'share of the rows, the best ones, that is hidden', '0.1')
    .option('--withheld <share>', 'share of the other rows that is not shown either', '0.3')
    .option('--seed <number>', 'decides which those are, and the training; default 0')
    .option('--json', 'print one JSON document')
    .option('--quiet', 'no progress')
    .action(async (path: string, options: RehearseOptions) => {
      const { json = false, quiet = false } = options;
      const cut = {
        top: shareOf('--top', options.top),
        withheld: shareOf('--withheld', options.withheld),
        seed: options.seed === undefined ? 0 : numberOf('--seed', options.seed, { least: 0 }),
      };
      const input = await readAsked(path, options);
      requireGoal(input);
      const { table, spec } = input;
      using interrupts = listenForInterrupts();
      let result: Rehearsal;
      {
        sayStage('stating the problem');
        using progress = new Progress({ quiet, json });
        try {
          result = await rehearse(table, {
            ...questionOf(input),
            ...cut,
            signal: interrupts.signal,
            onProgress: (method, share) => progress.update(methodNames[method], share),
          });
        } catch (error) {
          if (!interrupts.signal.aborted) throw error;
          const exitCode = interrupts.exitCode ?? exitCodes.interrupted;
          if (json) printError({ code: 'interrupted', exitCode, message: 'stopped' }, 'json');
          process.exitCode = exitCode;
          return;
        }
      }
      const goal = spec.goals.join('; ');
      if (json)
        printJson({
          rehearsalVersion: 2,
          file: table.name,
          goal,
          seed: cut.seed,
          ...result,
        } satisfies RehearsalDocument);
      else
        writeOut(
          printRehearsal(`${table.name}: ${goal}`, result, {
            width: process.stdout.columns ?? widestProse,
            paint: paletteOf(wantsColor(process.stdout.isTTY === true)),
          }),
        );
    });
}

function shareOf(flag: string, text: string): number {
  const share = Number(text);
  if (text.trim() !== '' && share >= 0 && share < 1 && !(flag === '--top' && share === 0)) return share;
  throw new CommandError(
    exitCodes.usage,
    `${flag} is "${text}"; expected a share between 0 and 1, such as 0.2`,
  );
}

interface Layout {
  readonly width: number;
  readonly paint: Palette;
}

export function printRehearsal(title: string, result: Rehearsal, { width, paint }: Layout): string {
  const { seen, hiddenTop, withheld, methods, repeated, undecided, bestSeen } = result;
  const [first] = methods;
  if (!first) return '';
  const lists = shownLists(first.unseen);
  const chance = first.unseen.topRows / first.unseen.rows;
  const line = (head: string, text: string) =>
    hang(paint.bold(head.padEnd(9)), text, Math.min(width, widestProse));
  const grid = gridLines(
    [
      { head: 'ranked by', cells: methods.map(({ method }) => methodNames[method]) },
      ...lists.map((k) => ({
        head: `first ${k}`,
        align: 'right' as const,
        cells: methods.map(({ unseen }) => foundText(unseen, k)),
      })),
      {
        head: 'order',
        align: 'right' as const,
        cells: methods.map(({ unseen }) => unseen.orderWithinTop?.toFixed(2) ?? '-'),
      },
    ],
    paint.dim,
  );
  return `${[
    paint.bold(`Rehearsal  ${title}`),
    '',
    line(
      'hidden',
      `the ${count(hiddenTop, 'best row')} (above ${typedNumber(bestSeen)}) and ${count(withheld, 'other')}; ` +
        `${count(seen, 'row')} were seen`,
    ),
    line(
      'ranked',
      `${count(first.unseen.rows, 'row')} that were not seen; by chance ${formatPercent(chance)} of a list are among the best`,
    ),
    ...(repeated > 0
      ? [line('note', `hidden rows that repeat a setting that was seen, and need no model: ${repeated}`)]
      : []),
    ...(undecided > 0
      ? [line('note', `${count(undecided, 'row')} left out: a bound that may lie on either side of the cut`)]
      : []),
    '',
    ...grid,
    '',
    line('Result', sentenceOf(result, lists)),
  ].join('\n')}\n`;
}

function shownLists({ enrichment }: Ranking): number[] {
  return enrichment.slice(0, mostColumns).map(({ k }) => k);
}

/** "9 of 10  x2.7" */
function foundText({ enrichment }: Ranking, k: number): string {
  const at = enrichment.find((list) => list.k === k);
  if (!at) return '-';
  return `${Math.round(at.found)} of ${k}  ×${at.factor.toFixed(1)}`;
}

/** What the longest shown list of the model that designs says that could hold nothing but the best. */
function sentenceOf({ methods }: Rehearsal, lists: readonly number[]): string {
  const ranking = methods.find(({ method }) => method === 'design')?.unseen;
  const telling = lists.filter((k) => k <= (ranking?.topRows ?? 0)).at(-1) ?? lists[0];
  const at = ranking?.enrichment.find(({ k }) => k === telling);
  if (!ranking || !at) return 'too few rows were hidden to tell';
  const better = methods.filter(({ unseen }) => {
    const rival = unseen.enrichment.find(({ k }) => k === at.k);
    return rival !== undefined && rival.found > at.found + 0.5;
  });
  const found = `of the first ${at.k} rows that nemokit design names, ${Math.round(at.found)} are among the hidden best, ${Math.round(at.expected)} expected by chance`;
  if (at.chance > 0.05) return `${found}: no better than chance; do not trust designs from this table`;
  if (better.length === 0) return found;
  return `${found}; ${better.map(({ method }) => methodNames[method]).join(' and ')} found more`;
}
