/** Reads tables and answers questions about them and about finished runs, in a worker. */
import { openEngine, type Run, type RunDocument, readTable, type Table, version } from '../../../index.js';
import {
  changedTable,
  faultOf,
  openedTable,
  RunDesk,
  roundTable,
  sheetsOf,
  stateAnswer,
  tableRows,
} from '../../answers/index.js';
import type {
  Ask,
  Cells,
  ContourQuestion,
  Measured,
  OpenedTable,
  ProfileQuestion,
  RunFileName,
  TableChange,
  TableSource,
} from '../../protocol/index.js';
import { readBench } from './benchFile.js';
import type { Call, Reply } from './calls.js';
import { fileOf, keepZip, zipOf } from './runZip.js';
import { type KeptRun, type KeptTable, store } from './store.js';

const tables = new Map<string, KeptTable<Table>>();

const answers = {
  async openTable(source: TableSource): Promise<OpenedTable> {
    if (source.kind === 'path') throw new Error('a page without a server opens files, not paths');
    const bytes =
      source.kind === 'pasted' ? new TextEncoder().encode(source.text) : Uint8Array.from(source.bytes);
    const name = source.kind === 'pasted' ? 'pasted cells' : source.name;
    const sheet = source.kind === 'bytes' ? (source.sheet ?? null) : null;
    const table = await readTable(bytes, { name, ...(sheet !== null && { sheet }) });
    const sheets = await sheetsOf(bytes);
    const sha256 = await sha256Of(bytes);
    const id = `${sha256.slice(0, 12)}${sheet === null ? '' : `-${sheets.indexOf(sheet) + 1}`}`;
    const opened = openedTable(table, { id, sha256, bytes: bytes.length, sheets, sheet });
    await keepTable({ table, opened });
    return opened;
  },

  table: async (id: string) => (await tableOf(id)).opened,

  rows: async (id: string, from: number, count: number) => tableRows((await tableOf(id)).table, from, count),

  async changeTable(id: string, changes: readonly TableChange[]): Promise<OpenedTable> {
    const before = await tableOf(id);
    const table = changedTable(before.table, changes);
    const stamp = await sha256Of(new TextEncoder().encode(JSON.stringify([id, changes])));
    const opened = openedTable(table, {
      id: `${id.split('~')[0]}~${stamp.slice(0, 8)}`,
      sha256: stamp,
      bytes: before.opened.bytes,
      sheets: [],
      sheet: null,
    });
    await keepTable({ table, opened });
    return opened;
  },

  async state(id: string, ask: Ask) {
    const { table, opened } = await tableOf(id);
    return stateAnswer(table, ask, opened.sheet);
  },

  score: async (id: string, rows: readonly Cells[]) => (await deskOf(id)).score(rows),
  explain: async (id: string, row: number) => (await deskOf(id)).explain(row),
  profile: async (id: string, question: ProfileQuestion) => (await deskOf(id)).profile(question),
  contour: async (id: string, question: ContourQuestion) => (await deskOf(id)).contour(question),

  async addRound(id: string, measured: readonly Measured[]): Promise<OpenedTable> {
    const { run, kept } = await runOf(id);
    const before = await tableOf(kept.table);
    const table = await roundTable(run.asked.table, run, measured);
    const rounds = table.rounds?.length ?? 0;
    const stamp = await sha256Of(new TextEncoder().encode(JSON.stringify([id, measured])));
    const opened = openedTable(table, {
      id: `${before.opened.id.split('+')[0]}+${stamp.slice(0, 8)}`,
      sha256: before.opened.sha256,
      bytes: before.opened.bytes,
      sheets: [],
      sheet: before.opened.sheet,
    });
    await keepTable({ table, opened: { ...opened, rounds } });
    return opened;
  },

  async runFile(id: string, name: RunFileName) {
    return fileOf((await runOf(id)).run, name);
  },

  async saveRun(id: string) {
    const { run, kept } = await runOf(id);
    return zipOf(run, kept);
  },

  async addRun(zip: Uint8Array) {
    const { kept, table } = await keepZip(zip);
    tables.set(table.opened.id, table);
    return kept.summary;
  },

  openBench: async (name: string, text: string) => readBench(name, text),

  version: async () => version,
} as const;

export type DeskAnswers = typeof answers;

async function keepTable(kept: KeptTable<Table>): Promise<void> {
  tables.set(kept.opened.id, kept);
  // what cannot be kept can still be used until the tab is closed
  await store.put('tables', kept.opened.id, kept).catch(() => {});
}

async function tableOf(id: string): Promise<KeptTable<Table>> {
  const kept = tables.get(id) ?? (await store.get<KeptTable<Table>>('tables', id));
  if (!kept) throw new Error('this table is no longer kept in this browser; open its file again');
  tables.set(id, kept);
  return kept;
}

async function runOf(id: string): Promise<{ run: Run; kept: KeptRun }> {
  const [kept, document, rest] = await Promise.all([
    store.get<KeptRun>('runs', id),
    store.get<RunDocument>('documents', id),
    store.get<Pick<Run, 'asked' | 'model'>>('results', id),
  ]);
  if (!kept) throw new Error('this run is not kept in this browser');
  if (!document || !rest) throw new Error('this run has no results yet');
  return { kept, run: { ...document, ...rest } };
}

/** The last run that was asked about stays open. */
let desk: { readonly id: string; readonly opened: Promise<RunDesk> } | undefined;

function deskOf(id: string): Promise<RunDesk> {
  if (desk?.id !== id) desk = { id, opened: openDesk(id) };
  return desk.opened;
}

async function openDesk(id: string): Promise<RunDesk> {
  const { run } = await runOf(id);
  const kernel = run.run.kernel as 'wasm';
  const engine = await openEngine({ kernel, threads: 1 }).catch(() => openEngine({ threads: 1 }));
  return RunDesk.open(run, engine);
}

async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export async function receive({ data: { number, name, args } }: MessageEvent<Call>): Promise<void> {
  const answer = answers[name as keyof DeskAnswers] as (...given: readonly unknown[]) => Promise<unknown>;
  let reply: Reply;
  try {
    const [first, second, third] = args;
    reply = { number, value: await answer(first, second, third) };
  } catch (error) {
    if (desk && (name === 'profile' || name === 'score')) desk = undefined;
    reply = { number, fault: faultOf(error) };
  }
  self.postMessage(reply);
}
