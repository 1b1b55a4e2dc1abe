/** Runs trials here or on a queue, with total progress, Ctrl-C and records. */

import { keptDesigns, writeDesigns } from '../bench/designFile.js';
import { jobsFor, runLocally } from '../bench/localTrials.js';
import { openRegistry } from '../bench/plugins.js';
import { RecordWriter, readRecords } from '../bench/records.js';
import { rowName } from '../bench/summary.js';
import { percentiles, type TrialProgress, type TrialSpec, trialId } from '../bench/trial.js';
import { builds } from '../bench/trialBuild.js';
import { runOnQueue, type SubmitOptions } from '../bench/trialQueue.js';
import type { TrialTimes } from '../bench/trialTimes.js';
import { count } from '../report/index.js';
import { listenForInterrupts } from '../runs/interrupts.js';
import { CommandError, exitCodes } from './exitCodes.js';
import { Progress } from './progress.js';
import { writeErr } from './screen.js';

export interface BenchRunOptions {
  /** Trials at once on this machine. */
  readonly jobs?: number;
  readonly quiet?: boolean;
  /** Address of a Redis: its workers run the trials. */
  readonly queue?: string;
  readonly plugins?: readonly string[];
  /** Keep the designs as well; a recorded trial without them is run again, and has to give the same ones. */
  readonly designs?: boolean;
}

/** Sets the exit code: 130 after Ctrl-C, 5 if trials failed. */
export async function runBench(
  folder: string,
  trials: readonly TrialSpec[],
  { jobs, quiet = false, queue, plugins = [], designs = false }: BenchRunOptions,
): Promise<void> {
  await using writer = await RecordWriter.open(folder);
  const kept = designs ? await keptDesigns(folder) : null;
  const isDone = (id: string) => writer.has(id) && (kept?.has(id) ?? true);
  const missing = trials.filter((spec) => !isDone(trialId(spec)));
  const before = designs ? await hashesIn(folder) : new Map<string, string>();
  const say = (text: string) => {
    if (!quiet) writeErr(`${text}\n`);
  };
  if (missing.length < trials.length)
    say(`${count(trials.length - missing.length, 'trial')} of ${trials.length} are already in ${folder}`);
  if (missing.length === 0) return;
  const failures: string[] = [];
  using interrupts = listenForInterrupts();
  {
    using progress = new Progress({ quiet });
    const atOnce = Math.min(jobs ?? jobsFor(), missing.length);
    const board = new TrialBoard(missing, writer.times, queue === undefined ? atOnce : null);
    const show = (spec: TrialSpec) =>
      progress.update(board.stage, board.done, nameOf(spec), {
        remaining: board.remaining,
        below: board.workerLines(),
      });
    const end = (spec: TrialSpec) => {
      board.end(spec);
      show(spec);
    };
    try {
      const hooks: Omit<SubmitOptions, 'buildOf'> = {
        signal: interrupts.signal,
        onProgress: (spec, trial) => {
          const { worker } = trial;
          if (board.report(spec, trial)) progress.say(`worker ${worker} joined`);
          show(spec);
        },
        onRecord: async (spec, record, bytes?: Uint8Array) => {
          const hash = before.get(record.id);
          if (hash !== undefined && hash !== record.result.designsSha256) {
            failures.push(
              `${nameOf(spec)}: its designs are not those on record: other code, or another kernel`,
            );
            end(spec);
            return;
          }
          if (bytes) await writeDesigns(folder, record.id, bytes);
          await writer.append(record);
          const where = board.workerOf(spec);
          end(spec);
          const { best, median } = percentiles(record.result.scores);
          progress.say(
            `${nameOf(spec)}: best ${best.toPrecision(5)}, median ${median.toPrecision(5)}, ${record.made.seconds.toFixed(0)} s${where === undefined ? '' : ` on ${where}`}`,
          );
        },
        onFailure: (spec, message) => {
          failures.push(`${nameOf(spec)}: ${message}`);
          end(spec);
        },
      };
      if (queue === undefined)
        await runLocally(missing, { plugins, jobs: atOnce, withDesigns: designs, ...hooks });
      else {
        const buildOf = await builds(await openRegistry(plugins), plugins);
        await runOnQueue(queue, missing, {
          ...hooks,
          buildOf: ({ task }) => buildOf(task),
          onNotice: (message) => progress.say(message),
        });
      }
    } catch (error) {
      if (!interrupts.signal.aborted) throw error;
    }
  }
  if (interrupts.signal.aborted) {
    say(`stopped; finished trials are in ${folder}, and the same command runs the rest`);
    process.exitCode = interrupts.exitCode;
    return;
  }
  if (failures.length > 0)
    throw new CommandError(
      exitCodes.partial,
      `${count(failures.length, 'trial')} failed; the same command tries again:\n${failures.map((text) => `  ${text}`).join('\n')}`,
    );
}

