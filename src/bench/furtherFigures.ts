/** Figures of what second scorers say, and of what an algorithm reports along its search. */
import { type Frame, fittedAxis } from '../report/axis.js';
import { html } from '../report/markup.js';
import { figureFile, type NamedFile, styleOf } from './figureFile.js';
import { axes, distancePanel, x, y } from './panels.js';
import type { TrialRecord } from './records.js';
import { isSecondColumn } from './rescore.js';
import { rowName, spreadOf } from './summary.js';

/** Designs of the first seed: how far a second scorer is from the first, by distance to the data. */
export function agreementPlot(records: readonly TrialRecord[], rows: readonly string[]): NamedFile[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  const again = records.filter(({ task }) => isSecondColumn(task));
  const shown = new Set<number>();
  const panels = [...new Set(again.map(({ task }) => task))].map((task) => {
    const firsts = new Set<string>();
    const dots = again
      .filter((record) => record.task === task)
      .toSorted((a, b) => a.seed - b.seed)
      .flatMap((record) => {
        const own = byId.get(record.id.split(' ')[0]!);
        const name = rowName(record);
        // noise that matches other rows is no row of its own
        if (!own || firsts.has(name) || !rows.includes(name)) return [];
        firsts.add(name);
        return own.result.distances.map((distance, i) => ({
          row: rows.indexOf(name),
          x: distance,
          y: record.result.scores[i]! - own.result.scores[i]!,
        }));
      });
    for (const { row } of dots) shown.add(row);
    return distancePanel(task, dots);
  });
  if (panels.length === 0) return [];
  const caption =
    "One dot per design of the first seed: score by the second scorer minus score by the task's own, and distance to the nearest visible row (root mean square over standardised parameters; up to 0.01 at the left end). Far from 0, a score says more about the scorer than about the design.";
  const title = 'How far two scorers agree';
  return [['agreement.svg', figureFile({ title, caption, rows, shown, marks: 'dots', panels })]];
}

/** What NML does: metrics of NEMO that show it, with their panel's title. */
const metrics: Readonly<Record<string, string>> = {
  spread: 'spread of the networks',
  gamma: 'Γ by the targets',
  trackingError: 'amortised against last layer',
};

/** One figure per task: mean over seeds of each metric along the search. */
export function metricPlots(records: readonly TrialRecord[], rows: readonly string[]): NamedFile[] {
  const tasks = [...new Set(records.map(({ task }) => task))].filter((task) => !isSecondColumn(task));
  return tasks.flatMap((task): NamedFile[] => {
    const ofTask = records.filter((record) => record.task === task);
    const shown = new Set<number>();
    const panels = Object.entries(metrics).flatMap(([metric, title]) => {
      const lines = rows.flatMap((name, row) => {
        const points = meanCurve(
          ofTask.filter((record) => rowName(record) === name),
          metric,
        );
        return points.length > 1 ? [{ row, points }] : [];
      });
      if (lines.length === 0) return [];
      for (const { row } of lines) shown.add(row);
      const all = lines.flatMap(({ points }) => points);
      const across = fittedAxis(all.map((point) => point.iteration));
      const up = fittedAxis([0, ...all.map((point) => point.mean)]);
      const draw = (frame: Frame) => [
        axes(across, up, frame, 'iteration'),
        lines.map(({ row, points }) => {
          const { colour, dash } = styleOf(row);
          const path = points.map(
            ({ iteration, mean }) => `${x(across, iteration, frame)} ${y(up, mean, frame)}`,
          );
          return html`<path d="M${path.join('L')}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>`;
        }),
      ];
      return [{ title, draw }];
    });
    if (panels.length === 0) return [];
    const caption =
      'Mean over seeds, median design of the batch. Where the spread is 0, all networks say the same and NML does nothing.';
    const title = `${task}: what the networks say along the search`;
    return [[`metrics-${task}.svg`, figureFile({ title, caption, rows, shown, panels })]];
  });
}

function meanCurve(records: readonly TrialRecord[], metric: string): { iteration: number; mean: number }[] {
  const at = new Map<number, number[]>();
  for (const { result } of records)
    for (const { iteration, watched } of result.curve) {
      const value = watched[metric];
      if (value !== undefined) at.set(iteration, [...(at.get(iteration) ?? []), value]);
    }
  return [...at]
    .sort(([a], [b]) => a - b)
    .map(([iteration, values]) => ({ iteration, mean: spreadOf(values).mean }));
}
