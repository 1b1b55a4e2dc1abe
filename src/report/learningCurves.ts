/** What was watched during training (iteration below 0) and search, one small panel per series. */
import type { RunDocument } from '../design/runDocument.js';
import { extent } from '../numeric/stats.js';
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
import { columnFormat, estimateFormat, formatNumber, type NumberFormat } from './formats.js';
import { html, type Markup } from './markup.js';

const width = 300;
const height = 170;
/** More points than pixels say nothing. */
const mostPoints = 200;

const firstSeries = ['predictedBest', 'predictedMedian'];

const names: Readonly<Record<string, string>> = {
  predictedBest: 'Expected, best of the batch',
  predictedMedian: 'Expected, middle of the batch',
  spread: 'Spread of the networks of the search, middle of the batch',
  moved: 'Distance from the start, middle of the batch',
  gamma: 'Gamma, middle of the batch',
};

interface Point {
  readonly iteration: number;
  readonly value: number;
}

/** Series in the order in which they are shown: predictions first, then in the order in which they appear. */
export function watchedSeries(curves: RunDocument['curves']): { name: string; points: Point[] }[] {
  const series = new Map<string, Point[]>(firstSeries.map((name) => [name, []]));
  curves.forEach((point, index) => {
    const iteration = Number.isFinite(point.iteration) ? point.iteration! : index;
    for (const [name, value] of Object.entries(point)) {
      // a loss says nothing to those who read the report
      if (name === 'iteration' || /loss$/i.test(name) || !Number.isFinite(value)) continue;
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

export function learningCurves({ curves, run }: RunDocument): Markup | null {
  const series = watchedSeries(curves);
  if (series.length === 0) return null;
  const hasExpected = series.some(({ name }) => firstSeries.includes(name));
  return html`<p class="intro">What was watched while the model was trained (shaded) and while designs were moved, by the step of the search. The two phases have their own scale across.</p>
    ${run.method === 'nemo' && hasExpected && html`<p class="intro">“Expected” is here what the cautious networks of the search say. They are told every outcome of the designs they meet, so what they expect falls as the search goes on: that is how NEMO works, not a failure. The batch is chosen by other models, fitted to the past rows alone, from these designs and from those of further searches; what they expect is in the table of candidates.</p>`}
    <div class="panels">${series.map(({ name, points }) => panel(seriesTitle(name), points))}</div>`;
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
  const summary = curveSummary(
    points,
    estimateFormat(
      axis.max - axis.min,
      points.map(({ value }) => value),
    ),
  );
  return html`<figure class="panel"><h3>${title}</h3>
    <svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}: ${summary}"><title>${title}: ${summary}</title>
      ${phases.marks}${leftAxis(axis, frame)}
      <path class="rule" d="M${frame.left} ${frame.bottom}H${frame.right}"/>
      <path class="line" d="${path}"/><circle class="dot" cx="${phases.x(end.iteration)}" cy="${y(end.value)}" r="3"/>
    </svg>
    <figcaption>${summary}</figcaption></figure>`;
}

/** A turn smaller than this share of the whole range is not worth a word. */
const smallestTurn = 0.15;

/** Which way a series went, where it turned and where it ended, phase by phase. */
export function curveSummary(points: readonly Point[], format: NumberFormat): string {
  const training = points.filter(({ iteration }) => iteration < 0);
  const search = points.filter(({ iteration }) => iteration >= 0);
  const { min, max } = extent(points.map(({ value }) => value));
  const least = smallestTurn * (max - min);
  if (training.length === 0) return `${capital(course(search, least, format))}.`;
  // Turns of training are those of its minibatches.
  const trained = course([training[0]!, training.at(-1)!], least, format);
  if (search.length === 0) return `In training it ${trained}.`;
  return `In training it ${trained}; in the search it ${course(search, least, format)}.`;
}

function course(points: readonly Point[], least: number, format: NumberFormat): string {
  const [start, end] = [points[0]!, points.at(-1)!];
  const number = ({ value }: Point) => formatNumber(value, format);
  const at = ({ iteration }: Point) => formatNumber(iteration, columnFormat([iteration]));
  if (points.length === 1) return `was watched once: ${number(end)}`;
  const top = points.reduce((a, b) => (b.value > a.value ? b : a));
  const bottom = points.reduce((a, b) => (b.value < a.value ? b : a));
  const isPeak = top.value - Math.max(start.value, end.value) > least;
  const isDip = Math.min(start.value, end.value) - bottom.value > least;
  if (isPeak && isDip) {
    return `went between ${number(bottom)} and ${number(top)}, from ${number(start)} to ${number(end)}`;
  }
  if (isPeak)
    return `rose from ${number(start)} to ${number(top)} at step ${at(top)}, then fell to ${number(end)}`;
  if (isDip)
    return `fell from ${number(start)} to ${number(bottom)} at step ${at(bottom)}, then rose to ${number(end)}`;
  if (number(start) === number(end)) return `stayed near ${number(end)} all the way`;
  return `${end.value > start.value ? 'rose' : 'fell'} from ${number(start)} to ${number(end)}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
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
        <text class="name" x="${frame.left + 3}" y="${frame.top - 8}">training</text>`
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
