/** Trials of one algorithm on one task, summed up over seeds. */
import { isDeepStrictEqual } from 'node:util';
import { inOrder } from './recordOrder.js';
import { builtIn } from './registry.js';
import { percentiles } from './trial.js';
import type { TrialRecord } from './trialRecord.js';

export const percentileNames = ['100', '50'] as const;
/** Of the scores of a batch: the best and the median. */
export type Percentile = (typeof percentileNames)[number];

export interface Spread {
  readonly mean: number;
  /** Of the population, as in the published tables. */
  readonly deviation: number;
}

export interface Cell {
  readonly task: string;
  readonly algorithm: string;
  readonly variant: string;
  /** Options that are not those of the preset that the variant is called by. */
  readonly changed: readonly string[];
  /** In order. */
  readonly seeds: readonly number[];
  /** Per seed, in units of the task. */
  readonly scores: Readonly<Record<Percentile, readonly number[]>>;
  readonly raw: Readonly<Record<Percentile, Spread>>;
  /** (score - worst) / (best - worst) over the whole dataset, hidden part included. */
  readonly normalized: Readonly<Record<Percentile, Spread>>;
  readonly visibleMax: number;
  readonly range: { readonly worst: number; readonly best: number };
  readonly secondsPerTrial: number;
  readonly cpuSecondsPerTrial: number;
}

/** In the order of tables. */
export function summarize(records: readonly TrialRecord[]): Cell[] {
  const groups = new Map<string, TrialRecord[]>();
  for (const record of inOrder(records)) {
    const key = JSON.stringify([record.task, record.algorithm, record.variant]);
    const group = groups.get(key);
    if (group) group.push(record);
    else groups.set(key, [record]);
  }
  return [...groups.values()].map(cellOf);
}

/** `trials` by seed. */
function cellOf(trials: readonly TrialRecord[]): Cell {
  const [first] = trials;
  if (!first) throw new Error('a group of trials is never empty');
  const { worst, best } = first.result.range;
  const both = trials.map(({ result }) => percentiles(result.scores));
  const scores = { 100: both.map((own) => own.best), 50: both.map((own) => own.median) };
  const normal = (score: number) => (score - worst) / (best - worst);
  return {
    task: first.task,
    algorithm: first.algorithm,
    variant: first.variant,
    changed: changedOptions(first),
    seeds: trials.map(({ seed }) => seed),
    scores,
    raw: { 100: spreadOf(scores[100]), 50: spreadOf(scores[50]) },
    normalized: { 100: spreadOf(scores[100].map(normal)), 50: spreadOf(scores[50].map(normal)) },
    visibleMax: first.result.visibleMax,
    range: { worst, best },
    secondsPerTrial: spreadOf(trials.map(({ made }) => made.seconds)).mean,
    cpuSecondsPerTrial: spreadOf(trials.map(({ made }) => made.cpuSeconds)).mean,
  };
}

/** Of a variant that is no preset, or of an algorithm of somebody else's: none. */
function changedOptions({ task, algorithm, variant, options }: TrialRecord): string[] {
  if (!builtIn.algorithms.has(algorithm) || !builtIn.tasks.has(task)) return [];
  if (!builtIn.presetNames(algorithm).includes(variant)) return [];
  const preset = builtIn.presetOptions(algorithm, variant, task);
  return Object.keys(options).filter((name) => !isDeepStrictEqual(options[name], preset[name]));
}

export function spreadOf(values: readonly number[]): Spread {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(variance) };
}

/** "nemo", or "nemo (paper)". */
export function rowName({ algorithm, variant }: Pick<Cell, 'algorithm' | 'variant'>): string {
  return variant === 'defaults' ? algorithm : `${algorithm} (${variant})`;
}
