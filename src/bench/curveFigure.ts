/** Learning curves: true scores along the search, which no algorithm sees. */
import { type Frame, fittedAxis } from '../report/axis.js';
import { html } from '../report/markup.js';
import { figureFile, type NamedFile, styleOf } from './figureFile.js';
import { isNull } from './nulls/index.js';
import { axes, x, y } from './panels.js';
import type { TrialRecord } from './records.js';
import { type Percentile, percentileNames, rowName, spreadOf, summarize } from './summary.js';

/** Levels of the rows without a model, the mean over seeds. */
function levelsOf(records: readonly TrialRecord[], rows: readonly string[], percentile: Percentile) {
  const cells = summarize(records.filter(({ algorithm }) => isNull(algorithm)));
  return cells.map((cell) => ({ row: rows.indexOf(rowName(cell)), level: cell.raw[percentile].mean }));
}

interface Line {
  readonly row: number;
  readonly points: readonly {
    readonly x: number;
    readonly y: number;
    readonly low: number;
    readonly high: number;
  }[];
}

/** Mean over seeds, and a band of one deviation, of the true scores along the search. */
function curveLines(
  records: readonly TrialRecord[],
  rows: readonly string[],
  percentile: Percentile,
): Line[] {
  const key = percentile === '100' ? 'best' : 'median';
  return rows.flatMap((name, row) => {
    const ofRow = records.filter((record) => rowName(record) === name);
    const at = new Map<number, number[]>();
    for (const { result } of ofRow)
      for (const point of result.curve) {
        const value = point[key];
        if (value !== undefined) at.set(point.iteration, [...(at.get(point.iteration) ?? []), value]);
      }
    const points = [...at]
      .sort(([a], [b]) => a - b)
      .map(([x, values]) => {
        const { mean, deviation } = spreadOf(values);
        return { x, y: mean, low: mean - deviation, high: mean + deviation };
      });
    return points.length > 1 ? [{ row, points }] : [];
  });
}

/** Mean over seeds and one deviation along the search, and beside it what no model reaches. */
export function curvePlot(
  task: string,
  records: readonly TrialRecord[],
  rows: readonly string[],
): NamedFile[] {
  const shown = new Set<number>();
  const panels = percentileNames.flatMap((percentile) => {
    const lines = curveLines(records, rows, percentile);
    if (lines.length === 0) return [];
    const levels = levelsOf(records, rows, percentile);
    for (const { row } of [...lines, ...levels]) shown.add(row);
    const all = lines.flatMap(({ points }) => points);
    const across = fittedAxis(all.map(({ x }) => x));
    const up = fittedAxis([
      ...all.flatMap(({ low, high }) => [low, high]),
      ...levels.map(({ level }) => level),
    ]);
    return [
      {
        title: `${percentile}th percentile`,
        draw: (frame: Frame) => [
          axes(across, up, frame, 'iteration'),
          levels.map(({ row, level }) => {
            const { colour, dash } = styleOf(row);
            return html`<path d="M${frame.left} ${y(up, level, frame)}H${frame.right}" fill="none" stroke="${colour}" stroke-dasharray="${dash}"/>`;
          }),
          lines.map(({ row, points }) => {
            const { colour, dash } = styleOf(row);
            const to = (value: number, i: number) =>
              `${x(across, points[i]!.x, frame)} ${y(up, value, frame)}`;
            const upper = points.map(({ high }, i) => to(high, i));
            const lower = points.map(({ low }, i) => to(low, i)).toReversed();
            return html`<path d="M${[...upper, ...lower].join('L')}Z" fill="${colour}" fill-opacity="0.13"/><path d="M${points.map(({ y: value }, i) => to(value, i)).join('L')}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>`;
          }),
        ],
      },
    ];
  });
  if (panels.length === 0) return [];
  const hasNulls = records.some(({ algorithm }) => isNull(algorithm));
  return [
    [
      `curves-${task}.svg`,
      figureFile({
        title: `${task}: true scores along the search`,
        caption: `Mean over seeds and one standard deviation, of the best and the median of the batch.${hasNulls ? ' Level lines: rows without a model, from the best visible rows.' : ''} No algorithm sees these scores.`,
        rows,
        shown,
        panels,
      }),
    ],
  ];
}
