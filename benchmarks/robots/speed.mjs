// How long the robot tasks take to score 128 designs, and what memory they need:
//   node benchmarks/robots/speed.mjs [threads] [task...]     default 2 and all; adds to results/robots-speed.json
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import loadMujoco from '@mujoco/mujoco';
import { openDataFolder } from '../../dist/evaluation/dataFolder.js';
import { hopperXml } from '../../dist/simulation/hopper.js';
import { Simulation } from '../../dist/simulation/mujoco.js';
import { openSimulator } from '../../dist/simulation/platform/node.js';
import { datasetOf, tasks } from '../../dist/tasks/index.js';

const [threads = '2', ...ids] = process.argv.slice(2);
const file = fileURLToPath(new URL('../results/robots-speed.json', import.meta.url));
/** @type {Record<string, unknown>} */
const results = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
const seconds = (/** @type {number} */ since) => (performance.now() - since) / 1000;

const silent = () => {};
let begun = performance.now();
const mujoco = /** @type {import('../../dist/simulation/mujoco.js').Mujoco} */ (
  /** @type {unknown} */ (await loadMujoco({ print: silent, printErr: silent }))
);
const load = seconds(begun);
begun = performance.now();
for (let i = 0; i < 20; i++) new Simulation(mujoco, hopperXml).free();
const compile = seconds(begun) / 20;
results.machine = { cpu: cpus()[0]?.model, cores: availableParallelism(), node: process.version };
results.mujoco = { load: round(load), hopperCompile: round(compile) };

const wanted = tasks.filter(({ id, datasets }) =>
  ids.length > 0 ? ids.includes(id) : datasets.some((name) => datasetOf(name).ships),
);
for (const definition of wanted) {
  const simulator = await openSimulator({ threads: Number(threads) });
  const folder = openDataFolder();
  const task = await definition.open({
    read: folder.read,
    cached: folder.cached,
    simulator: async () => simulator,
  });
  const d = task.space.columns.length;
  const { x, y } = task.data;
  // The best ones: they stay up longest.
  const order = Array.from(y.keys()).sort((a, b) => (y[b] ?? 0) - (y[a] ?? 0));
  const best = new Float64Array(128 * d);
  for (let i = 0; i < 128; i++) {
    const row = order[i] ?? 0;
    best.set(x.subarray(row * d, (row + 1) * d), i * d);
  }
  const before = process.memoryUsage().rss;
  const cpu = process.cpuUsage();
  begun = performance.now();
  await task.score(best, (share) => process.stderr.write(`\r${definition.id} ${Math.round(100 * share)} %`));
  const wall = seconds(begun);
  const { user, system } = process.cpuUsage(cpu);
  const after = process.memoryUsage().rss;
  await simulator.close();
  const measured = {
    designs: 128,
    threads: Number(threads),
    wall: round(wall),
    cpu: round((user + system) / 1e6),
    load: round(loadavg()[0] ?? 0),
    megabytesBefore: Math.round(before / 1e6),
    megabytesAfter: Math.round(after / 1e6),
  };
  results[definition.id] = measured;
  process.stdout.write(`\r${definition.id}: ${JSON.stringify(measured)}\n`);
}
writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);

/** @param {number} value */
function round(value) {
  return Number(value.toPrecision(3));
}
