/** A process that runs trials one after another, for `LocalTrials`. Told by messages; ends when its parent is gone. */
import { availableParallelism, cpus, platform, totalmem } from 'node:os';
import { openDataFolder } from '../data/dataFolder.js';
import { openEngine } from '../numeric/engine.js';
import { version } from '../version.js';
import { commitOf } from './commit.js';
import { openRegistry } from './plugins.js';
import { runTrial, type TrialProgress, type TrialSpec, trialId } from './trial.js';
import { makeRecord, type TrialRecord } from './trialRecord.js';

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
  | { readonly kind: 'failure'; readonly message: string };

/** Also what a worker of a queue calls. */
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
  const reply = (message: TrialReply) => process.send?.(message);
  let told = Number.NEGATIVE_INFINITY;
  process.on('message', (request: TrialRequest) => {
    trialRecord(request, (progress) => {
      const now = performance.now();
      if (now - told < 200) return;
      told = now;
      reply({ kind: 'progress', progress });
    }).then(
      (record) => reply({ kind: 'record', record }),
      (error: unknown) =>
        reply({ kind: 'failure', message: error instanceof Error ? error.message : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(0));
  // The parent gets Ctrl-C as well, and says what is to be done.
  process.on('SIGINT', () => {});
}
