// How rough hopper-controller-v1 is: scores of policies whose numbers are moved a little, all at once.
//   node studies/robots/hopperSmoothness.mjs     prints rows of a table: score, then the median change per size
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { median, quantile, rootKey, Stream } from '../../dist/numeric/index.js';
import { openSimulator } from '../../dist/simulation/platform/node.js';
import { decodeDesigns } from '../../dist/tasks/designFile.js';

const place = (/** @type {string} */ path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const data = decodeDesigns(readFileSync(place('data/hopper-controller/designs.bin')), 'designs');
const found = decodeDesigns(readFileSync(place('studies/robots/hopper-search.bin')), 'search');
const d = data.columns;
const sizes = [1e-6, 1e-4, 1e-3, 1e-2];
const draws = 16;
const simulator = await openSimulator({ threads: 1 });
const stream = new Stream(rootKey(0));

/** The visible design whose score is nearest. @param {number} score */
const nearest = (score) =>
  data.y.reduce((near, y, i) => (Math.abs(y - score) < Math.abs((data.y[near] ?? 0) - score) ? i : near), 0);
const designs = [0.1, 0.5, 0.9, 1].map((share) => {
  const row = nearest(quantile(data.y, share));
  return { score: data.y[row] ?? 0, design: data.x.subarray(row * d, (row + 1) * d) };
});
designs.push({ score: found.y[0] ?? 0, design: found.x });

for (const { score, design } of designs) {
  const cells = [];
  for (const size of sizes) {
    const moved = new Float64Array(draws * d);
    for (let i = 0; i < moved.length; i++)
      moved[i] = (design[i % d] ?? 0) + size * (2 * stream.uniform() - 1);
    const changes = (await simulator.score('hopper', moved)).map((y) => Math.abs(y - score));
    cells.push(median(changes).toPrecision(2));
  }
  process.stdout.write(`| ${[score.toFixed(1), ...cells].join(' | ')} |\n`);
}
await simulator.close();
