/** Two columns over their ranges, with lines of equal value: stronger is better, orange is a guess, empty cannot be made. */

import { useMemo } from 'react';
import { formatNumber } from '../../../report/formats.js';
import type { ContourAnswer } from '../../protocol/index.js';
import { isoLine, type Segment } from './isoLines.js';
import { endsOf, scaleOf, ticksOf } from './scale.js';

const WIDTH = 460;
const HEIGHT = 340;
const LEFT = 56;
const BOTTOM = 38;
const TOP = 16;
const RIGHT = 12;

/** Where cell i of n begins and ends: half way to its neighbours, and at the frame. */
function edges(i: number, n: number, from: number, to: number): readonly [number, number] {
  const at = (place: number) => from + (to - from) * Math.min(1, Math.max(0, place));
  return [at((i - 0.5) / Math.max(1, n - 1)), at((i + 0.5) / Math.max(1, n - 1))];
}

export function Contour({
  answer,
  names: [nameX, nameY],
  at,
  direction,
}: {
  readonly answer: ContourAnswer;
  readonly names: readonly [string, string];
  readonly at: readonly [number, number];
  readonly direction: 'max' | 'min';
}) {
  const { xs, ys } = answer;
  // hundreds of fields, which stay as they are while the mark moves
  const fields = useMemo(() => fieldsOf(answer, direction), [answer, direction]);
  const lines = useMemo(() => linesOf(answer), [answer]);
  const x = scaleOf(xs[0]!, xs.at(-1)!, LEFT, WIDTH - RIGHT);
  const y = scaleOf(ys[0]!, ys.at(-1)!, HEIGHT - BOTTOM, TOP);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="chart"
      role="img"
      aria-label={`Expected value over ${nameX} and ${nameY}`}
    >
      {fields}
      {lines}
      {ticksOf(xs[0]!, xs.at(-1)!).map((tick) => (
        <text key={tick} x={x.at(tick)} y={HEIGHT - BOTTOM + 16} textAnchor="middle">
          {formatNumber(tick)}
        </text>
      ))}
      {ticksOf(ys[0]!, ys.at(-1)!).map((tick) => (
        <text key={tick} x={LEFT - 6} y={y.at(tick) + 4} textAnchor="end">
          {formatNumber(tick)}
        </text>
      ))}
      <text x={WIDTH - RIGHT} y={HEIGHT - 4} textAnchor="end" className="name">
        {nameX}
      </text>
      <text x={LEFT} y={10} className="name">
        {nameY}
      </text>
      <rect
        x={LEFT}
        y={TOP}
        width={WIDTH - LEFT - RIGHT}
        height={HEIGHT - BOTTOM - TOP}
        className="rule-line"
      />
      <circle cx={x.at(at[0])} cy={y.at(at[1])} r={6} className="mark-here" />
    </svg>
  );
}

/** Lines of equal value at round values, each with its value where it passes nearest to the middle. */
function linesOf({ xs, ys, expected }: ContourAnswer) {
  const [least, most] = endsOf(expected.filter((value) => value !== null));
  if (!(most > least)) return null;
  const x = scaleOf(0, xs.length - 1, LEFT, WIDTH - RIGHT);
  const y = scaleOf(0, ys.length - 1, HEIGHT - BOTTOM, TOP);
  const numbered: Segment[] = [];
  const isFree = ([i, j]: Segment) =>
    numbered.every(([k, l]) => Math.abs(x.at(i) - x.at(k)) > 26 || Math.abs(y.at(j) - y.at(l)) > 13);
  return ticksOf(least, most, 6).map((level) => {
    const segments = isoLine(expected, xs.length, level);
    // numbers along a diagonal do not meet
    const off = ([i, j]: Segment) => Math.abs(i / xs.length - j / ys.length);
    const at = segments.reduce<Segment | null>(
      (best, one) =>
        inside(one, xs.length, ys.length) && isFree(one) && (!best || off(one) < off(best)) ? one : best,
      null,
    );
    if (at) numbered.push(at);
    return (
      <g key={level}>
        <path
          className="iso-line"
          d={segments
            .map(
              ([x0, y0, x1, y1]) =>
                `M${x.at(x0).toFixed(1)} ${y.at(y0).toFixed(1)}L${x.at(x1).toFixed(1)} ${y.at(y1).toFixed(1)}`,
            )
            .join('')}
        />
        {at && (
          <text x={x.at(at[0])} y={y.at(at[1]) + 4} textAnchor="middle" className="iso-value">
            {formatNumber(level)}
          </text>
        )}
      </g>
    );
  });
}

/** Far enough from the frame for a number. */
function inside([i, j]: Segment, width: number, height: number): boolean {
  return i > 1 && i < width - 2 && j > 0.5 && j < height - 1.5;
}

function fieldsOf({ xs, ys, expected, trust }: ContourAnswer, direction: 'max' | 'min') {
  const [least, most] = endsOf(expected.filter((value) => value !== null));
  const [worst, bestValue] = direction === 'max' ? [least, most] : [most, least];
  return expected.map((value, i) => {
    if (value === null) return null;
    const [column, row] = [i % xs.length, Math.floor(i / xs.length)];
    const share = bestValue === worst ? 1 : (value - worst) / (bestValue - worst);
    const [left, right] = edges(column, xs.length, LEFT, WIDTH - RIGHT);
    const [bottom, top] = edges(row, ys.length, HEIGHT - BOTTOM, TOP);
    return (
      <rect
        key={`${xs[column]} ${ys[row]}`}
        x={left}
        y={top}
        width={right - left}
        height={bottom - top}
        shapeRendering="crispEdges"
        className={trust[i] === 'Guess' ? 'cell-guess' : 'cell-known'}
        style={{ fillOpacity: 0.06 + 0.94 * share ** 1.4 }}
      />
    );
  });
}
