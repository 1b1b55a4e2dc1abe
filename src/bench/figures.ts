/** Figures of a benchmark: learning curves, ranks, predictions, distances, cost. Each is a file name and an SVG. */
import { extent } from '../numeric/stats.js';

import { type Axis, bottomAxis, type Frame, fittedAxis, leftAxis, logAxis } from '../report/axis.js';
import { type Content, html, shorten } from '../report/markup.js';
import { compareRanks } from './comparison.js';
import { curvePlot } from './curveFigure.js';
import { figureFile, type NamedFile, styleOf } from './figureFile.js';
import { agreementPlot, metricPlots } from './furtherFigures.js';
import { isNull } from './nulls/index.js';
import { distancePanel, equalityPanel, x, y } from './panels.js';
import type { TrialRecord } from './records.js';
import { isSecondColumn } from './rescore.js';
import {
  type Cell,
  inOrder,
  type Percentile,
  percentileNames,
  rowName,
  spreadOf,
  summarize,
} from './summary.js';
import { percentiles } from './trial.js';

export type { NamedFile } from './figureFile.js';

/** Every figure for which the records have numbers. */
export function benchFigures(unordered: readonly TrialRecord[]): NamedFile[] {
  const records = inOrder(unordered); // a row's colour depends on its position
  const cells = summarize(records);
  const rows = unique(cells.map(rowName));
  const tasks = unique(cells.map(({ task }) => task));
  return [
    ...tasks.flatMap((task) => curvePlot(task, recordsOf(records, task), rows)),
    ...percentileNames.flatMap((percentile) => rankPlot(cells, percentile)),
    ...predictionPlot(records, rows, tasks),
    ...distancePlot(records, rows, tasks),
    ...stabilityPlot(records, rows, tasks),
    ...costPlot(cells, rows, tasks),
    ...agreementPlot(records, rows),
    ...metricPlots(records, rows),
  ];
}

