/**
 * Numbers and times for people: as many digits as are meaningful, the same for all numbers of a column. Shared by report
 * and terminal. Files for programs keep all digits.
 */
import { extent } from '../numeric/stats.js';
import type { Cell } from '../problem/index.js';

export interface NumberFormat {
  readonly kind: 'decimals' | 'significant';
  readonly digits: number;
  /** What is smaller than this is rounding error and prints as 0. */
  readonly noise: number;
}

/** Printed in place of a number that is missing. */
export const missingNumber = '–';

/** Four significant digits, for a number by itself. */
export const plainFormat: NumberFormat = { kind: 'significant', digits: 4, noise: 0 };

/** ISO 80000-1: groups of three, set apart by a small space, from five digits on. */
const groupSpace = '\u202f';
const minus = '\u2212';
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** From here on, and below the smaller one, powers of ten. */
const huge = 1e9;
const tiny = 1e-4;

/**
 * A format for the numbers of one column: a thousandth of their spread is told apart, fewer digits are taken where
 * they lose nothing (a grid in steps of 0.5 has one decimal). Columns over several powers of ten keep three
 * significant digits of each number instead.
 */
export function columnFormat(values: Iterable<number>): NumberFormat {
  const finite = [...values].filter(Number.isFinite);
  if (finite.length === 0) return plainFormat;
  const { min: low, max: high } = extent(finite);
  const largest = Math.max(Math.abs(low), Math.abs(high));
  const spread = high > low ? high - low : largest;
  if (!(spread > 0)) return { kind: 'decimals', digits: 0, noise: 0 };
  // Designs are float32 (6e-8): the rounding error of a zero is not a value of its own size.
  const isGraded = finite.some(
    (value) => value !== 0 && Math.abs(value) < spread / 1000 && Math.abs(value) > 1e-7 * spread,
  );
  const noise = (isGraded ? 1e-9 : 1e-7) * spread;
  const sizes = finite.map(Math.abs).filter((size) => size > noise);
  const exact = exactDecimals(finite, noise);
  const isOverDecades = sizes.some((size) => size < spread / 1000) && exact > 3;
  if (isOverDecades) return { kind: 'significant', digits: 3, noise };
  return resolving(spread / 1000, largest, noise, exact);
}

/** A format for estimates with intervals about `width` wide: a hundredth of that is told apart. */
export function estimateFormat(width: number, values: Iterable<number>): NumberFormat {
  const finite = [...values].filter(Number.isFinite);
  if (!(width > 0 && Number.isFinite(width))) return columnFormat(finite);
  const largest = finite.reduce((size, value) => Math.max(size, Math.abs(value)), width);
  return resolving(width / 100, largest, 1e-9 * width, Number.POSITIVE_INFINITY);
}

/** Decimals that tell `step` apart, or significant digits where zeros would fill the page. */
export function stepFormat(step: number, largest: number): NumberFormat {
  return resolving(step, largest, 1e-9 * step, Number.POSITIVE_INFINITY, Math.ceil);
}

function resolving(
  resolution: number,
  largest: number,
  noise: number,
  exact: number,
  round: (x: number) => number = Math.round,
): NumberFormat {
  // 1e-9: log10(0.001) is not exactly -3 on every engine.
  const decimals = Math.min(exact, Math.max(0, round(-Math.log10(resolution) - 1e-9)));
  if (largest < huge && largest >= tiny * 10 && decimals <= 6) {
    return { kind: 'decimals', digits: decimals, noise };
  }
  const digits = 1 + Math.floor(Math.log10(largest)) - Math.floor(Math.log10(resolution) + 1e-9);
  return { kind: 'significant', digits: Math.min(15, Math.max(2, digits)), noise };
}

/** The fewest decimals, up to 6, that print every value exactly; infinity if 6 are too few. */
function exactDecimals(values: readonly number[], noise: number): number {
  for (let decimals = 0; decimals <= 6; decimals++) {
    if (values.every((value) => Math.abs(value - Number(value.toFixed(decimals))) <= noise)) return decimals;
  }
  return Number.POSITIVE_INFINITY;
}

