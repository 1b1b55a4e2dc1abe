/** `nemokit data`: datasets of the benchmark. */
import { stat } from 'node:fs/promises';
import { Argument, type Command } from 'commander';
import { dataFolderPath, examineFiles, type FoundFile, filePath } from '../data/dataFolder.js';
import { type FetchedFile, fetchDataset } from '../data/fetchDataset.js';
import { robotPackage } from '../data/robotData.js';
import { count } from '../report/index.js';
import { type DatasetFile, type DatasetSpec, datasetOf, datasets } from '../tasks/datasets.js';
import { CommandError, exitCodes } from './exitCodes.js';
import { palette } from './palette.js';
import { printJson } from './printJson.js';
import { Progress } from './progress.js';
import { writeErr, writeOut } from './screen.js';
import { gridLines, hang } from './textLayout.js';

const names = datasets.map(({ id }) => id);
const widestProse = 100;

interface GetOptions {
  readonly from?: string;
  readonly quiet?: boolean;
}

export function addData(program: Command): void {
  const data = program
    .command('data')
    .description('datasets of the benchmark: list, download and check them');
  data
    .command('list')
    .description('list the datasets, which of their files are here, and their licences')
    .option('--json', 'print one JSON document')
    .action(async ({ json }: { json?: boolean }) => {
      const folder = dataFolderPath();
      const listed = await Promise.all(datasets.map((dataset) => listedOf(folder, dataset)));
      if (json) printJson({ dataVersion: 1, folder, datasets: listed } satisfies DataListDocument);
      else writeOut(printList(folder, listed));
    });
  data
    .command('get')
    .description('download datasets into the data folder')
    .addArgument(new Argument('<dataset...>', 'which').choices(names))
    .option('--from <place>', 'a folder, or an http address, that holds <dataset>/<file>')
    .option('--quiet', 'no progress')
    .action(async (ids: readonly string[], options: GetOptions) => {
      await getDatasets([...new Set(ids)], options);
    });
  data
    .command('path')
    .description('print where the data folder is')
    .action(() => {
      writeOut(`${dataFolderPath()}\n`);
    });
  data
    .command('verify')
    .description('compare the files in the data folder with their SHA-256')
    .addArgument(new Argument('[dataset...]', 'which; default: all').choices(names))
    .option('--json', 'print one JSON document')
    .action(async (ids: readonly string[], { json }: { json?: boolean }) => {
      const folder = dataFolderPath();
      const found = await examineFiles(folder, ids.length > 0 ? [...new Set(ids)] : undefined);
      if (json) {
        const files = found.map(({ dataset, file, path, state }) => ({
          dataset,
          file: file.name,
          path,
          state,
          bytes: file.bytes,
          sha256: file.sha256,
        }));
        printJson({ dataVersion: 1, folder, files } satisfies DataVerifyDocument);
      } else writeOut(printStates(found));
      // Missing files count only where the dataset was named.
      const isBad = ({ state }: FoundFile) => state === 'wrong' || (ids.length > 0 && state === 'missing');
      if (found.some(isBad)) process.exitCode = exitCodes.usage;
    });
}

/** What `data list --json` prints. */
export interface DataListDocument {
  readonly dataVersion: 1;
  /** The data folder. */
  readonly folder: string;
  readonly datasets: readonly ListedDataset[];
}

/** What `data verify --json` prints. */
export interface DataVerifyDocument {
  readonly dataVersion: 1;
  readonly folder: string;
  readonly files: readonly ({
    readonly dataset: string;
    readonly file: string;
    readonly path: string;
    readonly state: FoundFile['state'];
  } & Pick<DatasetFile, 'bytes' | 'sha256'>)[];
}

interface ListedDataset extends Pick<DatasetSpec, 'id' | 'title' | 'licence' | 'citation' | 'homes'> {
  /** In the package nemokit-robots. */
  readonly ships: boolean;
  readonly bytes: number;
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly isHere: boolean }[];
}

