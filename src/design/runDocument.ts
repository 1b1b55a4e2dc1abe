/**
 * What a run found, as plain data: what `candidates.json` holds, the terminal prints and the report draws. Values are in
 * the units of the table; where several goals are joined, the objective is their desirability, from 0 to 1.
 */
import type { BatchSettings, Cell, ColumnRole, Finding, Risk } from '../problem/index.js';

export const documentVersion = 2;

/** How far a design may be trusted, by its chance of beating the best known row. */
export type Trust = 'Trusted' | 'Stretch' | 'Guess';

/** What is expected of a design, in the units of the table. */
export interface Forecast {
  readonly expected: number;
  /** 80 % interval. */
  readonly lo80: number;
  readonly hi80: number;
}

/** Rows with the same settings, of which a value is the mean. */
export interface Replicates {
  /** Rows of the table, counted from 1 below its header. */
  readonly rows: readonly number[];
  /** Objective value of each. */
  readonly values: readonly number[];
}

/** How a design compares with what was measured before. */
export interface Nearest {
  /** Row of the table, counted from 1 below its header; the first of several with the same settings. */
  readonly row: number;
  /** Its measured objective value; the mean where the same settings were measured again. */
  readonly value: number;
  /** The rows whose mean `value` is; absent where it is one measurement. */
  readonly meanOf?: Replicates;
  /** Columns that differ, the largest difference first. */
  readonly differences: readonly { readonly column: string; readonly from: Cell; readonly to: Cell }[];
}

/** How sure one can be about a design. */
export interface Assessed extends Forecast {
  readonly trust: Trust;
  /** Why the label is not better than it is; empty for Trusted. */
  readonly reasons: readonly string[];
  /** Individual regret of conditional NML: 0 settled, log K anything goes. */
  readonly gamma: number;
  /** Share of held-out rows with a smaller gamma, 0 to 100. */
  readonly gammaPercentile: number;
  /** Share of past rows that lie nearer to their own nearest neighbour, 0 to 100. */
  readonly novelty: number;
  /** How far the models are apart, in standard deviations of the goal, and the share of held-out rows with less. */
  readonly disagreement: number;
  readonly disagreementPercentile: number;
  /** Chance of beating the best known row, calibrated on rows that the models had not seen; 0 to 1. */
  readonly better: number;
  readonly nearest: Nearest;
  /** Each goal by itself, in the order of `goal.goals`. */
  readonly goals: readonly Forecast[];
}

/** A proposed design: its settings, and what is expected of it. */
export interface Candidate extends Assessed {
  /** From 1, the most promising first. */
  readonly row: number;
  /** Every column a design sets, in the table's order. */
  readonly cells: Readonly<Record<string, Cell>>;
  /** The row of the list that it is; absent where designs are not taken from a list. */
  readonly listed?: ListedRow;
  /** How it came into the batch; absent unless tiers or designs to keep were asked for. */
  readonly pick?: PickedAs;
  /** What it costs; absent unless a cost was given. */
  readonly cost?: number;
}

/** A row of a list of designs, whole. */
export interface ListedRow {
  /** Counted from 1 below the header of the list. */
  readonly row: number;
  /** Every cell of the row that is not empty, by column. */
  readonly cells: Readonly<Record<string, Cell>>;
  /** Other rows of the list with the same settings; absent where there are none. */
  readonly same?: readonly number[];
}

/** What was promised of a row that has been measured since. Values are those of the objective. */
export interface Outcome extends Forecast {
  /** Row of the table, counted from 1 below its header. */
  readonly row: number;
  /** How far it was trusted, in the words of that run; absent where the file does not say it. */
  readonly trust?: string;
  readonly measured: number;
  /** Whether the measured value lies in the 80 % interval. */
  readonly isInside: boolean;
  /** Each of several goals by itself. */
  readonly goals: readonly (Forecast & {
    readonly column: string;
    readonly measured: number;
    readonly isInside: boolean;
  })[];
}

/** How the promises of earlier runs turned out. */
export interface History {
  /** One per file of measured candidates, the oldest first. */
  readonly rounds: readonly {
    readonly file: string;
    /** Rows of the file with a promise, measured or not. */
    readonly promised: number;
    /** How many of these promises are about another goal, and not compared. */
    readonly aboutOthers: number;
    /** Best objective value before the round; null where nothing was measured. */
    readonly bestBefore: number | null;
    /** Measured rows that are better than that. */
    readonly beaten: number;
    readonly rows: readonly Outcome[];
  }[];
  /** Measured rows of all rounds, and those inside their 80 % interval. */
  readonly measured: number;
  readonly inside: number;
  /** By how much rows were promised to be better than they are, on average; null where none was measured. */
  readonly overPromise: number | null;
}

