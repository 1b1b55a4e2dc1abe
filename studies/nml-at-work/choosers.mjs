// Who chooses well? Estimators climb, all designs that they met are kept, and judges that were not climbed choose 128 of
// them; beside it the last steps, the start, and the best choice there was. And who would have been known to choose well: the same
// judges, fitted without the best fifth and without a fifth of the other rows, rank both.
//   node studies/nml-at-work/choosers.mjs <seed> [problem...]     records go to choosers.jsonl; what is there is not run again
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { presetOptions } from '../../dist/algorithm.js';
import { nemo } from '../../dist/algorithms/index.js';
import { CrossFit, foldsOf } from '../../dist/models/crossFit.js';
import { fitQuantizer, labelsOf } from '../../dist/models/quantizer.js';
import { SearchPanel } from '../../dist/models/searchPanel.js';
import { argsort, foldKey, median, openEngine, rootKey, Stream } from '../../dist/numeric/index.js';
import { openLinearAlgebra } from '../../dist/numeric/linalg.js';
import { joinRows, takeRows } from '../../dist/numeric/rows.js';
import { largest, spearman } from '../../dist/numeric/stats.js';
import { states } from '../../dist/run.js';
import { encode, modelInputs } from '../../dist/search/encoding.js';
import { SearchSpace } from '../../dist/search/searchSpace.js';
import { commit } from '../lineFile.mjs';
import { problems } from './problems.mjs';

const file = new URL('choosers.jsonl', import.meta.url);
const [seedText = '0', ...asked] = process.argv.slice(2);
const seed = Number(seedText);
const M = 128;
const FOLDS = 4;
/** @type {Record<string, { steps: number, every: number, changes: Partial<typeof nemo.defaults> }>} */
const climbs = {
  lockstep: { steps: 1000, every: 50, changes: {} },
  gp: { steps: 200, every: 20, changes: { estimator: 'gp' } },
  'last-layer': { steps: 300, every: 20, changes: { estimator: 'last-layer' } },
};
const four = (/** @type {number} */ value) => Number(value.toPrecision(4));
const both = (/** @type {ArrayLike<number>} */ scores) => [
  four(largest(scores)),
  four(median(Array.from(scores))),
];

const engine = await openEngine({ threads: 1 });
const linalg = await openLinearAlgebra({ kernel: engine.kernel });
for (const name of asked.length > 0 ? asked : Object.keys(problems)) {
  const known = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (known.includes(`{"problem":"${name}","seed":${seed},`)) continue;
  const made = await problems[name]?.(seed);
  if (typeof made !== 'object') {
    process.stdout.write(`${made ?? `there is no problem "${name}"`}\n`);
    continue;
  }
  const { data, space, score, range } = made;
  const search = new SearchSpace(data, space, { box: 0.01 });
  await search.prepare();
  /** @type {Record<string, number[]>} */
  const last = {};
  /** @type {Float64Array[]} */
  const met = [];
  for (const [climb, { steps, every, changes }] of Object.entries(climbs)) {
    const options = { ...presetOptions(nemo, 'lockstep'), ...changes, steps };
    const setup = { data, space, options, engine };
    for await (const state of states(nemo, setup, rootKey(seed), { every })) {
      if (state.iteration < 0 || state.iteration % every !== 0) continue;
      const x = nemo.propose(state, setup);
      met.push(x);
      if ([0, 100, 150, 200, 300, 500, 1000].includes(state.iteration))
        last[`${climb} ${state.iteration}`] = both(await score(x));
    }
  }
  const pool = joinRows(met);
  const truth = await score(pool);
  const panel = SearchPanel.fit(linalg, search, foldKey(rootKey(seed), 'judges'));
  const { smooth, trees } = panel.opinions(pool);

  const networks = await networksOf(search, panel.scores, pool);
  const chosenBy = (/** @type {ArrayLike<number>} */ values) =>
    both(Array.from(argsort(values, 'descending').slice(0, M), (i) => Number(truth[i])));
  const at = (/** @type {ArrayLike<number>} */ values, /** @type {number} */ i) => Number(values[i]);
  const less = (/** @type {number} */ share) => trees.map((t, i) => t - share * at(smooth.deviation, i));
  const { mean, doubt } = panel.read(pool);
  const record = {
    problem: name,
    seed,
    commit,
    range: range.map(four),
    last,
    met: truth.length,
    rehearsal: await rehearse(made),
    errors: { process: four(panel.accuracy.smooth.error), trees: four(panel.accuracy.trees.error) },
    chosen: {
      truth: chosenBy(truth),
      process: chosenBy(smooth.mean),
      trees: chosenBy(trees),
      networks: chosenBy(networks),
      'mean of three': chosenBy(trees.map((t, i) => t + at(smooth.mean, i) + at(networks, i))),
      'least of three': chosenBy(trees.map((t, i) => Math.min(t, at(smooth.mean, i), at(networks, i)))),
      'trees less 0.25 doubt': chosenBy(less(0.25)),
      'trees less 0.5 doubt': chosenBy(less(0.5)),
      'trees less 1 doubt': chosenBy(less(1)),
      'the rule': chosenBy(mean.map((m, i) => m - 0.25 * at(doubt, i))),
    },
  };
  appendFileSync(file, `${JSON.stringify(record)}\n`);
  process.stdout.write(`${JSON.stringify(record)}\n`);
}
process.exit(0);

