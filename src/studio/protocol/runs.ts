/** Runs as the app sees them: a list, one with its document, and what happens while it is computed. Plain data, fit for JSON. */
import type { Assessed, AssessedRow, Profile, RunDocument, Verdict } from '../../design/runDocument.js';
import type { Ask, Cells } from './ask.js';
import type { Fault } from './tables.js';

/**
 * `waiting` for others to end; `interrupted`: its state is kept, and it can be resumed; `partial`: stopped with what it
 * had; the rest as they say.
 */
export type RunStatus = 'waiting' | 'running' | 'paused' | 'interrupted' | 'partial' | 'done' | 'failed';

/** Where a run is. */
export interface RunProgress {
  readonly stage: string;
  /** Of the whole run, 0 to 1. */
  readonly fraction: number;
  /** For people, e.g. "training 1200 of 2000". */
  readonly detail: string;
  /** Numbers worth drawing, by name, if any. */
  readonly watched: Readonly<Record<string, number>> | null;
  /** Seconds of work so far, pauses aside. */
  readonly seconds: number;
}

/** A line of the list of runs. */
export interface RunSummary {
  /** Also the name of its folder. */
  readonly id: string;
  /** ISO time. */
  readonly created: string;
  readonly status: RunStatus;
  /** Goals in the user's words. */
  readonly goals: readonly string[];
  readonly file: string;
  readonly rows: number;
  readonly batch: number;
  readonly seed: number;
  readonly effort: string;
  /** Null until there are results. */
  readonly verdict: Verdict | null;
  /** Null where nothing was measured or expected yet. */
  readonly best: { readonly known: number; readonly expected: number | null; readonly name: string } | null;
  readonly progress: RunProgress | null;
  readonly fault: Fault | null;
}

export interface OpenedRun {
  readonly summary: RunSummary;
  readonly ask: Ask;
  /** The table of the run, for `rows`, `check` and another run. */
  readonly table: string;
  /** Null until there are results. */
  readonly document: RunDocument | null;
}

/** What a watcher is told. The first event is always `status`; progress so far follows it. */
export type RunEvent =
  | { readonly kind: 'status'; readonly summary: RunSummary }
  | { readonly kind: 'progress'; readonly progress: RunProgress };

/** The files of a run folder that can be had one by one. */
export const runFileNames = [
  'candidates.csv',
  'candidates.json',
  'report.html',
  'README.txt',
  'problem.yaml',
  'data.parquet',
  'model.json',
  'model.safetensors',
] as const;
export type RunFileName = (typeof runFileNames)[number];

/** A design of the profiler: moved, put right, judged. */
export interface ProfileQuestion {
  readonly cells: Cells;
  /** One column goes there; recipes and constraints are kept by moving others that are not locked. */
  readonly move?: { readonly column: string; readonly value: number | string };
  readonly locked?: readonly string[];
  /** Columns that get a curve; default: those that can be moved, 24 at most. */
  readonly columns?: readonly string[];
  /** While a value is dragged: curves nearly the same, in a small part of the time. What is said of the design is exact. */
  readonly isQuick?: boolean;
  /** Whether the design goes to the nearest one on the steps of its columns, which curves pass between. */
  readonly onSteps?: boolean;
}

export interface ProfileAnswer {
  /** The design after the move, with every column it sets, and what is expected of it. */
  readonly design: AssessedRow;
  readonly profiles: readonly Profile[];
  /** Past rows per column, to draw where data are: at most 400 values each; none for categories. */
  readonly past: Readonly<Record<string, readonly number[]>>;
}

/** Two columns over their ranges; the rest stays, but for recipes. */
export interface ContourQuestion {
  readonly cells: Cells;
  readonly x: string;
  readonly y: string;
}

export interface ContourAnswer {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  /** Row by row of `ys`; null where no design is feasible. */
  readonly expected: readonly (number | null)[];
  readonly trust: readonly (Assessed['trust'] | null)[];
}

/** What was measured of one candidate. */
export interface Measured {
  /** Row of the candidates, from 1. */
  readonly row: number;
  /** By column of a goal. */
  readonly values: Readonly<Record<string, number>>;
}

/** A folder of benchmark records, reduced to what is drawn. */
export interface BenchFolder {
  readonly id: string;
  readonly trials: readonly {
    readonly task: string;
    readonly algorithm: string;
    readonly variant: string;
    readonly seed: number;
    /** Best and median true score of the batch; `best` and `worst` of the dataset scale them to 0..1. */
    readonly best: number;
    readonly median: number;
    readonly visibleMax: number;
    readonly range: { readonly worst: number; readonly best: number };
    readonly curve: readonly {
      readonly iteration: number;
      readonly best?: number;
      readonly median?: number;
    }[];
  }[];
}
