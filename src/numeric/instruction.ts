import type { Tensor } from './graph.js';
import type { Variable } from './variable.js';

/** What a stage of a program does with the values that it computes. */
export type Effect =
  /** `to` = `from`, model by model. */
  | { readonly kind: 'store'; readonly to: Variable; readonly from: Tensor }
  /** `to`, which all models share, = the sum of `from` over the models. */
  | { readonly kind: 'sum'; readonly to: Variable; readonly from: Tensor }
  /** One step of Adam; `control` holds its numbers (see adam.ts), `target` the running average, if one is kept. */
  | {
      readonly kind: 'adam';
      readonly parameter: Variable;
      readonly gradient: Tensor;
      readonly first: Variable;
      readonly second: Variable;
      readonly target?: Variable | undefined;
      readonly control: Variable;
    };

/** Where an operand lies: base + model * a + group * b + thread * c, in elements. */
export interface Operand {
  readonly base: number;
  readonly model: number;
  readonly group: number;
  readonly thread: number;
}

export interface Instruction {
  readonly op: number;
  readonly integers: readonly number[];
  readonly floats: readonly number[];
  /** Results first. */
  readonly operands: readonly (Operand | null)[];
}

export interface GroupSum {
  /** Offset of the groups' partial sums, one behind the other. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

export interface CompiledProgram {
  readonly instructions: readonly Instruction[];
  readonly models: number;
  /** Models are split into this many groups whatever the number of threads: sums over models keep one order. */
  readonly groups: number;
  readonly sums: readonly GroupSum[];
  /** Pairs of which every row number in `table` must be below `pool.rows`. */
  readonly tables: readonly { readonly pool: Variable; readonly table: Variable }[];
  /** Blocks of memory that belong to the program. */
  readonly blocks: readonly number[];
}
