/** A process that runs trials one after another, as localTrials.ts asks by messages. Ends with its parent. */

import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, platform, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { openDataFolder } from '../data/dataFolder.js';
import { openEngine } from '../numeric/engine.js';
import { version } from '../version.js';
import { openRegistry } from './plugins.js';
import { makeRecord, type TrialRecord } from './records.js';
import { runTrial, TaskError, type TrialProgress, type TrialSpec, trialId } from './trial.js';

export interface TrialRequest {
  readonly spec: TrialSpec;
  /** Threads of the engine; never changes a result. */
  readonly threads: number;
  /** Paths of plug-ins. */
  readonly plugins?: readonly string[];
}

export type TrialReply =
  | { readonly kind: 'progress'; readonly progress: TrialProgress }
  | { readonly kind: 'record'; readonly record: TrialRecord }
  /** isUnable: this machine cannot open the task; another one may. */
  | { readonly kind: 'failure'; readonly message: string; readonly isUnable: boolean };

/** Runs a trial and makes its record. */
export async function trialRecord(
  { spec, threads, plugins = [] }: TrialRequest,
  onProgress: (progress: TrialProgress) => void,
  signal?: AbortSignal,
): Promise<TrialRecord> {
  const started = new Date();
  const [clock, cpu] = [performance.now(), process.cpuUsage()];
  await using engine = await openEngine({ threads });
  const source = openDataFolder();
  const registry = await openRegistry(plugins);
  const result = await runTrial(spec, { engine, source, registry, onProgress, ...(signal && { signal }) });
  const { user, system } = process.cpuUsage(cpu);
  return makeRecord(trialId(spec), spec, result, {
    version,
    commit: await commitOf(),
    node: process.version,
    kernel: engine.kernel,
    threads: engine.threads,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGB: Math.round(totalmem() / 2 ** 30),
    platform: platform(),
    started: started.toISOString(),
    seconds: rounded((performance.now() - clock) / 1000),
    cpuSeconds: rounded((user + system) / 1e6),
    peakMemoryMB: Math.round(process.resourceUsage().maxRSS / 1024),
  });
}

function rounded(seconds: number): number {
  return Number(seconds.toFixed(2));
}

if (process.send && process.env.NEMOKIT_TRIALS === '1') {
  // the parent may have ended in the meantime, which is no failure of the trial
  const reply = (message: TrialReply) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => {});
  };
  let reportedAt = Number.NEGATIVE_INFINITY;
  process.on('message', (request: TrialRequest) => {
    trialRecord(request, (progress) => {
      const now = performance.now();
      if (now - reportedAt < 200) return;
      reportedAt = now;
      reply({ kind: 'progress', progress });
    }).then(
      (record) => reply({ kind: 'record', record }),
      (error: unknown) =>
        reply({
          kind: 'failure',
          message: error instanceof Error ? error.message : String(error),
          isUnable: error instanceof TaskError,
        }),
    );
  });
  process.on('disconnect', () => process.exit(0));
  process.on('SIGTERM', () => process.exit(143));
  // The parent gets Ctrl-C as well, and decides.
  process.on('SIGINT', () => {});
}

const root = new URL('../../', import.meta.url);

/** The commit of a clone, read from .git. Null for an installed package. */
export async function commitOf(): Promise<string | null> {
  const read = (name: string) => readFile(fileURLToPath(new URL(`.git/${name}`, root)), 'utf8');
  try {
    const head = (await read('HEAD')).trim();
    if (!head.startsWith('ref: ')) return short(head);
    const ref = head.slice('ref: '.length);
    const loose = await read(ref).catch(() => undefined);
    if (loose) return short(loose.trim());
    const packed = (await read('packed-refs')).split('\n').find((line) => line.endsWith(` ${ref}`));
    return packed ? short(packed.split(' ')[0]!) : null;
  } catch {
    return null;
  }
}

function short(hash: string): string | null {
  return /^[0-9a-f]{40,64}$/.test(hash) ? hash.slice(0, 12) : null;
}
