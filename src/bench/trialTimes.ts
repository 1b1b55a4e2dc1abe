/** Expected times of trials, from finished ones: of the same row and task, else of the same algorithm and task, else all. */

import type { TrialRecord } from './records.js';
import type { TrialSpec } from './trial.js';

type Named = Pick<TrialSpec, 'task' | 'algorithm' | 'variant'>;

interface Sum {
  readonly seconds: number;
  readonly trials: number;
}

/** The most specific first. */
function keysOf({ task, algorithm, variant }: Named): readonly string[] {
  return [[task, algorithm, variant], [task, algorithm], []].map((key) => JSON.stringify(key));
}

export class TrialTimes {
  private readonly sums = new Map<string, Sum>();

  constructor(records: readonly TrialRecord[] = []) {
    for (const record of records) this.add(record);
  }

  add(record: Named & Pick<TrialRecord, 'made'>): void {
    for (const key of keysOf(record)) {
      const { seconds, trials } = this.sums.get(key) ?? { seconds: 0, trials: 0 };
      this.sums.set(key, { seconds: seconds + record.made.seconds, trials: trials + 1 });
    }
  }

  /** Seconds of a trial; undefined while none has finished. */
  of(spec: Named): number | undefined {
    for (const key of keysOf(spec)) {
      const sum = this.sums.get(key);
      if (sum) return sum.seconds / sum.trials;
    }
    return undefined;
  }

  /**
   * Seconds until all are done, `lanes` at once; undefined while no trial has finished. `running` has the share of each
   * that is done, 0 to 1. No lane can be faster than the trial that takes longest.
   */
  remaining(
    waiting: Iterable<Named>,
    running: Iterable<readonly [Named, number]>,
    lanes: number,
  ): number | undefined {
    let [sum, longest] = [0, 0];
    const add = (spec: Named, share: number): boolean => {
      const seconds = this.of(spec);
      if (seconds === undefined) return false;
      const left = seconds * (1 - share);
      sum += left;
      longest = Math.max(longest, left);
      return true;
    };
    for (const [spec, share] of running) if (!add(spec, share)) return undefined;
    for (const spec of waiting) if (!add(spec, 0)) return undefined;
    return Math.max(longest, sum / Math.max(1, lanes));
  }
}