export interface PrintOptions {
  /** "68" instead of "68.0", for numbers in a sentence. */
  readonly trim?: boolean;
}

export function formatNumber(value: number, format = plainFormat, options: PrintOptions = {}): string {
  if (!Number.isFinite(value)) return missingNumber;
  const size = Math.abs(value) <= format.noise ? 0 : Math.abs(value);
  const isPlain = format.kind === 'decimals' && size < 1e21;
  const text = isPlain
    ? size.toFixed(Math.min(20, format.digits))
    : printSignificant(size, format.kind === 'significant' ? format.digits : 6);
  const shown = options.trim === true && isPlain ? trimZeros(text) : text;
  return value < 0 && /[1-9]/.test(shown) ? minus + group(shown) : group(shown);
}

/** As a terminal shows it and a program reads it back: "-12350", "1.2e-5". By itself, by its own size. */
export function typedNumber(value: number, format?: NumberFormat): string {
  if (!Number.isFinite(value)) return '?';
  const text = formatNumber(value, format ?? columnFormat([value]), { trim: format === undefined });
  return text
    .replaceAll(groupSpace, '')
    .replace(minus, '-')
    .replace(/×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/, (_, raised: string) => `e${[...raised].map(plainDigit).join('')}`);
}

function plainDigit(raised: string): string {
  return raised === '⁻' ? '-' : String(superscripts.indexOf(raised));
}

/** A cell of a table: a number by its column's format, a text as it is. */
export function formatCell(cell: Cell | undefined, format = plainFormat, options: PrintOptions = {}): string {
  if (typeof cell === 'number') return formatNumber(cell, format, options);
  if (cell === undefined || cell === null) return missingNumber;
  return cell.trim() === '' ? '(empty)' : cell;
}

/** "81.0 to 90.1": unlike a dash, it does not look like a minus. */
export function formatInterval(low: number, high: number, format = plainFormat): string {
  return `${formatNumber(low, format)} to ${formatNumber(high, format)}`;
}

/** A share from 0 to 1 in whole percent; only nothing is 0 % and only all of it is 100 %. */
export function formatPercent(share: number): string {
  if (!Number.isFinite(share)) return missingNumber;
  if (share > 0 && share < 0.01) return `<1${groupSpace}%`;
  if (share < 1 && share > 0.99) return `>99${groupSpace}%`;
  const percent = Math.abs(share) < 100 ? String(Math.round(100 * share)) : formatNumber(100 * share);
  return `${percent}${groupSpace}%`;
}

function printSignificant(size: number, digits: number): string {
  if (size === 0) return '0';
  const rounded = Number(size.toPrecision(digits));
  if (rounded < huge && rounded >= tiny) return String(rounded);
  // Not from `rounded`, which is infinite for the largest doubles.
  const [mantissa = '', exponent = ''] = size.toExponential(digits - 1).split('e');
  const raised = [...exponent.replace('+', '')].map((c) => (c === '-' ? '⁻' : superscripts[Number(c)]));
  return `${trimZeros(mantissa)}×10${raised.join('')}`;
}

function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

function group(text: string): string {
  return text.replace(/^\d{5,}/, (whole) => whole.replace(/\B(?=(?:\d{3})+$)/g, groupSpace));
}

// Times do not depend on the locale of the machine that writes the report.
const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** "15 November 2026, 22:55 UTC"; a text that is no time stays as it is. */
export function formatTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const [hours, minutes] = [time.getUTCHours(), time.getUTCMinutes()].map((n) => String(n).padStart(2, '0'));
  return `${time.getUTCDate()} ${months[time.getUTCMonth()]} ${time.getUTCFullYear()}, ${hours}:${minutes} UTC`;
}

/** "42 s", "3 min 12 s", "2 h 5 min". */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds < 0) return '–';
  if (seconds < 10) return `${Number(seconds.toFixed(1))} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(whole / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
