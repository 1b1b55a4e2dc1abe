/** Two columns over their ranges: stronger is better, orange is a guess, empty cannot be made. */

import { useMemo } from 'react';
import { formatNumber } from '../../../report/formats.js';
import type { ContourAnswer } from '../../protocol/index.js';
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
