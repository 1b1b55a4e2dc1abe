import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { algorithms } from '../algorithms/index.js';
import {
  compareRanks,
  compareRows,
  type PairedDifference,
  type RankComparison,
} from '../bench/comparison.js';
import { benchFigures } from '../bench/figures.js';
import { openRegistry } from '../bench/plugins.js';
import { conflictOf, readRecords, recordsName, type TrialRecord } from '../bench/records.js';
import { builtIn, type Registry } from '../bench/registry.js';
import { type Cell, type Percentile, percentileNames, rowName, summarize } from '../bench/summary.js';
import { formatTables, type TableFormat, tableFormats } from '../bench/tableFormats.js';
import { paperLayout, readPaperTables, resultTables, type TextTable } from '../bench/tables.js';
import {
  narrow,
  type PlanRequest,
  parseSeeds,
  parseSpec,
  parseTasks,
  parseVariant,
  planTrials,
  type Variant,
  withSet,
} from '../bench/trialPlan.js';
import { dataFolderPath, examineFiles } from '../data/dataFolder.js';
import { ArgumentError } from '../numeric/errors.js';
import { fileError } from '../runs/fileError.js';
import { makeFolder } from '../runs/makeFolder.js';
import { tasks } from '../tasks/index.js';
import { addConform } from './benchConform.js';
import { runBench } from './benchRun.js';
import { CommandError, exitCodes } from './exitCodes.js';
import { collect, numberOf } from './optionValues.js';
import { palette } from './palette.js';
import { printJson } from './printJson.js';
import { writeErr, writeOut } from './screen.js';
import { gridLines } from './textLayout.js';
import { writeWholeFile } from './wholeFile.js';

interface RunFlags {
  readonly task?: string;
  readonly algorithm?: string;
  readonly seeds?: string;
  readonly spec?: string;
  readonly set?: readonly string[];
  readonly every: string;
  readonly scores?: boolean;
  readonly out: string;
  readonly jobs?: string;
  readonly quiet?: boolean;
  readonly queue?: string;
  readonly plugin?: readonly string[];
}

interface TableFlags {
  readonly paper?: boolean;
  readonly normalized?: boolean;
  readonly format?: string;
  readonly json?: boolean;
}

/** What `bench list --json` prints. */
export interface BenchListDocument extends Listed {
  readonly benchVersion: 1;
}

/** What `bench table --json` prints. */
export interface BenchTableDocument {
  readonly benchVersion: 1;
  /** One per task, algorithm and variant. */
  readonly cells: readonly Cell[];
  /** As they are printed. */
  readonly tables: readonly TextTable[];
}

/** What `bench compare --json` prints. */
export interface BenchCompareDocument {
  readonly benchVersion: 1;
  readonly against: string;
  readonly compared: readonly {
    readonly percentile: Percentile;
    readonly ranks: RankComparison | null;
    readonly pairs: readonly { readonly other: string; readonly tasks: readonly PairedDifference[] }[];
  }[];
}

export function addBench(program: Command): void {
  const bench = program
    .command('bench')
    .description("the paper's protocol: tasks, algorithms, seeds, tables");
  bench
    .command('list')
    .description('list tasks and algorithms, and whether the data are here')
    .option('--json', 'print one JSON document')
    .action(async ({ json }: { json?: boolean }) => {
      const listed = await listAll();
      if (json) printJson({ benchVersion: 1, ...listed } satisfies BenchListDocument);
      else writeOut(printList(listed));
    });
  bench
    .command('run')
    .description('run trials and keep their records; trials that are there already are not run again')
    .option('--task <ids>', 'tasks, with commas between them; "paper" is the six of the paper')
    .option('--algorithm <names>', 'algorithms, such as nemo,forward; nemo@paper takes a preset')
    .option('--seeds <seeds>', 'such as 0-15 or 0,3,8; default: 0-15, or those of the spec file')
    .option(
      '--spec <file>',
      'take all this from a spec file, such as studies/paper-tasks/spec.json; --task and --algorithm then pick from it',
    )
    .option('--set <name=value>', 'an option of the algorithms; may be repeated', collect)
    .option('--every <iterations>', 'keep a point of the learning curve this often', '50')
    .option('--scores', 'score the batch at every point of the curve as well')
    .option('--out <folder>', 'where records are kept', 'bench')
    .option('--jobs <number>', 'trials at once; default: one per core, as far as memory goes')
    .option(
      '--plugin <file>',
      'algorithms or tasks of your own: a module (.mjs) or a program; may be repeated',
      collect,
    )
    .option(
      '--queue <address>',
      'let workers run the trials: redis://host:6379; default: NEMOKIT_QUEUE, else here',
    )
    .option('--quiet', 'no progress')
    .action(async (flags: RunFlags) => {
      const queue = flags.queue ?? (process.env.NEMOKIT_QUEUE || undefined);
      const plugins = (flags.plugin ?? []).map((path) => resolve(path));
      const registry = await openRegistry(plugins);
      const request =
        flags.spec === undefined ? requestOf(flags, registry) : await specOf(flags.spec, flags, registry);
      await runBench(flags.out, planTrials(request, registry), {
        plugins,
        quiet: flags.quiet ?? false,
        ...(queue !== undefined && { queue }),
        ...(flags.jobs !== undefined && { jobs: numberOf('--jobs', flags.jobs, { least: 1 }) }),
      });
    });
  bench
    .command('table')
    .description('print results as tables')
    .argument('<folder...>', 'folders with records')
    .option('--paper', "in the layout of the paper's Tables 1 and 2, beside the published numbers")
    .option('--normalized', 'normalised scores')
    .option('--format <format>', `text, ${tableFormats.join(', ')}`, 'text')
    .option('--json', 'print one JSON document')
    .action(async (folders: readonly string[], flags: TableFlags) => {
      await printTables(folders, flags);
    });
  bench
    .command('plot')
    .description('draw learning curves, ranks, predictions, distances and cost as SVG files')
    .argument('<folder...>', 'folders with records')
    .option('--out <folder>', 'where to put them', 'plots')
    .option('--force', 'replace files that are there')
    .action(async (folders: readonly string[], flags: { out: string; force?: boolean }) => {
      await plotAll(folders, flags);
    });
  bench
    .command('compare')
    .description('compare algorithms: paired by seed on each task, and by ranks over tasks')
    .argument('<folder...>', 'folders with records')
    .option('--against <row>', 'compare this row with all others', 'nemo')
    .option('--json', 'print one JSON document')
    .action(async (folders: readonly string[], flags: { against: string; json?: boolean }) => {
      await printComparison(folders, flags);
    });
  addConform(bench);
}

