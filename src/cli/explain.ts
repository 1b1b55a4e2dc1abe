import { join } from 'node:path';
import type { Command } from 'commander';
import { explain } from '../design/askRun.js';
import type { GoalSummary, RunDocument } from '../design/runDocument.js';
import type { CandidateExplanation } from '../judging/explainCandidate.js';
import { count, documentFormats, profileFiles } from '../report/index.js';
import { makeFolder } from '../runs/makeFolder.js';
import { readFinishedRun } from '../runs/savedRun.js';
import { CommandError, exitCodes } from './exitCodes.js';
import { sayStage } from './heartbeat.js';
import { numberOf } from './optionValues.js';
import { wantsColor } from './palette.js';
import { printExplanation } from './printExplanation.js';
import { printJson } from './printJson.js';
import { engineFor, runArgument, runPath } from './runArgument.js';
import { writeErr, writeOut } from './screen.js';
import { writeWholeFile } from './wholeFile.js';

interface ExplainOptions {
  readonly row?: string;
  readonly nearest?: string;
  readonly svg?: string;
  readonly json?: boolean;
}

/** What `--json` prints. */
export interface ExplainDocument extends CandidateExplanation {
  readonly explainVersion: 1;
  /** Folder of the run. */
  readonly run: string;
  readonly goal: GoalSummary;
}

export function addExplain(program: Command): void {
  program
    .command('explain')
    .description('say why a proposed row is expected to be what it is')
    .argument('<run>', runArgument)
    .option('--row <number>', 'row of candidates.csv; default 1')
    .option('--nearest <count>', 'how many past experiments near it to name; default 3')
    .option('--svg <folder>', 'write a chart of every column to this folder')
    .option('--json', 'print one JSON document')
    .action(async (run: string, options: ExplainOptions) => {
      const row = numberOf('--row', options.row ?? '1', { least: 1 });
      const near = numberOf('--nearest', options.nearest ?? '3', { least: 1 });
      const path = await runPath(run);
      const { run: finished, manifest } = await readFinishedRun(path);
      requireRow(finished, row, path);
      await using engine = await engineFor(manifest);
      sayStage(`explaining row ${row}`);
      const found = await explain(finished, { row, nearest: near, engine });
      if (options.svg !== undefined) {
        const { goal, bestKnown } = finished;
        const files = profileFiles(
          { goal, bestKnown, profiles: found.profiles, row },
          documentFormats(finished),
        );
        await writeCharts(options.svg, files);
      }
      if (options.json)
        printJson({
          explainVersion: 1,
          run: path,
          goal: finished.goal,
          ...found,
        } satisfies ExplainDocument);
      else
        writeOut(
          printExplanation(finished, found, {
            width: process.stdout.columns ?? 100,
            color: wantsColor(process.stdout.isTTY === true),
          }),
        );
    });
}

function requireRow({ candidates, withheld }: RunDocument, row: number, path: string): void {
  if (candidates.some((candidate) => candidate.row === row)) return;
  throw new CommandError(
    exitCodes.usage,
    candidates.length === 0
      ? withheld === undefined
        ? `${path} proposed no rows, so there is nothing to explain; "nemokit runs show" says why`
        : `the data do not support the designs of ${path}, so there is nothing to explain; "nemokit design --anyway" shows such designs`
      : `there is no row ${row}: ${path} proposed ${count(candidates.length, 'row')}`,
  );
}

/** Charts of the same row that were written before are replaced. */
async function writeCharts(folder: string, files: readonly (readonly [string, string])[]): Promise<void> {
  await makeFolder(folder);
  for (const [name, svg] of files)
    await writeWholeFile(join(folder, name), svg, { replace: true, flag: '--svg' });
  writeErr(`Wrote ${count(files.length, 'chart')} to ${folder}.\n`);
}
