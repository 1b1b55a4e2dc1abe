import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { oneVersion } from '../bench/algorithmVersions.js';
import {
  compareRanks,
  compareRows,
  type PairedDifference,
  type RankComparison,
} from '../bench/comparison.js';
import { benchFigures } from '../bench/figures.js';
import { compareWithNulls, matchedTrials, type NullComparison } from '../bench/nullComparison.js';
import { nullRows } from '../bench/nulls/index.js';
import { nullTables } from '../bench/nullTables.js';
import { openRegistry } from '../bench/plugins.js';
import { conflictOf, readRecords, recordsName, type TrialRecord } from '../bench/records.js';
import type { Registry } from '../bench/registry.js';
import { readRescored, withSecondScorers } from '../bench/rescore.js';
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
import { ArgumentError } from '../numeric/errors.js';
import { count } from '../report/index.js';
import { fileError } from '../runs/fileError.js';
import { makeFolder } from '../runs/makeFolder.js';
import { addConform } from './benchConform.js';
import { addExchange } from './benchExchange.js';
import { addList } from './benchList.js';
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
  readonly match?: readonly string[];
  readonly designs?: boolean;
}

interface VersionFlag {
  /** Such as "nemo=0.1.0". */
  readonly algorithmVersion?: readonly string[];
}

interface TableFlags extends VersionFlag {
  readonly paper?: boolean;
  readonly normalized?: boolean;
  readonly format?: string;
  readonly json?: boolean;
}

/** What `bench table --json` prints. */
export interface BenchTableDocument {
  readonly benchVersion: 1;
  /** One per task, algorithm and variant. */
  readonly cells: readonly Cell[];
  /** Each cell of a row with a model beside doing nothing, and beside noise at the same distance. */
  readonly nulls: readonly NullComparison[];
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

interface PlotFlags extends VersionFlag {
  readonly out: string;
  readonly force?: boolean;
}

interface CompareFlags extends VersionFlag {
  readonly against: string;
  readonly json?: boolean;
}

/** A new one for each command that has it. */
function versionOption(): Option {
  return new Option(
    '--algorithm-version <name=version>',
    'records of this version of an algorithm, such as nemo=0.1.0; default: the newest; may be repeated',
  ).argParser(collect);
}

export function addBench(program: Command): void {
  const bench = program
    .command('bench')
    .description("the paper's protocol: tasks, algorithms, seeds, tables");
  addList(bench);
  bench
    .command('run')
    .description('run trials and keep their records; trials that are there already are not run again')
    .option('--task <ids>', 'tasks, with commas between them; "paper" is the six of the paper')
    .option(
      '--algorithm <names>',
      'algorithms, such as nemo,forward; nemo@paper takes a preset; "nulls" are the rows without a model',
    )
    .option('--seeds <seeds>', 'such as 0-15 or 0,3,8; default: 0-15, or those of the spec file')
    .option(
      '--spec <file>',
      'take all this from a spec file, such as studies/paper-tasks/spec.json; --task and --algorithm then pick from it',
    )
    .option('--set <name=value>', 'an option of the algorithms; may be repeated', collect)
    .option(
      '--match <folder>',
      'also noise as far from the data as each row of the records in a folder, or this alone; may be repeated',
      collect,
    )
    .option('--every <iterations>', 'keep a point of the learning curve this often', '50')
    .option('--scores', 'score the batch at every point of the curve as well')
    .option('--designs', 'keep the designs of every trial too, in designs/<id>.npy.gz')
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
      if (flags.designs && queue !== undefined)
        throw new CommandError(
          exitCodes.usage,
          '--designs is for trials on this machine; workers of a queue send records alone',
        );
      const { tasks: ids, seeds } = request;
      const matched = flags.match
        ? matchedTrials(await recordsOf(flags.match), { tasks: ids, seeds }, registry)
        : [];
      await runBench(flags.out, [...planTrials(request, registry), ...matched], {
        plugins,
        quiet: flags.quiet ?? false,
        designs: flags.designs ?? false,
        ...(queue !== undefined && { queue }),
        ...(flags.jobs !== undefined && { jobs: numberOf('--jobs', flags.jobs, { least: 1, most: 1024 }) }),
      });
    });
  bench
    .command('table')
    .description('print results as tables')
    .argument('<folder...>', 'folders with records')
    .option('--paper', "in the layout of the paper's Tables 1 and 2, beside the published numbers")
    .option('--normalized', 'normalised scores')
    .addOption(versionOption())
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
    .addOption(versionOption())
    .action(async (folders: readonly string[], flags: PlotFlags) => {
      await plotAll(folders, flags);
    });
  bench
    .command('compare')
    .description('compare algorithms: paired by seed on each task, and by ranks over tasks')
    .argument('<folder...>', 'folders with records')
    .option('--against <row>', 'compare this row with all others, such as nemo or nemo@tuned', 'nemo')
    .addOption(versionOption())
    .option('--json', 'print one JSON document')
    .action(async (folders: readonly string[], flags: CompareFlags) => {
      await printComparison(folders, flags);
    });
  addExchange(bench);
  addConform(bench);
}