async function plotAll(
  folders: readonly string[],
  { out, force = false }: { out: string; force?: boolean },
): Promise<void> {
  const files = benchFigures(await recordsOf(folders));
  await makeFolder(out);
  for (const [name, svg] of files)
    await writeWholeFile(join(out, name), svg, { replace: force, flag: '--out' });
  writeErr(`Wrote ${files.map(([name]) => name).join(', ')} in ${out}.\n`);
}

function requestOf(flags: RunFlags, registry: Registry): PlanRequest {
  if (flags.task === undefined || flags.algorithm === undefined)
    throw new CommandError(
      exitCodes.usage,
      'say what to run: --task tfbind8-exact-v1 --algorithm nemo,forward, or --spec <file>; "nemokit bench list" shows what there is',
    );
  return {
    tasks: parseTasks(flags.task, registry),
    variants: variantsOf(flags.algorithm, registry).map((row) => withSet(row, flags.set ?? [], registry)),
    seeds: parseSeeds(flags.seeds ?? '0-15'),
    curve: {
      every: numberOf('--every', flags.every, { least: 1 }),
      withScores: flags.scores ?? false,
    },
  };
}

async function specOf(
  file: string,
  { task, algorithm, seeds, set }: RunFlags,
  registry: Registry,
): Promise<PlanRequest> {
  if (set !== undefined)
    throw new CommandError(exitCodes.usage, '--set is not for a spec file; write the option into the file');
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw fileError(file, error, 'read');
  });
  return narrow(parseSpec(text, file, registry), {
    ...(task !== undefined && { tasks: parseTasks(task, registry) }),
    ...(algorithm !== undefined && { rows: namesIn(algorithm) }),
    ...(seeds !== undefined && { seeds: parseSeeds(seeds) }),
  });
}

function variantsOf(names: string, registry: Registry): Variant[] {
  return namesIn(names).map((text) => parseVariant(text, registry));
}

function namesIn(text: string): string[] {
  return [...new Set(text.split(',').map((name) => name.trim()))];
}

/** Of all folders; reports lines that cannot be read. */
async function recordsOf(folders: readonly string[]): Promise<TrialRecord[]> {
  const read = await Promise.all(folders.map(readRecords));
  const places = new Map<string, { readonly record: TrialRecord; readonly place: string }>();
  for (const [i, { records, torn, lines }] of read.entries()) {
    const placeOf = (line: number) => `${join(folders[i]!, recordsName)}:${line}`;
    const leaveOut = (line: number, reason: string) => writeErr(`${placeOf(line)} is left out: ${reason}\n`);
    for (const { line, reason } of torn) leaveOut(line, reason);
    records.forEach((record, at) => {
      const place = placeOf(lines[at]!);
      const before = places.get(record.id);
      const fault = before && conflictOf(record, before.record, before.place);
      if (fault) leaveOut(lines[at]!, fault);
      else if (!before) places.set(record.id, { record, place });
    });
  }
  return [...places.values()].map(({ record }) => record);
}

