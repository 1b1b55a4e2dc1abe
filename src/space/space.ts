/** A problem to solve: what was measured, and where designs may lie. Higher scores are better. */
import { portableExp, portableLog } from '../numeric/portable.js';

/** A number between two bounds (which may be infinite), or one of `classes` things numbered from 0. */
export type SpaceColumn =
  | {
      readonly kind: 'continuous';
      /** For messages. */
      readonly name?: string;
      readonly lower: number;
      readonly upper: number;
      /** Only lower, lower + step, lower + 2 step, ... are allowed; 1 makes whole numbers. Needs a finite lower bound. */
      readonly step?: number;
      /** Modelled as its logarithm, in which distances and draws are counted. Needs a lower bound above 0. */
      readonly scale?: 'log';
    }
  | { readonly kind: 'categorical'; readonly name?: string; readonly classes: number };

/** A weighted sum of continuous columns against a bound. A mixture is an equality with weights 1. */
export interface LinearConstraint {
  readonly terms: readonly { readonly column: number; readonly weight: number }[];
  readonly relation: '<=' | '>=' | '=';
  readonly bound: number;
  /** The constraint in its author's words, for messages. */
  readonly label: string;
}

/** Arithmetic over continuous columns, which have numbers or names. */
export type Formula<Column = number> =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'column'; readonly column: Column }
  | {
      readonly kind: 'sum' | 'product' | 'quotient';
      readonly left: Formula<Column>;
      readonly right: Formula<Column>;
    }
  /** Exponents are whole numbers from 1 to 9, or 0.5. */
  | { readonly kind: 'power'; readonly base: Formula<Column>; readonly exponent: number };

/** lower <= formula <= upper, of which one may be infinite. Products, ratios, powers. */
export interface FormulaConstraint {
  readonly formula: Formula;
  readonly lower: number;
  readonly upper: number;
  readonly label: string;
}

/** What holds where every column of `when` has one of its listed classes. */
export interface ConditionalConstraint {
  readonly when: readonly { readonly column: number; readonly classes: readonly number[] }[];
  readonly linear?: readonly LinearConstraint[];
  readonly formulas?: readonly FormulaConstraint[];
  readonly cardinality?: readonly CardinalityConstraint[];
  readonly label: string;
}

/** How many of some continuous columns may be other than 0. */
export interface CardinalityConstraint {
  readonly columns: readonly number[];
  readonly atLeast: number;
  readonly atMost: number;
  readonly label: string;
}

/** Classes that may not appear together: a design breaks it if every listed column has one of its listed classes. */
export interface ForbiddenCombination {
  readonly terms: readonly { readonly column: number; readonly classes: readonly number[] }[];
  readonly label: string;
}

/** Continuous columns whose numbers together are one of some rows, such as the fingerprints of molecules on a shelf. */
export interface ListedColumns {
  readonly columns: readonly number[];
  /** n x the number of columns, row-major, in their order. */
  readonly rows: Float64Array;
  readonly label: string;
}

/** Where designs may lie: column by column, and then together. */
export interface Space {
  readonly columns: readonly SpaceColumn[];
  /** Columns whose value is given, classes by number. */
  readonly fixed?: readonly { readonly column: number; readonly value: number; readonly label: string }[];
  readonly linear?: readonly LinearConstraint[];
  readonly cardinality?: readonly CardinalityConstraint[];
  readonly forbidden?: readonly ForbiddenCombination[];
  readonly formulas?: readonly FormulaConstraint[];
  readonly conditional?: readonly ConditionalConstraint[];
  /** No column is in two lists, fixed, in a sum or in a group as well. */
  readonly listed?: readonly ListedColumns[];
  /** If given, designs are among these rows (n x d, row-major). */
  readonly choices?: Float64Array;
}

/** Designs and their scores. */
export interface Dataset {
  /** N x d, row-major; a class is its number. */
  readonly x: Float64Array;
  /** N. */
  readonly y: Float64Array;
  /** N: -1 where the score is known to be at most y, 1 where at least y, 0 where it is y. Default: all 0. */
  readonly censored?: Int8Array;
}

/** Whether a column is modelled, and its distances counted, in logarithms. */
export function isLog(column: SpaceColumn): boolean {
  return column.kind === 'continuous' && column.scale === 'log';
}

/** log(value) for a logarithmic column, which has positive numbers only; others are left as they are. */
export function toScale(column: SpaceColumn, value: number): number {
  return isLog(column) ? portableLog(value) : value;
}

/** The inverse of `toScale`. */
export function fromScale(column: SpaceColumn, value: number): number {
  return isLog(column) ? portableExp(value) : value;
}
