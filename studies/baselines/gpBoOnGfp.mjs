// How far gp-bo goes from the data on GFP: positions changed against the nearest visible sequence, log EI, true score.
//   NEMOKIT_DATA=<folder> node studies/baselines/gpBoOnGfp.mjs
import { gpBo } from '../../dist/algorithms/index.js';
import { openDataFolder } from '../../dist/data/dataFolder.js';
import { openEngine, rootKey } from '../../dist/numeric/index.js';
import { run } from '../../dist/run.js';
import { taskOf } from '../../dist/tasks/index.js';

const task = await taskOf('gfp-gp-v1').open(openDataFolder());
const d = task.space.columns.length;
const engine = await openEngine({ threads: 1 });
const small = { batchSize: 4, rows: 400, fitRows: 300, trainSteps: 30, restarts: 4, candidates: 32 };
for (const climb of [
  { ascentSteps: 20, designRate: 0.1 },
  { ascentSteps: 20, designRate: 0.3 },
  { ascentSteps: 40, designRate: 0.5 },
]) {
  const setup = {
    data: task.data,
    space: task.space,
    engine,
    options: { ...gpBo.defaults, ...small, ...climb },
  };
  const state = await run(gpBo, setup, rootKey(0));
  const designs = gpBo.propose(state, setup);
  const scores = await task.score(designs);
  process.stdout.write(`${JSON.stringify(climb)}\n`);
  scores.forEach((score, m) => {
    const changes = changesFrom(designs.subarray(m * d, (m + 1) * d));
    const improvement = state.improvements[m]?.toFixed(2);
    process.stdout.write(`  ${changes} changes, log EI ${improvement}, score ${score.toFixed(4)}\n`);
  });
}
await engine.close();

/** @param {Float64Array} design */
function changesFrom(design) {
  let least = d;
  for (let row = 0; row < task.data.x.length; row += d) {
    let count = 0;
    for (let j = 0; j < d; j++) if (task.data.x[row + j] !== design[j]) count += 1;
    least = Math.min(least, count);
  }
  return least;
}
