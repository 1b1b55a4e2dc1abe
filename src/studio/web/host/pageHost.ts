/** The host inside the page: workers compute, the browser keeps. Nothing leaves the machine. */
import type {
  About,
  Ask,
  Host,
  OpenedRun,
  OpenedTable,
  RunEvent,
  RunStatus,
  RunSummary,
} from '../../protocol/index.js';
import { WorkerCalls } from './calls.js';
import { channelOf, lockOf } from './runChannel.js';
import type { RunOrder } from './runWork.js';
import { type KeptRun, store } from './store.js';

/** Larger files are refused before they are read: the tab would run out of memory. */
const MOST_BYTES = 500e6;

const active: readonly RunStatus[] = ['waiting', 'running', 'paused'];

export function openPageHost(): Host {
  let calls: WorkerCalls | undefined;
  // the library is loaded when something is opened, not before
  const desk = <Value>(name: string, ...args: readonly unknown[]): Promise<Value> => {
    calls ??= new WorkerCalls(
      new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'desk' }),
    );
    return calls.call<Value>(name, args);
  };

  const start = (id: string) =>
    new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: `run ${id}` }).postMessage({
      id,
    });

  const kept = async (id: string): Promise<KeptRun> => {
    const found = await store.get<KeptRun>('runs', id);
    if (!found) throw new Error('this run is not kept in this browser');
    return { ...found, summary: await current(found.summary) };
  };

  const order = async (id: string, given: RunOrder, awaited: readonly RunStatus[]): Promise<RunSummary> => {
    const channel = channelOf(id);
    const answer = new Promise<void>((resolve) => {
      const late = setTimeout(resolve, 5000);
      channel.onmessage = ({ data }: MessageEvent<RunEvent>) => {
        if (data.kind !== 'status' || !awaited.includes(data.summary.status)) return;
        clearTimeout(late);
        resolve();
      };
    });
    channel.postMessage(given);
    await answer;
    channel.close();
    return (await kept(id)).summary;
  };

  return {
    async about(): Promise<About> {
      return {
        kind: 'page',
        version: '',
        kernel: 'wasm',
        threads: crossOriginIsolated ? navigator.hardwareConcurrency : 1,
        keeps: 'this browser',
        open: null,
        tables: [],
        benches: [],
        mostBytes: MOST_BYTES,
      };
    },
    async openTable(source) {
      if (source.kind === 'bytes' && source.bytes.length > MOST_BYTES)
        throw new Error(
          `${source.name} has ${Math.round(source.bytes.length / 1e6)} MB; a page takes ${MOST_BYTES / 1e6} MB at most. The command line takes more`,
        );
      return desk<OpenedTable>('openTable', source);
    },
    table: (id) => desk('table', id),
    rows: (id, from, count) => desk('rows', id, from, count),
    state: (id, ask) => desk('state', id, ask),

    async startRun(table: string, ask: Ask) {
      const opened = await desk<OpenedTable>('table', table);
      const created = new Date().toISOString();
      const id = `${created.slice(0, 10)}-${slugOf(ask.goals[0] ?? 'run')}-${crypto.randomUUID().slice(0, 4)}`;
      const summary: RunSummary = {
        id,
        created,
        status: 'waiting',
        goals: ask.goals,
        file: opened.name,
        rows: opened.rows,
        batch: ask.batch ?? 8,
        seed: ask.seed ?? 0,
        effort: ask.effort ?? 'balanced',
        verdict: null,
        best: null,
        progress: null,
        fault: null,
      };
      await store.put('runs', id, { summary, ask, table } satisfies KeptRun);
      start(id);
      return summary;
    },
    pauseRun: (id) => order(id, 'pause', ['paused']),
    async resumeRun(id) {
      const { summary } = await kept(id);
      if (summary.status === 'paused') return order(id, 'resume', ['running']);
      start(id);
      return { ...summary, status: 'running' };
    },
    stopRun: (id) => order(id, 'stop', ['partial', 'done', 'interrupted', 'failed']),
    watchRun(id, listen) {
      const channel = channelOf(id);
      channel.onmessage = ({ data }: MessageEvent<RunEvent | RunOrder>) => {
        if (typeof data === 'object') listen(data);
      };
      void kept(id).then(
        ({ summary }) => listen({ kind: 'status', summary }),
        () => {},
      );
      return () => channel.close();
    },

    async listRuns() {
      const all = await store.all<KeptRun>('runs');
      const summaries = await Promise.all(all.map(({ summary }) => current(summary)));
      return summaries.toSorted((a, b) => (a.created < b.created ? 1 : -1));
    },
    async openRun(id): Promise<OpenedRun> {
      const { summary, ask, table } = await kept(id);
      return { summary, ask, table, document: (await store.get('documents', id)) ?? null };
    },
    async deleteRun(id) {
      await kept(id);
      for (const name of ['states', 'results', 'documents', 'runs'] as const) await store.remove(name, id);
    },
    runFile: (id, name) => desk('runFile', id, name),
    saveRun: (id) => desk('saveRun', id),
    addRun: (zip) => desk('addRun', zip),

    score: (id, rows) => desk('score', id, rows),
    explain: (id, row) => desk('explain', id, row),
    profile: (id, question) => desk('profile', id, question),
    contour: (id, question) => desk('contour', id, question),
    addRound: (id, measured) => desk('addRound', id, measured),

    openBench: () => Promise.reject(new Error('a page without a server opens benchmark files, not folders')),
  };
}

/** A run whose worker is gone, because its tab was closed or reloaded, is interrupted. */
async function current(summary: RunSummary): Promise<RunSummary> {
  if (!active.includes(summary.status)) return summary;
  const { held = [] } = await navigator.locks.query();
  if (held.some(({ name }) => name === lockOf(summary.id))) return summary;
  const isYoung = Date.now() - Date.parse(summary.created) < 5000 && summary.status === 'waiting';
  return isYoung ? summary : { ...summary, status: 'interrupted' };
}

/** Only letters, digits and hyphens, as the command line names its folders. */
function slugOf(goal: string): string {
  const slug = goal
    .replace(/^(max|min|target|keep)\s+/i, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 24)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'run' : slug;
}
