/** Records of trials summed up over seeds, and the order in which tables and figures show them. */
import { isDeepStrictEqual } from 'node:util';
import { median } from '../numeric/stats.js';
import { versionOf } from './algorithmVersions.js';
import { isNull, matchedVariant } from './nulls/index.js';
import type { TrialRecord } from './records.js';
import { builtIn, paperTasks } from './registry.js';
import { percentiles } from './trial.js';

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
  /** Of the algorithm. */
  readonly version: string;
  /** Options that differ from the preset of that name. */
  readonly changed: readonly string[];
  /** In order. */
  readonly seeds: readonly number[];
  /** How many designs trials have; one number, unless they differ. */
  readonly designs: readonly number[];
  /** Per seed, in units of the task. */
  readonly scores: Readonly<Record<Percentile, readonly number[]>>;
  readonly raw: Readonly<Record<Percentile, Spread>>;
  /** (score - worst) / (best - worst) over the whole dataset, hidden part included. */
  readonly normalized: Readonly<Record<Percentile, Spread>>;
  /** Median over all designs of all seeds of the distance to the nearest visible row; null where no designs are known. */
  readonly distance: number | null;
  readonly visibleMax: number;
  readonly range: { readonly worst: number; readonly best: number };
  readonly secondsPerTrial: number;
  readonly cpuSecondsPerTrial: number;
}

/** In the order of tables. */
export function summarize(records: readonly TrialRecord[]): Cell[] {
  const groups = new Map<string, TrialRecord[]>();
  for (const record of inOrder(records)) {
    if (record.variant === matchedVariant && record.algorithm === 'noise') continue; // nullComparison.ts
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
  const scores = { 100: both.map(({ best }) => best), 50: both.map(({ median }) => median) };
  const distances = trials.flatMap(({ result }) => result.distances);
  const normal = (score: number) => (score - worst) / (best - worst);
  return {
    task: first.task,
    algorithm: first.algorithm,
    variant: first.variant,
    version: versionOf(first),
    changed: changedOptions(first),
    seeds: trials.map(({ seed }) => seed),
    designs: [...new Set(trials.map(({ result }) => result.scores.length))],
    scores,
    raw: { 100: spreadOf(scores[100]), 50: spreadOf(scores[50]) },
    normalized: { 100: spreadOf(scores[100].map(normal)), 50: spreadOf(scores[50].map(normal)) },
    distance: distances.length > 0 ? median(distances) : null,
    visibleMax: first.result.visibleMax,
    range: { worst, best },
    secondsPerTrial: spreadOf(trials.map(({ made }) => made.seconds)).mean,
    cpuSecondsPerTrial: spreadOf(trials.map(({ made }) => made.cpuSeconds)).mean,
  };
}

/** None for a variant that is no preset, and for plug-ins. */
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

/**
 * Tasks in the order of the paper's tables, then the others; algorithms in that order, then plug-ins, then rows without a
 * model; of an algorithm the presets, then other variants.
 */
export function inOrder(records: readonly TrialRecord[]): TrialRecord[] {
  const algorithms = [...builtIn.algorithms.keys()];
  const presetsOf = new Map(algorithms.map((id) => [id, builtIn.presetNames(id)]));
  // a column of a second scorer stands behind its task
  const plain = (id: string) => id.split(' by ')[0]!;
  const paperTask = (id: string) => positionOf(paperTasks, builtIn.paperNameOf(plain(id)) ?? id);
  return records.toSorted(
    (a, b) =>
      paperTask(a.task) - paperTask(b.task) ||
      compareNames(a.task, b.task) ||
      Number(isNull(a.algorithm)) - Number(isNull(b.algorithm)) ||
      positionOf(algorithms, a.algorithm) - positionOf(algorithms, b.algorithm) ||
      compareNames(a.algorithm, b.algorithm) ||
      positionOf(presetsOf.get(a.algorithm), a.variant) - positionOf(presetsOf.get(b.algorithm), b.variant) ||
      compareNames(a.variant, b.variant) ||
      a.seed - b.seed,
  );
}

/** Unknown names come last. */
function positionOf(names: readonly string[] = [], name: string): number {
  const at = names.indexOf(name);
  return at < 0 ? names.length : at;
}

/** By letters, with numbers by their value: "5 steps" before "20 steps", "rate 0.0005" before "rate 0.05". */
function compareNames(a: string, b: string): number {
  const [partsA, partsB] = [partsOf(a), partsOf(b)];
  for (const [i, part] of partsA.entries()) {
    const other = partsB[i];
    if (other === undefined) return 1;
    const difference = i % 2 === 0 ? compareTexts(part, other) : Number(part) - Number(other);
    if (difference !== 0) return difference;
  }
  return partsA.length - partsB.length || compareTexts(a, b);
}

/** Texts and numbers in turn, a text first. */
function partsOf(name: string): string[] {
  return name.split(/(\d+(?:\.\d+)?)/);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
