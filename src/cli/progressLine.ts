/** How far a command is and how long it will take: pure functions of what was reported and when. */
import { cut, pad, textWidth } from './textLayout.js';

/** What is known of the speed so far. Times in seconds. */
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
/** Before this many seconds and this share there is nothing to go by. */
const leastTime = 2;
const leastShare = 0.01;

/** `done`: what was there already, when work is gone on with. */
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
  /** Something worth saying about the stage. */
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
  const stage = cut(state.stage, Math.max(8, Math.floor(room / 3)));
  const essential = `${stage} ${percent}`;
  if (textWidth(essential) > room) return cut(percent.trimStart(), room);
  const timed = `${stage} ${percent}  ${time}`;
  if (textWidth(timed) > room) return essential;
  const bar = Math.min(longestBar, room - textWidth(timed) - 2);
  if (bar < shortestBar) return timed.trimEnd();
  const filled = Math.round(bar * Math.min(1, Math.max(0, state.done)));
  const line = `${stage}  ${'█'.repeat(filled)}${'░'.repeat(bar - filled)} ${percent}  ${time}`;
  const left = room - textWidth(line) - 2;
  return state.note && left >= 12 ? `${line}  ${cut(state.note, left)}` : line.trimEnd();
}
