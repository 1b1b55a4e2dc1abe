/** Ctrl-C and other signals as an `AbortSignal`. */

/** Exit codes of a shell: 128 and the number of the signal. */
const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type Interrupt = keyof typeof exitCodes;

/** Emits signals; `process` is one. */
export interface SignalSource {
  on(event: Interrupt, listener: (name: NodeJS.Signals) => void): unknown;
  off(event: Interrupt, listener: (name: NodeJS.Signals) => void): unknown;
  exit(code: number): void;
}

export interface InterruptOptions {
  readonly source?: SignalSource;
  /** Called once, at the first signal. */
  readonly onInterrupt?: () => void;
}

export interface Interrupts extends Disposable {
  /** Aborted by the first signal, whose name is the reason. A second one ends the process at once. */
  readonly signal: AbortSignal;
  /** Undefined before the first signal. */
  readonly exitCode: number | undefined;
  stop(): void;
}

/**
 * Turns Ctrl-C and requests to end into an `AbortSignal`, so that a run saves its state first.
 *
 *     using interrupts = listenForInterrupts();
 *     await work(interrupts.signal);
 */
export function listenForInterrupts({
  source = process as SignalSource,
  onInterrupt,
}: InterruptOptions = {}): Interrupts {
  const controller = new AbortController();
  const names = Object.keys(exitCodes) as Interrupt[];
  let exitCode: number | undefined;
  const onSignal = (name: NodeJS.Signals) => {
    const code = exitCodes[name as Interrupt];
    if (exitCode !== undefined) return source.exit(code);
    exitCode = code;
    controller.abort(name);
    onInterrupt?.();
  };
  const stop = () => {
    for (const name of names) source.off(name, onSignal);
  };
  for (const name of names) source.on(name, onSignal);
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    stop,
    [Symbol.dispose]: stop,
  };
}
