/** How finely a column was set: its decimals, and the grid that its values lie on. */
import { decadeOf, powerOfTen } from '../numeric/portable.js';
import type { NumberColumn } from '../table/table.js';

export interface Resolution {
  /** Values are origin + step x whole. */
  readonly step: number;
  readonly origin: number;
  /** Digits after the point that show every value of the grid. */
  readonly decimals: number;
}

/** More decimals than this are computed numbers, not settings that somebody made. */
const MOST_DECIMALS = 7;
const MOST_DIGITS = 9;
/** Cells that are looked at for their decimals. */
const LOOKED_AT = 1000;
/** Share of the cells that have to agree on decimals, and on a grid that is coarser than these. */
const AGREE = 0.97;
/** Different values that have to lie on a grid before it is believed; fewer where a column has few levels at all. */
const LEVELS = 5;
const FEW_LEVELS = 6;
const ROWS_OF_LEVELS = 30;

/** Digits after the point of the shortest text that gives the number. */
export function decimalsIn(value: number): number {
  const [mantissa, exponent] = String(Math.abs(value)).split('e') as [string, string | undefined];
  const digits = mantissa.split('.')[1]?.length ?? 0;
  return Math.max(0, digits - Number(exponent ?? 0));
}

/** Decimals of a column: as it was written where the reader says so, else as its values need; null for computed numbers. */
export function decimalsOf(column: NumberColumn & { readonly decimals?: number }): number | null {
  const values = column.values.filter((value) => !Number.isNaN(value));
  if (values.length === 0) return null;
  if (column.decimals !== undefined && column.decimals <= MOST_DECIMALS) return column.decimals;
  const every = Math.max(1, values.length / LOOKED_AT);
  const needed = Array.from({ length: Math.min(values.length, LOOKED_AT) }, (_, i) =>
    decimalsIn(values[Math.floor(i * every)]!),
  ).sort((a, b) => a - b);
  const decimals = needed[Math.min(needed.length - 1, Math.ceil(AGREE * needed.length) - 1)]!;
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const digits = decimals + Math.max(0, decadeOf(largest || 1) + 1);
  return decimals > MOST_DECIMALS || digits > MOST_DIGITS ? null : decimals;
}

/** The grid of a column; null where its numbers lie anywhere. `isLog`: over decades, where no even grid fits. */
export function resolutionOf(column: NumberColumn, isLog = false): Resolution | null {
  const decimals = decimalsOf(column);
  if (decimals === null) return null;
  const unit = powerOfTen(decimals);
  const values = column.values.filter((value) => !Number.isNaN(value));
  // in units of the last digit, whole numbers
  const whole = Array.from(values, (value) => Math.round(value * unit));
  const levels = [...new Set(whole)].sort((a, b) => a - b);
  const fine = { step: 1 / unit, origin: 0, decimals };
  if (levels.length < 2 || isLog) return fine;
  const asResolution = (step: number, origin: number): Resolution => ({
    step: Number((step / unit).toFixed(decimals)),
    origin: Number((origin / unit).toFixed(decimals)),
    decimals,
  });
  const isFew = levels.length <= FEW_LEVELS && whole.length >= ROWS_OF_LEVELS;
  if (levels.length === 2 || (!isFew && levels.length < LEVELS)) {
    const step = niceStep(
      levels.map((level) => [level, 1] as const),
      levels.length,
      levels.length,
    );
    return step > 1 ? asResolution(step, 0) : fine;
  }
  const gaps = levels.slice(1).map((level) => level - levels[0]!);
  const even = gaps.reduce(gcd, 0);
  const places = (levels.at(-1)! - levels[0]!) / even + 1;
  if (even > 1 && (isNice(even) || levels.length >= 0.3 * places)) return asResolution(even, levels[0]!);
  const counts = new Map<number, number>();
  for (const value of whole) counts.set(value, (counts.get(value) ?? 0) + 1);
  const step = niceStep([...counts], AGREE * whole.length, LEVELS);
  return step > 1 ? asResolution(step, 0) : fine;
}

/** The widest of 1, 2, 2.5 and 5 times powers of ten on whose multiples enough rows and levels lie; 1 if none is wider. */
function niceStep(
  counts: readonly (readonly [value: number, rows: number])[],
  rows: number,
  levels: number,
): number {
  let best = 1;
  for (let power = 1; power <= 1e8; power *= 10) {
    for (const step of [2 * power, 2.5 * power, 5 * power, 10 * power]) {
      if (!Number.isInteger(step)) continue;
      let [on, covered] = [0, 0];
      for (let i = 0; i < counts.length; i++) {
        if (counts[i]![0] % step !== 0) continue;
        on++;
        covered += counts[i]![1];
      }
      if (on >= levels && covered >= rows) best = Math.max(best, step);
    }
  }
  return best;
}

function isNice(step: number): boolean {
  const mantissa = step / powerOfTen(decadeOf(step));
  return [1, 1.5, 2, 2.5, 3, 4, 5].some((nice) => Math.abs(mantissa - nice) < 1e-9);
}

function gcd(a: number, b: number): number {
  let [x, y] = [Math.abs(a), Math.abs(b)];
  while (y > 0) [x, y] = [y, x % y];
  return x;
}

/** The number with these digits after its point. */
export function roundedTo(value: number, decimals: number): number {
  return Number(value.toFixed(decimals)) + 0;
}
