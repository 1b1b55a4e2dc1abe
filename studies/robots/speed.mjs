// How long the robot tasks take to score 128 designs, and what memory they need:
//   node studies/robots/speed.mjs [threads] [task...]     default 2 and all; adds to results/robots-speed.json
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import loadMujoco from '@mujoco/mujoco';
import { openDataFolder } from '../../dist/data/dataFolder.js';
import { hopperXml } from '../../dist/simulation/hopper.js';
import { Simulation } from '../../dist/simulation/mujoco.js';
import { openSimulator } from '../../dist/simulation/platform/node.js';
import { datasetOf } from '../../dist/tasks/datasets.js';
import { decodeDesigns } from '../../dist/tasks/designFile.js';
import { tasks } from '../../dist/tasks/index.js';

const [threads = '2', ...ids] = process.argv.slice(2);
const file = fileURLToPath(new URL('speed.json', import.meta.url));
/** @type {Record<string, unknown>} */
const results = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
/** Designs found by direct search: the longest episodes. @type {Record<string, string>} */
const searches = { 'hopper-controller-v1': 'hopper-search.bin' };
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
  const visible = await timed(() => task.score(best, report(definition.id)));
  // Every one to the last step.
  const name = searches[definition.id];
  const found = name ? decodeDesigns(readFileSync(new URL(name, import.meta.url)), name).x : undefined;
  const longest =
    found &&
    (await timed(() =>
      task.score(
        Float64Array.from({ length: 128 * d }, (_, i) => found[i % d] ?? 0),
        report(definition.id),
      ),
    ));
  const after = process.memoryUsage().rss;
  await simulator.close();
  const measured = {
    designs: 128,
    threads: Number(threads),
    load: round(loadavg()[0] ?? 0),
    bestVisible: visible,
    ...(longest && { bestFound: longest }),
    megabytesBefore: Math.round(before / 1e6),
    megabytesAfter: Math.round(after / 1e6),
  };
  results[definition.id] = measured;
  process.stdout.write(`\r${definition.id}: ${JSON.stringify(measured)}\n`);
}
writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);

/** @param {string} id @returns {(share: number) => void} */
function report(id) {
  return (share) => process.stderr.write(`\r${id} ${Math.round(100 * share)} %`);
}

/** Seconds. @param {() => Promise<unknown>} work */
async function timed(work) {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { wall: round(seconds(start)), cpu: round((user + system) / 1e6) };
}

/** @param {number} value */
function round(value) {
  return Number(value.toPrecision(3));
}
