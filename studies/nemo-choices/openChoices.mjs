// What the paper leaves open, tried out: model rate and query weight, and when to stop. One line of JSON per run in
// studies/nemo-choices/openChoices.jsonl; runs that are there already are not repeated.
//   NEMOKIT_DATA=<folder> node studies/nemo-choices/openChoices.mjs [--seeds 4]
// levy20 and tfbind8 are tuning tasks: NEMO's defaults were chosen by looking at these scores. Evidence comes from others.
import { parseArgs } from 'node:util';
import { presetOptions } from '../../dist/algorithm.js';
import { nemo } from '../../dist/algorithms/index.js';
import { openEngine, quantile, rootKey } from '../../dist/numeric/index.js';
import { states } from '../../dist/research.js';
import { commit, openRecords } from '../lineFile.mjs';
import { levy20, tfbind8 } from './problems.mjs';

const { values: flags } = parseArgs({ options: { seeds: { type: 'string', default: '4' } } });
const checkpoints = [50, 100, 150, 200, 300];

/** @type {Record<string, Partial<import('../../dist/algorithms/index.js').NemoOptions>>} */
const settings = {
  'no NML': { modelRate: 0 },
  '0.0001, 0.1': { modelRate: 1e-4, queryWeight: 0.1 },
  '0.0003, 0.03': { modelRate: 3e-4, queryWeight: 0.03 },
  '0.0003, 0.1': { modelRate: 3e-4, queryWeight: 0.1 },
  '0.0003, 0.3': { modelRate: 3e-4, queryWeight: 0.3 },
  '0.0003, 1': { modelRate: 3e-4, queryWeight: 1 },
  '0.001, 0.1': { modelRate: 1e-3, queryWeight: 0.1 },
  '0.001, 1': { modelRate: 1e-3, queryWeight: 1 },
  '0.003, 0.3': { modelRate: 3e-3, queryWeight: 0.3 },
  "paper's letter": { modelRate: 0.05, queryWeight: 1, scale: 1, headroom: 0, designRate: 0.1, box: null },
};

const { runs, add } = openRecords(new URL('openChoices.jsonl', import.meta.url));
const done = new Set(runs.map(({ problem, setting, seed }) => `${problem}|${setting}|${seed}`));

const engine = await openEngine();
for (const make of [levy20, () => tfbind8(process.env.NEMOKIT_DATA)]) {
  const problem = await make();
  if (typeof problem === 'string') {
    process.stdout.write(`${problem}\n`);
    continue;
  }
  for (let seed = 0; seed < Number(flags.seeds); seed++) {
    for (const [setting, changes] of Object.entries(settings)) {
      if (done.has(`${problem.name}|${setting}|${seed}`)) continue;
      const options = { ...presetOptions(nemo, 'lockstep'), ...changes };
      const setup = { data: problem.data, space: problem.space, options, engine };
      const curve = [];
      for await (const state of states(nemo, setup, rootKey(seed), { until: checkpoints.at(-1) ?? 0 })) {
        const step = state.iteration;
        if (!checkpoints.includes(step)) continue;
        const y = await problem.score(nemo.propose(state, setup));
        const watched = await nemo.watch(state, setup);
        curve.push({
          step,
          best: Float64Array.from(y).reduce((a, b) => Math.max(a, b)),
          median: quantile(y, 0.5),
          ...watched,
        });
      }
      add({ problem: problem.name, setting, seed, commit, kernel: engine.kernel, options, curve });
      const last = curve
        .map(({ best, median }) => `(${best.toPrecision(3)}, ${median.toPrecision(3)})`)
        .join(' ');
      process.stdout.write(`${problem.name} ${setting} seed ${seed}: ${last}\n`);
    }
  }
}
await engine.close();
