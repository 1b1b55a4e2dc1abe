/** Past rows and candidates on two principal axes: past rows coloured by value, candidates numbered, shaped by trust. */
import type { RunDocument } from '../design/runDocument.js';
import { type Frame, fittedAxis, position } from './axis.js';
import { rampStep, rampSteps } from './colourRamp.js';
import { formatNumber, formatPercent, type NumberFormat } from './formats.js';
import { count, html, list, type Markup } from './markup.js';
import { trustLabels, trustMark } from './predictionMarks.js';

const width = 640;
const height = 440;
const frame: Frame = { left: 1, right: width - 1, top: 1, bottom: height - 1 };
const markRadius = 9;
/** Further candidates are drawn without a number; more numbers would be unreadable. */
const mostNumbered = 40;

export function designMapChart(document: RunDocument, format: NumberFormat): Markup | null {
  const { map, goal } = document;
  const past = map.past.filter(({ x, y, value }) => Number.isFinite(x + y + value));
  const candidates = map.candidates.filter(({ x, y }) => Number.isFinite(x + y));
  const all = [...past, ...candidates];
  if (all.length === 0) return null;
  const across = fittedAxis(all.map(({ x }) => x));
  const up = fittedAxis(all.map(({ y }) => y));
  const px = (x: number) => position(across, x, frame.left + 12, frame.right - 12);
  const py = (y: number) => position(up, y, frame.bottom - 12, frame.top + 12);
  const values = past.map(({ value }) => value);
  const low = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const [worst, best] = goal.direction === 'max' ? [low, high] : [high, low];
  const marks = separate(candidates.slice(0, mostNumbered).map(({ x, y }) => ({ x: px(x), y: py(y) })));
  const outside = candidates.filter(({ x, y }) => isOutside(past, x, y)).map(({ row }) => String(row));
  const summary = `${count(past.length, 'past row')} and ${count(candidates.length, 'candidate')} on the two directions in which the settings vary most; together they keep ${formatPercent(map.kept)} of the variation, so neighbours here may still differ elsewhere. ${outside.length === 0 ? 'No candidate lies outside the range of the past rows on this map.' : `Outside the range of the past rows on this map: ${outside.length > 12 ? `${outside.length} of the candidates` : `candidate${outside.length > 1 ? 's' : ''} ${list(outside)}`}.`}`;
  return html`<figure class="map">
    <svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Map of ${count(past.length, 'past row')} and ${count(candidates.length, 'candidate')}">
      <rect class="ground" x="${frame.left}" y="${frame.top}" width="${frame.right - frame.left}" height="${frame.bottom - frame.top}" rx="4"/>
      ${past.map(({ x, y, value }) => html`<circle class="past r${String(rampStep(value, worst, best))}" cx="${px(x)}" cy="${py(y)}" r="4"><title>${goal.name} ${formatNumber(value, format)}</title></circle>`)}
      ${candidates.slice(mostNumbered).map(({ x, y, trust, row }) => html`<g><title>candidate ${String(row)}, ${trust}</title>${trustMark(trust, px(x), py(y), 5)}</g>`)}
      ${marks.map(({ x, y }, i) => trustMark(candidates[i]!.trust, x, y, markRadius, 'halo'))}
      ${marks.map((mark, i) => {
        const { x, y } = candidates[i]!;
        const isMoved = Math.hypot(mark.x - px(x), mark.y - py(y)) > 1;
        return (
          isMoved &&
          html`<path class="leader" d="M${px(x)} ${py(y)}L${mark.x} ${mark.y}"/><circle class="leader-end" cx="${px(x)}" cy="${py(y)}" r="1.8"/>`
        );
      })}
      ${marks.map(({ x, y }, i) => {
        const { trust, row } = candidates[i]!;
        return html`<g class="numbered"><title>candidate ${String(row)}, ${trust}</title>${trustMark(trust, x, y, markRadius)}<text class="${trust.toLowerCase()}" x="${x}" y="${y + (trust === 'Guess' ? 4.5 : 3.5)}" text-anchor="middle">${String(row)}</text></g>`;
      })}
    </svg>
    ${legend(goal.name, past.length === 0 ? null : [worst, best], format)}
    <figcaption>${summary}</figcaption>
  </figure>`;
}

function legend(name: string, ends: readonly [number, number] | null, format: NumberFormat): Markup {
  return html`<div class="legend">
    ${ends && html`<span>past rows, ${name}: ${formatNumber(ends[0], format)} <svg viewBox="0 0 ${rampSteps * 14} 12" width="${rampSteps * 14}" height="12" aria-hidden="true">${Array.from({ length: rampSteps }, (_, i) => html`<rect class="past r${String(i)}" x="${i * 14}" y="1" width="14" height="10"/>`)}</svg> ${formatNumber(ends[1], format)} (better)</span>`}
    <span>candidates: ${trustLabels.map((trust) => html`<span class="key"><svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">${trustMark(trust, 8, 8, 5.2)}</svg>${trust}</span>`)}</span>
  </div>`;
}

function isOutside(
  past: readonly { readonly x: number; readonly y: number }[],
  x: number,
  y: number,
): boolean {
  return (
    past.length > 0 &&
    (past.every((row) => row.x < x) ||
      past.every((row) => row.x > x) ||
      past.every((row) => row.y < y) ||
      past.every((row) => row.y > y))
  );
}

/** Pixels. */
interface MarkPosition {
  readonly x: number;
  readonly y: number;
}

/** Moves marks apart that would overlap: each takes the nearest free position, on rings around it. */
function separate(wanted: readonly MarkPosition[]): MarkPosition[] {
  const taken: MarkPosition[] = [];
  const apart = 2.25 * markRadius;
  const margin = 1.3 * markRadius;
  const isFree = ({ x, y }: MarkPosition) =>
    x > frame.left + margin &&
    x < frame.right - margin &&
    y > frame.top + margin &&
    y < frame.bottom - margin &&
    taken.every((other) => Math.hypot(other.x - x, other.y - y) >= apart);
  for (const mark of wanted) {
    const isApart = taken.every((other) => Math.hypot(other.x - mark.x, other.y - mark.y) >= apart);
    let free: MarkPosition | undefined = isApart ? mark : undefined;
    for (let ring = 1; free === undefined && ring <= 24; ring++) {
      const around = Array.from({ length: 8 + 4 * ring }, (_, i) => {
        const angle = (2 * Math.PI * i) / (8 + 4 * ring);
        const r = ring * markRadius;
        return { x: mark.x + r * Math.cos(angle), y: mark.y + r * Math.sin(angle) };
      });
      free = around.find(isFree);
    }
    taken.push(free ?? mark);
  }
  return taken;
}
