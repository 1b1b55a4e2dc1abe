/** Computes one run in a worker: reads what was asked from the store, keeps its states there, tells of its progress. */
import { openEngine, type Run, type Table } from '../../../index.js';
import { shownDocument } from '../../../report/withheld.js';
import { type ComputeControl, computeAsk, faultOf } from '../../answers/index.js';
import type { RunEvent, RunProgress, RunStatus, RunSummary } from '../../protocol/index.js';
import { channelOf, lockOf } from './runChannel.js';
import { type KeptRun, type KeptTable, store } from './store.js';

export type RunOrder = 'pause' | 'resume' | 'stop';

const SAVE_EVERY = 3000;
/** Milliseconds that the worker of a closed tab may take to end. */
const MOST_WAITING = 10_000;

export async function receive({ data: { id } }: MessageEvent<{ id: string }>): Promise<void> {
  // one worker per run, over all tabs
  const signal = AbortSignal.timeout(MOST_WAITING);
  await navigator.locks.request(lockOf(id), { signal }, () => work(id)).catch(() => {});
  // also where another worker has the run
  self.postMessage('here');
  self.close();
}

async function work(id: string): Promise<void> {
  const channel = channelOf(id);
  const orders: RunOrder[] = [];
  // what is said before the run is read
  channel.onmessage = ({ data }: MessageEvent<RunOrder | RunEvent>) => {
    if (typeof data === 'string') orders.push(data);
  };
  const found = await store.get<KeptRun>('runs', id);
  if (!found || found.summary.status === 'done' || found.summary.status === 'partial') return channel.close();
  let kept = found;
  const stop = new AbortController();
  let released: (() => void) | undefined;
  let pause: Promise<void> | undefined;
  let isStopped = false;
  /** From here on orders come too late. */
  let isOver = false;
  let progress: RunProgress | null = null;
  const tell = (event: RunEvent) => channel.postMessage(event);
  const say = async (status: RunStatus, rest: Partial<RunSummary> = {}) => {
    const summary = { ...kept.summary, status, progress, ...rest };
    kept = { ...kept, summary };
    await store.put('runs', id, kept);
    tell({ kind: 'status', summary });
  };
  const obey = (order: RunOrder) => {
    if (isOver) return;
    if (order === 'pause' && !pause) {
      pause = new Promise((resolve) => {
        released = resolve;
      });
    } else if (order === 'resume' && pause) {
      released?.();
      pause = undefined;
    } else if (order === 'stop' && !isStopped) {
      isStopped = true;
      stop.abort();
      released?.();
      pause = undefined;
    } else return;
    void say(pause ? 'paused' : 'running');
  };
  const before = kept.summary.progress?.seconds ?? 0;
  let worked = 0;
  let since = performance.now();
  const seconds = () => before + (worked + performance.now() - since) / 1000;
  try {
    await say('running', { fault: null });
    self.postMessage('here');
    for (const order of orders) obey(order);
    channel.onmessage = ({ data }: MessageEvent<RunOrder | RunEvent>) => {
      if (typeof data === 'string') obey(data);
    };
    const { table, opened } = (await store.get<KeptTable<Table>>('tables', kept.table))!;
    const from = await store.get<NonNullable<ComputeControl['from']>>('states', id);
    const engine = await openEngine();
    const run = await computeAsk(table, kept.ask, engine, {
      ...(from && { from }),
      stop: stop.signal,
      now: () => performance.now(),
      every: SAVE_EVERY,
      onState: (state) => store.put('states', id, state),
      onProgress: async ({ stage, fraction, detail }, watched) => {
        progress = { stage, fraction, detail, watched, seconds: seconds() };
        kept = { ...kept, summary: { ...kept.summary, progress } };
        tell({ kind: 'progress', progress });
        if (!pause) return;
        worked += performance.now() - since;
        await pause;
        since = performance.now();
      },
    });
    isOver = true;
    if (!run) return await say('interrupted');
    await keep(id, run, opened.sha256, kept.summary.created, seconds());
    const [first] = run.candidates;
    await say(isStopped && !run.run.complete ? 'partial' : 'done', {
      verdict: run.verdict,
      best: { known: run.bestKnown.value, expected: first?.expected ?? null, name: run.goal.name },
    });
    await store.remove('states', id);
  } catch (error) {
    isOver = true;
    await say('failed', { fault: faultOf(error) });
  } finally {
    channel.close();
  }
}

/** The document as a run folder keeps it: with its name, its times and the source file. */
async function keep(
  id: string,
  run: Run,
  sha256: string | null,
  created: string,
  seconds: number,
): Promise<void> {
  const { asked, model, ...found } = run;
  const document = shownDocument({
    ...found,
    run: { id, created, ...found.run, seconds: Math.round(10 * seconds) / 10 },
    data: { ...found.data, ...(sha256 !== null && { sha256 }) },
  });
  await store.put('results', id, { asked, model });
  await store.put('documents', id, document);
}
