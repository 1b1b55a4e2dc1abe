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
  readonly role?: 'context' | 'ignore';
  readonly fixed?: string | number | boolean;
}

/** Goals and constraints as text, not yet compared with any table. `stateProblem` turns them into a `Problem`. */
export interface ProblemSpec {
  readonly goals: readonly string[];
  readonly columns?: Readonly<Record<string, ColumnSpec>>;
  readonly mixtures?: readonly { readonly columns: readonly string[]; readonly sum: number }[];
  readonly constraints?: readonly string[];
}

/** What a person wrote about the run: how many designs, and how to search for them. */
export interface RunSettings {
  readonly batch?: number;
  readonly seed?: number;
  readonly effort?: Effort;
  readonly method?: string;
  readonly options?: Readonly<Record<string, number | string | boolean | null | readonly number[]>>;
}

/** The part of a problem file, or of anything like it, that says what the problem is. */
export function specOf({ goals, columns, mixtures, constraints }: ProblemSpec): ProblemSpec {
  return {
    goals,
    ...(columns && { columns }),
    ...(mixtures && { mixtures }),
    ...(constraints && { constraints }),
  };
}

/** The part of a problem file that says how to run. */
export function settingsOf({ batch, seed, effort, method, options }: RunSettings): RunSettings {
  return {
    ...(batch !== undefined && { batch }),
    ...(seed !== undefined && { seed }),
    ...(effort !== undefined && { effort }),
    ...(method !== undefined && { method }),
    ...(options !== undefined && { options }),
  };
}
