// Draws results/design.jsonl: what proposals are truly worth, on a scale from the best visible run (0) to the best that
// a search finds which may ask the truth (1).
//   node studies/design/figure.mjs > docs/design.svg
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { demoProcess, simulatedProblems } from '../simulated/index.mjs';

const file = fileURLToPath(new URL('records.jsonl', import.meta.url));
/** @type {{ problem: string, seed: number, bestVisible: number, nemo: { truth: number }[], plain: number[] }[]} */
const trials = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const known = new Map(
  [demoProcess, ...simulatedProblems].map(({ name, bestKnownTruth }) => [name, bestKnownTruth]),
);

const [left, right, top, step] = [120, 30, 46, 24];
const width = 760;
const [least, most] = [-1, 1];
const height = top + trials.length * step + 44;
const x = (/** @type {number} */ share) =>
  left + ((Math.max(least, Math.min(most, share)) - least) / (most - least)) * (width - left - right);

/** Points left from where it stands: worth less than the axis shows. */
const triangle = 'l6 -4v8z';

const rows = trials.map((trial, i) => {
  const y = top + i * step + step / 2;
  const reach = (known.get(trial.problem) ?? Number.NaN) - trial.bestVisible;
  const shareOf = (/** @type {number} */ truth) => (truth - trial.bestVisible) / reach;
  const mark = (/** @type {number} */ truth, /** @type {string} */ kind) => {
    const share = shareOf(truth);
    const at = x(share).toFixed(1);
    const dy = kind === 'ours' ? -4 : 4;
    if (share < least) return `<path class="${kind}" d="M${at} ${y + dy}${triangle}"/>`;
    return `<circle class="${kind}" cx="${at}" cy="${y + dy}" r="3.2"/>`;
  };
  const marks = [
    ...trial.nemo.map(({ truth }) => mark(truth, 'ours')),
    ...trial.plain.map((truth) => mark(truth, 'plain')),
  ];
  return `<text x="${left - 10}" y="${y + 4}" text-anchor="end">${trial.problem} ${trial.seed}</text><path class="rule" d="M${left} ${y + step / 2}H${width - right}"/>${marks.join('')}`;
});
const ticks = [-1, -0.5, 0, 0.5, 1].map(
  (share) =>
    `<path class="${share === 0 ? 'zero' : 'rule'}" d="M${x(share)} ${top - 4}V${height - 40}"/><text x="${x(share)}" y="${height - 22}" text-anchor="middle">${share}</text>`,
);
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="True worth of proposals by nemokit and by plain ascent">
<style>
text { font: 12px system-ui, sans-serif; fill: #333 }
.rule { stroke: #ddd; fill: none } .zero { stroke: #b7791f; stroke-width: 1.5; fill: none }
.ours { fill: #0b5cad; fill-opacity: 0.75 } .plain { fill: #999; fill-opacity: 0.75 }
</style>
<rect width="${width}" height="${height}" fill="#fff"/>
<circle class="ours" cx="${left + 6}" cy="18" r="4"/><text x="${left + 16}" y="22">nemokit design</text>
<circle class="plain" cx="${left + 136}" cy="18" r="4"/><text x="${left + 146}" y="22">plain ascent</text>
<text x="${(left + width - right) / 2}" y="${height - 2}" text-anchor="middle">0: best visible run, 1: best found by asking the truth${rows.some((row) => row.includes(triangle)) ? '; triangles lie further left' : ''}</text>
${ticks.join('\n')}
${rows.join('\n')}
</svg>
`);
