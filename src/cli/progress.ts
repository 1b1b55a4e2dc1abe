/** Progress of a command: an estimate of the time left, and a line on standard error. */
import { clearHeartbeat, pauseHeartbeat, sayStage, startHeartbeat } from './heartbeat.js';
import { isPlainTerminal, palette, wantsColor } from './palette.js';
import { screenText } from './screen.js';
import { cut, oneLineOf, pad, textWidth } from './textLayout.js';

/** Where progress goes; `process.stderr` is one. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

export interface ProgressOptions {
  readonly stream?: ProgressStream;
  /** Seconds, from any start. */
  readonly now?: () => number;
  readonly quiet?: boolean;
  /** Standard output is one JSON document: progress only on a terminal. */
  readonly json?: boolean;
}

export interface ProgressDetails {
  /** Seconds left, where known better than from the pace so far. */
  readonly remaining?: number | undefined;
  /** Lines below the one of all, on a terminal. */
  readonly below?: readonly string[];
}

/** Lines below that are drawn at most. */
const mostBelow = 8;

const hideCursor = '\u001b[?25l';
const showCursor = '\u001b[?25h';
const clearLine = '\r\u001b[2K';
/** To the first of the lines that were drawn, and clears from there. */
const clearLines = (below: number) => (below === 0 ? clearLine : `\r\u001b[${below}A\u001b[J`);
/** Seconds between two drawings. */
const redraw = 0.1;

/**
 * Progress on standard error: on a terminal one line that is redrawn, else a line for every 10 %.
 *
 *     using progress = new Progress();
 *     progress.update('search', 0.5);
 */
export class Progress implements Disposable {
  readonly #stream: ProgressStream;
  readonly #now: () => number;
  readonly #kind: 'line' | 'lines' | 'silent';
  #pace: Pace;
  #drawn = Number.NEGATIVE_INFINITY;
  #stage = '';
  #tenths = 0;
  #isHidden = false;
  /** Lines that are drawn below the first. */
  #below = 0;
  // Also shows the cursor again when the process ends, such as by a second Ctrl-C.
  readonly #restore = () => this.#showCursor();

  constructor(options: ProgressOptions = {}) {
    this.#stream = options.stream ?? process.stderr;
    this.#now = options.now ?? (() => performance.now() / 1000);
    const isTerminal = this.#stream.isTTY === true;
    const isDrawn = isTerminal && !(options.stream === undefined && isPlainTerminal());
    this.#kind = options.quiet || (options.json && !isTerminal) ? 'silent' : isDrawn ? 'line' : 'lines';
    this.#pace = startPace(this.#now());
  }

