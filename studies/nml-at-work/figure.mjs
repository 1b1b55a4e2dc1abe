// Draws docs/algorithms/nml-tracking.svg from tracking.jsonl: how many phantom rows lockstep training stands for, by step.
//   node studies/nml-at-work/figure.mjs
import { readFileSync, writeFileSync } from 'node:fs';

/** @typedef {{ task: string, iteration: number, rows: number, phantomRows: number }} Point */
/** @type {Point[]} */
const points = readFileSync(new URL('tracking.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const [width, height, left, right, top, bottom] = [640, 320, 56, 150, 34, 44];
const last = points.reduce((most, { iteration }) => Math.max(most, iteration), 1);
const [low, high] = [0, 3]; // powers of ten
const x = (/** @type {number} */ step) => left + (step / last) * (width - left - right);
const y = (/** @type {number} */ m) => {
  const power = Math.max(low, Math.min(high, Math.log10(Math.max(m, 1))));
  return height - bottom - ((power - low) / (high - low)) * (height - top - bottom);
};
const at = (/** @type {number} */ value) => value.toFixed(1);
const colours = ['#1f6f8b', '#c0562f', '#5a7d2a', '#7a4f9e'];
const tasks = [...new Set(points.map(({ task }) => task))];
const lines = tasks.flatMap((task, i) => {
  const own = points.filter((point) => point.task === task);
  const end = own.at(-1);
  if (!end) return [];
  const path = own.map(({ iteration, phantomRows }) => `${at(x(iteration))},${at(y(phantomRows))}`).join(' ');
  return [
    `<polyline points="${path}" fill="none" stroke="${colours[i]}" stroke-width="2"/>`,
    `<line x1="${x(last) + 4}" x2="${x(last) + 14}" y1="${at(y(0.1 * end.rows))}" y2="${at(y(0.1 * end.rows))}" stroke="${colours[i]}" stroke-width="2"/>`,
    `<text x="${x(end.iteration) + 18}" y="${at(y(end.phantomRows) + 4 + 14 * (i - 1))}" fill="${colours[i]}">${task}</text>`,
  ];
});
const ticks = [0, 1, 2, 3].map(
  (power) =>
    `<line x1="${left}" x2="${x(last)}" y1="${at(y(10 ** power))}" y2="${at(y(10 ** power))}" stroke="#ddd"/><text x="${left - 8}" y="${at(y(10 ** power) + 4)}" text-anchor="end">${(10 ** power).toLocaleString('en')}</text>`,
);
const steps = [0, 200, 400, 600, 800, 1000].filter((step) => step <= last);
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#333">
<title>Phantom rows that lockstep training stands for, by step</title>
<rect width="${width}" height="${height}" fill="#fff"/>
${ticks.join('\n')}
${steps.map((step) => `<text x="${at(x(step))}" y="${height - bottom + 18}" text-anchor="middle">${step}</text>`).join('\n')}
${lines.join('\n')}
<text x="8" y="18">m, phantom rows that the spread of the networks stands for</text>
<text x="${left}" y="${height - 8}">step of the search; a mark at the right: w N, the same at the optimum</text>
</svg>
`;
writeFileSync(new URL('../../docs/algorithms/nml-tracking.svg', import.meta.url), svg);