/**
 * What networks on folds of the rows expect of designs, on the scale of the scores z.
 * @param {SearchSpace} search @param {Float64Array} z @param {Float64Array} designs
 */
async function networksOf({ encoding, parameters }, z, designs) {
  const quantizer = fitQuantizer(z, { bins: 20, headroom: 0.3 });
  const cross = new CrossFit(engine, {
    encoding,
    head: { bins: 20, scale: 1 / 20 },
    hidden: [64, 64],
    parameters,
    labels: labelsOf(z, quantizer),
    folds: foldsOf(z.length, FOLDS, foldKey(rootKey(seed), 'folds')),
    top: new Int32Array(),
    networksPerGroup: 2,
    minibatch: 128,
  });
  cross.initialize(foldKey(rootKey(seed), 'networks'));
  const steps = Math.max(400, Math.min(2000, Math.round(400_000 / encoding.parameters)));
  await cross.train(Math.round(0.75 * steps), 3e-3);
  await cross.train(Math.round(0.25 * steps), 1e-3);
  const mu = await cross.locations(modelInputs(encoding, encode(encoding, designs)));
  cross.dispose();
  const n = designs.length / encoding.space.columns.length;
  return Float64Array.from({ length: n }, (_, i) => {
    let sum = 0;
    for (let r = 0; r < mu.length / n; r++) sum += Number(mu[r * n + i]);
    return quantizer.low + ((quantizer.high - quantizer.low) * sum * n) / mu.length;
  });
}

/**
 * How judges rank rows that they have not seen, among them the best fifth: over all of these rows, over the best fifth alone, and
 * the mean place (0 worst, 1 best) of the tenth that they name first.
 * @param {import('./problems.mjs').Problem} problem
 */
async function rehearse({ data, space }) {
  const d = space.columns.length;
  const order = Array.from(argsort(data.y));
  const hidden = order.slice(Math.floor(0.8 * order.length));
  const others = order.slice(0, Math.floor(0.8 * order.length)).sort((a, b) => a - b);
  const stream = new Stream(foldKey(rootKey(seed), 'rehearsal'));
  const mixed = Array.from(stream.permutation(others.length), (i) => Number(others[i]));
  const ordinary = mixed.slice(0, Math.floor(others.length / 5));
  const kept = mixed.slice(ordinary.length).sort((a, b) => a - b);
  const seen = { x: takeRows(data.x, d, kept), y: Float64Array.from(kept, (i) => Number(data.y[i])) };
  const search = new SearchSpace(seen, space, { box: 0.01 });
  await search.prepare();
  const panel = SearchPanel.fit(linalg, search, foldKey(rootKey(seed), 'rehearsed judges'));
  const listed = [...hidden, ...ordinary];
  const x = takeRows(data.x, d, listed);
  const y = Float64Array.from(listed, (i) => Number(data.y[i]));
  const places = new Float64Array(y.length);
  argsort(y).forEach((i, place) => {
    places[i] = place / (y.length - 1);
  });
  const { smooth, trees } = panel.opinions(x);
  const networks = await networksOf(search, panel.scores, x);
  const said = { process: smooth.mean, trees, networks };
  return Object.fromEntries(
    Object.entries(said).map(([judge, values]) => {
      const first = argsort(values, 'descending').slice(0, Math.max(8, Math.round(y.length / 10)));
      const named = Array.from(first, (i) => Number(places[i]));
      return [
        judge,
        {
          all: four(spearman(values, y)),
          best: four(spearman(values.subarray(0, hidden.length), y.subarray(0, hidden.length))),
          named: four(named.reduce((sum, place) => sum + place, 0) / named.length),
        },
      ];
    }),
  );
}
