// Pictures of the robot tasks' pages, as SVG on white: how scores are spread, and sheets of several pictures.
import { linearAxis } from '../../dist/report/axis.js';

const style = `<style>
text { font: 12px system-ui, sans-serif; fill: #333 } .head { font-weight: 600 } .faint { fill: #777 }
.rule { stroke: #ddd; fill: none } .mark { stroke-width: 1.5; fill: none; stroke-dasharray: 4 3 }
.seen { fill: #0b5cad } .unseen { fill: #c9ced6 }
</style>`;

/** @param {string} text */
export const escapeText = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Short: one decimal is below a hair. @param {number} value */
export const at = (value) => String(Number(value.toFixed(1)));

/**
 * @param {number} width @param {number} height @param {string} label for people who hear it @param {string} body
 */
export const sheet = (width, height, label, body) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(label)}">
${style}
<rect width="${width}" height="${height}" fill="#fff"/>
${body}
</svg>
`;

/**
 * How the scores of a task's designs are spread: those that methods see, those they do not, and marks beyond.
 * @param {object} what
 * @param {string} what.title
 * @param {string} what.axis name of the score, with its unit
 * @param {ArrayLike<number>} what.visible
 * @param {ArrayLike<number>} what.hidden
 * @param {readonly { label: string, value: number, colour?: string }[]} [what.marks] such as the best found
 * @param {number} [what.bins]
 */
export function distributionPlot({ title, axis, visible, hidden, marks = [], bins = 60 }) {
  const [width, height, left, right, top, bottom] = [760, 300, 56, 24, 66 + 16 * marks.length, 46];
  const seen = Array.from(visible);
  const unseen = Array.from(hidden);
  const across = linearAxis([...seen, ...unseen, ...marks.map(({ value }) => value)], 7);
  const place = (/** @type {number} */ value) =>
    left + ((value - across.min) / (across.max - across.min)) * (width - left - right);
  const size = (across.max - across.min) / bins;
  const countsOf = (/** @type {number[]} */ values) => {
    const counts = new Array(bins).fill(0);
    for (const value of values) counts[Math.min(bins - 1, Math.floor((value - across.min) / size))] += 1;
    return counts;
  };
  const [low, high] = [countsOf(seen), countsOf(unseen)];
  const up = linearAxis([0, ...low.map((count, b) => count + high[b])], 4);
  const rise = (/** @type {number} */ count) => height - bottom - (count / up.max) * (height - bottom - top);
  const bar = (
    /** @type {number} */ b,
    /** @type {number} */ from,
    /** @type {number} */ to,
    /** @type {string} */ kind,
  ) => {
    if (to === from) return '';
    const x = place(across.min + b * size);
    const w = place(across.min + (b + 1) * size) - x - 0.6;
    return `<rect class="${kind}" x="${at(x)}" y="${at(rise(to))}" width="${at(w)}" height="${at(rise(from) - rise(to))}"/>`;
  };
  const bars = low.flatMap((count, b) => [
    bar(b, 0, count, 'seen'),
    bar(b, count, count + high[b], 'unseen'),
  ]);
  const rules = up.ticks.map(
    (tick) =>
      `<path class="rule" d="M${left} ${at(rise(tick))}H${width - right}"/><text x="${left - 8}" y="${at(rise(tick) + 4)}" text-anchor="end">${tick}</text>`,
  );
  const ticks = across.ticks.map(
    (tick) => `<text x="${at(place(tick))}" y="${height - bottom + 18}" text-anchor="middle">${tick}</text>`,
  );
  const lines = marks.map(({ label, value, colour = '#b7791f' }, i) => {
    const x = place(value);
    const y = 64 + 16 * i;
    const isLate = x > (left + width - right) / 2;
    return `<path class="mark" stroke="${colour}" d="M${at(x)} ${y - 8}V${height - bottom}"/><text x="${at(x + (isLate ? -6 : 6))}" y="${y}" text-anchor="${isLate ? 'end' : 'start'}">${escapeText(label)}</text>`;
  });
  const keys = `<rect class="seen" x="${left}" y="30" width="12" height="12"/><text x="${left + 18}" y="40">seen by methods (${seen.length.toLocaleString('en')})</text>
<rect class="unseen" x="${left + 200}" y="30" width="12" height="12"/><text x="${left + 218}" y="40">not seen (${unseen.length.toLocaleString('en')})</text>`;
  return sheet(
    width,
    height,
    title,
    [
      `<text class="head" x="${left}" y="18">${escapeText(title)}</text>`,
      keys,
      ...rules,
      ...bars.filter(Boolean),
      ...ticks,
      ...lines,
      `<text x="${(left + width - right) / 2}" y="${height - 8}" text-anchor="middle">${escapeText(axis)}</text>`,
    ].join('\n'),
  );
}
