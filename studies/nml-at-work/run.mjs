// NEMO's rows on the problems of this study: what each proposes, when it settled, what it cost.
//   node studies/nml-at-work/run.mjs <seed> [row,...] [problem...]     records go to runs.jsonl; what is there is not run again
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { presetOptions } from '../../dist/algorithm.js';
import { nemo } from '../../dist/algorithms/index.js';
import { argsort, median, openEngine, rootKey } from '../../dist/numeric/index.js';
import { takeRows } from '../../dist/numeric/rows.js';
import { largest } from '../../dist/numeric/stats.js';
import { states } from '../../dist/run.js';
import { commit } from '../lineFile.mjs';
import { problems } from './problems.mjs';

const file = new URL('runs.jsonl', import.meta.url);
const [seedText = '0', rowText = 'all', ...asked] = process.argv.slice(2);
const seed = Number(seedText);
/** @type {Record<string, { preset: string, changes: Partial<typeof nemo.defaults> }>} */
const rows = {
  lockstep: { preset: 'lockstep', changes: {} },
  'lockstep, 1000 steps': { preset: 'lockstep', changes: { steps: 1000 } },
  [`rule ${nemo.version}`]: { preset: 'defaults', changes: {} },
  'ten times the steps': { preset: 'defaults', changes: { steps: 10_000 } },
  'never settled, 4000 steps': { preset: 'defaults', changes: { steps: 4000, settle: null } },
  amortised: { preset: 'defaults', changes: { estimator: 'amortised' } },
  gp: { preset: 'defaults', changes: { estimator: 'gp' } },
  'last-layer': { preset: 'defaults', changes: { estimator: 'last-layer' } },
};
const four = (/** @type {number} */ value) => Number(value.toPrecision(4));
const both = (/** @type {ArrayLike<number>} */ scores) => [
  four(largest(scores)),
  four(median(Array.from(scores))),
];

const engine = await openEngine({ threads: 1 });
for (const name of asked.length > 0 ? asked : Object.keys(problems)) {
  const made = await problems[name]?.(seed);
  if (typeof made !== 'object') {
    process.stdout.write(`${made ?? `there is no problem "${name}" in problems.mjs`}\n`);
    continue;
  }
  const { data, space, score, range } = made;
  const d = space.columns.length;
  const best = argsort(data.y, 'descending').slice(0, 128);
  const start = both(await score(takeRows(data.x, d, best)));
  for (const row of rowText === 'all' ? [`rule ${nemo.version}`] : rowText.split('/')) {
    const known = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (known.includes(`{"problem":"${name}","seed":${seed},"row":"${row}"`)) continue;
    const { preset, changes } = rows[row] ?? {};
    if (!preset) throw new Error(`there is no row "${row}"`);
    const setup = {
      data,
      space,
      options: { ...(preset === 'defaults' ? nemo.defaults : presetOptions(nemo, preset)), ...changes },
      engine,
    };
    const before = process.cpuUsage().user;
    /** @type {number | null} */
    let settled = null;
    /** Best and median of what would be proposed, every 100 steps. @type {number[][]} */
    const curve = [];
    /** Processor time of scoring. */
    let scoring = 0;
    /** @type {import('../../dist/algorithms/nemo.js').NemoState | undefined} */
    let last;
    for await (const state of states(nemo, setup, rootKey(seed), { every: 100 })) {
      last = state;
      if (state.iteration >= 0) {
        const began = process.cpuUsage().user;
        curve.push([state.iteration, ...both(await score(nemo.propose(state, setup)))]);
        scoring += process.cpuUsage().user - began;
      }
      if (!state.settling?.isOver) continue;
      settled = state.iteration; // later steps change nothing
      break;
    }
    if (!last) throw new Error('no state');
    const proposed = both(await score(nemo.propose(last, setup)));
    const cpuSeconds = Math.round((process.cpuUsage().user - before - scoring) / 1e5) / 10;
    const record = {
      problem: name,
      seed,
      row,
      range: range.map(four),
      start,
      proposed,
      ...(last.known?.length === 128 * d && { isUnranked: true }),
      settled,
      version: nemo.version,
      curve,
      cpuSeconds,
      commit,
    };
    appendFileSync(file, `${JSON.stringify(record)}\n`);
    process.stdout.write(`${JSON.stringify(record)}\n`);
  }
}
process.exit(0);
