/** Runs a piece of work step by step, saving its state on the way. */
import { turnOfEvents } from '../run.js';
import type { Work } from './work.js';

export interface DriveOptions<State> {
  /** State to resume from; default: the start. */
  readonly from?: State;
  /** Aborts between two pieces of work. */
  readonly signal?: AbortSignal;
  /** Stops between two pieces of work with what there is, as the time limit does. */
  readonly stop?: AbortSignal;
  /** Stops between two pieces of work, at this time of `now`. */
  readonly deadline?: number;
  /** Milliseconds of a clock; default: one that stands still. */
  readonly now?: () => number;
  /** Saves a state. Called at most every `every` milliseconds, and with the last state however the drive ends. */
  readonly onState?: (state: State) => Promise<void> | void;
  /** Default 3000. */
  readonly every?: number;
  /** Called with every state, the first included: progress bars and logs. */
  readonly onPiece?: (state: State) => Promise<void> | void;
}

export interface Drive<State> {
  readonly state: State;
  readonly outcome: 'done' | 'interrupted' | 'timeLimit';
}

/** Advances `work` until it is done, aborted or out of time. An error of the work saves the last good state first. */
export async function drive<State, Result>(
  work: Pick<Work<State, Result>, 'start' | 'advance' | 'isDone'>,
  options: DriveOptions<State>,
): Promise<Drive<State>> {
  const { from, signal, stop, deadline = Number.POSITIVE_INFINITY, every = 3000, onState, onPiece } = options;
  const { now = () => 0 } = options;
  let state = from ?? (await work.start());
  let saved: State | undefined = from;
  let savedAt = now();
  const save = async () => {
    if (saved === state) return;
    await onState?.(state);
    saved = state;
    savedAt = now();
  };
  await onPiece?.(state);
  for (;;) {
    await turnOfEvents();
    const outcome = work.isDone(state)
      ? 'done'
      : signal?.aborted
        ? 'interrupted'
        : stop?.aborted || now() >= deadline
          ? 'timeLimit'
          : undefined;
    if (outcome) {
      await save();
      return { state, outcome };
    }
    if (now() - savedAt >= every) await save();
    try {
      state = await work.advance(state);
    } catch (error) {
      // Report the error of the work, not of the save.
      await save().catch(() => {});
      throw error;
    }
    await onPiece?.(state);
  }
}
