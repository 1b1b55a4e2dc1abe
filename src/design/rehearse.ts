/** Would this have worked on past data? Asked of a table. */
import { type RankingMethod, type Rehearsal, rehearseRows } from '../judging/rehearsal.js';
import { ArgumentError, requireSteps } from '../numeric/errors.js';
import { type Question, specFrom, stateFor } from '../problem/question.js';
import type { Table } from '../table/table.js';
import { type EngineChoice, withEngine } from './engineChoice.js';

/** What is hidden from the models that `rehearse` tries. */
export interface RehearseOptions extends Question, EngineChoice {
  /** Share of the rows, the best ones, that is hidden. Default 0.1. */
  readonly top?: number;
  /** Share of the other rows that is not shown either. Default 0.3. */
  readonly withheld?: number;
  /** Decides which those are, and the training. Default 0. */
  readonly seed?: number;
  /** Stops it: `rehearse` then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Told which model is at work, and the share of all that is done. */
  readonly onProgress?: (method: RankingMethod, share: number) => void;
}

/**
 * Hides the best rows of a table, and finds out whether a model of the others would have named them.
 *
 * @example
 * const { methods } = await rehearse(table, { goal: 'max yield', top: 0.2 });
 */
export async function rehearse(table: Table, options: RehearseOptions): Promise<Rehearsal> {
  const { top = 0.1, withheld = 0.3, seed = 0, signal, onProgress } = options;
  if (!(top > 0 && top < 1))
    throw new ArgumentError('top', `top is ${top}; expected a share between 0 and 1`);
  if (!(withheld >= 0 && withheld < 1))
    throw new ArgumentError('withheld', `withheld is ${withheld}; expected a share from 0, below 1`);
  requireSteps('seed', seed);
  const problem = await stateFor(table, specFrom(options), options);
  return withEngine(options, (engine) =>
    rehearseRows(problem, {
      top,
      withheld,
      seed,
      engine,
      ...(signal && { signal }),
      ...(onProgress && { onProgress }),
    }),
  );
}
