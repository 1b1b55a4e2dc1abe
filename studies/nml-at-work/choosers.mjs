// Who chooses well? Estimators climb, all designs that they met are kept, and judges that were not climbed choose 128 of
// them; beside it the last steps, the start, and the best choice there was.
//   node studies/nml-at-work/choosers.mjs <seed> [problem...]     records go to choosers.jsonl; what is there is not run again
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { presetOptions } from '../../dist/algorithm.js';
import { nemo } from '../../dist/algorithms/index.js';
import { CrossFit, foldsOf } from '../../dist/models/crossFit.js';
import { fitQuantizer, labelsOf } from '../../dist/models/quantizer.js';
import { SearchPanel } from '../../dist/models/searchPanel.js';
import { argsort, foldKey, median, openEngine, rootKey } from '../../dist/numeric/index.js';
import { openLinearAlgebra } from '../../dist/numeric/linalg.js';
import { joinRows } from '../../dist/numeric/rows.js';
import { largest } from '../../dist/numeric/stats.js';
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

  // networks on folds of the rows, on the scale of the panel
  const z = panel.scores;
  const quantizer = fitQuantizer(z, { bins: 20, headroom: 0.3 });
  const { encoding, parameters } = search;
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
  const mu = await cross.locations(modelInputs(encoding, encode(encoding, pool)));
  cross.dispose();
  const n = truth.length;
  const networks = Float64Array.from({ length: n }, (_, i) => {
    let sum = 0;
    for (let r = 0; r < mu.length / n; r++) sum += Number(mu[r * n + i]);
    return quantizer.low + ((quantizer.high - quantizer.low) * sum * n) / mu.length;
  });
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
    met: n,
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
