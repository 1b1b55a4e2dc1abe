/**
 * Is a row better than doing nothing, and better than noise as far from the data? Per cell: differences to the rows `start`
 * and `noise`, paired by seed, with a 95 % bootstrap interval.
 */
import { type MeanDifference, meanDifference } from './comparison.js';
import { isNull, matchedVariant } from './nulls/index.js';
import type { TrialRecord } from './records.js';
import { builtIn, type Registry } from './registry.js';
import { type Cell, type Percentile, summarize } from './summary.js';
import { percentiles, type TrialSpec } from './trial.js';

export interface NullComparison {
  readonly task: string;
  readonly algorithm: string;
  readonly variant: string;
  /** `start`: the best visible rows as they are; `noise`: the same with noise, as far from the data as this row's designs. */
  readonly against: 'start' | 'noise';
  /** Of the noise. */
  readonly distance: number | null;
  /** Row minus null. Null: the null row was not run. */
  readonly differences: Readonly<Record<Percentile, MeanDifference>> | null;
}

/** The median distance of a row, to two digits, rounded down: one batch of noise then serves several rows. */
export function matchedDistance(distance: number): number {
  if (distance === 0) return 0;
  const [digits = '', size = '0'] = distance.toExponential(8).split('e');
  return Number(`${Math.floor(Number(digits) * 10 + 1e-6)}e${Number(size) - 1}`);
}

/** Two per cell of a row that is no null itself. */
export function compareWithNulls(records: readonly TrialRecord[]): NullComparison[] {
  const nulls = records.filter(({ algorithm }) => isNull(algorithm));
  return summarize(records)
    .filter(({ algorithm }) => !isNull(algorithm))
    .flatMap((cell) => {
      const { task, algorithm, variant } = cell;
      const distance = cell.distance === null ? null : matchedDistance(cell.distance);
      // the best of more designs is better by chance alone
      const here = nulls.filter(
        ({ task: id, result }) => id === task && cell.designs.includes(result.scores.length),
      );
      const start = here.find(isStart);
      const noise = here.filter(
        ({ algorithm: id, options }) => id === 'noise' && options.distance === distance,
      );
      // noise of size 0 is the start
      const far = distance === 0 && start ? 'start' : noise;
      const named = { task, algorithm, variant };
      return [
        { ...named, against: 'start', distance: null, differences: start ? toStart(cell, start) : null },
        {
          ...named,
          against: 'noise',
          distance,
          differences: far === 'start' ? toStart(cell, start!) : toNoise(cell, far),
        },
      ];
    });
}

function isStart({ algorithm, options }: TrialRecord): boolean {
  return algorithm === 'start' && options.startFrom === 'best';
}

/** The start is the same for every seed. */
function toStart(cell: Cell, start: TrialRecord): NullComparison['differences'] {
  const { best, median } = percentiles(start.result.scores);
  return {
    100: meanDifference(cell.scores[100].map((score) => score - best)),
    50: meanDifference(cell.scores[50].map((score) => score - median)),
  };
}

function toNoise(cell: Cell, noise: readonly TrialRecord[]): NullComparison['differences'] {
  const differences = { 100: [] as number[], 50: [] as number[] };
  for (const [i, seed] of cell.seeds.entries()) {
    const other = noise.find((record) => record.seed === seed);
    if (!other) continue;
    const { best, median } = percentiles(other.result.scores);
    differences[100].push(cell.scores[100][i]! - best);
    differences[50].push(cell.scores[50][i]! - median);
  }
  if (differences[100].length === 0) return null;
  return { 100: meanDifference(differences[100]), 50: meanDifference(differences[50]) };
}

/** Trials of noise as far from the data as each row of `records`: one per task, distance and seed. */
export function matchedTrials(
  records: readonly TrialRecord[],
  { tasks, seeds }: { readonly tasks: readonly string[] | null; readonly seeds: readonly number[] },
  registry: Registry = builtIn,
): TrialSpec[] {
  const noise = registry.algorithmOf('noise');
  const wanted = new Map<string, { task: string; distance: number }>();
  for (const { task, algorithm, distance } of summarize(records)) {
    if (isNull(algorithm) || distance === null || (tasks && !tasks.includes(task))) continue;
    const matched = matchedDistance(distance);
    if (matched > 0) wanted.set(`${task} ${matched}`, { task, distance: matched });
  }
  return seeds.flatMap((seed) =>
    [...wanted.values()].map(({ task, distance }) => ({
      task,
      algorithm: noise.id,
      algorithmVersion: noise.version,
      variant: matchedVariant,
      options: { ...noise.defaults, distance },
      seed,
      curve: { every: 50, withScores: false },
    })),
  );
}
