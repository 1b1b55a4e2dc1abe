/** Exit codes of a shell: 128 and the number of the signal. */
const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type Interrupt = keyof typeof exitCodes;

export interface Interrupts {
  /** Aborted by the first signal, whose name is the reason. A second one ends the process at once. */
  readonly signal: AbortSignal;
  /** Undefined while there was none. */
  readonly exitCode: number | undefined;
  stop(): void;
}

/** Turns Ctrl-C and requests to end into an `AbortSignal`, so that a run saves its state first. */
export function listenForInterrupts(): Interrupts {
  const controller = new AbortController();
  const names = Object.keys(exitCodes) as Interrupt[];
  let exitCode: number | undefined;
  const onSignal = (name: NodeJS.Signals) => {
    const code = exitCodes[name as Interrupt];
    if (exitCode !== undefined) process.exit(code);
    exitCode = code;
    controller.abort(name);
  };
  for (const name of names) process.on(name, onSignal);
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    stop() {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
