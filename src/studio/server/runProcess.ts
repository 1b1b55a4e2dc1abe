/**
 * A process that computes one run, as runQueue.ts asks by messages. The run lies in its folder, begun or interrupted.
 * When the server ends, however it ends, the process saves the state of the run and ends as well.
 */
import { requestFrom } from '../../design/run.js';
import { type Engine, openEngine } from '../../numeric/engine.js';
import { readManifest } from '../../runs/manifest.js';
import { openRun } from '../../runs/runFolder.js';
import { runInFolder } from '../../runs/runInFolder.js';
import { readAsked } from '../../runs/savedRun.js';
import { type SentError, sentError } from './refused.js';
import { closedReason, pausedReason } from './runLog.js';

export type RunOrder =
  | { readonly kind: 'run'; readonly path: string }
  /** Save the state and end. */
  | { readonly kind: 'pause' }
  /** End the search with what there is. */
  | { readonly kind: 'stop' };

export type RunReply =
  /** The folder is locked: its log and its manifest are those of this process. */
  | { readonly kind: 'started' }
  | { readonly kind: 'ended'; readonly outcome: 'done' | 'partial' | 'interrupted' | 'timeLimit' }
  | ({ readonly kind: 'failed' } & SentError);

export interface RunSignals {
  readonly pause: AbortSignal;
  readonly stop: AbortSignal;
}

/** Computes the run at `path` from its last state. */
export async function computeInFolder(
  path: string,
  { pause, stop }: RunSignals,
  onStart: () => void,
): Promise<'done' | 'partial' | 'interrupted' | 'timeLimit'> {
  const manifest = await readManifest(path);
  if (manifest.status === 'done') return 'done';
  const request = await requestFrom(await readAsked(path, manifest));
  await using engine = await openEngine({ kernel: manifest.kernel as Engine['kernel'] });
  const folder = await openRun(path);
  try {
    onStart();
    const { outcome } = await runInFolder(folder, request, engine, { signal: pause, stop });
    return outcome;
  } catch (error) {
    await folder.fail(error).catch(() => {});
    throw error;
  } finally {
    await folder.close();
  }
}

if (process.send && process.env.NEMOKIT_STUDIO === 'run') {
  const [pause, stop] = [new AbortController(), new AbortController()];
  const reply = (message: RunReply) =>
    new Promise<void>((resolve) => {
      if (process.connected) process.send!(message, undefined, undefined, () => resolve());
      else resolve();
    });
  process.on('message', async (order: RunOrder) => {
    if (order.kind === 'pause') return pause.abort(pausedReason);
    if (order.kind === 'stop') return stop.abort();
    const signals = { pause: pause.signal, stop: stop.signal };
    try {
      const outcome = await computeInFolder(order.path, signals, () => void reply({ kind: 'started' }));
      await reply({ kind: 'ended', outcome });
    } catch (error) {
      await reply({ kind: 'failed', ...sentError(error) });
    }
    process.exit(0);
  });
  process.on('disconnect', () => pause.abort(closedReason));
  // The server gets Ctrl-C and the like as well, and closes the channel.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => pause.abort(closedReason));
}
