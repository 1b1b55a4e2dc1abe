// Designs met, or variants bred of them: which make the better batch, and which visible number tells? For each list the
// truth, and what each kind of judge expects of it, trees of other halves among them, which nothing was chosen by.
//   node studies/nml-at-work/shares.mjs <seed> [problem...]     records go to shares.jsonl; what is there is not run again
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { nemo } from '../../dist/algorithms/index.js';
import { SearchPanel } from '../../dist/models/searchPanel.js';
import { foldKey, median, openEngine, rootKey } from '../../dist/numeric/index.js';
import { openLinearAlgebra } from '../../dist/numeric/linalg.js';
import { largest } from '../../dist/numeric/stats.js';
import { states } from '../../dist/run.js';
import { batchOf } from '../../dist/search/metDesigns.js';
import { SearchSpace } from '../../dist/search/searchSpace.js';
import { commit } from '../lineFile.mjs';
import { problems } from './problems.mjs';

const file = new URL('shares.jsonl', import.meta.url);
const [seedText = '0', ...asked] = process.argv.slice(2);
const seed = Number(seedText);
const M = 128;
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
  const setup = { data, space, options: nemo.defaults, engine };
  const before = process.cpuUsage().user;
  /** @type {import('../../dist/algorithms/nemo.js').NemoState | undefined} */
  let last;
  for await (const state of states(nemo, setup, rootKey(seed), { every: 100 })) {
    last = state;
    if (state.settling?.isOver) break;
  }
  if (!last?.met || !last.key) throw new Error('no state');
  const cpuSeconds = Math.round((process.cpuUsage().user - before) / 1e5) / 10;
  const search = new SearchSpace(data, space, setup.options);
  await search.prepare();
  const same = SearchPanel.fit(linalg, search, foldKey(last.key, 'judges'));
  const other = SearchPanel.fit(linalg, search, foldKey(last.key, 'other judges'));
  const best = Array.from(same.scores).sort((a, b) => b - a);
  /** @type {Record<string, Float64Array>} */
  const lists = {
    met: batchOf(last.met, M),
    ...(last.bred && { bred: batchOf(last.bred, M) }),
    chosen: nemo.propose(last, setup),
  };
  /** @type {Record<string, unknown>} */
  const said = {};
  for (const [list, x] of Object.entries(lists)) {
    const { smooth, trees } = same.opinions(x);
    said[list] = {
      truth: both(await score(x)),
      trees: both(trees),
      otherTrees: both(other.opinions(x).trees),
      process: both(smooth.mean),
      doubt: both(smooth.deviation),
    };
  }
  const record = {
    problem: name,
    seed,
    range: range.map(four),
    iteration: last.iteration,
    errors: { process: four(same.accuracy.smooth.error), trees: four(same.accuracy.trees.error) },
    bestRow: four(best[0] ?? 0),
    startMedian: four(best[64] ?? 0),
    lists: said,
    cpuSeconds,
    commit,
  };
  appendFileSync(file, `${JSON.stringify(record)}\n`);
  process.stdout.write(`${JSON.stringify(record)}\n`);
}
process.exit(0);