/** A row of the user's, judged by the model of a run. */
export interface AssessedRow extends Candidate {
  /** Constraints of the run that the row does not satisfy, in words. */
  readonly breaks: readonly string[];
}

/** What `score` says about a table of rows. */
export interface AssessedRows {
  readonly rows: readonly AssessedRow[];
  /** What was assumed, in sentences. */
  readonly notes: readonly string[];
}

/** What is wanted, and what the objective value is called. */
export interface GoalSummary {
  /** Goals in the user's words. */
  readonly labels: readonly string[];
  /** Name of the objective value: the column, or "desirability". */
  readonly name: string;
  /** Whether a larger objective value is better. */
  readonly direction: 'max' | 'min';
  /** The measured columns behind it. */
  readonly goals: readonly {
    readonly column: string;
    readonly label: string;
    readonly kind: 'max' | 'min' | 'target' | 'keep';
  }[];
}

/** Whether the batch is likely to beat the best known row, in a sentence, with reasons. */
export interface Verdict {
  readonly level: 'likely' | 'unclear' | 'unsupported';
  readonly sentence: string;
  readonly reasons: readonly string[];
}

/** How the model did on rows it had not seen. */
export interface Validation {
  readonly rows: number;
  /** Rank correlation of expected and measured values. */
  readonly rankCorrelation: number;
  /** Typical (median absolute) error, in units of the objective. */
  readonly typicalError: number;
  /** Share of measured values inside their 80 % interval. */
  readonly coverage80: number;
  /** Unseen rows behind the width of the intervals, as an effective number: rows that promise more count for more. */
  readonly sample?: number;
  /** Chances against what happened, on unseen rows. Absent where rows are too few to model, as is `sample`. */
  readonly reliability?: readonly ReliabilityBin[];
  /** Steps of training that did best, of those tried, each with its mean loss on unseen rows. */
  readonly trainingSteps: number;
  readonly tried: readonly { readonly steps: number; readonly loss: number }[];
  /** At most 400 unseen rows, measured and predicted. */
  readonly pairs: readonly (Forecast & { readonly row: number; readonly measured: number })[];
}

/** Unseen rows whose chance of being better than half of all rows was said to lie in one range. */
export interface ReliabilityBin {
  /** The range: `from` included, `to` not, but for 1. */
  readonly from: number;
  readonly to: number;
  readonly rows: number;
  /** Mean chance that was said, and the share of rows that were better. */
  readonly chance: number;
  readonly share: number;
}

/** What became of promises when the best rows were hidden. Values in units of the objective. */
export interface RehearsalSummary {
  /** Rows that were hidden, and rows that were seen. */
  readonly hidden: number;
  readonly seen: number;
  /** Hidden rows among the first that the models named, how many were named, and how many chance would find. */
  readonly named: number;
  readonly first: number;
  readonly byChance: number;
  /** Mean of what these rows promised, of what they had, and of as many of the best rows that were seen. */
  readonly promised: number;
  readonly delivered: number;
  readonly bestSeen: number;
  /** Chance that shuffled results are ranked as well. */
  readonly luck: number;
  /** How far the designs of the run may leave what is known, and who said so. */
  readonly risk: Risk;
  readonly riskFrom: 'rehearsal' | 'asked';
}

/** One column is moved, the rest stays as in the first candidate, but for a recipe that has to keep its sum. */
export interface Profile {
  readonly column: string;
  readonly kind: 'number' | 'category';
  /** Where the candidate is. */
  readonly at: Cell;
  /** Columns that move along, because a sum has to stay what it is; absent where there are none. */
  readonly along?: readonly string[];
  /** Range of the column in past rows; null for categories. */
  readonly seen: { readonly min: number; readonly max: number } | null;
  readonly points: readonly (Forecast & { readonly value: Cell; readonly gamma: number })[];
}

