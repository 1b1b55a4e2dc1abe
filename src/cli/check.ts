import type { Command } from 'commander';
import type { CheckReport } from '../problem/checkTable.js';
import type { MethodOptions } from '../problem/index.js';
import { isProblemFile, type ProblemInput } from '../problem/platform/node.js';
import { check } from '../problem/question.js';
import { exitCodes } from './exitCodes.js';
import { sayStage } from './heartbeat.js';
import { wantsColor } from './palette.js';
import { printCheck } from './printCheck.js';
import { printJson } from './printJson.js';
import { addProblemOptions, type ProblemFlags, questionOf, readAsked, stateAsked } from './problemOptions.js';
import { writeOut } from './screen.js';
import { isPortable, shellQuote } from './shellQuote.js';

interface CheckOptions extends ProblemFlags {
  readonly json?: boolean;
  readonly all?: boolean;
}

export function addCheck(program: Command): void {
  const command = program
    .command('check')
    .description('say what is in a table, what is odd about it and what it can support')
    .argument('<table>', 'table of past experiments, or a problem file (.yaml); - is standard input');
  addProblemOptions(command)
    .option('--all', 'show every column, however many there are')
    .option('--json', 'print one JSON document')
    .action(async (path: string, options: CheckOptions) => {
      const input = await readAsked(path, options, isProblemFile(path) ? await methodsFor() : undefined);
      sayStage(`checking ${input.table.name}`);
      const report = await check(input.table, questionOf(input));
      if (report.conflict.length === 0 && report.support !== null && report.support.numbers > 0)
        await requireBatch(input);
      const commands = program.commands.map((command) => command.name());
      if (options.json) printJson(report);
      else
        writeOut(
          printCheck(report, {
            width: process.stdout.columns ?? 100,
            color: wantsColor(process.stdout.isTTY === true),
            all: options.all ?? false,
            next: nextCommand(
              path,
              report,
              input.spec.goals.length > 0,
              commands,
              givenOptions(process.argv, path),
            ),
          }),
        );
      process.exitCode = exitCodeOf(report);
    });
}

/** Loaded for problem files only: the algorithms are many files. */
async function methodsFor(): Promise<MethodOptions> {
  return (await import('../design/designRequest.js')).methodOptions;
}

/** What a problem file says about the batch and the search is held against the table, as `design` does. */
async function requireBatch(input: ProblemInput): Promise<void> {
  const { settings, keep, avoid, spec } = input;
  const isPlain = Object.keys(settings).length === 0 && !keep && !avoid;
  if (isPlain || spec.goals.length === 0) return;
  const { requestOf } = await import('../design/designRequest.js');
  requestOf(await stateAsked(input), settings, input);
}

export function exitCodeOf({ conflict, support, findings }: CheckReport): number {
  if (conflict.length > 0) return exitCodes.infeasible;
  const isHopeless = findings.some(({ severity }) => severity === 'error');
  return support?.level === 'none' || isHopeless ? exitCodes.unsupported : exitCodes.ok;
}

/** What to type next: a repair where something is wrong, else the design. */
export function nextCommand(
  path: string,
  { conflict, goals, support }: CheckReport,
  isGoalGiven: boolean,
  commands: readonly string[],
  given: readonly string[] = [],
): string {
  if (conflict.length > 0) return 'loosen one of the constraints above, and check again';
  if (support?.numbers === 0) return 'add columns of settings, or rows in which they differ, and check again';
  const file = shellQuote(path);
  const words = [...given, ...(isGoalGiven ? [] : goals.flatMap((text) => ['--goal', text]))];
  const options = words.map((word) => ` ${shellQuote(word)}`).join('');
  const isProblem = /\.ya?ml$/i.test(path);
  if (![path, ...words].every(isPortable))
    return `nemokit init ${file}, and write the options with ", $, % or \\ into the file: shells differ in how they are typed`;
  if (goals.length === 0) return `nemokit check ${file}${options} --goal "max ..."`;
  const verb = commands.includes('design') ? 'design' : 'init';
  if (isProblem && isGoalGiven && verb === 'init') return `edit ${file} as you like`;
  return `nemokit ${verb} ${file}${options}`;
}

/** What was typed after `check`, but for the table and what is about printing: `design` knows all of it. */
export function givenOptions(argv: readonly string[], path: string): string[] {
  const typed = argv
    .slice(argv.indexOf('check') + 1)
    .filter((word) => !['--json', '--all', '--'].includes(word));
  // the table itself: the last such word that is not the value of an option
  const at = typed.findLastIndex((word, i) => word === path && !/^--(?:add|from)$/.test(typed[i - 1] ?? ''));
  return typed.filter((_, i) => i !== at);
}
