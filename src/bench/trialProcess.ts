/** A process that runs trials one after another, as localTrials.ts asks by messages. Ends with its parent. */

import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, platform, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDataFolder } from '../data/dataFolder.js';
import { openEngine } from '../numeric/engine.js';
import type { Task } from '../tasks/index.js';
import { version } from '../version.js';
import { encodeDesigns } from './designFile.js';
import { openRegistry } from './plugins.js';
import { makeRecord, type TrialRecord } from './records.js';
import {
  runTrial,
  TaskError,
  type TrialContext,
  type TrialProgress,
  type TrialSpec,
  trialId,
} from './trial.js';

export interface TrialRequest {
  readonly spec: TrialSpec;
  /** Threads of the engine; never changes a result. */
  readonly threads: number;
  /** Paths of plug-ins. */
  readonly plugins?: readonly string[];
  /** Whether the designs come with the record. */
  readonly withDesigns?: boolean;
}

export type TrialReply =
  | { readonly kind: 'progress'; readonly progress: TrialProgress }
  /** designs: the bytes of a file of designs, as base64. */
  | { readonly kind: 'record'; readonly record: TrialRecord; readonly designs?: string }
  /** isUnable: this machine cannot open the task; another one may. */
  | { readonly kind: 'failure'; readonly message: string; readonly isUnable: boolean };

/** Runs a trial and makes its record. */
export async function trialRecord(
  { spec, threads, plugins = [] }: TrialRequest,
  { onProgress, onDesigns, signal }: Pick<TrialContext, 'onProgress' | 'onDesigns' | 'signal'>,
): Promise<TrialRecord> {
  const started = new Date();
  const [clock, cpu] = [performance.now(), process.cpuUsage()];
  await using engine = await openEngine({ threads });
  const source = openDataFolder();
  const registry = await openRegistry(plugins);
  const result = await runTrial(spec, {
    engine,
    source,
    registry,
    opened: (id) => openOnce(id, () => registry.taskOf(id).open(source)),
    ...(onProgress && { onProgress }),
    ...(onDesigns && { onDesigns }),
    ...(signal && { signal }),
  });
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

let last: { readonly id: string; readonly task: Promise<Task> } | undefined;

/** The task of the trial before, if it is the same: trials come task by task, and opening one takes seconds. */
function openOnce(id: string, open: () => Promise<Task>): Promise<Task> {
  if (last?.id !== id) {
    const task = open();
    last = { id, task };
    task.catch(() => {
      last = undefined;
    });
  }
  return last!.task;
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
    let designs: string | undefined;
    trialRecord(request, {
      onProgress(progress) {
        const now = performance.now();
        if (now - reportedAt < 200) return;
        reportedAt = now;
        reply({ kind: 'progress', progress });
      },
      onDesigns(all, columns) {
        if (request.withDesigns)
          designs = Buffer.from(encodeDesigns({ designs: all, columns })).toString('base64');
      },
    }).then(
      (record) => reply({ kind: 'record', record, ...(designs !== undefined && { designs }) }),
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
  try {
    const folders = await gitFolders();
    const read = async (name: string) => {
      for (const folder of folders) {
        const text = await readFile(join(folder, name), 'utf8').catch(() => undefined);
        if (text !== undefined) return text;
      }
      throw new Error(`no ${name}`);
    };
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

/** Of a clone .git; of a second working tree the folder that its .git names, and the one it shares with the clone. */
async function gitFolders(): Promise<string[]> {
  const own = fileURLToPath(new URL('.git', root));
  const pointer = await readFile(own, 'utf8').catch(() => undefined);
  if (pointer === undefined) return [own];
  const folder = resolve(own, '..', pointer.replace(/^gitdir:/, '').trim());
  const shared = await readFile(join(folder, 'commondir'), 'utf8').catch(() => '.');
  return [folder, resolve(folder, shared.trim())];
}

function short(hash: string): string | null {
  return /^[0-9a-f]{40,64}$/.test(hash) ? hash.slice(0, 12) : null;
}
