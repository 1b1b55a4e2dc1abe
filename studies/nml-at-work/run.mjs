// NEMO's estimators on closed forms and TFBind8: what is proposed every 100 steps, what it costs, and whether it settles.
//   node studies/nml-at-work/run.mjs [problem...]     records go to runs.jsonl; what is there is not run again
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { presetOptions } from '../../dist/algorithm.js';
import { nemo } from '../../dist/algorithms/index.js';
import { median, openEngine, rootKey } from '../../dist/numeric/index.js';
import { largest } from '../../dist/numeric/stats.js';
import { states } from '../../dist/run.js';
import { problems } from './closedForms.mjs';

const file = new URL('runs.jsonl', import.meta.url);
const done = existsSync(file) ? readFileSync(file, 'utf8') : '';
const asked = process.argv.slice(2);
/** @type {{ row: string, preset: string, changes: Partial<typeof nemo.defaults> }[]} */
const rows = [
  { row: 'settled', preset: 'settled', changes: {} },
  { row: 'defaults', preset: 'defaults', changes: {} },
  { row: 'settled, last-layer', preset: 'settled', changes: { estimator: 'last-layer' } },
  { row: 'settled, gp', preset: 'settled', changes: { estimator: 'gp' } },
  { row: 'defaults, judged', preset: 'defaults', changes: { proposal: 'judged', steps: 500 } },
];
const engine = await openEngine({ threads: 1 });
for (const name of asked.length > 0 ? asked : Object.keys(problems)) {
  const make = problems[name];
  if (!make) throw new Error(`there is no problem "${name}" in closedForms.mjs`);
  const made = await make();
  if (typeof made === 'string') {
    process.stdout.write(`${made}\n`);
    continue;
  }
  const { data, space, score } = made;
  for (const { row, preset, changes } of rows) {
    if (done.includes(`{"problem":"${name}","row":"${row}"`)) continue;
    const options = { ...presetOptions(nemo, preset), ...changes };
    const setup = { data, space, options, engine };
    const before = process.cpuUsage().user;
    /** @type {number[][]} */
    const curve = [];
    /** @type {number | null} */
    let settled = null;
    for await (const state of states(nemo, setup, rootKey(0), { every: 100 })) {
      if (state.iteration < 0) continue;
      const scores = await score(nemo.propose(state, setup));
      curve.push([state.iteration, largest(scores), median(scores)].map((v) => Number(v.toPrecision(4))));
      if (state.settling?.halvings !== 4) continue;
      settled = state.iteration; // later steps change nothing
      break;
    }
    const cpuSeconds = Math.round((process.cpuUsage().user - before) / 1e5) / 10;
    appendFileSync(file, `${JSON.stringify({ problem: name, row, curve, settled, cpuSeconds })}\n`);
  }
}
process.exit(0);
