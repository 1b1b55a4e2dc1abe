/** What was watched during training (iteration below 0) and search, one small panel per series. */
import type { RunDocument } from '../evaluation/runDocument.js';
import {
  type Axis,
  type Frame,
  fittedAxis,
  leftAxis,
  leftRoom,
  linearAxis,
  position,
  tickLabel,
} from './axis.js';
import { html, type Markup } from './markup.js';
import { columnFormat, estimateFormat, formatNumber } from './numberFormat.js';

const width = 300;
const height = 170;
/** More points than pixels say nothing. */
const mostPoints = 200;

const headline = ['predictedBest', 'predictedMedian'];

const names: Readonly<Record<string, string>> = {
  predictedBest: 'Expected, best of the batch',
  predictedMedian: 'Expected, middle of the batch',
  spread: 'Disagreement of the networks, middle of the batch',
  moved: 'Distance from the start, middle of the batch',
  gamma: 'Gamma, middle of the batch',
  loss: 'Loss',
};

interface Point {
  readonly iteration: number;
  readonly value: number;
}

/** Series in the order in which they are shown: headline ones first, then as they came. */
export function watchedSeries(curves: RunDocument['curves']): { name: string; points: Point[] }[] {
  const series = new Map<string, Point[]>(headline.map((name) => [name, []]));
  curves.forEach((point, index) => {
    const iteration = Number.isFinite(point.iteration) ? point.iteration! : index;
    for (const [name, value] of Object.entries(point)) {
      if (name === 'iteration' || !Number.isFinite(value)) continue;
      const points = series.get(name) ?? [];
      points.push({ iteration, value });
      series.set(name, points);
    }
  });
  return [...series]
    .filter(([, points]) => points.length > 0)
    .map(([name, points]) => ({ name, points: points.toSorted((a, b) => a.iteration - b.iteration) }));
}

/** "predictedBest" in words, known or guessed from its capitals. */
export function seriesTitle(name: string): string {
  if (Object.hasOwn(names, name)) return names[name]!;
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function learningCurves({ curves }: RunDocument): Markup | null {
  const series = watchedSeries(curves);
  if (series.length === 0) return null;
  return html`<div class="panels">${series.map(({ name, points }) => panel(seriesTitle(name), points))}</div>`;
}

function panel(title: string, points: readonly Point[]): Markup {
  const axis = fittedAxis(
    points.map(({ value }) => value),
    4,
  );
  const frame: Frame = { left: leftRoom(axis), right: width - 12, top: 24, bottom: height - 24 };
  const phases = phaseAxis(points[0]!.iteration, points.at(-1)!.iteration, frame);
  const y = (value: number) => position(axis, value, frame.bottom, frame.top);
  const kept = thinned(points);
  const path = kept.map(
    ({ iteration, value }, i) => html`${i === 0 ? 'M' : 'L'}${phases.x(iteration)} ${y(value)}`,
  );
  const end = points.at(-1)!;
  const values = points.map(({ value }) => value);
  const format = estimateFormat(axis.max - axis.min, values);
  const place = (iteration: number) => formatNumber(iteration, columnFormat([iteration]));
  const start = points[0]!;
  const summary =
    points.length === 1
      ? `${formatNumber(end.value, format)} at iteration ${place(end.iteration)}.`
      : `From ${formatNumber(start.value, format)} at iteration ${place(start.iteration)} to ${formatNumber(end.value, format)} at iteration ${place(end.iteration)}.`;
  return html`<figure class="panel"><h3>${title}</h3>
    <svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}: ${summary}"><title>${title}: ${summary}</title>
      ${phases.marks}${leftAxis(axis, frame)}
      <path class="rule" d="M${frame.left} ${frame.bottom}H${frame.right}"/>
      <path class="line" d="${path}"/><circle class="dot" cx="${phases.x(end.iteration)}" cy="${y(end.value)}" r="3"/>
    </svg>
    <figcaption>${summary}</figcaption></figure>`;
}

interface Phases {
  x(iteration: number): number;
  readonly marks: Markup;
}

/** Training may take a hundred times as many iterations as the search: each phase has its own part of the width. */
function phaseAxis(first: number, last: number, frame: Frame): Phases {
  const hasTraining = first < 0;
  const hasSearch = last >= 0;
  const middle = !hasTraining
    ? frame.left
    : hasSearch
      ? frame.left + 0.4 * (frame.right - frame.left)
      : frame.right;
  const training = { ...linearAxis([0]), min: Math.min(first, -1), max: 0 };
  const search = { ...linearAxis([0]), min: 0, max: Math.max(last, 1) };
  const label = (axis: Axis, value: number, at: number, anchor: string) =>
    html`<text class="tick" x="${at}" y="${frame.bottom + 15}" text-anchor="${anchor}">${tickLabel({ ...axis, format: columnFormat([value]) }, value)}</text>`;
  return {
    x: (iteration) =>
      iteration < 0
        ? position(training, iteration, frame.left, middle)
        : position(search, iteration, middle, frame.right),
    marks: html`${
      hasTraining &&
      html`<rect class="phase" x="${frame.left}" y="${frame.top}" width="${middle - frame.left}" height="${frame.bottom - frame.top}"/>
        <text class="name" x="${frame.left + 3}" y="${frame.top - 8}">training</text>${label(training, first, frame.left, 'start')}`
    }${
      hasSearch &&
      html`<text class="name" x="${middle + 3}" y="${frame.top - 8}">search</text>${label(search, 0, middle, 'middle')}${label(search, last, frame.right, 'end')}`
    }`,
  };
}

/** Evenly chosen points; the first and the last are always among them. */
function thinned(points: readonly Point[]): readonly Point[] {
  if (points.length <= mostPoints) return points;
  return Array.from(
    { length: mostPoints },
    (_, i) => points[Math.round((i * (points.length - 1)) / (mostPoints - 1))]!,
  );
}