  /** `done` of everything, 0 to 1. */
  update(stage: string, done: number, note?: string, details: ProgressDetails = {}): void {
    const time = this.#now();
    this.#pace = this.#stage === '' ? startPace(time, done) : advancePace(this.#pace, time, done);
    const isNewStage = stage !== this.#stage;
    this.#stage = stage;
    const state = {
      stage,
      done: this.#pace.done,
      remaining: details.remaining ?? estimateRemaining(this.#pace, time),
      ...(note !== undefined && { note }),
    };
    if (this.#kind === 'line' && (isNewStage || time - this.#drawn >= redraw || done >= 1)) {
      this.#hideCursor();
      this.#drawn = time;
      this.#draw(renderProgress(state, this.#stream.columns ?? 80), details.below ?? []);
    }
    if (this.#kind === 'lines' && isNewStage && this.#stream === process.stderr) sayStage(stage);
    const tenths = Math.floor(10 * state.done + 1e-9);
    if (this.#kind === 'lines' && tenths > this.#tenths) {
      this.#tenths = tenths;
      const time = tenths >= 10 ? 'done' : remainingText(state.remaining);
      this.#stream.write(`${oneLineOf(stage)}: ${10 * tenths} %, ${time}\n`);
    }
  }

  /** A line that stays, above the one that is redrawn. */
  say(said: string): void {
    if (this.#kind === 'silent') return;
    this.#clearSign();
    const text = screenText(said, wantsColor(this.#stream.isTTY === true));
    this.#stream.write(this.#kind === 'line' ? `${clearLines(this.#below)}${text}\n` : `${text}\n`);
    this.#below = 0;
    this.#drawn = Number.NEGATIVE_INFINITY;
  }

  /** Takes the line away and gives the cursor back. */
  finish(): void {
    if (this.#kind !== 'silent' && this.#stream === process.stderr) pauseHeartbeat();
    if (this.#kind === 'line' && this.#drawn > Number.NEGATIVE_INFINITY)
      this.#stream.write(clearLines(this.#below));
    this.#below = 0;
    this.#drawn = Number.NEGATIVE_INFINITY;
    this.#showCursor();
  }

  [Symbol.dispose](): void {
    this.finish();
  }

  /** The line of all and, as far as the window goes, those below it; the cursor stays at the end of the last. */
  #draw(line: string, below: readonly string[]): void {
    const { columns = 80, rows } = this.#stream;
    // 0 where a terminal does not know its height
    const room = Math.max(0, Math.min(mostBelow, (rows || 24) - 2));
    const shown = below.length <= room ? below : below.slice(0, Math.max(0, room - 1));
    const rest = below.length - shown.length;
    const lines = [...shown, ...(rest > 0 && room > 0 ? [`  and ${rest} more`] : [])];
    const text = lines.map((one) => `\n${cut(oneLineOf(one), Math.max(0, columns - 1))}`).join('');
    this.#clearSign();
    this.#stream.write(clearLines(this.#below) + this.#paint(line) + text);
    this.#below = lines.length;
    // until the next drawing, which may be long
    const last = lines.at(-1);
    const cells = last === undefined ? textWidth(line) : Math.min(textWidth(oneLineOf(last)), columns - 1);
    if (this.#stream === process.stderr) startHeartbeat()?.behind(cells);
  }

  #clearSign(): void {
    if (this.#stream === process.stderr) clearHeartbeat();
  }

  #paint(line: string): string {
    const { cyan, dim } = palette(this.#stream);
    return line.replace(/█+/, (bar) => cyan(bar)).replace(/░+/, (bar) => dim(bar));
  }

  #hideCursor(): void {
    if (this.#isHidden) return;
    this.#isHidden = true;
    this.#stream.write(hideCursor);
    process.once('exit', this.#restore);
  }

  #showCursor(): void {
    if (!this.#isHidden) return;
    this.#isHidden = false;
    process.off('exit', this.#restore);
    this.#stream.write(showCursor);
  }
}

/** The speed so far. Times in seconds. */
export interface Pace {
  readonly started: number;
  readonly time: number;
  readonly done: number;
  /** Exponentially weighted mean of the share per second, not yet divided by the weight it has gathered. */
  readonly rate: number;
  readonly weight: number;
}

/** The past fades with this time constant, so that a stage that is slower than thought shows within a minute. */
const fade = 20;
/** No estimate before this many seconds and this share. */
const leastTime = 2;
const leastShare = 0.01;

/** `done`: share done already, when work is resumed. */
export function startPace(time: number, done = 0): Pace {
  return { started: time, time, done, rate: 0, weight: 0 };
}

export function advancePace(pace: Pace, time: number, done: number): Pace {
  const elapsed = time - pace.time;
  if (!(elapsed > 0)) return done > pace.done ? { ...pace, done } : pace;
  const keep = Math.exp(-elapsed / fade);
  const gain = Math.max(0, done - pace.done);
  return {
    started: pace.started,
    time,
    done: Math.max(done, pace.done),
    rate: keep * pace.rate + (1 - keep) * (gain / elapsed),
    weight: keep * pace.weight + (1 - keep),
  };
}

/** Seconds that are left; undefined while nothing is known. Time that passes without a report counts as slowness. */
export function estimateRemaining(pace: Pace, now: number): number | undefined {
  if (pace.done >= 1) return 0;
  const { rate, weight } = advancePace(pace, now, pace.done);
  if (now - pace.started < leastTime || pace.done < leastShare || !(rate > 0)) return undefined;
  return (1 - pace.done) / (rate / weight);
}

export interface ProgressState {
  readonly stage: string;
  /** 0 to 1. */
  readonly done: number;
  /** Seconds; undefined while it is not known. */
  readonly remaining: number | undefined;
  /** A remark about the stage. */
  readonly note?: string;
}

/** Seconds as 0:48, 12:05 or 1:02:03. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const two = (n: number) => String(n).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

export function remainingText(remaining: number | undefined): string {
  return remaining === undefined ? 'estimating' : `${clock(remaining)} left`;
}

const longestBar = 24;
const shortestBar = 6;

/** One line of at most `width - 1` cells: a full line would wrap on some terminals. */
export function renderProgress(state: ProgressState, width: number): string {
  const room = Math.max(0, width - 1);
  const percent = `${String(Math.floor(100 * Math.min(1, Math.max(0, state.done)) + 1e-9)).padStart(3)} %`;
  const time = pad(remainingText(state.remaining), 10);
  const stage = cut(oneLineOf(state.stage), Math.max(8, Math.floor(room / 3)));
  const essential = `${stage} ${percent}`;
  if (textWidth(essential) > room) return cut(percent.trimStart(), room);
  const timed = `${stage} ${percent}  ${time}`;
  if (textWidth(timed) > room) return essential;
  const bar = Math.min(longestBar, room - textWidth(timed) - 2);
  if (bar < shortestBar) return timed.trimEnd();
  const filled = Math.round(bar * Math.min(1, Math.max(0, state.done)));
  const line = `${stage}  ${'█'.repeat(filled)}${'░'.repeat(bar - filled)} ${percent}  ${time}`;
  const left = room - textWidth(line) - 2;
  return state.note && left >= 12 ? `${line}  ${cut(oneLineOf(state.note), left)}` : line.trimEnd();
}
