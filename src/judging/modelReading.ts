/**
 * How to predict from the saved numbers of a model, as plain data for other languages: how a cell becomes inputs of the
 * judges, what the bins of the networks stand for, the rows and parameters of the processes, and how both are joined.
 * docs/model-file.md describes every field.
 */
import { type ArdForm, ardParameters } from '../models/ardKernel.js';
import { ProcessJudge } from '../models/processJudge.js';
import type { Response } from '../models/response.js';
import { type Cell, type Problem, placeOf, type ScoreRule } from '../problem/index.js';
import type { Encoding } from '../search/encoding.js';
import type { Judges } from './advisor.js';
import { GoalsJudge } from './goalsJudge.js';
import type { PanelSettings } from './panel.js';
import type { ScoreModel } from './scoreModel.js';

export const readingVersion = 3;

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

/** Cross-fitted networks of the objective. Network r of fold f is number r x groups + f. */
export interface NetworksReading {
  /** K, and the scores at the lower end of bin 0 and at the upper end of bin K - 1. */
  readonly bins: number;
  readonly low: number;
  readonly high: number;
  readonly activation: 'softplus';
  /** Groups of networks, of which the first `folds` are asked, and networks in each. */
  readonly groups: number;
  readonly folds: number;
  readonly networksPerGroup: number;
}

/** A Gaussian process of one score: models/ardKernel.ts. */
export interface ProcessReading {
  readonly response: Response;
  /** Processes that are mixed by their shares. */
  readonly members: readonly {
    readonly form: ArdForm;
    readonly share: number;
    readonly v: number;
    /** 1 / l^2 and a of each column, numbers first. */
    readonly inverse: readonly number[];
    readonly effects: readonly number[];
    readonly line: number;
    readonly noise: number;
  }[];
  /** Its rows: numbers (standardised) and classes, row by row, and their scores on the scale of the response. */
  readonly x: readonly number[];
  readonly k: readonly number[];
  readonly z: readonly number[];
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
    /** Scale on which the judges meet. */
    readonly response: Response;
    readonly noise: number;
  };
  readonly networks: NetworksReading;
  /** Of the objective, or of each goal where the objective is their desirability. */
  readonly processes: readonly ProcessReading[];
  /** How goals become a desirability; absent for a single value. */
  readonly goals?: {
    readonly weights: readonly number[];
    /** zeroBelow, oneFrom, oneTo, zeroAbove; null where a side is open. */
    readonly ramps: readonly (readonly (number | null)[])[];
    /** Normal draws of each goal. */
    readonly draws: readonly (readonly number[])[];
  };
  readonly panel: PanelSettings;
  /** Where values of each goal can lie, null where there is no end; absent where no goal has limits. */
  readonly limits?: readonly { readonly lower: number | null; readonly upper: number | null }[];
}

export function readingOf(
  problem: Problem,
  best: number,
  model: ScoreModel,
  { panel, goals }: Judges,
): ModelReading {
  const { rule, data } = problem;
  const { encoding, quantizer, crossFitSpec, plan } = model;
  const { gaussian } = panel;
  const processes = gaussian instanceof ProcessJudge ? [gaussian] : goals;
  return {
    readingVersion,
    columns: readColumns(problem, encoding),
    objective: {
      kind: rule.kind,
      sign: rule.kind === 'value' ? rule.sign : 1,
      bestScore: data.y[best]!,
      response: panel.response,
      noise: gaussian.noise,
    },
    networks: {
      bins: quantizer.bins,
      low: quantizer.low,
      high: quantizer.high,
      activation: 'softplus',
      groups: plan.folds + (crossFitSpec.top.length > 0 ? 1 : 0),
      folds: plan.folds,
      networksPerGroup: plan.networksPerGroup,
    },
    processes: processes.map(processReading),
    ...(rule.kind !== 'value' && gaussian instanceof GoalsJudge && { goals: goalsReading(rule, gaussian) }),
    panel: panel.settings,
    ...(problem.limits.some(({ lower, upper }) => Number.isFinite(lower) || Number.isFinite(upper)) && {
      limits: problem.limits.map(({ lower, upper }) => ({ lower: endOf(lower), upper: endOf(upper) })),
    }),
  };
}

function processReading(judge: ProcessJudge): ProcessReading {
  const { response, members } = judge.saved;
  const { x, k, z } = judge.keptRows();
  return {
    response,
    members: members.map(({ form, theta, share }) => {
      const { v, inverse, effects, line, noise } = ardParameters(judge.shape, theta, form);
      return { form, share, v, inverse: Array.from(inverse), effects: Array.from(effects), line, noise };
    }),
    x: Array.from(x),
    k: Array.from(k),
    z: Array.from(z),
  };
}

function goalsReading(
  { parts }: Extract<ScoreRule, { kind: 'desirability' }>,
  { draws }: GoalsJudge,
): NonNullable<ModelReading['goals']> {
  return {
    weights: parts.map(({ goal }) => goal.weight),
    ramps: parts.map(({ ramp }) => [ramp.zeroBelow, ramp.oneFrom, ramp.oneTo, ramp.zeroAbove].map(endOf)),
    draws: draws.map((row) => Array.from(row)),
  };
}

/** JSON has no infinity. */
function endOf(limit: number): number | null {
  return Number.isFinite(limit) ? limit : null;
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
