/** What a person wrote about a problem, whether as options, in a problem file or in a program. Plain data. */
import type { ColumnType } from '../table/columnTypes.js';

/** How much to compute. */
export const efforts = ['fast', 'balanced', 'thorough'] as const;
/** How much to compute: `fast`, `balanced` or `thorough`. */
export type Effort = (typeof efforts)[number];

/** Settings of one column. What is absent is found from its values. */
export interface ColumnSpec {
  readonly type?: ColumnType;
  readonly levels?: readonly string[];
  readonly bounds?: readonly [lower: number, upper: number];
  readonly step?: number;
  readonly log?: boolean;
  /** `design`: a setting, whatever its name suggests. */
  readonly role?: 'design' | 'context' | 'ignore';
  readonly fixed?: string | number | boolean;
}

/** Goals and constraints as text, not yet compared with any table. `stateProblem` turns them into a `Problem`. */
export interface ProblemSpec {
  readonly goals: readonly string[];
  /** Type, bounds, step, role or fixed value of columns by name. What is absent is found from the table. */
  readonly columns?: Readonly<Record<string, ColumnSpec>>;
  /** Columns with a constant sum. Default: found. */
  readonly mixtures?: readonly { readonly columns: readonly string[]; readonly sum: number }[];
  /** What every design satisfies, such as "2*a + b <= 30" or "at most 3 of a, b, c, d". */
  readonly constraints?: readonly string[];
  /** Where values of goals can lie, by column; null where there is no end. Default: by name, unit and data. */
  readonly limits?: Readonly<Record<string, readonly [lower: number | null, upper: number | null]>>;
  /** Designs may equal past rows. Default false. */
  readonly allowRepeats?: boolean;
  /**
   * What nobody said about roles, relations, steps and limits is taken from the names and values of columns. Default
   * true where a table is met for the first time; a run that wrote no such word was made without.
   */
  readonly assume?: boolean;
}

/** Most designs of one batch, in options, in problem files and in the library. */
export const MOST_DESIGNS = 10_000;

/** How far designs may leave what is known. */
export const risks = ['cautious', 'balanced', 'bold'] as const;
/** How far designs may leave what is known: `cautious`, `balanced` or `bold`. */
export type Risk = (typeof risks)[number];

/** What a person wrote about the batch as a whole. */
export interface BatchSettings {
  /** Columns with one value in the whole batch, "temperature", or with few, "3 values of temperature". */
  readonly same?: readonly string[];
  /** What a design costs, as a formula of columns: "0.2*Pd + 1.5*ligand". */
  readonly cost?: string;
  /** What the batch may cost in all. */
  readonly budget?: number;
  /** How many designs are chosen safely, in balance and boldly. */
  readonly tiers?: readonly number[];
  /** Several goals: spread the batch over their front. Default true. */
  readonly front?: boolean;
  /** Set columns back to the nearest past run where that costs nothing. Default true. */
  readonly simplify?: boolean;
}

/** What a person wrote about the run: how many designs, and how to search for them. */
export interface RunSettings extends BatchSettings {
  readonly batch?: number;
  /** Default: what a rehearsal on the table's own best rows speaks for. */
  readonly risk?: Risk;
  /** Designs are shown even where the data do not support them. Default false. */
  readonly anyway?: boolean;
  readonly seed?: number;
  readonly effort?: Effort;
  readonly method?: string;
  readonly options?: Readonly<Record<string, number | string | boolean | null | readonly number[]>>;
}

/** The part of a problem file, or of anything like it, that says what the problem is. */
export function specOf(spec: ProblemSpec): ProblemSpec {
  const { goals, columns, mixtures, constraints, limits, allowRepeats, assume } = spec;
  return {
    goals,
    ...(columns && { columns }),
    ...(mixtures && { mixtures }),
    ...(constraints && { constraints }),
    ...(limits && { limits }),
    ...(allowRepeats !== undefined && { allowRepeats }),
    ...(assume !== undefined && { assume }),
  };
}

/** The part of a problem file that says what the batch has to be like. */
export function batchSettingsOf(settings: BatchSettings): BatchSettings {
  const { same, cost, budget, tiers, front, simplify } = settings;
  return {
    ...(same !== undefined && { same }),
    ...(cost !== undefined && { cost }),
    ...(budget !== undefined && { budget }),
    ...(tiers !== undefined && { tiers }),
    ...(front !== undefined && { front }),
    ...(simplify !== undefined && { simplify }),
  };
}

/** The part of a problem file that says how to run. */
export function settingsOf({
  batch,
  seed,
  effort,
  risk,
  anyway,
  method,
  options,
  ...rest
}: RunSettings): RunSettings {
  return {
    ...(batch !== undefined && { batch }),
    ...batchSettingsOf(rest),
    ...(seed !== undefined && { seed }),
    ...(effort !== undefined && { effort }),
    ...(risk !== undefined && { risk }),
    ...(anyway !== undefined && { anyway }),
    ...(method !== undefined && { method }),
    ...(options !== undefined && { options }),
  };
}
