import { palette } from './palette.js';
import {
  advancePace,
  estimateRemaining,
  type Pace,
  remainingText,
  renderProgress,
  startPace,
} from './progressLine.js';
import { cut, oneLineOf } from './textLayout.js';

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
  /** Standard output is one JSON document: nothing but a terminal is told about progress. */
  readonly json?: boolean;
}

export interface ProgressDetails {
  /** Seconds that are left, where it is known better than by the pace so far. */
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
  // A process that ends by itself, or by a second Ctrl-C, still gives the cursor back.
  readonly #restore = () => this.#showCursor();

  constructor(options: ProgressOptions = {}) {
    this.#stream = options.stream ?? process.stderr;
    this.#now = options.now ?? (() => performance.now() / 1000);
    const isTerminal = this.#stream.isTTY === true;
    this.#kind = options.quiet || (options.json && !isTerminal) ? 'silent' : isTerminal ? 'line' : 'lines';
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
    const tenths = Math.floor(10 * state.done + 1e-9);
    if (this.#kind === 'lines' && tenths > this.#tenths) {
      this.#tenths = tenths;
      const time = tenths >= 10 ? 'done' : remainingText(state.remaining);
      this.#stream.write(`${stage}: ${10 * tenths} %, ${time}\n`);
    }
  }

  /** A line that stays, above the one that is redrawn. */
  say(text: string): void {
    if (this.#kind === 'silent') return;
    this.#stream.write(this.#kind === 'line' ? `${clearLines(this.#below)}${text}\n` : `${text}\n`);
    this.#below = 0;
    this.#drawn = Number.NEGATIVE_INFINITY;
  }

  /** Takes the line away and gives the cursor back. */
  finish(): void {
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
    const text = lines.map((line) => `\n${cut(oneLineOf(line), Math.max(0, columns - 1))}`).join('');
    this.#stream.write(clearLines(this.#below) + this.#paint(line) + text);
    this.#below = lines.length;
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
