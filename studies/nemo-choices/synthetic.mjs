// NEMO, NEMO without NML, and plain ascent on one network, on closed-form problems with the best 20 % hidden; 8 paired
// seeds, each with data of its own, defaults throughout. One line of JSON per run in results/nemo-synthetic.jsonl; runs
// that are there already are not repeated. The scores of rosenbrock12 were looked at while NEMO was built; those of the others had no part in its defaults.
//   node studies/nemo-choices/synthetic.mjs
import { presetOptions } from '../../dist/algorithm.js';
import { nemo } from '../../dist/algorithms/index.js';
import * as models from '../../dist/models/index.js';
import * as numeric from '../../dist/numeric/index.js';
import { run } from '../../dist/research.js';
import { commit, openRecords } from '../lineFile.mjs';
import { plainAscent } from '../plainAscent.mjs';
import { dixonPrice10, rosenbrock12, styblinski15 } from './problems.mjs';

const { openEngine, quantile, rootKey } = numeric;
const problems = { rosenbrock12, styblinski15, dixonPrice10 };

/** @typedef {{ problem: string, seed: number, scores: Record<string, { best: number, median: number }>, commit: string, kernel: string, options: object }} Run */
/** @type {ReturnType<typeof openRecords<Run>>} */
const { runs, add } = openRecords(new URL('synthetic.jsonl', import.meta.url));

const engine = await openEngine();
for (const [name, make] of Object.entries(problems)) {
  for (let seed = 0; seed < 8; seed++) {
    if (runs.some((known) => known.problem === name && known.seed === seed)) continue;
    const { data, space, score } = make(1000 + seed);
    const setup = { data, space, engine, options: presetOptions(nemo, 'lockstep') };
    const without = { ...setup, options: { ...presetOptions(nemo, 'lockstep'), modelRate: 0 } };
    const key = rootKey(seed);
    const from = await run(nemo, setup, key, { until: 0 });
    const summary = (/** @type {Float64Array} */ x) => {
      const y = score(x);
      return { best: y.reduce((a, b) => Math.max(a, b)), median: quantile(y, 0.5) };
    };
    const scores = {
      visible: {
        best: data.y.reduce((a, b) => Math.max(a, b)),
        median: data.y.reduce((a, b) => Math.max(a, b)),
      },
      nemo: summary(nemo.propose(await run(nemo, setup, key, { from }), setup)),
      noNml: summary(nemo.propose(await run(nemo, without, key, { from }), without)),
      plain: summary(await plainAscent({ numeric, models }, setup, key)),
    };
    add({
      problem: name,
      seed,
      commit,
      kernel: engine.kernel,
      options: presetOptions(nemo, 'lockstep'),
      scores,
    });
  }
}
await engine.close();

process.stdout.write(
  '| problem | best visible | NEMO | No NML | one network | NEMO better than No NML, than one network, than best visible |\n|---|---|---|---|---|---|\n',
);
for (const name of Object.keys(problems)) {
  const ofProblem = runs.filter(({ problem }) => problem === name);
  const mean = (/** @type {string} */ method) =>
    (
      ofProblem.reduce((sum, { scores }) => sum + (scores[method]?.median ?? Number.NaN), 0) /
      ofProblem.length
    ).toFixed(2);
  const wins = (/** @type {string} */ over) =>
    ofProblem.filter(
      ({ scores }) => (scores.nemo?.median ?? Number.NaN) > (scores[over]?.median ?? Number.NaN),
    ).length;
  process.stdout.write(
    `| ${name} | ${mean('visible')} | ${mean('nemo')} | ${mean('noNml')} | ${mean('plain')} | ${wins('noNml')}, ${wins('plain')}, ${wins('visible')} of ${ofProblem.length} |\n`,
  );
}
