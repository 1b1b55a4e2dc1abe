// Grids during the search: NEMO as it is, straight-through, against the same search on numbers without a grid whose
// designs are rounded at the end. Eight columns of whole numbers, 1,500 rows with the best 20 % hidden, 6 paired seeds.
//   node studies/nemo-choices/grids.mjs     prints the table of docs/algorithms/nemo.md

import { median, quantile } from '../../dist/numeric/index.js';
import { nemo, openEngine, presetOptions, rootKey, run, Stream } from '../../dist/research.js';
import { rosenbrock } from '../../dist/tasks/closedForms.js';

const [d, seeds, M] = [8, 6, 32];
const options = {
  ...presetOptions(nemo, 'lockstep'),
  bins: 12,
  batchSize: M,
  hidden: [32, 32],
  pretrainSteps: 800,
};

/** Of columns scaled to 0..1. @type {Record<string, (u: number[]) => number>} */
const problems = {
  bowl: (u) => -u.reduce((sum, v) => sum + (v - 0.63) ** 2, 0),
  rosenbrock: (u) => rosenbrock(Float64Array.from(u, (v) => 4 * v - 2)) / 1000,
  waves: (u) => u.reduce((sum, v, j) => sum + Math.cos(2 * Math.PI * (v - 0.3 * j)) - (v - 0.5) ** 2, 0),
};

const engine = await openEngine();
process.stdout.write(
  '| problem | points per column | best visible | rounded at the end | straight-through | straight-through better, equal |\n|---|---|---|---|---|---|\n',
);
for (const [name, f] of Object.entries(problems)) {
  for (const points of [3, 5, 9]) {
    const score = (/** @type {number[]} */ x) => f(x.map((v) => v / (points - 1)));
    /** @type {Record<'visible' | 'rounded' | 'through', number[]>} */
    const scores = { visible: [], rounded: [], through: [] };
    for (let seed = 0; seed < seeds; seed++) {
      const stream = new Stream(rootKey(50 + seed));
      const all = Array.from({ length: 1500 }, () => Array.from({ length: d }, () => stream.integer(points)));
      const cut = quantile(all.map(score), 0.8);
      const seen = all.filter((x) => score(x) <= cut);
      const data = { x: Float64Array.from(seen.flat()), y: Float64Array.from(seen, score) };
      const open = { kind: /** @type {const} */ ('continuous'), lower: 0, upper: points - 1 };
      const medianScore = async (/** @type {import('../../dist/research.js').SpaceColumn} */ column) => {
        const setup = { data, space: { columns: Array(d).fill(column) }, options, engine };
        const x = nemo.propose(await run(nemo, setup, rootKey(seed)), setup).map(Math.round);
        return median(Array.from({ length: M }, (_, m) => score([...x.subarray(m * d, (m + 1) * d)])));
      };
      scores.visible.push(data.y.reduce((a, b) => Math.max(a, b)));
      scores.rounded.push(await medianScore(open));
      scores.through.push(await medianScore({ ...open, step: 1 }));
    }
    const mean = (/** @type {number[]} */ v) => (v.reduce((sum, y) => sum + y, 0) / seeds).toFixed(2);
    const count = (/** @type {(a: number, b: number) => boolean} */ compare) =>
      scores.through.filter((v, i) => compare(v, scores.rounded[i] ?? Number.NaN)).length;
    process.stdout.write(
      `| ${name} | ${points} | ${mean(scores.visible)} | ${mean(scores.rounded)} | ${mean(scores.through)} | ${count((a, b) => a > b)}, ${count((a, b) => a === b)} of ${seeds} |\n`,
    );
  }
}
await engine.close();