/** Past rows and candidates on two principal axes. */
export interface DesignMap {
  /** Share of the variance that the two axes keep, 0 to 1. */
  readonly kept: number;
  readonly past: readonly { readonly x: number; readonly y: number; readonly value: number }[];
  readonly candidates: readonly {
    readonly x: number;
    readonly y: number;
    readonly row: number;
    readonly trust: Trust;
  }[];
}

/** What was asked of a batch as a whole, and what it came to. */
export interface BatchRecord extends BatchSettings {
  /** How many designs were to be kept. */
  readonly kept?: number;
  /** Rows of the table of designs to avoid. */
  readonly avoided?: number;
  /** What the batch costs. */
  readonly total?: number;
}

/** How a design came into the batch: it was to be kept, or by the part of its interval that counted. */
export type PickedAs = 'kept' | 'safe' | 'balanced' | 'bold';

/** What a run found: what `candidates.json` holds, the terminal prints and the report draws. */
export interface RunDocument {
  readonly documentVersion: typeof documentVersion;
  readonly run: {
    /** Name of its folder; absent where no folder keeps the run, as are `created` and `seconds`. */
    readonly id?: string;
    /** ISO time. */
    readonly created?: string;
    readonly version: string;
    readonly method: string;
    readonly effort: string;
    readonly seed: number;
    readonly batch: number;
    /** What was asked of the batch as a whole; absent where nothing was. */
    readonly rules?: BatchRecord;
    /** Options of the method as used. */
    readonly options: Readonly<Record<string, unknown>>;
    readonly kernel: string;
    readonly threads: number;
    readonly seconds?: number;
    /** False where a time limit cut the search short. */
    readonly complete: boolean;
    /** True where designs were to be shown even if the data do not support them. */
    readonly anyway?: true;
  };
  readonly data: {
    readonly file: string;
    /** Of the file; absent where the table did not come from one. */
    readonly sha256?: string;
    readonly rows: number;
    /** Distinct settings with every goal measured. */
    readonly used: number;
    /** Standard deviation of repeated measurements, units of the objective; null where nothing was repeated. */
    readonly noise: number | null;
    readonly columns: readonly {
      readonly name: string;
      readonly type: string;
      readonly role: ColumnRole;
      /** True where nobody gave it this role: it follows from the column's name, values or place. */
      readonly assumed?: boolean;
      /** Range or levels, for people. */
      readonly summary: string;
    }[];
    readonly findings: readonly Finding[];
    /** What was assumed, in sentences. */
    readonly notes: readonly string[];
  };
  /** What every candidate satisfies, in the user's words, and who says so. */
  readonly constraints: readonly string[];
  readonly goal: GoalSummary;
  readonly bestKnown: {
    readonly row: number;
    readonly value: number;
    readonly cells: Readonly<Record<string, Cell>>;
    /** The rows whose mean `value` is; absent where it is one measurement. */
    readonly meanOf?: Replicates;
    /** A single measurement that is better, of settings whose mean is not; absent where there is none. */
    readonly single?: {
      readonly row: number;
      readonly value: number;
      /** Mean of all rows with its settings, and these rows. */
      readonly mean: number;
      readonly rows: readonly number[];
    };
    /** What the model, not having seen it, says of the best row: how far it is to be believed up there. */
    readonly heldOut: Forecast | null;
  };
  readonly verdict: Verdict;
  /** Absent where rows are too few to model, as is `relevance`. */
  readonly rehearsal?: RehearsalSummary;
  readonly validation: Validation;
  /** How much each column matters, from 0 to 1, the largest first. */
  readonly relevance?: readonly { readonly column: string; readonly share: number }[];
  readonly candidates: readonly Candidate[];
  /** How many designs were found and are kept back, because the data do not support them; absent where none are. */
  readonly withheld?: number;
  /**
   * Where rows are too few to model: designs that spread over the space, about which nothing is expected. There are no
   * candidates then.
   */
  readonly plan?: readonly {
    readonly row: number;
    readonly cells: Readonly<Record<string, Cell>>;
    readonly listed?: ListedRow;
    readonly nearest: Nearest;
    readonly pick?: PickedAs;
    readonly cost?: number;
  }[];
  /** How promises of earlier runs turned out; absent where no row of the table was proposed by one. */
  readonly history?: History;
  /** Per point of the search: iteration and what was watched there. */
  readonly curves: readonly Readonly<Record<string, number>>[];
  readonly profiles: readonly Profile[];
  readonly map: DesignMap;
}
