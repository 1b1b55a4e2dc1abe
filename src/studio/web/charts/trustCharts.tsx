/** How far the models are to be believed: unseen rows, chances against what happened, and where designs lie. */
import type { RunDocument } from '../../../index.js';
import { formatNumber, formatPercent } from '../../../report/formats.js';
import { endsOf, roomFor, scaleOf, ticksOf } from './scale.js';

const SIZE = 360;
const LEFT = 52;
const BOTTOM = 38;
const END = 10;

function Axes({
  x,
  y,
  names,
  print = (value: number) => formatNumber(value),
}: {
  readonly x: ReturnType<typeof scaleOf>;
  readonly y: ReturnType<typeof scaleOf>;
  readonly names: readonly [string, string];
  readonly print?: (value: number) => string;
}) {
  return (
    <>
      {ticksOf(y.min, y.max).map((tick) => (
        <g key={tick}>
          <line x1={LEFT} x2={SIZE - END} y1={y.at(tick)} y2={y.at(tick)} className="grid-line" />
          <text x={LEFT - 6} y={y.at(tick) + 4} textAnchor="end">
            {print(tick)}
          </text>
        </g>
      ))}
      {ticksOf(x.min, x.max).map((tick) => (
        <text key={tick} x={x.at(tick)} y={SIZE - BOTTOM + 16} textAnchor="middle">
          {print(tick)}
        </text>
      ))}
      <text x={SIZE - END} y={SIZE - 4} textAnchor="end" className="name">
        {names[0]}
      </text>
      <text x={LEFT} y={8} className="name">
        {names[1]}
      </text>
    </>
  );
}

export interface PredictedPair {
  readonly row: number;
  readonly measured: number;
  readonly expected: number;
  readonly lo80: number;
  readonly hi80: number;
}

/** Rows whose intervals are shown whole. */
const FEW = 40;

/** Predicted and measured values, with 80 % intervals. */
export function Pairs({
  pairs,
  label,
  across = 'predicted',
}: {
  readonly pairs: readonly PredictedPair[];
  readonly label: string;
  readonly across?: string;
}) {
  // the intervals of many rows would leave no room for the rows
  const isFew = pairs.length <= FEW;
  const [low, high] = roomFor(
    pairs.flatMap(({ measured, expected, lo80, hi80 }) => [
      measured,
      expected,
      ...(isFew ? [lo80, hi80] : []),
    ]),
  );
  const x = scaleOf(low, high, LEFT, SIZE - END);
  const y = scaleOf(low, high, SIZE - BOTTOM, 18);
  const cut = (value: number) => Math.min(high, Math.max(low, value));
  return (
    <svg viewBox={`0 0 ${SIZE} ${SIZE}`} className="chart" role="img" aria-label={label}>
      <Axes x={x} y={y} names={[across, 'measured']} />
      <line x1={x.at(low)} y1={y.at(low)} x2={x.at(high)} y2={y.at(high)} className="diagonal" />
      {pairs.map(({ row, measured, expected, lo80, hi80 }) => {
        const missed = measured < lo80 || measured > hi80 ? 'missed' : '';
        return (
          <g key={row}>
            <line
              x1={x.at(cut(lo80))}
              x2={x.at(cut(hi80))}
              y1={y.at(measured)}
              y2={y.at(measured)}
              className={`whisker ${missed}`}
            />
            <circle cx={x.at(expected)} cy={y.at(measured)} r={3} className={`dot ${missed}`} />
          </g>
        );
      })}
    </svg>
  );
}

/** Radius of the largest mark. */
const MARK = 12;

type Bins = NonNullable<RunDocument['validation']['reliability']>;

export function Reliability({ bins }: { readonly bins: Bins }) {
  // marks at 0 and 1 keep clear of the numbers
  const x = scaleOf(0, 1, LEFT + MARK, SIZE - END - MARK);
  const y = scaleOf(0, 1, SIZE - BOTTOM - MARK, 18 + MARK);
  const [, most] = endsOf(bins.map(({ rows }) => rows));
  return (
    <svg
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      className="chart"
      role="img"
      aria-label="Chances that were said, against the share of rows that were better"
    >
      <Axes x={x} y={y} names={['chance that was said', 'share that was better']} print={formatPercent} />
      <line x1={x.at(0)} y1={y.at(0)} x2={x.at(1)} y2={y.at(1)} className="diagonal" />
      {bins
        .filter(({ rows }) => rows > 0)
        .map(({ from, chance, share, rows }) => (
          <circle
            key={from}
            cx={x.at(chance)}
            cy={y.at(share)}
            r={4 + (MARK - 4) * Math.sqrt(rows / most)}
            className="dot bubble"
          />
        ))}
    </svg>
  );
}

const MAP_WIDTH = 560;
const MAP_HEIGHT = 380;

export function DesignMap({ document: { map, goal } }: { readonly document: RunDocument }) {
  const all = [...map.past, ...map.candidates];
  const [x0, x1] = roomFor(all.map(({ x }) => x));
  const [y0, y1] = roomFor(all.map(({ y }) => y));
  const x = scaleOf(x0, x1, 10, MAP_WIDTH - 10);
  const y = scaleOf(y0, y1, MAP_HEIGHT - 10, 10);
  const values = map.past.map(({ value }) => value);
  const [worst, best] = endsOf(values);
  const share = (value: number) => {
    const s = best === worst ? 1 : (value - worst) / (best - worst);
    return goal.direction === 'max' ? s : 1 - s;
  };
  return (
    <svg
      viewBox={`0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`}
      className="chart"
      role="img"
      aria-label={`${map.past.length} past settings and ${map.candidates.length} candidates on two axes`}
    >
      <rect x={1} y={1} width={MAP_WIDTH - 2} height={MAP_HEIGHT - 2} className="ground" rx={8} />
      {map.past.map((point, i) => (
        <circle
          // biome-ignore lint/suspicious/noArrayIndexKey: past points have no name
          key={i}
          cx={x.at(point.x)}
          cy={y.at(point.y)}
          r={4}
          className="map-past"
          style={{ fillOpacity: 0.12 + 0.88 * share(point.value) }}
        />
      ))}
      {map.candidates.map((point) => (
        <g key={point.row}>
          <circle
            cx={x.at(point.x)}
            cy={y.at(point.y)}
            r={9}
            className={`mark ${point.trust.toLowerCase()}`}
          />
          <text
            x={x.at(point.x)}
            y={y.at(point.y) + 3.5}
            textAnchor="middle"
            className={`mark-number ${point.trust.toLowerCase()}`}
          >
            {point.row}
          </text>
        </g>
      ))}
    </svg>
  );
}