async function printTables(folders: readonly string[], flags: TableFlags): Promise<void> {
  const { paper = false, normalized = false, format = 'text', json = false } = flags;
  const isText = format === 'text';
  if (!isText && !tableFormats.some((name) => name === format))
    throw new ArgumentError(
      '--format',
      `no format is called "${format}"; expected text, ${tableFormats.join(', ')}`,
    );
  const cells = summarize(await recordsOf(folders));
  const tables = paper
    ? paperLayout(cells, await readPaperTables())
    : resultTables(cells, { scale: normalized ? 'normalized' : 'raw' });
  if (json) return printJson({ benchVersion: 1, cells, tables } satisfies BenchTableDocument);
  if (!isText) {
    writeOut(formatTables(tables, format as TableFormat));
    return;
  }
  const { bold, dim } = palette(process.stdout);
  const text = tables.map(({ title, notes, head, rows }) =>
    [
      bold(title),
      ...gridLines(
        head.map((name, i) => ({
          head: name,
          ...(i > 0 && { align: 'right' as const }),
          cells: rows.map((row) => {
            const cell = row.cells[i];
            return cell?.isBest ? bold(cell.text) : (cell?.text ?? '');
          }),
        })),
        dim,
      ),
      ...notes.map(dim),
    ].join('\n'),
  );
  writeOut(`${text.join('\n\n')}\n`);
}

async function printComparison(
  folders: readonly string[],
  { against, json = false }: { against: string; json?: boolean },
): Promise<void> {
  const cells = summarize(await recordsOf(folders));
  const rows = [...new Set(cells.map(rowName))];
  if (!rows.includes(against))
    throw new ArgumentError('--against', `no row is called "${against}"; there are ${rows.join(', ')}`);
  const others = rows.filter((row) => row !== against);
  const compared = percentileNames.map((percentile) => ({
    percentile,
    ranks: compareRanks(cells, percentile),
    pairs: others.map((other) => ({ other, tasks: compareRows(cells, against, other, percentile) })),
  }));
  if (json) return printJson({ benchVersion: 1, against, compared } satisfies BenchCompareDocument);
  const { bold, dim } = palette(process.stdout);
  const lines: string[] = [];
  for (const { percentile, ranks, pairs } of compared) {
    lines.push(bold(`${against} against the others, ${percentile}th percentile`));
    const flat = pairs.flatMap(({ other, tasks: perTask }) => perTask.map((pair) => ({ other, ...pair })));
    const grid = gridLines(
      [
        { head: 'against', cells: flat.map(({ other }) => other) },
        { head: 'task', cells: flat.map(({ task }) => task) },
        { head: 'difference', align: 'right', cells: flat.map(({ mean }) => signed(mean)) },
        { head: '95 % interval', cells: flat.map(intervalText) },
        { head: 'better in', align: 'right', cells: flat.map(({ wins, pairs: n }) => `${wins} of ${n}`) },
      ],
      dim,
    );
    for (const line of grid) lines.push(line);
    if (ranks) {
      lines.push(
        '',
        `mean rank over ${ranks.tasks.length} tasks: ${ranks.rows.map(({ name, rank }) => `${name} ${rank.toFixed(2)}`).join(', ')}`,
        dim(
          `differences below ${ranks.criticalDifference.toFixed(2)} are not significant (Nemenyi, 5 %); all equal: p = ${ranks.chance.toPrecision(2)} (Friedman)`,
        ),
      );
    }
    lines.push('');
  }
  writeOut(`${lines.join('\n').trimEnd()}\n`);
}

/** One or two pairs are too few for an interval. */
function intervalText({ pairs, low, high }: PairedDifference): string {
  return pairs < 3 ? '-' : `${signed(low)} to ${signed(high)}`;
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${value.toPrecision(3)}`;
}

interface Listed {
  readonly tasks: readonly {
    id: string;
    title: string;
    paper: string | null;
    isHere: boolean;
    isForTuning: boolean;
  }[];
  readonly algorithms: readonly { id: string; presets: readonly string[] }[];
}

async function listAll(): Promise<Listed> {
  const needed = [...new Set(tasks.flatMap(({ datasets }) => datasets))];
  const files = await examineFiles(dataFolderPath(), needed);
  const missing = new Set(files.filter(({ state }) => state !== 'right').map(({ dataset }) => dataset));
  return {
    tasks: tasks.map(({ id, title, isForTuning, datasets }) => ({
      id,
      title,
      paper: builtIn.paperNameOf(id),
      isHere: !datasets.some((dataset) => missing.has(dataset)),
      isForTuning,
    })),
    algorithms: Object.keys(algorithms).map((id) => ({ id, presets: builtIn.presetNames(id) })),
  };
}

function printList(listed: Listed): string {
  const { dim } = palette(process.stdout);
  const yes = (is: boolean) => (is ? 'yes' : 'no');
  return `${[
    ...gridLines(
      [
        { head: 'task', cells: listed.tasks.map(({ id }) => id) },
        { head: 'data here', cells: listed.tasks.map(({ isHere }) => yes(isHere)) },
        { head: 'for tuning', cells: listed.tasks.map(({ isForTuning }) => yes(isForTuning)) },
        { head: 'in the paper', cells: listed.tasks.map(({ paper }) => paper ?? '-') },
        { head: 'what', cells: listed.tasks.map(({ title }) => title) },
      ],
      dim,
    ),
    '',
    ...gridLines(
      [
        { head: 'algorithm', cells: listed.algorithms.map(({ id }) => id) },
        { head: 'presets', cells: listed.algorithms.map(({ presets }) => presets.join(', ')) },
      ],
      dim,
    ),
  ].join('\n')}\n`;
}
