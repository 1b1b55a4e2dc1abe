/** Marks of a prediction: a shape for its trust label, and a bar for its expected value and 80 % interval. */
import type { Candidate, RunDocument, Trust } from '../design/runDocument.js';
import { type Axis, fittedAxis, position, tickLabel } from './axis.js';
import { formatInterval, formatNumber, type NumberFormat } from './formats.js';
import { html, type Markup } from './markup.js';

export const trustLabels: readonly Trust[] = ['Trusted', 'Stretch', 'Guess'];

/** Circle, diamond, triangle: of about the same area, around (x, y). */
export function trustMark(
  trust: Trust,
  x: number,
  y: number,
  r: number,
  className = `mark ${trust.toLowerCase()}`,
): Markup {
  if (trust === 'Trusted') return html`<circle class="${className}" cx="${x}" cy="${y}" r="${r}"/>`;
  const d = 1.25 * r;
  const corners =
    trust === 'Stretch'
      ? [x, y - d, x + d, y, x, y + d, x - d, y]
      : [x, y - 1.35 * r, x + 1.3 * r, y + 0.95 * r, x - 1.3 * r, y + 0.95 * r];
  return html`<polygon class="${className}" points="${corners.map((c, i) => [i > 0 && ' ', c])}"/>`;
}

export function trustChip(trust: Trust): Markup {
  return html`<span class="chip ${trust.toLowerCase()}"><svg viewBox="0 0 14 14" width="11" height="11" aria-hidden="true">${trustMark(trust, 7, 7, 4.6)}</svg>${trust}</span>`;
}

const width = 168;
const height = 22;
const frame = { left: 6, right: width - 6 };

/** Covers every interval and the best known value, so that all bars share it. */
export function barAxis({ candidates, bestKnown }: RunDocument): Axis {
  const values = candidates.flatMap(({ lo80, expected, hi80 }) => [lo80, expected, hi80]);
  return fittedAxis([...values, bestKnown.value], 4);
}

export function intervalBar(
  candidate: Candidate,
  axis: Axis,
  bestKnown: number,
  format: NumberFormat,
): Markup {
  const { expected, lo80, hi80, trust } = candidate;
  const at = (value: number) => position(axis, value, frame.left, frame.right);
  const [low, high] = [at(Math.min(lo80, hi80)), at(Math.max(lo80, hi80))];
  const label = `expected ${formatNumber(expected, format)}, 80 % interval ${formatInterval(lo80, hi80, format)}, best known ${formatNumber(bestKnown, format)}`;
  return html`<svg class="bar" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${label}"><title>${label}</title>
    <path class="best" d="M${at(bestKnown)} 0V${height}"/>
    <rect class="interval ${trust.toLowerCase()}" x="${low}" y="7" width="${Math.max(1, high - low)}" height="8" rx="2"/>
    ${trustMark(trust, at(expected), 11, 4)}</svg>`;
}

/** The row of the best known value itself. */
export function bestKnownBar(axis: Axis, bestKnown: number, format: NumberFormat): Markup {
  const x = position(axis, bestKnown, frame.left, frame.right);
  const label = `best known ${formatNumber(bestKnown, format)}`;
  return html`<svg class="bar" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${label}"><title>${label}</title>
    <path class="best" d="M${x} 0V${height}"/><path class="best-mark" d="M${x - 4} 11h8"/></svg>`;
}

/** Head of the column of bars: ticks, and which way is better. */
export function barScale(axis: Axis, direction: 'max' | 'min'): Markup {
  const ends = [axis.ticks[0]!, axis.ticks.at(-1)!];
  const at = (value: number) => position(axis, value, frame.left, frame.right);
  // Labels stand under their tick as far as the width allows.
  const labelAt = (tick: number) => {
    const half = 3.2 * tickLabel(axis, tick).length;
    return Math.min(width - half, Math.max(half, at(tick)));
  };
  return html`<svg class="bar scale" viewBox="0 0 ${width} 30" width="${width}" height="30" role="img" aria-label="Axis from ${tickLabel(axis, ends[0]!)} to ${tickLabel(axis, ends[1]!)}; better is ${direction === 'max' ? 'right' : 'left'}">
    <text class="name" x="${direction === 'max' ? width - 2 : 2}" y="9" text-anchor="${direction === 'max' ? 'end' : 'start'}">${direction === 'max' ? 'better →' : '← better'}</text>
    ${ends.map((tick) => html`<text class="tick" x="${labelAt(tick)}" y="23" text-anchor="middle">${tickLabel(axis, tick)}</text>`)}
    <path class="rule" d="M${frame.left} 28H${frame.right}${axis.ticks.map((tick) => html`M${at(tick)} 28v-3`)}"/></svg>`;
}