function recordsOf(records: readonly TrialRecord[], task: string): TrialRecord[] {
  return records.filter((record) => record.task === task);
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

/** Mean ranks on a line; rows without a significant difference are joined (Demšar 2006). */
function rankPlot(cells: readonly Cell[], percentile: Percentile): NamedFile[] {
  const compared = compareRanks(cells, percentile);
  if (!compared) return [];
  const { rows, criticalDifference, tasks, chance } = compared;
  const axis: Axis = { ...fittedAxis([1, rows.length]), min: 1, max: rows.length };
  const ticks = Array.from({ length: rows.length }, (_, i) => i + 1);
  const groups = rows
    .map((row, i) => {
      const last = rows.findLastIndex(({ rank }) => rank - row.rank < criticalDifference);
      return { first: i, last };
    })
    .filter(
      ({ first, last }, i, all) => last > first && !all.slice(0, i).some((earlier) => earlier.last >= last),
    );
  const line = 15;
  const plain = new Set(cells.filter(({ algorithm }) => isNull(algorithm)).map(rowName));
  const grey = rows.some(({ name }) => plain.has(name)) ? ' Grey: rows without a model.' : '';
  return [
    [
      `ranks-${percentile}.svg`,
      figureFile({
        title: `Mean rank over ${tasks.length} tasks, ${percentile}th percentile`,
        caption: `1 is best.${grey} Joined rows differ by less than ${criticalDifference.toFixed(2)}, which is not significant (Nemenyi, 5 %). If all were equal, ranks this unequal would have probability ${chance.toPrecision(2)} (Friedman).`,
        rows: [],
        panelWidth: 520,
        panelHeight: 24 + 12 + line * rows.length + 7 * groups.length + 34 + 8,
        panels: [
          {
            title: '',
            draw: (frame) => {
              const at = (rank: number) => x(axis, rank, frame);
              return [
                ticks.map(
                  (tick) =>
                    html`<path class="grid" d="M${at(tick)} ${frame.top}V${frame.top + 4 + line * rows.length}"/><text x="${at(tick)}" y="${frame.top - 6}" text-anchor="middle">${tick}</text>`,
                ),
                rows.map(({ name, rank }, i) => {
                  const height = frame.top + 12 + i * line;
                  const isLeft = at(rank) > (frame.left + frame.right) / 2;
                  return html`<circle cx="${at(rank)}" cy="${height}" r="4" fill="${plain.has(name) ? '#999' : styleOf(0).colour}"/><text x="${at(rank) + (isLeft ? -8 : 8)}" y="${height + 4}" text-anchor="${isLeft ? 'end' : 'start'}">${shorten(name, 28)} ${rank.toFixed(2)}</text>`;
                }),
                groups.map(
                  ({ first, last }, i) =>
                    html`<path d="M${at(rows[first]!.rank) - 3} ${frame.top + 12 + line * rows.length + 7 * i}H${at(rows[last]!.rank) + 3}" stroke="#333" stroke-width="3"/>`,
                ),
              ];
            },
          },
        ],
      }),
    ],
  ];
}

/** Over-prediction: the score an algorithm predicts for its median design, against the true one. */
function predictionPlot(
  records: readonly TrialRecord[],
  rows: readonly string[],
  tasks: readonly string[],
): NamedFile[] {
  const panels = tasks.flatMap((task) => {
    const dots = recordsOf(records, task).flatMap((record) => {
      const predicted = record.result.curve.at(-1)?.watched.predictedMedian;
      if (predicted === undefined) return [];
      return [
        { row: rows.indexOf(rowName(record)), x: predicted, y: percentiles(record.result.scores).median },
      ];
    });
    return dots.length > 0 ? [equalityPanel(task, dots, 'predicted for the median design')] : [];
  });
  if (panels.length === 0) return [];
  const shown = new Set(
    records
      .filter(({ result }) => result.curve.at(-1)?.watched.predictedMedian !== undefined)
      .map((record) => rows.indexOf(rowName(record))),
  );
  const caption =
    'One dot per trial: the predicted score of the median design, and the true median. Below the dashed line the prediction was too high.';
  return [
    [
      'promises.svg',
      figureFile({ title: 'Predicted and true', caption, rows, shown, marks: 'dots', panels }),
    ],
  ];
}

/** Designs of the first seed: how far from the data, and how good. */
function distancePlot(
  records: readonly TrialRecord[],
  rows: readonly string[],
  tasks: readonly string[],
): NamedFile[] {
  const drawn = new Set(
    records.filter(({ algorithm }) => algorithm === 'random' || algorithm === 'sobol').map(rowName),
  );
  const panels = tasks.map((task) => {
    const ofTask = recordsOf(records, task);
    const dots = rows.flatMap((name, row) => {
      const first = ofTask.find((record) => rowName(record) === name);
      const known = first && first.result.distances.length > 0 ? first.result.scores : [];
      return known.map((score, i) => ({
        row,
        x: first!.result.distances[i]!,
        y: score,
      }));
    });
    // far outside of the data some scores are so large or small that nothing else could be told apart
    const near = dots.filter(({ row }) => !drawn.has(rows[row]!));
    return distancePanel(task, dots, near.length > 0 ? near : dots);
  });
  const beyond =
    drawn.size > 0 ? ' Random and Sobol designs beyond the scores of all others lie at the edge.' : '';
  const caption = `One dot per design of the first seed: distance to the nearest visible row (root mean square over standardised parameters; up to 0.01 at the left end) and true score.${beyond}`;
  const title = 'Distance to the data and true score';
  return [['distances.svg', figureFile({ title, caption, rows, marks: 'dots', panels })]];
}

/** SOO-Bench's stability: how much of the best point of the curve is kept along the whole search. */
export function stabilityIndex(curve: readonly number[], visibleMax: number): number | null {
  if (curve.length < 2) return null;
  const { max: most } = extent(curve);
  const zero = visibleMax - Math.max(most - visibleMax, 0.01);
  const reach = most - zero;
  if (!(reach > 0)) return null;
  return curve.reduce((sum, value) => sum + Math.max(0, value - zero), 0) / (reach * curve.length);
}

function stabilityPlot(
  records: readonly TrialRecord[],
  rows: readonly string[],
  tasks: readonly string[],
): NamedFile[] {
  const bars = tasks.flatMap((task) =>
    rows.flatMap((name, row) => {
      const indices = recordsOf(records, task)
        .filter((record) => rowName(record) === name)
        .flatMap(({ result }) => {
          const curve = result.curve.flatMap(({ best }) => (best === undefined ? [] : [best]));
          return curve.length > 1 ? [stabilityIndex(curve, result.visibleMax)] : [];
        });
      const values = indices.filter((index) => index !== null);
      if (indices.length === 0) return [];
      return [{ task, row, value: values.length > 0 ? spreadOf(values).mean : null }];
    }),
  );
  if (bars.length === 0) return [];
  const axis = { ...fittedAxis([0, 1]), min: 0, max: 1 };
  const panels = unique(bars.map(({ task }) => task)).map((task) => ({
    title: task,
    draw: (frame: Frame) => {
      const ofTask = bars.filter((bar) => bar.task === task);
      const room = (frame.right - frame.left) / Math.max(1, ofTask.length);
      return [
        leftAxis({ ...axis, ticks: [0, 0.2, 0.4, 0.6, 0.8, 1] }, frame),
        ofTask.map(({ row, value }, i) => {
          const middle = frame.left + (i + 0.5) * room;
          if (value === null) {
            return html`<text x="${middle}" y="${frame.bottom - 4}" text-anchor="middle" fill="${styleOf(row).colour}">none</text>`;
          }
          const height = y(axis, value, frame);
          return html`<rect x="${frame.left + (i + 0.2) * room}" y="${height}" width="${0.6 * room}" height="${frame.bottom - height}" ${fillOf(row)}/><text x="${middle}" y="${height - 4}" text-anchor="middle">${value.toFixed(2)}</text>`;
        }),
      ];
    },
  }));
  const caption =
    'Area under the curve of the best score above its zero line, as a share of its greatest value held throughout (SI of SOO-Bench): 1 keeps what it finds, low values find and lose it; none: never as good as the best visible score.';
  const shown = new Set(bars.map(({ row }) => row));
  return [
    ['stability.svg', figureFile({ title: 'Stability along the search', caption, rows, shown, panels })],
  ];
}

/** A bar as the legend draws its row: open and dashed where the line is. */
function fillOf(row: number): Content {
  const { colour, dash } = styleOf(row);
  return dash === 'none'
    ? html`fill="${colour}"`
    : html`fill="${colour}" fill-opacity="0.15" stroke="${colour}" stroke-dasharray="${dash}"`;
}

function costPlot(cells: readonly Cell[], rows: readonly string[], tasks: readonly string[]): NamedFile[] {
  const seconds = cells.map(({ cpuSecondsPerTrial }) => Math.max(0.01, cpuSecondsPerTrial));
  const across = logAxis(seconds);
  const scored = tasks.filter((task) => !isSecondColumn(task)); // a second scorer costs what bench rescore takes
  const panels = scored.map((task) => ({
    title: task,
    draw: (frame: Frame) => [
      bottomAxis(across, frame, 'processor seconds per trial'),
      rows.map((name, i) => {
        const cell = cells.find((one) => one.task === task && rowName(one) === name);
        if (!cell) return null;
        const line = Math.min(18, (frame.bottom - frame.top) / rows.length);
        const height = frame.top + i * line;
        const end = x(across, Math.max(0.01, cell.cpuSecondsPerTrial), frame);
        return html`<rect x="${frame.left}" y="${height}" width="${Math.max(1, end - frame.left)}" height="${line * 0.7}" ${fillOf(i)}/><text x="${end + 4}" y="${height + line * 0.6}">${cell.cpuSecondsPerTrial.toFixed(cell.cpuSecondsPerTrial < 10 ? 1 : 0)} s</text>`;
      }),
    ],
  }));
  const caption = 'Mean over seeds of the processor time of a whole trial, data and scoring included.';
  return [['cost.svg', figureFile({ title: 'Cost', caption, rows, panels })]];
}