/** By size only; `verify` reads the files. */
async function listedOf(folder: string, dataset: DatasetSpec): Promise<ListedDataset> {
  const { id, title, licence, citation, homes } = dataset;
  const files = await Promise.all(
    dataset.files.map(async ({ name, bytes }) => {
      const size = await stat(filePath(folder, id, name)).then(
        (found) => found.size,
        () => -1,
      );
      return { name, bytes, isHere: size === bytes };
    }),
  );
  return {
    id,
    title,
    licence,
    citation,
    homes,
    ships: dataset.ships ?? false,
    bytes: sumOf(dataset.files.map(({ bytes }) => bytes)),
    files,
  };
}

function printList(folder: string, listed: readonly ListedDataset[]): string {
  const { dim } = palette(process.stdout);
  const lines = gridLines(
    [
      { head: 'dataset', cells: listed.map(({ id }) => id) },
      {
        head: 'here',
        cells: listed.map(({ files, ships }) => {
          const here = files.filter(({ isHere }) => isHere).length;
          if (ships && here === files.length) return robotPackage;
          return here === files.length ? 'yes' : here === 0 ? 'no' : `${here} of ${files.length} files`;
        }),
      },
      { head: 'size', align: 'right', cells: listed.map(({ bytes }) => sizeText(bytes)) },
      { head: 'licence', cells: listed.map(({ licence }) => licence) },
      { head: 'what', cells: listed.map(({ title }) => title) },
    ],
    dim,
  );
  return `${[...lines, '', `in ${folder}`].join('\n')}\n`;
}

function printStates(found: readonly FoundFile[]): string {
  const { red, green, dim } = palette(process.stdout);
  const paint = { right: green, missing: dim, wrong: red };
  const lines = found.map(
    ({ dataset, file, state }) => `${paint[state](state.padEnd(8))}${dataset}/${file.name}`,
  );
  const wrong = found.filter(({ state }) => state === 'wrong');
  const advice = wrong.map(
    ({ path, dataset }) =>
      `${path} is not the file it should be; ` +
      (datasetOf(dataset).ships
        ? `npm install ${robotPackage}`
        : `remove it, then: nemokit data get ${dataset}`),
  );
  return `${[...lines, ...advice].join('\n')}\n`;
}

async function getDatasets(ids: readonly string[], { from, quiet = false }: GetOptions): Promise<void> {
  const folder = dataFolderPath();
  const specs = ids.map(datasetOf);
  const total = sumOf(specs.flatMap(({ files }) => files.map(({ bytes }) => bytes)));
  const results: FetchedFile[] = [];
  {
    using progress = new Progress({ quiet });
    let before = 0;
    for (const spec of specs) {
      const fetched = await fetchDataset(folder, spec, {
        ...(from !== undefined && { from }),
        onProgress: ({ name }, received) =>
          progress.update(`get ${spec.id}`, (before + received) / total, name),
      });
      before += sumOf(spec.files.map(({ bytes }) => bytes));
      for (const file of fetched) results.push(file);
    }
  }
  const kept = results.filter(({ outcome }) => outcome === 'kept');
  const fetched = results.filter(({ outcome }) => outcome === 'fetched');
  const missing = results.filter(({ outcome }) => outcome === 'byHand');
  if (!quiet) {
    for (const { path, file } of fetched) writeErr(`got ${path} (${sizeText(file.bytes)})\n`);
    if (kept.length > 0) writeErr(`${count(kept.length, 'file')} already there, checksums right\n`);
  }
  if (missing.length === 0) return;
  const texts = missing.map(({ file, reason }) => hang('  ', `${file.name}: ${reason}`, widestProse));
  throw new CommandError(
    exitCodes.usage,
    `${count(missing.length, 'file')} could not be fetched:\n${texts.join('\n')}\n` +
      `From a folder or server that has them: nemokit data get ${ids.join(' ')} --from <place>`,
  );
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
