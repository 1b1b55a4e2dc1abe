/**
 * A trial of the paper's protocol: (task, algorithm, options, seed) to a batch of designs, scored once, at the end of the
 * search that the options declare. The algorithm is given data and space; the scorer stays here.
 */
import { createHash } from 'node:crypto';
import type { Engine } from '../numeric/engine.js';
import { ArgumentError } from '../numeric/errors.js';
import { rootKey } from '../numeric/key.js';
import { nearestRows, rowOf } from '../numeric/rows.js';
import { median } from '../numeric/stats.js';
import { states } from '../run.js';
import { encode, fitEncoding, modelInputs } from '../search/encoding.js';
import type { Dataset, Space } from '../space/space.js';
import type { DataSource } from '../tasks/index.js';
import { builtIn, type Registry } from './registry.js';

export interface TrialSpec {
  readonly task: string;
  readonly algorithm: string;
  /** How the options are called: "defaults", "paper", or a name of an ablation. Not part of what is computed. */
  readonly variant: string;
  /** All of them. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly seed: number;
  /**
   * What is kept every `every` iterations of the search: what the algorithm says of itself, or the true scores as well,
   * which no algorithm gets to see.
   */
  readonly curve: { readonly every: number; readonly withScores: boolean };
}

export interface CurvePoint {
  readonly iteration: number;
  /** What `watch` of the algorithm says. */
  readonly watched: Readonly<Record<string, number>>;
  /** True scores of the batch at this point: 100th and 50th percentile. */
  readonly best?: number;
  readonly median?: number;
}

/** What is computed: the same bits wherever and however often a trial runs on one kernel. */
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
  /** Who runs it, on a queue. */
  readonly worker?: string;
}

export interface TrialMeans {
  readonly engine: Engine;
  readonly source: DataSource;
  /** Default: nemokit's own algorithms and tasks. */
  readonly registry?: Registry;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: TrialProgress) => void;
}

/** Steps from one look at the signal and progress to the next. */
const PIECE = 25;

/** Shares of a trial at which its stages begin. */
const begins = { train: 0.05, score: 0.9 };

/** Names a trial by all that decides its result. */
export function trialId({ task, algorithm, options, seed, curve }: TrialSpec): string {
  const words = canonical({ task, algorithm, options, seed, curve });
  return createHash('sha256').update(words).digest('hex').slice(0, 20);
}

/** JSON with keys in order, so that the same options are the same text. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, own]) => `${JSON.stringify(name)}:${canonical(own)}`).join(',')}}`;
}

export async function runTrial(spec: TrialSpec, means: TrialMeans): Promise<TrialResult> {
  const { engine, source, signal, onProgress, registry = builtIn } = means;
  const algorithm = registry.algorithmOf(spec.algorithm);
  onProgress?.({ stage: 'open', done: 0 });
  const task = await registry.taskOf(spec.task).open(source);
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
  onProgress?.({ stage: 'score', done: begins.score });
  const scores = await task.score(designs, (share) =>
    onProgress?.({ stage: 'score', done: begins.score + (1 - begins.score) * share }),
  );
  return {
    step: search,
    scores: [...scores],
    distances: Array.from(nearestDistances(data, space, designs), (apart) => Number(apart.toPrecision(6))),
    designsSha256: createHash('sha256').update(littleEndian(designs)).digest('hex'),
    visibleMax: data.y.reduce((most, y) => Math.max(most, y)),
    range: task.range,
    curve,
  };
}

export function percentiles(scores: ArrayLike<number>): { best: number; median: number } {
  return { best: Math.max(...Array.from(scores)), median: median(scores) };
}

function littleEndian(values: Float64Array): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(8 * values.length));
  values.forEach((value, i) => {
    bytes.setFloat64(8 * i, value, true);
  });
  return new Uint8Array(bytes.buffer);
}

/** Per design, to the nearest visible row. */
export function nearestDistances(data: Dataset, space: Space, designs: Float64Array): Float64Array {
  const encoding = fitEncoding(data, space, { box: null });
  const P = encoding.parameters;
  const rows = modelInputs(encoding, encode(encoding, data.x));
  const asked = modelInputs(encoding, encode(encoding, designs));
  return Float64Array.from({ length: asked.length / P }, (_, m) => {
    const [nearest] = nearestRows(rows, rowOf(asked, P, m), 1);
    return Math.sqrt((nearest?.squared ?? Number.POSITIVE_INFINITY) / P);
  });
}
