/** Checks a plug-in in a separate process, one check at a time, each within a time limit. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ArgumentError } from '../numeric/errors.js';
import type { Level } from './check.js';
import type { ConformReply, ConformRequest, PluginPart } from './conformProcess.js';

export type { PluginPart } from './conformProcess.js';

export interface CheckResult {
  readonly name: string;
  readonly level: Level;
  readonly outcome: 'holds' | 'fails' | 'not asked';
  /** What was expected, what was found, what to do; or why the check was not run. */
  readonly reason: string | null;
  readonly seconds: number;
}

export interface ConformOptions {
  /** Of a check, in seconds. */
  readonly limit: number;
  readonly signal?: AbortSignal;
}

const processFile = fileURLToPath(new URL('./conformProcess.js', import.meta.url));

/** After this many timeouts, further checks are not run. */
const MOST_TIMEOUTS = 3;
/** Seconds that a plug-in has at least to load. */
const LEAST_TO_OPEN = 30;
/** Milliseconds for a process to end its program. */
const GRACE = 300;

type Answer = ConformReply | { readonly kind: 'ended'; readonly how: string } | { readonly kind: 'late' };

/** `await using plugin = await PluginUnderTest.open(path, { limit: 120 })`. */
export class PluginUnderTest implements AsyncDisposable {
  private child: ChildProcess | undefined;
  /** Its algorithms and tasks. */
  parts: readonly PluginPart[] = [];

  private constructor(
    private readonly path: string,
    private readonly options: ConformOptions,
  ) {}

  /** Throws, naming what is missing, if there is nothing to check. */
  static async open(path: string, options: ConformOptions): Promise<PluginUnderTest> {
    const plugin = new PluginUnderTest(resolve(path), options);
    plugin.parts = await plugin.start();
    return plugin;
  }

  /** The checks of an algorithm or a task whose names `wants` takes, one after another. */
  async *check(part: PluginPart, wants: (name: string) => boolean = () => true): AsyncGenerator<CheckResult> {
    let late = 0;
    for (const [at, { name, level }] of part.checks.entries()) {
      if (!wants(name)) continue;
      if (late >= MOST_TIMEOUTS) {
        const reason = `not tried, because ${MOST_TIMEOUTS} checks before it did not end in time.`;
        yield { name, level, outcome: 'fails', reason, seconds: 0 };
        continue;
      }
      const started = performance.now();
      const answer = await this.answerOf(part, at);
      if (answer.kind === 'late') late++;
      yield {
        name,
        level,
        ...outcomeOf(answer, this.options.limit),
        seconds: (performance.now() - started) / 1000,
      };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  private async answerOf(part: PluginPart, check: number): Promise<Answer> {
    if (!this.child) await this.start();
    const answer = await this.ask(
      { kind: 'check', part: this.parts.indexOf(part), check },
      this.options.limit,
    );
    if (answer.kind !== 'outcome') await this.end();
    return answer;
  }

  private async start(): Promise<readonly PluginPart[]> {
    this.child = fork(processFile, [], {
      env: { ...process.env, NEMOKIT_CONFORM: '1' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const limit = Math.max(LEAST_TO_OPEN, this.options.limit);
    const answer = await this.ask({ kind: 'open', path: this.path }, limit).catch(async (reason: unknown) => {
      await this.end();
      throw reason;
    });
    if (answer.kind === 'opened') return answer.parts;
    await this.end();
    throw new ArgumentError('plugin', openingFault(this.path, answer, limit));
  }

  /** Ends the process, and with it the program it runs; kills it if it does not end. */
  private async end(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), GRACE);
    await exited;
    clearTimeout(timer);
  }

  /** Rejects with the reason of the signal once it is aborted. */
  private ask(request: ConformRequest, limit: number): Promise<Answer> {
    const { child } = this;
    if (!child) throw new Error('the process of the plug-in is not there');
    const { signal } = this.options;
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void) => {
        clearTimeout(timer);
        child.off('message', onMessage);
        child.off('exit', onExit);
        signal?.removeEventListener('abort', onAbort);
        finish();
      };
      const onMessage = (reply: ConformReply) => settle(() => resolve(reply));
      const onExit = (code: number | null, ending: NodeJS.Signals | null) =>
        settle(() => resolve({ kind: 'ended', how: ending ? `by ${ending}` : `with code ${code}` }));
      const onAbort = () => settle(() => reject(signal?.reason));
      const timer = setTimeout(() => settle(() => resolve({ kind: 'late' })), 1000 * limit);
      if (signal?.aborted) return onAbort();
      child.on('message', onMessage);
      child.on('exit', onExit);
      signal?.addEventListener('abort', onAbort);
      child.send(request, (error) => {
        if (error) settle(() => resolve({ kind: 'ended', how: 'before it could be asked' }));
      });
    });
  }
}

function outcomeOf(answer: Answer, limit: number): Pick<CheckResult, 'outcome' | 'reason'> {
  if (answer.kind === 'outcome') return { outcome: answer.outcome, reason: answer.reason };
  return { outcome: 'fails', reason: faultOf(answer, limit) };
}

function faultOf(answer: Answer, limit: number): string {
  if (answer.kind === 'late')
    return `it did not end within ${limit} s and was stopped. If it is slow and not endless, --timeout gives it longer, and options called steps or trainSteps are made small here.`;
  if (answer.kind === 'ended') return `its process ended ${answer.how}, in the middle of this check.`;
  if (answer.kind === 'crashed') return `it failed outside of what was awaited: ${answer.message}`;
  return 'message' in answer ? answer.message : 'it gave no answer';
}

function openingFault(path: string, answer: Answer, limit: number): string {
  if (answer.kind === 'refused') return answer.message;
  if (answer.kind === 'late') return `${path}: did not load within ${limit} s`;
  return `${path}: ${faultOf(answer, limit).replace(', in the middle of this check.', ' while it was opened')}`;
}
