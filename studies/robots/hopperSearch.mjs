// Headroom of hopper-controller-v1: a direct search that MAY ASK THE SIMULATOR, which no method of the benchmark may.
//   node studies/robots/hopperSearch.mjs [rounds] [threads]     default 40 and 1
// Augmented random search (Mania et al. 2018, arXiv:1803.07055), from the best visible design. Writes the best design to
// results/hopper-search.bin and how it got there to results/hopper-search.json, after every round: start again to begin
// anew.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openDataFolder } from '../../dist/data/dataFolder.js';
import { foldKey, rootKey, Stream } from '../../dist/numeric/index.js';
import { openSimulator } from '../../dist/simulation/platform/node.js';
import { encodeDesigns, roundToHalf } from '../../dist/tasks/designFile.js';
import { taskOf } from '../../dist/tasks/index.js';

const directions = 16;
const kept = 8;
const spread = 0.03;
const rate = 0.02;

const [rounds = '40', threads = '1'] = process.argv.slice(2);
const results = (/** @type {string} */ name) =>
  fileURLToPath(new URL(`hopper-search.${name}`, import.meta.url));
const id = 'hopper-controller-v1';
const { data, space } = await taskOf(id).open(openDataFolder());
const simulator = await openSimulator({ threads: Number(threads) });
const d = space.columns.length;
const start = data.y.indexOf(data.y.reduce((a, b) => Math.max(a, b)));
let centre = data.x.slice(start * d, (start + 1) * d);
/** @type {{ score: number, design: Float64Array }} */
let best = { score: data.y[start] ?? 0, design: centre };
const startScore = best.score;
const stream = new Stream(foldKey(rootKey(0), `${id} search`));
/** @type {{ asked: number, centre: number, best: number }[]} */
const history = [];
let asked = 0;

/** Inside the space, and as two bytes hold it. @param {Float64Array} design */
const fitted = (design) =>
  roundToHalf(
    design.map((value, j) => {
      const column = space.columns[j];
      if (column?.kind !== 'continuous') throw new Error(`column ${j} is not a number`);
      return Math.min(column.upper, Math.max(column.lower, value));
    }),
  );

for (let round = 0; round < Number(rounds); round++) {
  const steps = Array.from({ length: directions }, () =>
    Float64Array.from({ length: d }, () => stream.normal()),
  );
  const designs = [1, -1].flatMap((sign) =>
    steps.map((step) => fitted(step.map((value, j) => (centre[j] ?? 0) + sign * spread * value))),
  );
  designs.push(fitted(centre));
  const x = new Float64Array(designs.length * d);
  designs.forEach((design, i) => x.set(design, i * d));
  const y = await simulator.score('hopper', x);
  asked += y.length;
  y.forEach((score, i) => {
    if (score > best.score) best = { score, design: designs[i] ?? centre };
  });
  const pairs = steps
    .map((step, i) => ({ step, up: y[i] ?? 0, down: y[directions + i] ?? 0 }))
    .sort((a, b) => Math.max(b.up, b.down) - Math.max(a.up, a.down))
    .slice(0, kept);
  const used = pairs.flatMap(({ up, down }) => [up, down]);
  const mean = used.reduce((sum, score) => sum + score, 0) / used.length;
  const sd = Math.sqrt(used.reduce((sum, score) => sum + (score - mean) ** 2, 0) / used.length) + 1e-9;
  const next = Float64Array.from(centre);
  for (const { step, up, down } of pairs)
    for (let j = 0; j < d; j++) next[j] += (rate / (kept * sd)) * (up - down) * step[j];
  history.push({ asked, centre: y[2 * directions] ?? 0, best: best.score });
  centre = next;
  writeFileSync(
    results('bin'),
    encodeDesigns({
      x: best.design,
      columns: d,
      y: Float64Array.of(best.score),
      hidden: new Float64Array(0),
    }),
  );
  const summary = {
    task: id,
    start: startScore,
    best: best.score,
    asked,
    directions,
    kept,
    spread,
    rate,
    history,
  };
  writeFileSync(results('json'), `${JSON.stringify(summary, null, 1)}\n`);
  process.stdout.write(
    `round ${round}: centre ${history.at(-1)?.centre.toFixed(1)}, best ${best.score.toFixed(1)}\n`,
  );
}
await simulator.close();
