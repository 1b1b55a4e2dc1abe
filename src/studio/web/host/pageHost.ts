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

/** Milliseconds after which an order is given again: a worker that is still being loaded hears nothing. */
const ORDER_AGAIN = 250;
/** Milliseconds after which whoever gave an order is answered, whatever became of it. */
const ORDER_LATE = 30_000;
/** Milliseconds between two looks whether a run that is watched still has its worker. */
const LOOK_AGAIN = 1000;

const active: readonly RunStatus[] = ['waiting', 'running', 'paused'];
const over: readonly RunStatus[] = ['partial', 'done', 'interrupted', 'failed'];

export function openPageHost(): Host {
  let calls: WorkerCalls | undefined;
  // the library is loaded when something is opened, not before
  const desk = <Value>(name: string, ...args: readonly unknown[]): Promise<Value> => {
    calls ??= new WorkerCalls(
      new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'desk' }),
    );
    return calls.call<Value>(name, args);
  };

  /** Runs whose workers this tab started, and that have not said yet that they are there. */
  const starting = new Set<string>();
  const start = (id: string) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      type: 'module',
      name: `run ${id}`,
    });
    starting.add(id);
    worker.onmessage = () => starting.delete(id);
    worker.onerror = () => starting.delete(id);
    worker.postMessage({ id });
  };

  /** A run whose worker is gone, because its tab was closed or reloaded, is interrupted. */
  const current = async (summary: RunSummary): Promise<RunSummary> => {
    if (starting.has(summary.id) && !(await isHeld(summary.id))) return { ...summary, status: 'waiting' };
    if (!active.includes(summary.status) || (await isHeld(summary.id))) return summary;
    // another tab may be starting it
    const isYoung = Date.now() - Date.parse(summary.created) < 5000 && summary.status === 'waiting';
    return isYoung ? summary : { ...summary, status: 'interrupted' };
  };

  const kept = async (id: string): Promise<KeptRun> => {
    const found = await store.get<KeptRun>('runs', id);
    if (!found) throw new Error('this run is not kept in this browser');
    return { ...found, summary: await current(found.summary) };
  };

  const order = async (id: string, given: RunOrder, awaited: readonly RunStatus[]): Promise<RunSummary> => {
    const channel = channelOf(id);
    const answer = new Promise<void>((resolve) => {
      const again = setInterval(() => channel.postMessage(given), ORDER_AGAIN);
      const end = () => {
        clearInterval(again);
        clearTimeout(late);
        resolve();
      };
      const late = setTimeout(end, ORDER_LATE);
      channel.onmessage = ({ data }: MessageEvent<RunEvent | RunOrder>) => {
        if (typeof data === 'object' && data.kind === 'status' && awaited.includes(data.summary.status))
          end();
      };
      channel.postMessage(given);
    });
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
    pauseRun: (id) => order(id, 'pause', ['paused', ...over]),
    async resumeRun(id) {
      const { summary } = await kept(id);
      if (summary.status === 'paused') return order(id, 'resume', ['running', ...over]);
      start(id);
      return { ...summary, status: 'waiting' };
    },
    stopRun: (id) => order(id, 'stop', over),
    watchRun(id, listen) {
      const channel = channelOf(id);
      let told: RunStatus | undefined;
      /** How often the worker spoke: what was read before it did is old. */
      let heard = 0;
      channel.onmessage = ({ data }: MessageEvent<RunEvent | RunOrder>) => {
        if (typeof data !== 'object') return;
        if (data.kind === 'status') {
          heard++;
          told = data.summary.status;
        }
        listen(data);
      };
      const look = async () => {
        const before = heard;
        const { summary } = await kept(id);
        if (heard !== before || summary.status === told) return;
        told = summary.status;
        listen({ kind: 'status', summary });
      };
      void look().catch(() => {});
      // a worker that ends with its tab says nothing, and may take a while to end
      const timer = setInterval(() => {
        if (told && active.includes(told)) void look().catch(() => {});
      }, LOOK_AGAIN);
      return () => {
        clearInterval(timer);
        channel.close();
      };
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

/** Whether a worker computes the run, in whichever tab. */
async function isHeld(id: string): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === lockOf(id));
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
