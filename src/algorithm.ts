/** What an algorithm is: functions over plain-data state. It is given data and a space, never a scorer. */
import type { Engine } from './numeric/engine.js';
import type { Key } from './numeric/key.js';
import type { Dataset, Space } from './space/space.js';

/** All that does not change while an algorithm runs. */
export interface Setup<Options> {
  readonly data: Dataset;
  readonly space: Space;
  readonly options: Options;
  /** What it computes with; never part of the result, beyond the choice of kernel. */
  readonly engine: Engine;
}

/** How many steps a whole run takes: first those that train, then those that move designs. */
export interface RunLength {
  readonly training: number;
  readonly search: number;
}

/** What every state has. A state is plain data: it survives structuredClone and bytes, and goes on bit for bit. */
export interface AlgorithmState {
  /** Where a run is: -training before the first step, 0 when all is trained and no design has moved, `search` at its end. */
  readonly iteration: number;
}

export interface Algorithm<Options, State extends AlgorithmState> {
  readonly id: string;
  readonly defaults: Options;
  length(setup: Setup<Options>): RunLength;
  /** The state before the first step, nothing trained. Refuses bad input and a space without designs. */
  init(setup: Setup<Options>, key: Key): Promise<State>;
  /**
   * The state `iterations` (default 1) steps later, of training or search or both; `state` stays as it is. However
   * steps are cut into calls, the states are the same. They are copied out of the engine once per call, so many steps
   * in one call are cheaper.
   */
  step(state: State, setup: Setup<Options>, iterations?: number): Promise<State>;
  /** M x d designs in the units of the data, all inside the space; those it starts from, while it trains. */
  propose(state: State, setup: Setup<Options>): Float64Array;
  /** Numbers worth plotting while it runs, all finite; which ones may depend on whether it trains or searches. */
  watch(state: State, setup: Setup<Options>): Promise<Readonly<Record<string, number>>>;
}
