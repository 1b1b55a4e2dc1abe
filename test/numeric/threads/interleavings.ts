/**
 * All orders in which threads can access the words they share. The code of the threads is run as it is: `Atomics` is
 * replaced while a step is tried, a thread stops at its next access, and is later run again from the start with the
 * results it has already had, up to the access after that. What a thread has seen since it last began, and the words,
 * are the state; states that were met before are not entered again.
 */

/** The accesses that the protocol uses; `wait` sleeps only if the word has the value it was given. */
type Access =
  | { readonly kind: 'load' | 'wait' | 'store' | 'add' | 'or'; readonly word: number; readonly value: number }
  | { readonly kind: 'exchange'; readonly word: number; readonly expected: number; readonly value: number }
  | { readonly kind: 'notify'; readonly word: number }
  /** Not an access to a word: a step of the computation itself. `mark` says which. */
  | { readonly kind: 'mark'; readonly mark: string };

/** What a thread can do in a check. */
export interface Hands {
  readonly control: Int32Array;
  /** A step that others can come before and after, seen by `Check.onMark`. */
  mark(text: string): void;
  /** Waits for a message. */
  receive(): void;
  post(): void;
}

/** One thread: called again and again with what it returned last; null when it ends. */
export type Actor = (hands: Hands, local: number) => number | null;

export interface Check {
  readonly words: number;
  /** The first is the caller. The others are alike: states that differ in who is who are one. */
  readonly actors: readonly Actor[];
  /**
   * A word whose load begins a loop that remembers nothing of its turns before: what was seen since the loop was
   * entered is forgotten there, which makes states alike that are alike.
   */
  readonly loopAt?: number;
  /** What is known of the computation besides the words; a message if it is wrong now. */
  onMark(known: readonly string[], mark: string): string | null;
  /** Called when no thread can go on. Actors that may sleep forever when the first has ended are fine. */
  onEnd(known: readonly string[]): string | null;
}

interface State {
  readonly words: readonly number[];
  /** Messages that the first actor has not heard. */
  readonly messages: number;
  readonly known: readonly string[];
  readonly threads: readonly Thread[];
}

interface Thread {
  readonly local: number | null;
  readonly log: readonly number[];
  /** Length of the log when the loop of `loopAt` was entered. */
  readonly entered: number | null;
  /** The word it sleeps on. */
  readonly asleep: number | null;
}

type Step = Access | { readonly kind: 'receive' | 'post' };

export interface Verdict {
  readonly states: number;
  /** What went wrong first, and the order of accesses that leads to it. */
  readonly fault: string | null;
  readonly trace: readonly string[];
}

/** Tries all orders. */
export function checkAllOrders(check: Check): Verdict {
  const real = Object.getOwnPropertyDescriptors(Atomics);
  Object.assign(Atomics, fakes);
  try {
    return explore(check);
  } finally {
    Object.defineProperties(Atomics, real);
  }
}

function keyOf({ words, messages, known, threads }: State): string {
  const [caller, ...workers] = threads.map(
    (thread) => `${thread.local};${thread.asleep};${thread.log.join()}`,
  );
  return [words.join(), messages, known.join(), caller, ...workers.sort()].join('|');
}

function explore(check: Check): Verdict {
  const control = new Int32Array(check.words);
  const seen = new Set<string>();
  const start: State = {
    words: [...control],
    messages: 0,
    known: [],
    threads: check.actors.map(() => ({ local: 0, log: [], entered: null, asleep: null })),
  };
  const stack: { readonly state: State; readonly path: Path | null }[] = [{ state: start, path: null }];
  seen.add(keyOf(start));
  while (stack.length > 0) {
    const { state, path } = stack.pop()!;
    let moved = false;
    for (let i = 0; i < state.threads.length; i++) {
      const next = stepOf(check, control, state, i);
      if (next === null) continue;
      moved = true;
      const step = { text: `thread ${i}: ${next.text}`, before: path };
      if (next.fault) return { states: seen.size, fault: next.fault, trace: traceOf(step) };
      const key = keyOf(next.state);
      if (seen.has(key)) continue;
      seen.add(key);
      stack.push({ state: next.state, path: step });
    }
    if (!moved) {
      const isStuck = state.threads[0]!.local !== null;
      const fault = isStuck ? 'the caller waits forever' : check.onEnd(state.known);
      if (fault) return { states: seen.size, fault, trace: traceOf(path) };
    }
  }
  return { states: seen.size, fault: null, trace: [] };
}

