/** Computes one run in a worker: reads what was asked from the store, keeps its states there, tells of its progress. */
import { openEngine, type Run, type Table } from '../../../index.js';
import { shownDocument } from '../../../report/withheld.js';
import { type ComputeControl, computeAsk, faultOf } from '../../answers/index.js';
import type { RunEvent, RunProgress, RunStatus, RunSummary } from '../../protocol/index.js';
import { channelOf, lockOf } from './runChannel.js';
import { type KeptRun, type KeptTable, store } from './store.js';

export type RunOrder = 'pause' | 'resume' | 'stop';

const SAVE_EVERY = 3000;

export function receive({ data: { id } }: MessageEvent<{ id: string }>): void {
  // one worker per run, over all tabs
  void navigator.locks.request(lockOf(id), { ifAvailable: true }, async (lock) => {
    if (lock) await work(id);
  });
}

async function work(id: string): Promise<void> {
  const channel = channelOf(id);
  let kept = (await store.get<KeptRun>('runs', id))!;
  const stop = new AbortController();
  let released: (() => void) | undefined;
  let pause: Promise<void> | undefined;
  let isStopped = false;
  let progress: RunProgress | null = null;
  const tell = (event: RunEvent) => channel.postMessage(event);
  const say = async (status: RunStatus, rest: Partial<RunSummary> = {}) => {
    const summary = { ...kept.summary, status, progress, ...rest };
    kept = { ...kept, summary };
    await store.put('runs', id, kept);
    tell({ kind: 'status', summary });
  };
  channel.onmessage = ({ data }: MessageEvent<RunOrder | RunEvent>) => {
    if (data === 'pause' && !pause) {
      pause = new Promise((resolve) => {
        released = resolve;
      });
      void say('paused');
    }
    if (data === 'resume' && pause) {
      released?.();
      pause = undefined;
      void say('running');
    }
    if (data === 'stop') {
      isStopped = true;
      stop.abort();
      released?.();
      pause = undefined;
    }
  };
  const before = kept.summary.progress?.seconds ?? 0;
  let worked = 0;
  let since = performance.now();
  const seconds = () => before + (worked + performance.now() - since) / 1000;
  try {
    await say('running', { fault: null });
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
    if (!run) return await say('interrupted');
    await keep(id, run, opened.sha256, kept.summary.created, seconds());
    const [first] = run.candidates;
    await say(isStopped && !run.run.complete ? 'partial' : 'done', {
      verdict: run.verdict,
      best: { known: run.bestKnown.value, expected: first?.expected ?? null, name: run.goal.name },
    });
    await store.remove('states', id);
  } catch (error) {
    await say('failed', { fault: faultOf(error) });
  } finally {
    channel.close();
    self.close();
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
