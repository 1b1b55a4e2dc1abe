/**
 * A trial of the paper's protocol: (task, algorithm, options, seed) to a batch of designs, scored once, at the end of the
 * search that the options declare. The algorithm is given data and space; the scorer stays here.
 */
import { createHash } from 'node:crypto';
import type { Engine } from '../numeric/engine.js';
import { ArgumentError } from '../numeric/errors.js';
import { rootKey } from '../numeric/key.js';
import { extent, median } from '../numeric/stats.js';
import { states } from '../run.js';
import type { DataSource, Task } from '../tasks/index.js';
import { DataDistance } from './dataDistance.js';
import { designsHash } from './designFile.js';
import { builtIn, type Registry } from './registry.js';

export interface TrialSpec {
  readonly task: string;
  readonly algorithm: string;
  /** Of the algorithm. Default: `firstVersion`. */
  readonly algorithmVersion?: string | undefined;
  /** Name of the options: "defaults", "paper", or the name of an ablation. Does not change the result. */
  readonly variant: string;
  /** All options, defaults included. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly seed: number;
  /**
   * The curve has a point every `every` iterations of the search: the metrics of the algorithm and, `withScores`, the
   * true scores, which no algorithm sees.
   */
  readonly curve: { readonly every: number; readonly withScores: boolean };
}

export interface CurvePoint {
  readonly iteration: number;
  /** Metrics from `watch` of the algorithm. */
  readonly watched: Readonly<Record<string, number>>;
  /** True scores of the batch at this point: 100th and 50th percentile. */
  readonly best?: number;
  readonly median?: number;
}

/** The result: the same bits on any machine with the same kernel. */
export interface TrialResult {
  /** Iterations of the search after which the batch was scored. */
  readonly step: number;
  /** Of each design, in the order proposed. */
  readonly scores: readonly number[];
  /** To the nearest visible row: root mean square over standardised parameters; six digits. */
  readonly distances: readonly number[];
  /** SHA-256 of the designs as little-endian float64. */
  readonly designsSha256: string;
  readonly visibleMax: number;
  readonly range: { readonly worst: number; readonly best: number };
  readonly curve: readonly CurvePoint[];
}

export interface TrialProgress {
  readonly stage: 'open' | 'train' | 'search' | 'score';
  /** Of the trial, 0 to 1. */
  readonly done: number;
  /** The worker that runs it, on a queue. */
  readonly worker?: string;
}

/** What a trial runs with. */
export interface TrialContext {
  readonly engine: Engine;
  readonly source: DataSource;
  /** Default: the built-in algorithms and tasks. */
  readonly registry?: Registry;
  /** A task that is open already; else it is opened. */
  readonly opened?: (id: string) => Promise<Task> | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: TrialProgress) => void;
  /** The designs that are scored (M x d). */
  readonly onDesigns?: (designs: Float64Array, columns: number) => void;
}

/** Steps between two checks of the signal. */
const PIECE = 25;

/** Shares of a trial at which its stages begin. */
const begins = { train: 0.05, score: 0.9 };

/** The version of algorithms whose records do not name one. */
export const firstVersion = '0.1.0';

/** A hash of everything that determines the result; the first version of an algorithm goes without saying. */
export function trialId(spec: TrialSpec): string {
  const { task, algorithm, algorithmVersion: version = firstVersion, options, seed, curve } = spec;
  const named = version === firstVersion ? {} : { version };
  const text = canonical({ task, algorithm, ...named, options, seed, curve });
  return createHash('sha256').update(text).digest('hex').slice(0, 20);
}

/** JSON with sorted keys: equal options give equal texts. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, entry]) => `${JSON.stringify(name)}:${canonical(entry)}`).join(',')}}`;
}

/** The task of a trial cannot be opened here: data or a package are missing. */
export class TaskError extends Error {
  override readonly name = 'TaskError';
}

export async function runTrial(
  spec: TrialSpec,
  { engine, source, opened, signal, onProgress, onDesigns, registry = builtIn }: TrialContext,
): Promise<TrialResult> {
  const algorithm = registry.algorithmOf(spec.algorithm);
  const { algorithmVersion = firstVersion } = spec;
  if (algorithm.version !== algorithmVersion)
    throw new ArgumentError(
      'algorithm',
      `the trial is of ${spec.algorithm} ${algorithmVersion}; here it is ${algorithm.version}, which computes other designs`,
    );
  onProgress?.({ stage: 'open', done: 0 });
  const task = await (opened?.(spec.task) ?? registry.taskOf(spec.task).open(source)).catch(
    (error: unknown) => {
      throw new TaskError(error instanceof Error ? error.message : String(error), { cause: error });
    },
  );
  signal?.throwIfAborted();
  const { data, space } = task;
  const setup = { data, space, options: spec.options, engine };
  const { training, search } = algorithm.length(setup);
  const curve: CurvePoint[] = [];
  let designs: Float64Array | undefined;
  const { every, withScores } = spec.curve;
  for await (const state of states(algorithm, setup, rootKey(spec.seed), {
    every: Math.min(PIECE, every),
    ...(signal && { signal }),
  })) {
    const { iteration } = state;
    const share = (training + iteration) / Math.max(1, training + search);
    const done = begins.train + (begins.score - begins.train) * share;
    onProgress?.({ stage: iteration < 0 ? 'train' : 'search', done });
    const isLast = iteration === search;
    if (isLast) designs = algorithm.propose(state, setup);
    if (iteration < 0 || (iteration % every !== 0 && !isLast)) continue;
    const watched = await algorithm.watch(state, setup);
    const truth = withScores ? percentiles(await task.score(algorithm.propose(state, setup))) : {};
    curve.push({ iteration, watched, ...truth });
  }
  if (!designs) throw new ArgumentError('algorithm', `${spec.algorithm} ended before its last step`);
  onDesigns?.(designs, space.columns.length);
  onProgress?.({ stage: 'score', done: begins.score });
  const scores = await task.score(designs, (share) =>
    onProgress?.({ stage: 'score', done: begins.score + (1 - begins.score) * share }),
  );
  return {
    step: search,
    scores: [...scores],
    distances: Array.from(new DataDistance(data, space).of(designs), (apart) => Number(apart.toPrecision(6))),
    designsSha256: designsHash(designs),
    visibleMax: data.y.reduce((most, y) => Math.max(most, y)),
    range: task.range,
    curve,
  };
}

export function percentiles(scores: ArrayLike<number>): { best: number; median: number } {
  return { best: extent(scores).max, median: median(scores) };
}
