/** A long piece of work as small steps over plain data, so that whoever drives it can stop, save and resume it. */

export interface Progress {
  readonly stage: string;
  /** Of the whole run, 0 to 1. */
  readonly fraction: number;
  /** For people, e.g. "training 1200 of 2000". */
  readonly detail: string;
}

export interface Work<State, Result> {
  /** Plain data: survives `structuredClone`. */
  start(): Promise<State>;
  /** A bounded piece of work, typically 50 to 500 ms; deterministic; `state` stays as it was. */
  advance(state: State): Promise<State>;
  isDone(state: State): boolean;
  progress(state: State): Progress;
  /** Numbers worth logging at this state, if any. */
  watch?(state: State): Readonly<Record<string, number>> | null;
  /** Also before `isDone`, where `canFinish`. */
  finish(state: State): Promise<Result>;
  canFinish(state: State): boolean;
}
