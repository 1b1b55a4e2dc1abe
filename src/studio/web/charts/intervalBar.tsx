/** What is expected of a design against the best known value: an 80 % interval and a mark on it. */
import type { Forecast, Trust } from '../../../index.js';
import { formatInterval, formatNumber, type NumberFormat } from '../../../report/formats.js';
import { scaleOf, ticksOf } from './scale.js';

const WIDTH = 180;
const HEIGHT = 22;

export function IntervalBar({
  forecast,
  trust,
  best,
  range: [low, high],
  format,
}: {
  readonly forecast: Forecast;
  readonly trust: Trust;
  readonly best: number;
  readonly range: readonly [number, number];
  readonly format: NumberFormat;
}) {
  const x = scaleOf(low, high, 4, WIDTH - 4);
  const { expected, lo80, hi80 } = forecast;
  const level = trust.toLowerCase();
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      className="interval-bar"
      role="img"
      aria-label={`expected ${formatNumber(expected, format)}, 80 % interval ${formatInterval(lo80, hi80, format)}, best known ${formatNumber(best, format)}`}
    >
      <line x1={2} x2={WIDTH - 2} y1={11} y2={11} className="grid-line" />
      <rect
        x={x.at(lo80)}
        y={6.5}
        width={Math.max(2, x.at(hi80) - x.at(lo80))}
        height={9}
        rx={2}
        className={`interval ${level}`}
      />
      <line x1={x.at(best)} x2={x.at(best)} y1={1} y2={21} className="best-line" />
      <circle cx={x.at(expected)} cy={11} r={4.5} className={`mark ${level}`} />
    </svg>
  );
}

/** What places along the bars below it mean. */
export function IntervalAxis({ range: [low, high] }: { readonly range: readonly [number, number] }) {
  const x = scaleOf(low, high, 4, WIDTH - 4);
  return (
    <svg viewBox={`0 0 ${WIDTH} 14`} width={WIDTH} height={14} className="interval-axis" aria-hidden="true">
      {ticksOf(low, high, 3).map((tick) => (
        <text key={tick} x={x.at(tick)} y={12} textAnchor={endAt(x.at(tick))}>
          {formatNumber(tick)}
        </text>
      ))}
    </svg>
  );
}

/** Numbers at the ends stay inside. */
function endAt(place: number): 'start' | 'middle' | 'end' {
  return place < 16 ? 'start' : place > WIDTH - 16 ? 'end' : 'middle';
}