interface Path {
  readonly text: string;
  readonly before: Path | null;
}

function traceOf(path: Path | null): string[] {
  const steps: string[] = [];
  for (let at = path; at; at = at.before) steps.push(at.text);
  return steps.reverse();
}

/** The state after the next access of thread `i`, or null if it cannot go on. */
function stepOf(check: Check, control: Int32Array, state: State, i: number) {
  const thread = state.threads[i]!;
  if (thread.local === null || thread.asleep !== null) return null;
  const access = nextAccess(check.actors[i]!, control, thread);
  const words = [...state.words];
  const threads = [...state.threads];
  let { messages, known } = state;
  let fault: string | null = null;
  let result = 0;
  let asleep: number | null = null;
  switch (access.kind) {
    case 'return':
      threads[i] = { local: access.local, log: [], entered: null, asleep: null };
      return { state: { ...state, threads }, fault, text: 'begins again' };
    case 'load':
      result = words[access.word]!;
      break;
    case 'store':
      result = words[access.word] = access.value;
      break;
    case 'add':
      result = words[access.word]!;
      words[access.word] = result + access.value;
      break;
    case 'or':
      result = words[access.word]!;
      words[access.word] = result | access.value;
      break;
    case 'exchange':
      result = words[access.word]!;
      if (result === access.expected) words[access.word] = access.value;
      break;
    case 'wait':
      if (words[access.word] === access.value) asleep = access.word;
      break;
    case 'notify':
      threads.forEach((other, j) => {
        if (other.asleep === access.word) threads[j] = { ...other, asleep: null };
      });
      break;
    case 'receive':
      if (messages === 0) return null;
      messages--;
      break;
    case 'post':
      messages++;
      break;
    case 'mark':
      fault = check.onMark(known, access.mark);
      known = [...known, access.mark].sort();
      break;
  }
  const isLoop = access.kind === 'load' && access.word === check.loopAt;
  const entered = thread.entered ?? (isLoop ? thread.log.length : null);
  const log = isLoop && entered !== null ? thread.log.slice(0, entered) : thread.log;
  threads[i] = { local: thread.local, log: [...log, result], entered, asleep };
  const text = `${JSON.stringify(access)} gives ${result}`;
  return { state: { words, messages, known, threads }, fault, text };
}

/** Answers an access, or stops the actor at it. */
let ask: (access: Step) => number;

const fakes = {
  load: (_: unknown, word: number) => ask({ kind: 'load', word, value: 0 }),
  store: (_: unknown, word: number, value: number) => ask({ kind: 'store', word, value }),
  add: (_: unknown, word: number, value: number) => ask({ kind: 'add', word, value }),
  or: (_: unknown, word: number, value: number) => ask({ kind: 'or', word, value }),
  compareExchange: (_: unknown, word: number, expected: number, value: number) =>
    ask({ kind: 'exchange', word, expected, value }),
  wait: (_: unknown, word: number, value: number) => ask({ kind: 'wait', word, value }),
  notify: (_: unknown, word: number) => ask({ kind: 'notify', word }),
};

/** Thrown at an access of which the result is not known yet. */
let stopped: Step;
const STOP = new Error('stop');

/** Runs an actor up to the first access of which it does not know the result. */
function nextAccess(actor: Actor, control: Int32Array, thread: Thread) {
  let at = 0;
  ask = (access) => {
    if (at < thread.log.length) return thread.log[at++]!;
    stopped = access;
    throw STOP;
  };
  const hands: Hands = {
    control,
    mark: (mark) => void ask({ kind: 'mark', mark }),
    receive: () => void ask({ kind: 'receive' }),
    post: () => void ask({ kind: 'post' }),
  };
  try {
    return { kind: 'return', local: actor(hands, thread.local!) } as const;
  } catch (error) {
    if (error !== STOP) throw error;
    return stopped;
  }
}
