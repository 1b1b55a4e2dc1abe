/** One column is moved, the rest stays as in a candidate: expected value, its 80 % interval and the seen range. */
import type { Forecast, Profile, RunDocument } from '../design/runDocument.js';
import type { Cell } from '../problem/index.js';
import {
  type Axis,
  bottomAxis,
  type Frame,
  fittedAxis,
  isGeometric,
  leftAxis,
  leftRoom,
  linearAxis,
  logAxis,
  position,
} from './axis.js';
import type { DocumentFormats } from './documentFormats.js';
import { formatCell, formatInterval, formatNumber } from './formats.js';
import { html, list, Markup, shorten, wrap } from './markup.js';
import { chartStyle } from './style.js';

export const width = 300;
export const height = 190;
const mostLevels = 16;

/** What profiles are drawn for. */
export interface ProfiledRun extends Pick<RunDocument, 'goal' | 'bestKnown' | 'profiles'> {
  /** The candidate whose other columns stay. */
  readonly row: number;
}

interface Drawn {
  readonly drawing: Markup;
  /** What one sees in it, in words. */
  readonly caption: string;
}

type Point = Forecast & { readonly at: number };

/** All panels share the axis of values: what matters much looks it. */
export function profileCharts(document: RunDocument, formats: DocumentFormats): Markup | null {
  const all = drawProfiles({ ...document, row: 1 }, formats);
  if (all.length === 0) return null;
  return html`<div class="panels">${all.map(
    ({ profile, drawing, caption }) => html`<figure class="panel"><h3>${shorten(profile.column, 60)}</h3>
    <svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${profile.column}: ${caption}">
      ${drawing}</svg>
    <figcaption>${caption}${profile.along && ` To keep the sum, ${profile.along.length > 3 ? 'the rest of the recipe moves' : `${list(profile.along)} ${profile.along.length > 1 ? 'move' : 'moves'}`} along.`}</figcaption></figure>`,
  )}</div>`;
}

/** Profiles with a curve, each drawn on 300 x 190 units. */
export function drawProfiles(
  run: ProfiledRun,
  formats: DocumentFormats,
): (Drawn & { readonly profile: Profile })[] {
  const profiles = run.profiles.filter((profile) => drawn(profile).length > 0);
  const values = profiles.flatMap((profile) =>
    drawn(profile).flatMap(({ expected, lo80, hi80 }) => [expected, lo80, hi80]),
  );
  const axis = fittedAxis([...values, run.bestKnown.value], 4);
  return profiles.map((profile) => ({
    profile,
    ...(profile.kind === 'number' ? numberProfile : categoryProfile)(profile, axis, run, formats),
  }));
}

/** The points that have a place. What never was negative (a mass, a frequency) is not drawn below 0. */
function drawn({ kind, points, seen }: Profile): Profile['points'] {
  const isPositive = seen !== null && seen.min >= 0;
  const hasPlace = (value: Cell) =>
    kind === 'category' || (Number.isFinite(Number(value)) && !(isPositive && Number(value) < 0));
  return points.filter(({ value, expected }) => hasPlace(value) && Number.isFinite(expected));
}

function bestLine(axis: Axis, frame: Frame, value: number): Markup {
  const y = position(axis, value, frame.bottom, frame.top);
  return html`<path class="best" d="M${frame.left} ${y}H${frame.right}"><title>best known</title></path>`;
}

