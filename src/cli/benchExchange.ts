/** `bench export`, `bench import` and `bench rescore`: designs that leave, come in, or meet another scorer. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { encodeDesigns, readDesigns, writeDesigns } from '../bench/designFile.js';
import { designColumns, exportCsv, importCsv } from '../bench/designTables.js';
import { openRegistry } from '../bench/plugins.js';
import { RecordWriter, readRecords } from '../bench/records.js';
import { ownScorer, rescore, rescoredName } from '../bench/rescore.js';
import { inOrder } from '../bench/summary.js';
import { parseSeeds, parseTasks } from '../bench/trialPlan.js';
import { openDataFolder } from '../data/dataFolder.js';
import { ArgumentError } from '../numeric/errors.js';
import { count } from '../report/index.js';
import { fileError } from '../runs/fileError.js';
import { makeFolder } from '../runs/makeFolder.js';
import { nameOf } from './benchRun.js';
import { CommandError, exitCodes } from './exitCodes.js';
import { collect } from './optionValues.js';
import { writeErr } from './screen.js';
import { writeWholeFile } from './wholeFile.js';

interface RescoreFlags {
  readonly scorer: string;
  readonly task?: string;
  readonly seeds?: string;
  readonly plugin?: readonly string[];
}

function pluginOption(): Option {
  return new Option('--plugin <file>', 'tasks of your own; may be repeated').argParser(collect);
}

async function registryOf(plugins: readonly string[] = []) {
  return openRegistry(plugins.map((path) => resolve(path)));
}

export function addExchange(bench: Command): void {
  bench
    .command('export')
    .description('write scores, and designs where they were kept, as CSV: one file per task')
    .argument('<folder>', 'folder with records')
    .option('--out <folder>', 'where to put the files', 'export')
    .option('--force', 'replace files that are there')
    .addOption(pluginOption())
    .action(async (folder: string, flags: { out: string; force?: boolean; plugin?: readonly string[] }) => {
      await exportAll(folder, flags);
    });
  bench
    .command('import')
    .description("take somebody else's designs or scores as rows of their own")
    .argument('<file>', 'CSV with the columns task, algorithm, seed, and score or those of the designs')
    .option('--as <name>', 'name of the row, in place of the column algorithm')
    .option('--out <folder>', 'where records are kept', 'bench')
    .addOption(pluginOption())
    .action(async (file: string, flags: { as?: string; out: string; plugin?: readonly string[] }) => {
      await importFile(file, flags);
    });
  bench
    .command('rescore')
    .description('score kept designs by another scorer of their task')
    .argument('<folder>', 'folder with records and designs')
    .requiredOption(
      '--scorer <name>',
      `such as forest; "${ownScorer}" is the task's own, which checks the records`,
    )
    .option('--task <ids>', 'trials of these tasks only, with commas between them')
    .option('--seeds <seeds>', 'trials of these seeds only, such as 0-3')
    .addOption(pluginOption())
    .action(async (folder: string, flags: RescoreFlags) => {
      await rescoreFolder(folder, flags);
    });
}

async function exportAll(
  folder: string,
  { out, force = false, plugin }: { out: string; force?: boolean; plugin?: readonly string[] },
): Promise<void> {
  const registry = await registryOf(plugin);
  const { records } = await readRecords(folder);
  const source = openDataFolder();
  await makeFolder(out);
  let without = 0;
  for (const id of new Set(inOrder(records).map(({ task }) => task))) {
    const trials: Parameters<typeof exportCsv>[0][number][] = [];
    for (const record of inOrder(records).filter(({ task }) => task === id)) {
      const designs = await readDesigns(folder, record);
      if (!designs) without++;
      trials.push({ record, designs });
    }
    const areKept = trials.some(({ designs }) => designs !== undefined);
    const columns = areKept ? designColumns((await registry.taskOf(id).open(source)).space) : [];
    const path = join(out, `${id}.csv`);
    await writeWholeFile(path, exportCsv(trials, columns), { replace: force, flag: '--out' });
    writeErr(`${path}: ${count(trials.length, 'trial')}\n`);
  }
  if (without > 0)
    writeErr(
      `${count(without, 'trial')} have scores alone: their designs were not kept (bench run --designs)\n`,
    );
}

async function importFile(
  file: string,
  { as, out, plugin }: { as?: string; out: string; plugin?: readonly string[] },
): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw fileError(file, error, 'read');
  });
  const imported = await importCsv(text, file, {
    source: openDataFolder(),
    registry: await registryOf(plugin),
    ...(as !== undefined && { as }),
  });
  await using writer = await RecordWriter.open(out);
  for (const { record, designs } of imported) {
    if (designs) await writeDesigns(out, record.id, encodeDesigns(designs));
    await writer.append(record);
    const what = designs ? 'designs, scored here' : 'scores as they were given';
    writeErr(`${nameOf(record)}: ${count(record.result.scores.length, 'design')}, ${what}\n`);
  }
}

async function rescoreFolder(folder: string, { scorer, task, seeds, plugin }: RescoreFlags): Promise<void> {
  const registry = await registryOf(plugin);
  const tasks = task === undefined ? null : parseTasks(task, registry);
  const wanted = seeds === undefined ? null : parseSeeds(seeds);
  const records = inOrder((await readRecords(folder)).records).filter(
    (record) => (tasks?.includes(record.task) ?? true) && (wanted?.includes(record.seed) ?? true),
  );
  if (records.length === 0)
    throw new ArgumentError('--task', `${folder} has no trials of such tasks and seeds`);
  const { rescored, withoutDesigns, withoutScorer, different } = await rescore(folder, records, {
    scorer,
    source: openDataFolder(),
    registry,
    onTrial: (record) => writeErr(`${nameOf(record)}: scored by ${scorer}\n`),
  });
  const where = scorer === ownScorer ? '' : ` in ${join(folder, rescoredName)}`;
  writeErr(`${count(rescored, 'trial')} scored by ${scorer}${where}\n`);
  if (withoutDesigns > 0)
    writeErr(`${count(withoutDesigns, 'trial')} without designs (bench run --designs keeps them)\n`);
  if (withoutScorer > 0)
    writeErr(`${count(withoutScorer, 'trial')} of tasks that have no scorer "${scorer}"\n`);
  if (different.length > 0)
    throw new CommandError(
      exitCodes.partial,
      `other scores than recorded:\n${different.map((record) => `  ${nameOf(record)}`).join('\n')}`,
    );
}
