/** Candidates by two of several goals, with intervals, among past runs: who is better in one, and who in the other. */
import type { Candidate, RunDocument } from '../../../index.js';
import { formatNumber } from '../../../report/formats.js';
import { roomFor, scaleOf, ticksOf } from './scale.js';

const WIDTH = 460;
const HEIGHT = 320;
const LEFT = 56;
const BOTTOM = 38;

export function GoalScatter({
  document,
  x: gx,
  y: gy,
  past,
}: {
  readonly document: RunDocument;
  readonly x: number;
  readonly y: number;
  /** Rows of measured values, one per goal. */
  readonly past: readonly (readonly number[])[];
}) {
  const { candidates, goal } = document;
  const range = (g: number) =>
    roomFor([
      ...candidates.flatMap(({ goals }) => [goals[g]!.lo80, goals[g]!.hi80]),
      ...past.map((values) => values[g]!),
    ]);
  const [x0, x1] = range(gx);
  const [y0, y1] = range(gy);
  const x = scaleOf(x0, x1, LEFT, WIDTH - 10);
  const y = scaleOf(y0, y1, HEIGHT - BOTTOM, 16);
  const names = [goal.goals[gx]!.column, goal.goals[gy]!.column];
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="chart"
      role="img"
      aria-label={`${candidates.length} candidates by expected ${names[0]} and ${names[1]}`}
    >
      {ticksOf(y0, y1).map((tick) => (
        <g key={tick}>
          <line x1={LEFT} x2={WIDTH - 10} y1={y.at(tick)} y2={y.at(tick)} className="grid-line" />
          <text x={LEFT - 6} y={y.at(tick) + 4} textAnchor="end">
            {formatNumber(tick)}
          </text>
        </g>
      ))}
      {ticksOf(x0, x1).map((tick) => (
        <text key={tick} x={x.at(tick)} y={HEIGHT - BOTTOM + 16} textAnchor="middle">
          {formatNumber(tick)}
        </text>
      ))}
      <text x={WIDTH - 10} y={HEIGHT - 6} textAnchor="end" className="name">
        {names[0]}
      </text>
      <text x={LEFT} y={8} className="name">
        {names[1]}
      </text>
      {past.map((values, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: past runs have no name
        <circle key={i} cx={x.at(values[gx]!)} cy={y.at(values[gy]!)} r={2.5} className="past-dot" />
      ))}
      {candidates.map((one) => (
        <Mark
          key={one.row}
          candidate={one}
          x={x.at(one.goals[gx]!.expected)}
          y={y.at(one.goals[gy]!.expected)}
        >
          <line
            x1={x.at(one.goals[gx]!.lo80)}
            x2={x.at(one.goals[gx]!.hi80)}
            y1={y.at(one.goals[gy]!.expected)}
            y2={y.at(one.goals[gy]!.expected)}
            className="whisker"
          />
          <line
            y1={y.at(one.goals[gy]!.lo80)}
            y2={y.at(one.goals[gy]!.hi80)}
            x1={x.at(one.goals[gx]!.expected)}
            x2={x.at(one.goals[gx]!.expected)}
            className="whisker"
          />
        </Mark>
      ))}
    </svg>
  );
}

function Mark({
  candidate: { row, trust },
  x,
  y,
  children,
}: {
  readonly candidate: Candidate;
  readonly x: number;
  readonly y: number;
  readonly children: React.ReactNode;
}) {
  return (
    <g>
      {children}
      <circle cx={x} cy={y} r={9} className={`mark ${trust.toLowerCase()}`} />
      <text x={x} y={y + 3.5} textAnchor="middle" className={`mark-number ${trust.toLowerCase()}`}>
        {row}
      </text>
    </g>
  );
}