function numberProfile(profile: Profile, axis: Axis, run: ProfiledRun, formats: DocumentFormats): Drawn {
  const points = drawn(profile)
    .map(({ value, ...rest }): Point => ({ ...rest, at: Number(value) }))
    .toSorted((a, b) => a.at - b.at);
  const places = points.map(({ at }) => at);
  const across = isGeometric(places) ? logAxis(places, 3) : linearAxis(places, 3);
  const frame: Frame = { left: leftRoom(axis), right: width - 14, top: 14, bottom: height - 24 };
  // Drawn from the first to the last point: rounding the ends of the axis would leave bare ground.
  const shown: Axis = {
    ...across,
    min: places[0] ?? across.min,
    max: places.at(-1) ?? across.max,
  };
  const used = shown.max > shown.min ? shown : across;
  const ticks = { ...used, ticks: used.ticks.filter((tick) => tick >= used.min && tick <= used.max) };
  const x = (value: number) => position(used, value, frame.left, frame.right);
  const y = (value: number) => position(axis, value, frame.bottom, frame.top);
  const seen = profile.seen;
  const parts = seen === null ? [{ points, isSeen: true }] : split(points, seen.min, seen.max);
  const at = typeof profile.at === 'number' ? profile.at : Number.NaN;
  const there = Number.isFinite(at) ? between(points, at) : undefined;
  const format = formats.column(profile.column);
  const edge = (line: readonly Point[], pick: (point: Point) => number) =>
    line.map((point, i) => html`${i === 0 ? '' : 'L'}${x(point.at)} ${y(pick(point))}`);
  const drawing = html`
    ${seen !== null && html`<rect class="seen" x="${x(seen.min)}" y="${frame.top}" width="${Math.max(1, x(seen.max) - x(seen.min))}" height="${frame.bottom - frame.top}"/>`}
    ${leftAxis(axis, frame)}${bottomAxis(ticks, frame)}${bestLine(axis, frame, run.bestKnown.value)}
    ${parts.map(
      ({ points: line, isSeen }) =>
        html`<path class="band${!isSeen && ' far'}" d="M${edge(line, ({ hi80 }) => hi80)}L${edge(line.toReversed(), ({ lo80 }) => lo80)}Z"/><path class="line${!isSeen && ' far'}" d="M${edge(line, ({ expected }) => expected)}"/>`,
    )}
    ${there && html`<path class="here" d="M${x(at)} ${frame.top - 4}V${frame.bottom}"/><circle class="dot" cx="${x(at)}" cy="${y(there.expected)}" r="3.5"/><text class="name" x="${x(at)}" y="${frame.top - 5}" text-anchor="${x(at) > width - 60 ? 'end' : x(at) < frame.left + 30 ? 'start' : 'middle'}">candidate ${run.row}</text>`}`;
  // Beyond past rows the curve is a guess: its best is none to aim for.
  const inside = seen === null ? points : points.filter((one) => one.at >= seen.min && one.at <= seen.max);
  const best = bestPoint(inside.length > 0 ? inside : points, run.goal.direction);
  const caption = [
    best &&
      `Best near ${formatNumber(best.at, format, { trim: true })}: expected ${formatNumber(best.expected, formats.objective)} (${formatInterval(best.lo80, best.hi80, formats.objective)}).`,
    there &&
      `Candidate ${run.row}: ${formatNumber(at, format, { trim: true })}${there && ` (expected ${formatNumber(there.expected, formats.objective)})`}.`,
    seen !== null &&
      `Past rows: ${formatNumber(seen.min, format, { trim: true })} to ${formatNumber(seen.max, format, { trim: true })}.`,
  ];
  return { drawing, caption: caption.filter(Boolean).join(' ') };
}

function categoryProfile(profile: Profile, axis: Axis, run: ProfiledRun, formats: DocumentFormats): Drawn {
  const sign = run.goal.direction === 'max' ? -1 : 1;
  const all = drawn(profile);
  const ranked = all.toSorted((a, b) => sign * (a.expected - b.expected));
  const kept = new Set([
    ...all.filter(({ value }) => value === profile.at),
    ...ranked.slice(0, mostLevels - 1),
  ]);
  const points = all.filter((point) => kept.has(point));
  const frame: Frame = { left: leftRoom(axis), right: width - 10, top: 14, bottom: height - 24 };
  const room = (frame.right - frame.left) / Math.max(1, points.length);
  const y = (value: number) => position(axis, value, frame.bottom, frame.top);
  const letters = Math.floor(room / 6.2);
  const isLeaning = points.some(({ value }) => String(value).length > letters) && room < 44;
  const base = isLeaning ? { ...frame, bottom: height - 52 } : frame;
  const v = (value: number) => (isLeaning ? position(axis, value, base.bottom, base.top) : y(value));
  const marks = points.map((point, i) => {
    const x = frame.left + (i + 0.5) * room;
    const label = formatCell(point.value);
    const isHere = point.value === profile.at;
    const text = shorten(label, isLeaning ? 8 : Math.max(2, letters));
    return html`<g class="level${isHere && ' chosen'}"><title>${label}: expected ${formatNumber(point.expected, formats.objective)} (${formatInterval(point.lo80, point.hi80, formats.objective)})</title>
      <path class="whisker" d="M${x} ${v(point.lo80)}V${v(point.hi80)}M${x - 4} ${v(point.lo80)}h8M${x - 4} ${v(point.hi80)}h8"/><circle class="dot" cx="${x}" cy="${v(point.expected)}" r="${isHere ? 5 : 3.5}"/>
      ${isLeaning ? html`<text class="tick" transform="translate(${x + 3} ${base.bottom + 12}) rotate(-40)" text-anchor="end">${text}</text>` : html`<text class="tick" x="${x}" y="${base.bottom + 15}" text-anchor="middle">${text}</text>`}</g>`;
  });
  const drawing = html`${leftAxis(axis, base)}<path class="rule" d="M${frame.left} ${base.bottom}H${frame.right}"/>${bestLine(axis, base, run.bestKnown.value)}${marks}`;
  const best = ranked[0];
  const here = all.find(({ value }) => value === profile.at);
  const caption = [
    best &&
      `Best: ${shorten(formatCell(best.value), 40)}, expected ${formatNumber(best.expected, formats.objective)} (${formatInterval(best.lo80, best.hi80, formats.objective)}).`,
    here &&
      `Candidate ${run.row} (larger dot): ${shorten(formatCell(here.value), 40)}, expected ${formatNumber(here.expected, formats.objective)}.`,
    points.length < all.length && `${points.length} of ${all.length} levels are drawn, the best ones.`,
  ];
  return { drawing, caption: caption.filter(Boolean).join(' ') };
}

