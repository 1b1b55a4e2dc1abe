/** One column moved, the rest of the design as it is: what is expected along the way. A slider that shows its consequences. */
import { type PointerEvent, useMemo, useRef } from 'react';
import type { Profile } from '../../../index.js';
import { formatCell, formatNumber, type NumberFormat } from '../../../report/formats.js';
import { scaleOf, ticksOf } from './scale.js';

const WIDTH = 260;
const HEIGHT = 150;
const LEFT = 40;
const RIGHT = 8;
const TOP = 8;
const BOTTOM = 26;

type Point = Profile['points'][number];

export function ProfilePanel({
  profile,
  past,
  range,
  best,
  format,
  isLocked,
  move,
}: {
  readonly profile: Profile;
  readonly past: readonly number[];
  readonly range: readonly [number, number];
  readonly best: number;
  readonly format: NumberFormat;
  readonly isLocked: boolean;
  readonly move: (value: number | string) => void;
}) {
  const y = scaleOf(range[0], range[1], HEIGHT - BOTTOM, TOP);
  return (
    <div className="panel">
      {profile.kind === 'category' ? (
        <Levels profile={profile} y={y} best={best} isLocked={isLocked} move={move} />
      ) : (
        <Curve
          profile={profile}
          past={past}
          y={y}
          best={best}
          format={format}
          isLocked={isLocked}
          move={move}
        />
      )}
    </div>
  );
}

type Shared = {
  readonly profile: Profile;
  readonly y: ReturnType<typeof scaleOf>;
  readonly best: number;
  readonly isLocked: boolean;
};

function Frame({ y, best }: Pick<Shared, 'y' | 'best'>) {
  return (
    <>
      {ticksOf(y.min, y.max, 3).map((tick) => (
        <g key={tick}>
          <line x1={LEFT} x2={WIDTH - RIGHT} y1={y.at(tick)} y2={y.at(tick)} className="grid-line" />
          <text x={LEFT - 5} y={y.at(tick) + 4} textAnchor="end">
            {formatNumber(tick)}
          </text>
        </g>
      ))}
      <line x1={LEFT} x2={WIDTH - RIGHT} y1={y.at(best)} y2={y.at(best)} className="best-line dotted" />
    </>
  );
}

function Curve({
  profile: { column, at, seen, points },
  past,
  y,
  best,
  format,
  isLocked,
  move,
}: Shared & {
  readonly past: readonly number[];
  readonly format: NumberFormat;
  readonly move: (value: number) => void;
}) {
  const svg = useRef<SVGSVGElement>(null);
  const values = points.map(({ value }) => Number(value));
  const [low, high] = [values[0]!, values.at(-1)!];
  const x = scaleOf(low, high, LEFT, WIDTH - RIGHT);
  const here = Number(at);
  // one path: hundreds of lines would take longer to draw than the curves take to compute
  const ticks = useMemo(() => {
    const { at: placeOf } = scaleOf(low, high, LEFT, WIDTH - RIGHT);
    // a recipe may leave less room than past runs took
    const inside = past.filter((value) => value >= low && value <= high);
    const places = new Set(inside.map((value) => Math.round(placeOf(value))));
    return [...places].map((place) => `M${place} ${HEIGHT - BOTTOM}v4`).join('');
  }, [past, low, high]);
  const drag = (event: PointerEvent) => {
    if (isLocked || event.buttons !== 1) return;
    const box = svg.current!.getBoundingClientRect();
    const place = ((event.clientX - box.left) / box.width) * WIDTH;
    move(Math.min(high, Math.max(low, x.back(place))));
  };
  const isFar = (value: number) => seen !== null && (value < seen.min || value > seen.max);
  // the parts of the curve inside and outside of what was seen; neighbours share their end
  const parts: { readonly far: boolean; readonly points: Point[] }[] = [];
  for (const point of points) {
    const far = isFar(Number(point.value));
    const last = parts.at(-1);
    if (last && last.far === far) last.points.push(point);
    else parts.push({ far, points: last ? [last.points.at(-1)!, point] : [point] });
  }
  const nearest = points.reduce((a, b) =>
    Math.abs(Number(b.value) - here) < Math.abs(Number(a.value) - here) ? b : a,
  );
  const place = (value: number, score: number) => `${x.at(value).toFixed(1)},${y.at(score).toFixed(1)}`;
  const step = (high - low) / 40;
  return (
    <svg
      ref={svg}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className={`chart profile ${isLocked ? 'locked' : ''}`}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a curve that is dragged
      role="slider"
      tabIndex={0}
      aria-label={column}
      aria-valuemin={low}
      aria-valuemax={high}
      aria-valuenow={here}
      aria-valuetext={`${formatNumber(here, format)}, expected ${formatNumber(nearest.expected)}`}
      aria-disabled={isLocked}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag(event);
      }}
      onPointerMove={drag}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -5, PageUp: 5 }[
          event.key
        ];
        if (by === undefined || isLocked) return;
        event.preventDefault();
        move(Math.min(high, Math.max(low, here + by * step)));
      }}
    >
      <Frame y={y} best={best} />
      {parts.map((part) => (
        <g key={String(part.points[0]!.value)}>
          <polygon
            className={`band ${part.far ? 'far' : ''}`}
            points={[
              ...part.points.map((one) => place(Number(one.value), one.hi80)),
              ...part.points.toReversed().map((one) => place(Number(one.value), one.lo80)),
            ].join(' ')}
          />
          <polyline
            className={`line ${part.far ? 'far' : ''}`}
            points={part.points.map((one) => place(Number(one.value), one.expected)).join(' ')}
          />
        </g>
      ))}
      <path className="past-tick" d={ticks} />
      {ticksOf(low, high, 3).map((tick) => (
        <text key={tick} x={x.at(tick)} y={HEIGHT - 8} textAnchor="middle">
          {formatNumber(tick)}
        </text>
      ))}
      <line x1={x.at(here)} x2={x.at(here)} y1={TOP} y2={HEIGHT - BOTTOM} className="here-line" />
      <circle cx={x.at(here)} cy={y.at(nearest.expected)} r={6} className="dot handle" />
    </svg>
  );
}

function Levels({
  profile: { column, at, points },
  y,
  best,
  isLocked,
  move,
}: Shared & { readonly move: (value: string) => void }) {
  const place = (i: number) => LEFT + ((i + 0.5) * (WIDTH - LEFT - RIGHT)) / points.length;
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT - BOTTOM + 4}`} className="chart profile" aria-hidden="true">
        <Frame y={y} best={best} />
        {points.map(({ value, expected, lo80, hi80 }, i) => (
          <g key={String(value)}>
            <line x1={place(i)} x2={place(i)} y1={y.at(lo80)} y2={y.at(hi80)} className="whisker thick" />
            <circle cx={place(i)} cy={y.at(expected)} r={5} className={`dot ${value === at ? '' : 'open'}`} />
          </g>
        ))}
      </svg>
      <fieldset className="level-choice" disabled={isLocked}>
        <legend className="visually-hidden">{column}</legend>
        {points.map(({ value, expected }) => (
          <button
            key={String(value)}
            type="button"
            aria-pressed={value === at}
            aria-label={`${column} ${formatCell(value)}, expected ${formatNumber(expected)}`}
            onClick={() => move(String(value))}
          >
            {formatCell(value)}
          </button>
        ))}
      </fieldset>
    </>
  );
}
