import { dirname, relative, resolve, sep } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { ArgumentError } from '../numeric/errors.js';
import { type CheckReport, checkTable } from '../problem/checkTable.js';
import { parseGoal } from '../problem/goals.js';
import { isProblemFile } from '../problem/platform/node.js';
import type { ProblemSpec } from '../problem/problemSpec.js';
import { ExpressionError } from '../problem/tokens.js';
import { typedNumber } from '../report/index.js';
import { exists } from '../runs/runFiles.js';
import type { ReadOptions, Table } from '../table/index.js';
import { splitNames } from './columnNames.js';
import { CommandError, exitCodes } from './exitCodes.js';
import { describeFailure, InterruptedError } from './failure.js';
import { pauseHeartbeat, sayStage } from './heartbeat.js';
import {
  addProblemOptions,
  applyFlags,
  missingGoal,
  type ProblemFlags,
  readAsked,
  readOptionsOf,
} from './problemOptions.js';
import { problemTemplate } from './problemTemplate.js';
import { writeErr } from './screen.js';
import { shellQuote } from './shellQuote.js';
import { oneLineOf } from './textLayout.js';
import { writeWholeFile } from './wholeFile.js';

interface InitOptions extends ProblemFlags {
  readonly output: string;
  readonly force?: boolean;
  readonly yes?: boolean;
}

export function addInit(program: Command): void {
  const command = program
    .command('init')
    .description('write a problem file to begin with, commented with what is in the table')
    .argument('<table>', 'table of past experiments');
  addProblemOptions(command)
    .option('-o, --output <file>', 'where to write it', 'nemokit.yaml')
    .option('--force', 'replace a file that is there')
    .option('-y, --yes', 'ask nothing; take what was found')
    .action(async (path: string, options: InitOptions) => {
      const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
      const asks = isTerminal && !options.yes && !options.goal;
      await init(path, options, asks ? { input: process.stdin, output: process.stderr } : undefined);
      const command = program.commands.some((other) => other.name() === 'design') ? 'design' : 'check';
      writeErr(`Wrote ${options.output}. Edit it, then:  nemokit ${command} ${shellQuote(options.output)}\n`);
    });
}

async function init(path: string, options: InitOptions, streams: AskStreams | undefined): Promise<void> {
  if (path === '-')
    throw new ArgumentError('table', 'standard input has no name to put into a problem file; give a file');
  if (isProblemFile(path))
    throw new ArgumentError('table', `${path} is a problem file already; give the table it speaks of`);
  if (options.add)
    throw new ArgumentError(
      '--add',
      '--add: a problem file names one table; give --add to nemokit design later',
    );
  if (!options.force && (await exists(options.output)))
    throw new CommandError(
      exitCodes.usage,
      `${options.output} exists already; --force replaces it, -o names another`,
    );
  const { spec, table } = await readAsked(path, options);
  const text = await writeProblem(table, spec, {
    data: pathFrom(options.output, path),
    read: readOptionsOf(options),
    ...(options.from !== undefined && { choices: pathFrom(options.output, options.from) }),
    ...(streams && { streams }),
  });
  await writeWholeFile(options.output, text, { replace: options.force ?? false });
}

/** With slashes, so that the file means the same on every system. */
function pathFrom(file: string, target: string): string {
  return relative(resolve(dirname(file)), resolve(target))
    .split(sep)
    .join('/');
}

export interface ProblemTarget {
  readonly data: string;
  /** How the table was asked to be read. */
  readonly read?: ReadOptions;
  readonly choices?: string;
  /** Where to ask; nobody is asked without. */
  readonly streams?: AskStreams;
}

/** The text of a problem file for a table. */
export async function writeProblem(
  table: Table,
  spec: ProblemSpec,
  { data, read = {}, choices, streams }: ProblemTarget,
): Promise<string> {
  let asked = spec;
  sayStage(`checking ${table.name}`);
  let report = await checkTable(table, spec);
  if (streams) {
    const answers = await askProblem(report, streams);
    const mixtures = answers.mixtures.map((i) => report.mixtures[i]!);
    asked = applyFlags(table, spec, {
      goal: answers.goals,
      ...(answers.ignore.length > 0 && { ignore: answers.ignore.map(quoted) }),
      ...(answers.context.length > 0 && { context: answers.context.map(quoted) }),
    });
    report = { ...(await checkTable(table, asked)), mixtures };
  }
  if (report.goals.length === 0) throw missingGoal();
  return problemTemplate(
    report,
    { ...asked, goals: report.goals },
    {
      ...source(report, data, choices),
      read,
    },
  );
}

function source(report: CheckReport, data: string, choices: string | undefined) {
  return { data, ...(choices !== undefined && { choices }), isGoalGuessed: report.isGuess };
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

interface Answers {
  readonly goals: readonly string[];
  /** Numbers, in `report.mixtures`, of the recipes to keep. */
  readonly mixtures: readonly number[];
  readonly ignore: readonly string[];
  readonly context: readonly string[];
}

export interface AskStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Asks on a terminal; Enter takes what stands in brackets. */
async function askProblem(report: CheckReport, { input, output }: AskStreams): Promise<Answers> {
  pauseHeartbeat();
  const reader = createInterface({ input, output });
  const lines = reader[Symbol.asyncIterator]();
  const names = report.columns.map(({ name }) => name);

  async function ask(question: string, usual: string): Promise<string> {
    // A prompt, and not a text written before it, is drawn again when the line is edited.
    reader.setPrompt(`${question}${usual === '' ? '' : ` [${usual}]`} `);
    reader.prompt();
    const { value, done } = await lines.next();
    if (done) {
      output.write('\n');
      throw new InterruptedError('stopped before the last question; nothing was written');
    }
    return String(value).trim() || usual;
  }

  /** Asks again until `read` does not object. */
  async function askFor<T>(question: string, usual: string, read: (answer: string) => T): Promise<T> {
    for (;;) {
      const answer = await ask(question, usual);
      try {
        return read(answer);
      } catch (error) {
        const message = error instanceof ExpressionError ? error.reason : describeFailure(error).message;
        output.write(`  ${message}\n`);
      }
    }
  }

  try {
    const goals = [
      await askFor(
        'What do you want? For example max yield, or min cost.',
        report.goals[0] ?? '',
        (answer) => {
          // A bare name is wanted high.
          const text = names.includes(answer) ? `max "${answer.replaceAll('"', '""')}"` : answer;
          parseGoal(text, names);
          return text;
        },
      ),
    ];
    for (;;) {
      const text = await askFor('Anything else? Enter goes on.', '', (answer) => {
        if (answer !== '') parseGoal(answer, names);
        return answer;
      });
      if (text === '') break;
      goals.push(text);
    }
    const mixtures: number[] = [];
    for (const [i, { columns, sum }] of report.mixtures.entries()) {
      const formula = `${columns.map(oneLineOf).join(' + ')} = ${typedNumber(sum)}`;
      if (/^y/i.test(await ask(`Keep the recipe ${formula}? y or n`, 'y'))) mixtures.push(i);
    }
    const list = (flag: string) => (answer: string) => (answer === '' ? [] : splitNames(answer, names, flag));
    const ignore = await askFor('Columns to leave out, with commas between them?', '', list('leave out'));
    const context = await askFor(
      'Columns that matter but that you cannot choose, such as operator or weather?',
      '',
      list('context'),
    );
    return { goals, mixtures, ignore, context };
  } finally {
    reader.close();
  }
}
