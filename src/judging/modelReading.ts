/**
 * How to predict from the saved numbers of a model, as plain data for other languages: how a cell becomes inputs of the
 * networks, what the bins stand for, how intervals are calibrated. docs/model-file.md describes every field.
 */
import { RIDGE } from '../models/crossAssessment.js';
import { type Cell, type Problem, placeOf } from '../problem/index.js';
import type { Encoding } from '../search/encoding.js';
import type { Calibration } from './calibration.js';
import type { ScoreModel } from './scoreModel.js';

export const readingVersion = 1;

/** One column of a design, in the order of the networks' inputs. `filler` stands for an empty cell; null: none may be empty. */
export type ReadColumn = { readonly name: string; readonly filler: Cell | null } & (
  | {
      readonly kind: 'number';
      readonly log: boolean;
      readonly mean: number;
      readonly deviation: number;
    }
  | { readonly kind: 'category'; readonly levels: readonly string[] }
  /** Says where the column before it was empty: class 0 known, 1 missing. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'sequence'; readonly length: number; readonly letters: readonly string[] }
  | {
      readonly kind: 'molecule';
      readonly molecules: readonly string[];
      /** Per molecule, a 0 or 1 for each bit. */
      readonly bits: readonly string[];
      readonly mean: readonly number[];
      readonly deviation: readonly number[];
    }
);

/** How one score is read out. Another kind of judge is another `kind`. */
export interface ScoreReading {
  readonly kind: 'crossFittedCnml';
  readonly version: 1;
  /** "headline", or a goal in the user's words. */
  readonly name: string;
  /** K, and the scores at the lower end of bin 0 and at the upper end of bin K - 1. */
  readonly bins: number;
  readonly low: number;
  readonly high: number;
  /** s of the head. */
  readonly headScale: number;
  readonly activation: 'softplus';
  readonly ridge: number;
  /** Folds that are averaged; network f is the one of fold f. */
  readonly folds: number;
  readonly calibration: Calibration;
}

export interface ModelReading {
  readonly readingVersion: typeof readingVersion;
  readonly columns: readonly ReadColumn[];
  /** What a score of the objective is in the units that are shown. */
  readonly objective: {
    readonly kind: 'value' | 'desirability';
    /** -1: the value is minus the score. */
    readonly sign: 1 | -1;
    readonly bestScore: number;
  };
  readonly scores: readonly ScoreReading[];
  /** Where values of each goal can lie, null where there is no end; absent where no goal has limits. */
  readonly limits?: readonly { readonly lower: number | null; readonly upper: number | null }[];
}

export function readingOf(
  problem: Problem,
  best: number,
  readers: readonly { readonly model: ScoreModel; readonly calibration: Calibration }[],
): ModelReading {
  const { rule, data } = problem;
  return {
    readingVersion,
    columns: readColumns(problem, readers[0]!.model.encoding),
    objective: {
      kind: rule.kind,
      sign: rule.kind === 'value' ? rule.sign : 1,
      bestScore: data.y[best]!,
    },
    scores: readers.map(({ model, calibration }) => scoreReading(model, calibration)),
    ...(problem.limits.some(({ lower, upper }) => Number.isFinite(lower) || Number.isFinite(upper)) && {
      limits: problem.limits.map(({ lower, upper }) => ({ lower: endOf(lower), upper: endOf(upper) })),
    }),
  };
}

/** JSON has no infinity. */
function endOf(limit: number): number | null {
  return Number.isFinite(limit) ? limit : null;
}

function scoreReading(
  { name, quantizer, head, plan }: ScoreModel,
  { below, above }: Calibration,
): ScoreReading {
  const { bins, low, high } = quantizer;
  return {
    kind: 'crossFittedCnml',
    version: 1,
    name,
    bins,
    low,
    high,
    headScale: head.scale,
    activation: 'softplus',
    ridge: RIDGE,
    folds: plan.folds,
    calibration: { below, above },
  };
}

function readColumns(problem: Problem, { space, mean, scale }: Encoding): ReadColumn[] {
  const { columns, fillers } = problem;
  return columns.map((column, j): ReadColumn => {
    const named = { name: column.name, filler: fillers[j] ?? null };
    // a column with a filler is followed by the one that says where it was used
    if (j > 0 && (fillers[j - 1] ?? null) !== null) return { ...named, kind: 'missing' };
    if (column.kind === 'category') return { ...named, kind: 'category', levels: column.levels };
    if (column.kind === 'sequence') {
      const { length, letters } = column;
      return { ...named, kind: 'sequence', length, letters };
    }
    const from = placeOf(columns, column.name)!; // among the space's columns
    if (column.kind === 'molecule') {
      const { molecules, prints } = column;
      const to = from + prints[0]!.length;
      return {
        ...named,
        kind: 'molecule',
        molecules,
        bits: prints.map((print) => print.join('')),
        mean: Array.from(mean.subarray(from, to)),
        deviation: Array.from(scale.subarray(from, to)),
      };
    }
    const inSpace = space.columns[from]!;
    const log = inSpace.kind === 'continuous' && inSpace.scale === 'log';
    return { ...named, kind: 'number', log, mean: mean[from]!, deviation: scale[from]! };
  });
}
