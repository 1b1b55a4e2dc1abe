/** Numbers over the iterations of a run, as lines. */
import { formatNumber } from '../../../report/formats.js';
import { endsOf, roomFor, scaleOf, ticksOf } from './scale.js';

const WIDTH = 360;
const HEIGHT = 150;
const LEFT = 46;
const BOTTOM = 22;

export function LineChart({
  label,
  points,
  xLabel = '',
}: {
  readonly label: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly xLabel?: string;
}) {
  const [low, high] = roomFor(points.map(([, y]) => y));
  const xs = points.map(([x]) => x);
  const [first, last] = endsOf(xs);
  const x = scaleOf(first, last, LEFT, WIDTH - 8);
  const y = scaleOf(low, high, HEIGHT - BOTTOM, 8);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="chart" role="img" aria-label={label}>
      {ticksOf(low, high, 3).map((tick) => (
        <g key={tick}>
          <line x1={LEFT} x2={WIDTH - 8} y1={y.at(tick)} y2={y.at(tick)} className="grid-line" />
          <text x={LEFT - 6} y={y.at(tick) + 4} textAnchor="end">
            {formatNumber(tick)}
          </text>
        </g>
      ))}
      {ticksOf(x.min, x.max, 4).map((tick) => (
        <text key={tick} x={x.at(tick)} y={HEIGHT - 6} textAnchor="middle">
          {formatNumber(tick)}
        </text>
      ))}
      {xLabel && (
        <text x={WIDTH - 8} y={HEIGHT - 6} textAnchor="end" className="name">
          {xLabel}
        </text>
      )}
      <polyline
        points={points.map(([a, b]) => `${x.at(a).toFixed(1)},${y.at(b).toFixed(1)}`).join(' ')}
        className="line"
      />
      {points.length > 0 && (
        <circle cx={x.at(points.at(-1)![0])} cy={y.at(points.at(-1)![1])} r={3} className="dot" />
      )}
    </svg>
  );
}
