/** What an algorithm is: functions over plain-data state. It is given data and a space, never a scorer. */
import type { Engine } from './numeric/engine.js';
import type { Key } from './numeric/key.js';
import type { Dataset, Space } from './problem.js';

/** All that does not change while an algorithm runs. */
export interface Setup<Options> {
  readonly data: Dataset;
  readonly space: Space;
  readonly options: Options;
  /** What it computes with; never part of the result, beyond the choice of kernel. */
  readonly engine: Engine;
}

export interface Algorithm<Options, State> {
  readonly id: string;
  readonly defaults: Options;
  /** The state before the first step. */
  init(setup: Setup<Options>, key: Key): Promise<State>;
  /**
   * The state `iterations` (default 1) steps later; `state` stays as it is. States are copied out of the engine once
   * per call, so many steps in one call are cheaper.
   */
  step(state: State, setup: Setup<Options>, iterations?: number): Promise<State>;
  /** M x d designs in the units of the data, all inside the space. */
  propose(state: State, setup: Setup<Options>): Float64Array;
  /** Numbers worth plotting while it runs. */
  watch(state: State, setup: Setup<Options>): Promise<Readonly<Record<string, number>>>;
}
