/** The main job as a function: a table in, a batch of designs with a verdict out. The same in Node and in browsers. */
import { ArgumentError } from '../numeric/errors.js';
import { type Effort, type Risk, type RunSettings, settingsOf } from '../problem/problemSpec.js';
import { type Question, specFrom, stateFor } from '../problem/question.js';
import type { Table } from '../table/table.js';
import { computeRun, documentOf } from './computeRun.js';
import { type BatchRequest, requestOf } from './designRequest.js';
import { type EngineChoice, withEngine } from './engineChoice.js';
import { askedOf, type Run } from './run.js';
import type { Progress } from './work.js';

/** What `design` is asked: the problem, how many designs, and how to search for them. */
export interface DesignOptions extends Question, RunSettings, BatchRequest, EngineChoice {
  /** How many designs to propose. Default 8. */
  readonly batch?: number;
  /** The same seed gives the same designs. Default 0. */
  readonly seed?: number;
  /** How much to compute. Default `balanced`. */
  readonly effort?: Effort;
  /** How far designs may leave what is known. Default: what a rehearsal on the best past rows speaks for. */
  readonly risk?: Risk;
  /** Reports and tables show designs even where the data do not support them. Default false. */
  readonly anyway?: boolean;
  /** Another name for `effort`. */
  readonly preset?: Effort;
  /** How to search: the name of an algorithm. Default `nemo`. */
  readonly method?: string;
  /** Options of the method by name; others are set from the data. */
  readonly options?: NonNullable<RunSettings['options']>;
  /** Gives the run up: `design` then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Ends the search with what it has; `run.complete` of the result is then false. */
  readonly stop?: AbortSignal;
  /** Told after every piece of work. */
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * Proposes a batch of designs that should be better than all rows of a table, each with an expected value, an 80 %
 * interval and a label of trust. The result is plain data.
 *
 * Throws `TableError`, `ExpressionError` or `ArgumentError` where something is wrong with the table or the question,
 * `InfeasibleError` where no design satisfies all constraints, and `UnsupportedError` where all rows have the same score.
 * Below ten rows the run has a `plan` that spreads over the space, and no candidates. Where `verdict.level` is
 * `unsupported`, candidates are no better than a guess: reports, tables and folders of the run leave them out, unless
 * `anyway` is given.
 *
 * @example
 * const run = await design(table, { goal: 'max yield', constraints: ['temp <= 90'] });
 * console.log(run.verdict.sentence, run.candidates);
 */
export async function design(table: Table, options: DesignOptions): Promise<Run> {
  const { effort, preset, signal, stop, onProgress } = options;
  if (effort !== undefined && preset !== undefined && effort !== preset)
    throw new ArgumentError('preset', `preset is "${preset}" and effort "${effort}"; give one of them`);
  signal?.throwIfAborted();
  const problem = await stateFor(table, specFrom(options), options);
  const used = effort ?? preset;
  const request = requestOf(
    problem,
    settingsOf({ ...options, ...(used !== undefined && { effort: used }) }),
    options,
  );
  return withEngine(options, async (engine) => {
    const computed = await computeRun(request, engine, {
      ...(signal && { signal }),
      ...(stop && { stop }),
      ...(onProgress && { onProgress: (progress) => onProgress(progress) }),
    });
    signal?.throwIfAborted();
    if (!('result' in computed))
      throw new ArgumentError('stop', 'the run was stopped before there was any design; give it more time');
    const { findings, model } = computed.result;
    return {
      ...documentOf(findings, engine, { file: table.name }),
      asked: askedOf(request),
      model,
    };
  });
}
