import type { Command } from 'commander';
import { score } from '../design/askRun.js';
import type { AssessedRow, AssessedRows, RunDocument } from '../design/runDocument.js';
import { textColumns } from '../problem/platform/node.js';
import { count, toScoredCsv, typedNumber } from '../report/index.js';
import { exists } from '../runs/runFiles.js';
import { readFinishedRun } from '../runs/savedRun.js';
import { readTableFile } from '../table/platform/node.js';
import { candidateTable } from './candidateTable.js';
import { CommandError, exitCodes } from './exitCodes.js';
import { sayStage } from './heartbeat.js';
import { paletteOf, wantsColor } from './palette.js';
import { printJson } from './printJson.js';
import { tableLines } from './printRun.js';
import { addReadOptions, type ProblemFlags, readOptionsOf } from './problemOptions.js';
import { engineFor, runArgument, runPath } from './runArgument.js';
import { writeErr, writeOut } from './screen.js';
import { hang, oneLineOf } from './textLayout.js';
import { writeWholeFile } from './wholeFile.js';

interface ScoreOptions
  extends Pick<ProblemFlags, 'delimiter' | 'decimal' | 'encoding' | 'sheet' | 'missing'> {
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** What `--json` prints. */
export interface ScoreDocument extends AssessedRows, Pick<RunDocument, 'goal' | 'bestKnown'> {
  readonly scoreVersion: 1;
  /** Folder of the run. */
  readonly run: string;
  /** Table of the rows. */
  readonly file: string;
}

/** More rows than this are counted, not printed. */
const mostRows = 50;
/** More rows than this that break something are counted. */
const mostBroken = 8;
const widestProse = 100;

export function addScore(program: Command): void {
  const command = program
    .command('score')
    .description('say what a finished run expects of rows of your own')
    .argument('<run>', runArgument)
    .argument('<rows>', 'table with the columns that designs set; - is standard input');
  addReadOptions(command)
    .option('--out <file>', 'write the rows, with what is expected of each, to this CSV file')
    .option('--force', 'replace a file that is there')
    .option('--json', 'print one JSON document')
    .action(async (run: string, rows: string, options: ScoreOptions) => {
      const { out, force = false } = options;
      if (out !== undefined && !force && (await exists(out)))
        throw new CommandError(
          exitCodes.usage,
          `${out} exists already; --force replaces it, --out names another`,
        );
      const path = await runPath(run);
      const { run: finished, manifest } = await readFinishedRun(path);
      sayStage('reading the rows');
      const table = await readTableFile(rows, {
        text: textColumns(finished.asked.table),
        ...readOptionsOf(options),
      });
      await using engine = await engineFor(manifest);
      sayStage('assessing the rows');
      const assessed = await score(finished, table, { engine });
      const { goal, bestKnown } = finished;
      if (out !== undefined)
        await writeWholeFile(out, toScoredCsv(table, assessed.rows, goal), { replace: force, flag: '--out' });
      if (options.json)
        printJson({
          scoreVersion: 1,
          run: path,
          file: table.name,
          goal,
          bestKnown,
          ...assessed,
        } satisfies ScoreDocument);
      else
        writeOut(
          printScores(assessed, finished, {
            width: process.stdout.columns ?? 100,
            color: wantsColor(process.stdout.isTTY === true),
            ...(out !== undefined && { out }),
          }),
        );
      if (out !== undefined) writeErr(`Wrote ${out}.\n`);
    });
}

interface ScoreLayout {
  readonly width: number;
  readonly color: boolean;
  /** The file that has every row and column. */
  readonly out?: string;
}

export function printScores(
  { rows, notes }: AssessedRows,
  { goal, bestKnown }: Pick<RunDocument, 'goal' | 'bestKnown'>,
  { width, color, out }: ScoreLayout,
): string {
  const paint = paletteOf(color);
  const room = Math.max(40, width);
  const prose = Math.min(room, widestProse);
  const shown = rows.slice(0, mostRows);
  const table = candidateTable({ candidates: shown, goal }, room, paint);
  const rest = rows.length - shown.length;
  const elsewhere = out ?? '--json, or --out with a file,';
  const paragraphs = [
    [
      hang(
        '',
        `${oneLineOf(goal.labels.join('; '))}: best known ${typedNumber(bestKnown.value)} in row ${bestKnown.row} of the past runs. ` +
          '"chance" is that of beating it.',
        prose,
      ),
    ],
    [
      ...tableLines(table, room, paint, elsewhere),
      ...(rest > 0 ? [`  and ${count(rest, 'row')} more; ${elsewhere} has all rows`] : []),
    ],
    [...brokenLines(rows), ...notes].map((line) => hang('', line, prose)),
  ];
  return `${paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function brokenLines(rows: readonly AssessedRow[]): string[] {
  const broken = rows.filter(({ breaks }) => breaks.length > 0);
  const rest = broken.length - mostBroken;
  return [
    ...broken
      .slice(0, mostBroken)
      .map(
        ({ row, breaks }) => `Row ${row} breaks constraints of this run: ${oneLineOf(breaks.join('; '))}.`,
      ),
    ...(rest > 0 ? [`${count(rest, 'more row')} ${rest === 1 ? 'breaks' : 'break'} some, too.`] : []),
  ];
}
