/** A process that answers questions about tables and runs, one after another, as desk.ts asks by messages. */
import type { AssessedRows } from '../../design/runDocument.js';
import type { CandidateExplanation } from '../../judging/explainCandidate.js';
import { type Engine, openEngine } from '../../numeric/engine.js';
import type { MoleculeDrawing } from '../../problem/platform/rdkit.js';
import { drawMolecules } from '../../report/index.js';
import { writeAtomic } from '../../runs/atomicFile.js';
import { readManifest } from '../../runs/manifest.js';
import { sha256Of } from '../../runs/runFiles.js';
import { removeRun } from '../../runs/runsFolder.js';
import { readAsked, readDocument, readRun } from '../../runs/savedRun.js';
import type { Table } from '../../table/table.js';
import { askOf, changedTable, openedTable, roundTable, stateAnswer, tableRows } from '../answers/index.js';
import type {
  Ask,
  BenchFolder,
  Cells,
  ContourAnswer,
  ContourQuestion,
  Measured,
  OpenedRun,
  OpenedTable,
  ProfileAnswer,
  ProfileQuestion,
  RunSummary,
  Stated,
  TableChange,
  TableRows,
} from '../protocol/index.js';
import { createAsked } from './askedRun.js';
import { benchesIn, openBench } from './benchFolders.js';
import type { DeskOrder, DeskReply } from './desk.js';
import { OpenRuns } from './openRuns.js';
import { ReadTables } from './readTables.js';
import { sentError } from './refused.js';
import { RunSummaries } from './runSummaries.js';
import { addZippedRun, zipRun } from './runZip.js';
import type { TablePlace } from './tableShelf.js';

/** A table that was written as a Parquet file. */
export interface WrittenTable {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Every question, with paths that the server has made sure of. */
export interface DeskCalls {
  engine(): Promise<Pick<Engine, 'kernel' | 'threads'>>;
  openTable(place: TablePlace): Promise<OpenedTable>;
  rows(place: TablePlace, from: number, count: number): Promise<TableRows>;
  /** Writes the table with some cells written over to `target`. */
  changeTable(place: TablePlace, changes: readonly TableChange[], target: string): Promise<WrittenTable>;
  state(place: TablePlace, ask: Ask): Promise<Stated>;
  /** Name of the folder of a run that is yet to be computed. */
  createRun(place: TablePlace, ask: Ask, runsPath: string): Promise<string>;
  summary(path: string): Promise<RunSummary>;
  summaries(runsPath: string): Promise<RunSummary[]>;
  leftByStudio(runsPath: string): Promise<string[]>;
  openRun(path: string): Promise<Omit<OpenedRun, 'table'>>;
  deleteRun(path: string): Promise<void>;
  zipRun(path: string): Promise<Uint8Array>;
  /** Name of the new run. */
  addRun(zipPath: string, runsPath: string): Promise<string>;
  score(path: string, rows: readonly Cells[]): Promise<AssessedRows>;
  explain(path: string, row: number): Promise<CandidateExplanation>;
  molecules(path: string): Promise<Readonly<Record<string, MoleculeDrawing>>>;
  profile(path: string, question: ProfileQuestion): Promise<ProfileAnswer>;
  contour(path: string, question: ContourQuestion): Promise<ContourAnswer>;
  /** Writes the table of the next round to `target`. */
  addRound(path: string, measured: readonly Measured[], target: string): Promise<WrittenTable>;
  benches(folder: string): Promise<string[]>;
  openBench(folder: string, id: string): Promise<BenchFolder>;
}

export function deskCalls(): DeskCalls {
  const tables = new ReadTables();
  const summaries = new RunSummaries();
  const models = new OpenRuns();
  let found: Promise<Pick<Engine, 'kernel' | 'threads'>> | undefined;
  const engine = () => {
    found ??= openEngine().then(async (opened) => {
      const { kernel, threads } = opened;
      await opened.close();
      return { kernel, threads };
    });
    return found;
  };
  return {
    engine,
    async openTable(place) {
      const { table, source, sheets, sheet } = await tables.get(place);
      const { id } = place;
      return openedTable(table, { id, sha256: source.sha256, bytes: source.bytes, sheets, sheet });
    },
    async rows(place, from, count) {
      return tableRows((await tables.get(place)).table, from, count);
    },
    changeTable: async (place, changes, target) =>
      written(changedTable((await tables.get(place)).table, changes), target),
    async state(place, ask) {
      const { table, sheet } = await tables.get(place);
      return stateAnswer(table, ask, sheet);
    },
    async createRun(place, ask, runsPath) {
      const { table, source } = await tables.get(place);
      return createAsked(table, source, ask, runsPath, await engine());
    },
    summary: (path) => summaries.summary(path),
    summaries: (runsPath) => summaries.all(runsPath),
    leftByStudio: (runsPath) => summaries.leftByStudio(runsPath),
    async openRun(path) {
      const manifest = await readManifest(path);
      const hasResults = manifest.files['candidates.json'] !== undefined;
      return {
        summary: await summaries.summary(path),
        ask: askOf({ asked: await readAsked(path, manifest) }),
        document: hasResults ? await readDocument(path, manifest) : null,
      };
    },
    deleteRun: (path) => removeRun(path),
    zipRun: (path) => zipRun(path),
    addRun: (zipPath, runsPath) => addZippedRun(zipPath, runsPath),
    score: async (path, rows) => (await models.get(path)).score(rows),
    explain: async (path, row) => (await models.get(path)).explain(row),
    async molecules(path) {
      return Object.fromEntries(await drawMolecules(await readDocument(path, await readManifest(path))));
    },
    profile: async (path, question) => (await models.get(path)).profile(question),
    contour: async (path, question) => (await models.get(path)).contour(question),
    async addRound(path, measured, target) {
      const { asked, model: _, ...document } = await readRun(path);
      return written(await roundTable(asked.table, document, measured), target);
    },
    benches: (folder) => benchesIn(folder),
    openBench: (folder, id) => openBench(folder, id),
  };
}

async function written(table: Table, target: string): Promise<WrittenTable> {
  // Loaded only where a table is written: the Parquet libraries are ninety files.
  const { encodeTable } = await import('../../runs/tableParquet.js');
  const bytes = encodeTable(table);
  await writeAtomic(target, bytes);
  return { name: table.name, bytes: bytes.length, sha256: sha256Of(bytes) };
}

if (process.send && process.env.NEMOKIT_STUDIO === 'desk') {
  const calls = deskCalls() as unknown as Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;
  const reply = (message: DeskReply) => {
    if (process.connected) process.send!(message, undefined, undefined, () => {});
  };
  let last: Promise<unknown> = Promise.resolve();
  process.on('message', ({ id, name, args }: DeskOrder) => {
    last = last.then(async () => {
      try {
        // no question has more than three
        const [first, second, third] = args;
        reply({ id, result: await calls[name]!(first, second, third) });
      } catch (error) {
        reply({ id, error: sentError(error) });
      }
    });
  });
  process.on('disconnect', () => process.exit(0));
  // The server gets Ctrl-C as well, and ends this process when it is done.
  process.on('SIGINT', () => {});
}
