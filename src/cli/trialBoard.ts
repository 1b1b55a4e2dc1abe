/** Where the trials of a benchmark stand: how many are done, what runs where, how long it will take. */
import { rowName } from '../bench/summary.js';
import type { TrialProgress, TrialSpec } from '../bench/trial.js';
import type { TrialTimes } from '../bench/trialTimes.js';
import { count } from '../report/index.js';

export function nameOf(spec: TrialSpec): string {
  return `${spec.task} ${rowName(spec)} seed ${spec.seed}`;
}

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
    /** Trials at once; null where others decide, and those that run are counted. */
    private readonly lanes: number | null,
  ) {
    this.waiting = new Set(trials);
  }

  /** Whether this is the first that is heard of its worker. */
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

  /** Of all, 0 to below 1: records are written until the last moment. */
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
      const lines = byWorker.get(worker) ?? [];
      lines.push(`${nameOf(spec)} ${Math.floor(100 * done)} %`);
      byWorker.set(worker, lines);
    }
    return [...byWorker]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([worker, trials]) => `  ${worker}  ${count(trials.length, 'trial')}: ${trials.join(', ')}`);
  }
}
