/** Questions of `nemokit init` on a terminal; Enter takes what stands in brackets. */
import { createInterface } from 'node:readline/promises';
import { type CheckReport, ExpressionError, parseGoal } from '../problem/index.js';
import { typedNumber } from '../report/index.js';
import { splitNames } from './columnNames.js';
import { describeFailure, InterruptedError } from './failure.js';
import { oneLineOf } from './textLayout.js';

export interface Answers {
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

export async function askProblem(report: CheckReport, { input, output }: AskStreams): Promise<Answers> {
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