function bestPoint(points: readonly Point[], direction: 'max' | 'min'): Point | undefined {
  const sign = direction === 'max' ? 1 : -1;
  return points.reduce<Point | undefined>(
    (best, point) => (best === undefined || sign * (point.expected - best.expected) > 0 ? point : best),
    undefined,
  );
}

/** The curve at `at`, on straight lines between points; its nearest end outside. */
function between(points: readonly Point[], at: number): Point | undefined {
  const next = points.findIndex((point) => point.at >= at);
  if (next <= 0) return points[next === 0 ? 0 : points.length - 1];
  const [a, b] = [points[next - 1]!, points[next]!];
  const t = b.at > a.at ? (at - a.at) / (b.at - a.at) : 0;
  const mix = (from: number, to: number) => from + t * (to - from);
  return {
    at,
    expected: mix(a.expected, b.expected),
    lo80: mix(a.lo80, b.lo80),
    hi80: mix(a.hi80, b.hi80),
  };
}

/** The curve below, inside and above the seen range, cut exactly at its ends. */
function split(points: readonly Point[], min: number, max: number): { points: Point[]; isSeen: boolean }[] {
  const cuts = [min, max]
    .filter((cut) => cut > points[0]!.at && cut < points.at(-1)!.at)
    .map((cut) => between(points, cut)!);
  const all = [...points, ...cuts].toSorted((a, b) => a.at - b.at);
  const parts = [
    { points: all.filter(({ at }) => at <= min), isSeen: false },
    { points: all.filter(({ at }) => at >= min && at <= max), isSeen: true },
    { points: all.filter(({ at }) => at >= max), isSeen: false },
  ];
  return parts.filter(({ points: part }) => part.length > 1);
}

const margin = 12;
const lineHeight = 13;
/** Characters of the caption that fit on a line. */
const lineLength = 56;

/** File names with their contents, in the order of the profiles. */
export function profileFiles(run: ProfiledRun, formats: DocumentFormats): [name: string, svg: string][] {
  const taken = new Set<string>();
  return drawProfiles(run, formats).map(({ profile, drawing, caption }) => {
    const lines = wrap(`${caption} The other columns are as in candidate ${run.row}.`, lineLength);
    const top = -2 * margin - 4;
    const tall = height - top + lines.length * lineHeight + margin;
    const svg = html`<svg xmlns="http://www.w3.org/2000/svg" class="panel" width="${2 * (width + 2 * margin)}" height="${2 * tall}" viewBox="${-margin} ${top} ${width + 2 * margin} ${tall}" font-family="system-ui, sans-serif" role="img">
<title>${profile.column}</title><desc>${caption}</desc>
<style>${new Markup(chartStyle)}</style>
<rect x="${-margin}" y="${top}" width="${width + 2 * margin}" height="${tall}" fill="#ffffff"/>
<text class="name" x="0" y="-12" font-weight="600">${shorten(profile.column, 50)}</text>
${drawing}
${lines.map((line, i) => html`<text x="0" y="${height + 8 + i * lineHeight}">${line}</text>`)}
</svg>`;
    return [fileName(run.row, profile.column, taken), `${svg.text}\n`];
  });
}

/** Such as `row-3-temp-in-c.svg`; a number follows where two columns would share a name. */
function fileName(row: number, column: string, taken: Set<string>): string {
  const plain = column
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  const base = `row-${row}-${plain === '' ? 'column' : plain}`;
  let name = base;
  for (let n = 2; taken.has(name); n++) name = `${base}-${n}`;
  taken.add(name);
  return `${name}.svg`;
}