async function plotAll(
  folders: readonly string[],
  { out, force = false, algorithmVersion }: PlotFlags,
): Promise<void> {
  const files = benchFigures(await recordsOf(folders, algorithmVersion));
  await makeFolder(out);
  for (const [name, svg] of files)
    await writeWholeFile(join(out, name), svg, { replace: force, flag: '--out' });
  writeErr(`Wrote ${files.map(([name]) => name).join(', ')} in ${out}.\n`);
}

function requestOf(flags: RunFlags, registry: Registry): PlanRequest {
  // noise at given distances needs no further rows
  if (flags.task === undefined || (flags.algorithm === undefined && flags.match === undefined))
    throw new CommandError(
      exitCodes.usage,
      'say what to run: --task tfbind8-exact-v1 --algorithm nemo,forward, or --spec <file>; "nemokit bench list" shows what there is',
    );
  return {
    tasks: parseTasks(flags.task, registry),
    variants:
      flags.algorithm === undefined
        ? []
        : variantsOf(flags.algorithm, registry).map((row) => withSet(row, flags.set ?? [], registry)),
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
  return namesIn(names)
    .flatMap((name) => (name === 'nulls' ? nullRows : [name]))
    .map((text) => parseVariant(text, registry));
}

function namesIn(text: string): string[] {
  return [...new Set(text.split(',').map((name) => name.trim()))];
}

/** Of all folders, one version of each algorithm; reports lines that cannot be read and records that are left out. */
async function recordsOf(
  folders: readonly string[],
  versions: readonly string[] = [],
): Promise<readonly TrialRecord[]> {
  const read = await Promise.all(folders.map(readRecords));
  const rescored = (await Promise.all(folders.map(readRescored))).flat();
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
  const all = [...places.values()].map(({ record }) => record);
  const { records, leftOut } = oneVersion(all, new Map(versions.map(parseVersion)));
  for (const { algorithm, version, records: n, beside } of leftOut)
    writeErr(
      `${count(n, 'record')} of ${algorithm} ${version} left out, beside those of ${beside}; --algorithm-version ${algorithm}=${version} shows them\n`,
    );
  return withSecondScorers(records, rescored);
}

/** "nemo=0.1.0". */
function parseVersion(text: string): readonly [algorithm: string, version: string] {
  const [algorithm = '', version = ''] = text.split('=');
  if (algorithm === '' || version === '')
    throw new ArgumentError(
      '--algorithm-version',
      `"${text}" is no version; expected something like nemo=0.1.0`,
    );
  return [algorithm, version];
}

async function printTables(folders: readonly string[], flags: TableFlags): Promise<void> {
  const { paper = false, normalized = false, format = 'text', json = false } = flags;
  const isText = format === 'text';
  if (!isText && !tableFormats.some((name) => name === format))
    throw new ArgumentError(
      '--format',
      `no format is called "${format}"; expected text, ${tableFormats.join(', ')}`,
    );
  const records = await recordsOf(folders, flags.algorithmVersion);
  const cells = summarize(records);
  const nulls = compareWithNulls(records);
  const tables = [
    ...(paper
      ? paperLayout(cells, await readPaperTables())
      : resultTables(cells, { scale: normalized ? 'normalized' : 'raw' })),
    ...nullTables(nulls),
  ];
  if (json) return printJson({ benchVersion: 1, cells, nulls, tables } satisfies BenchTableDocument);
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
  { against: asked, json = false, algorithmVersion }: CompareFlags,
): Promise<void> {
  const cells = summarize(await recordsOf(folders, algorithmVersion));
  const rows = [...new Set(cells.map(rowName))];
  const against = rowOf(asked);
  if (!rows.includes(against))
    throw new ArgumentError('--against', `no row is called "${asked}"; there are ${rows.join(', ')}`);
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

/** "nemo@tuned" is the row "nemo (tuned)". */
function rowOf(text: string): string {
  const [algorithm = '', ...rest] = text.split('@');
  return rest.length === 0 ? text : rowName({ algorithm, variant: rest.join('@') });
}

/** One or two pairs are too few for an interval. */
function intervalText({ pairs, low, high }: PairedDifference): string {
  return pairs < 3 ? '-' : `${signed(low)} to ${signed(high)}`;
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${value.toPrecision(3)}`;
}
