import { exitCodes } from './exitCodes.js';
import { InterruptedError } from './failure.js';

/** What Ctrl-C goes through; `process` is one. */
export interface SignalSource {
  on(event: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off(event: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  exit(code: number): void;
}

export interface InterruptibleOptions {
  readonly source?: SignalSource;
  /** Told once, at the first Ctrl-C. */
  readonly onInterrupt?: () => void;
}

/**
 * Runs work that Ctrl-C can stop. The first one aborts the signal: the work saves what it has and ends, normally or by
 * throwing. The second one ends the process at once.
 *
 * @example
 * const { value, wasInterrupted } = await interruptible((signal) => design(problem, { signal }));
 * if (wasInterrupted) process.exitCode = exitCodes.interrupted;
 */
export async function interruptible<T>(
  run: (signal: AbortSignal) => Promise<T>,
  { source = process as SignalSource, onInterrupt }: InterruptibleOptions = {},
): Promise<{ readonly value: T; readonly wasInterrupted: boolean }> {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) return source.exit(exitCodes.interrupted);
    controller.abort(new InterruptedError());
    onInterrupt?.();
  };
  source.on('SIGINT', stop);
  source.on('SIGTERM', stop);
  try {
    const value = await run(controller.signal);
    return { value, wasInterrupted: controller.signal.aborted };
  } catch (error) {
    // Whatever the work throws on its way out, the reason is that it was asked to stop.
    const isStop = error instanceof InterruptedError || (error instanceof Error && isAbort(error));
    throw controller.signal.aborted && isStop && !(error instanceof InterruptedError)
      ? new InterruptedError(undefined, { cause: error })
      : error;
  } finally {
    source.off('SIGINT', stop);
    source.off('SIGTERM', stop);
  }
}

function isAbort(error: Error): boolean {
  return error.name === 'AbortError' || ('reason' in error && error.reason === 'aborted');
}