/** Checksums of the designs of the trials that are recorded in a folder. */
async function hashesIn(folder: string): Promise<Map<string, string>> {
  const { records } = await readRecords(folder).catch(() => ({ records: [] }));
  return new Map(records.map(({ id, result }) => [id, result.designsSha256]));
}

export function nameOf(spec: Pick<TrialSpec, 'task' | 'algorithm' | 'variant' | 'seed'>): string {
  return `${spec.task} ${rowName(spec)} seed ${spec.seed}`;
}

/** Where the trials stand: how many are done, what runs where, how long the rest will take. */
export class TrialBoard {
  private readonly waiting: Set<TrialSpec>;
  private readonly running = new Map<TrialSpec, TrialProgress>();
  private readonly workers = new Set<string>();
  private ended = 0;
  /** Trials that ran at the last report. */
  private atOnce = 1;

  constructor(
    private readonly trials: readonly TrialSpec[],
    private readonly times: TrialTimes,
    /** Trials at once; null on a queue, where the running ones are counted. */
    private readonly lanes: number | null,
  ) {
    this.waiting = new Set(trials);
  }

  /** Whether its worker is new. */
  report(spec: TrialSpec, progress: TrialProgress): boolean {
    this.waiting.delete(spec);
    this.running.set(spec, progress);
    this.atOnce = this.running.size;
    const { worker } = progress;
    const isNew = worker !== undefined && !this.workers.has(worker);
    if (isNew) this.workers.add(worker);
    return isNew;
  }

  end(spec: TrialSpec): void {
    this.waiting.delete(spec);
    this.running.delete(spec);
    this.ended++;
  }

  workerOf(spec: TrialSpec): string | undefined {
    return this.running.get(spec)?.worker;
  }

  get stage(): string {
    return `${this.ended} of ${this.trials.length} trials`;
  }

  /** Of all trials, 0 to below 1: the last record is still to be written. */
  get done(): number {
    const partly = [...this.running.values()].reduce((sum, { done }) => sum + done, 0);
    return Math.min(0.999, (this.ended + partly) / this.trials.length);
  }

  /** Seconds, by finished trials of the same task and algorithm; undefined while there are none. */
  get remaining(): number | undefined {
    const shares = [...this.running].map(([spec, { done }]) => [spec, done] as const);
    return this.times.remaining(this.waiting, shares, this.lanes ?? this.atOnce);
  }

  /** A line for each worker of a queue: which trials it runs, and how far they are. */
  workerLines(): string[] {
    const byWorker = new Map<string, string[]>();
    for (const [spec, { worker, done }] of this.running) {
      if (worker === undefined) continue;
      const trials = byWorker.get(worker) ?? [];
      trials.push(`${nameOf(spec)} ${Math.floor(100 * done)} %`);
      byWorker.set(worker, trials);
    }
    return [...byWorker]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([worker, trials]) => `  ${worker}  ${count(trials.length, 'trial')}: ${trials.join(', ')}`);
  }
}
