/** Axes: round ticks that cover the data, where a value lies on the page, and how the axis is drawn. */

import { formatNumber, type NumberFormat, plainFormat, stepFormat } from './formats.js';
import { html, type Markup } from './markup.js';

export interface Axis {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
  readonly isLog: boolean;
  readonly format: NumberFormat;
}

/** Beyond these a difference of two doubles, or a step between them, is no longer a finite positive number. */
const largest = 1e300;
const smallest = 1e-290;

/** An axis from a round number to a round number with about `count` steps of 1, 2 or 5 times a power of ten. */
export function linearAxis(values: Iterable<number>, count = 4): Axis {
  const { low, high } = range(values);
  let step = roundStep((high - low) / count);
  let first = Math.floor(low / step.size);
  let last = Math.ceil(high / step.size);
  // Two ends that are rounded outwards may add two steps.
  if (last - first > count + 2) {
    step = roundStep(step.size * 1.5);
    first = Math.floor(low / step.size);
    last = Math.ceil(high / step.size);
  }
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => multiple(first + i, step));
  const min = ticks[0]!;
  const max = ticks.at(-1)!;
  const format = stepFormat(step.size, Math.max(Math.abs(min), Math.abs(max)));
  return { min, max, ticks, isLog: false, format };
}

/** An axis that ends a little beyond the data, with round ticks inside it. */
export function fittedAxis(values: Iterable<number>, count = 4): Axis {
  const { low, high } = range(values);
  const room = 0.05 * (high - low);
  const [min, max] = [low - room, high + room];
  const wide = linearAxis([min, max], count);
  const ticks = wide.ticks.filter((tick) => tick >= min && tick <= max);
  return ticks.length > 1 ? { ...wide, min, max, ticks } : wide;
}

/** Powers of ten, not more than about `count`; the data are positive. */
export function logAxis(values: Iterable<number>, count = 4): Axis {
  const { low, high } = range([...values].filter((value) => value > 0));
  const min = Math.max(low, Number.MIN_VALUE);
  const first = Math.floor(Math.log10(min) + 1e-9);
  const last = Math.ceil(Math.log10(high) - 1e-9);
  const every = Math.max(1, Math.ceil((last - first) / count));
  const ticks: number[] = [];
  for (let power = first; power <= last; power += every) ticks.push(Number(`1e${power}`));
  return { min: Number(`1e${first}`), max: Number(`1e${last}`), ticks, isLog: true, format: plainFormat };
}

/** Values over at least two decades whose ratios are more even than their differences. */
export function isGeometric(values: readonly number[]): boolean {
  if (values.length < 4 || values.some((value) => !(value > 0))) return false;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)]!;
  const [low, high] = [sorted[0]!, sorted.at(-1)!];
  return high >= 100 * low && middle < low + (high - low) / 5;
}

/** The position of `value` between `from` and `to`; values outside the axis lie at its end. */
export function position(axis: Axis, value: number, from: number, to: number): number {
  const scaled = axis.isLog ? Math.log10 : (x: number) => x;
  const share = (scaled(value) - scaled(axis.min)) / (scaled(axis.max) - scaled(axis.min));
  return from + (to - from) * (Number.isNaN(share) ? 0 : Math.min(1, Math.max(0, share)));
}

export function tickLabel(axis: Axis, tick: number): string {
  return formatNumber(tick, axis.format);
}

export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Ticks below the frame; `label` under them, at the right end. */
export function bottomAxis(axis: Axis, frame: Frame, label = ''): Markup {
  const width = frame.right - frame.left;
  const roomy = thinned(axis.ticks, (tick) => tickLabel(axis, tick).length, width);
  return html`<g class="axis">
    <path class="rule" d="M${frame.left} ${frame.bottom}H${frame.right}"/>
    ${roomy.map((tick) => {
      const x = position(axis, tick, frame.left, frame.right);
      return html`<path class="rule" d="M${x} ${frame.bottom}v4"/><text class="tick" x="${x}" y="${frame.bottom + 15}" text-anchor="middle">${tickLabel(axis, tick)}</text>`;
    })}
    ${label !== '' && html`<text class="name" x="${frame.right}" y="${frame.bottom + 31}" text-anchor="end">${label}</text>`}
  </g>`;
}

/** Ticks with grid lines to the left of the frame; `label` above it. */
export function leftAxis(axis: Axis, frame: Frame, label = ''): Markup {
  return html`<g class="axis">
    ${axis.ticks.map((tick) => {
      const y = position(axis, tick, frame.bottom, frame.top);
      return html`<path class="grid" d="M${frame.left} ${y}H${frame.right}"/><text class="tick" x="${frame.left - 6}" y="${y + 3.5}" text-anchor="end">${tickLabel(axis, tick)}</text>`;
    })}
    ${label !== '' && html`<text class="name" x="${0}" y="${frame.top - 10}">${label}</text>`}
  </g>`;
}

/** Room to the left of a frame for the labels of its axis. */
export function leftRoom(axis: Axis): number {
  return 12 + 6.4 * longest(axis.ticks, (tick) => tickLabel(axis, tick).length);
}

/** Every second (third, ...) tick where the labels would run into each other. */
function thinned(
  ticks: readonly number[],
  length: (tick: number) => number,
  width: number,
): readonly number[] {
  const widest = 6.4 * longest(ticks, length) + 8;
  const every = Math.max(1, Math.ceil((widest * (ticks.length - 1)) / width));
  return ticks.filter((_, i) => i % every === 0);
}

function longest(ticks: readonly number[], length: (tick: number) => number): number {
  return ticks.reduce((most, tick) => Math.max(most, length(tick)), 0);
}

interface Step {
  readonly factor: number;
  readonly power: number;
  readonly size: number;
}

/** The smallest of 1, 2, 5 times a power of ten that is not below `size`. */
function roundStep(size: number): Step {
  let power = Math.floor(Math.log10(size));
  let factor = size / 10 ** power;
  const taken = [1, 2, 5].find((round) => factor <= round * (1 + 1e-9));
  factor = taken ?? 1;
  if (taken === undefined) power++;
  return { factor, power, size: multiple(1, { factor, power, size: 0 }) };
}

/** n steps, read from decimal digits so that no 0.30000000000000004 comes out. */
function multiple(n: number, { factor, power }: Step): number {
  const whole = n * factor;
  return whole === 0 ? 0 : Number(`${whole}e${power}`);
}

/** Where all values are equal, or nearly so for doubles, some room around them. */
function range(values: Iterable<number>): { low: number; high: number } {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    const bounded = Math.abs(value) < smallest ? 0 : Math.min(largest, Math.max(-largest, value));
    low = Math.min(low, bounded);
    high = Math.max(high, bounded);
  }
  if (low > high) return { low: 0, high: 1 };
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low > 1e-9 * size) return { low, high };
  const room = size === 0 ? 1 : Math.max(0.1 * size, smallest);
  return { low: low - room, high: high + room };
}
