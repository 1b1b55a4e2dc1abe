// How the cost of a command grows: rows 1e2 to 1e6, columns 4 to 4,000, and of a NEMO iteration with K 10 to 80.
//   node perf/growth.mjs            measures what growth.json lacks, one point after the other
//   node perf/growth.mjs "design, columns"     measures that series alone
//   node perf/growth.mjs --draw     draws growth.svg and prints the exponents from growth.json
// Costs are seconds of the processor, so that other work on the machine counts little.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { command } from './command.mjs';
import { drawGrowth } from './growthFigure.mjs';

const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const records = path('growth.json');

const goal = ['--goal', 'max yield'];
const check = (/** @type {number} */ rows, /** @type {number} */ columns) =>
  command(['check', ...goal], rows, columns);
const design = (/** @type {number} */ rows, /** @type {number} */ columns) =>
  command(['design', ...goal, '--effort', 'fast', '--quiet', '--out', 'run'], rows, columns);

/** One NEMO iteration of supercond's shape with K networks. @param {number} models */
async function iteration(models) {
  const child = spawn(process.execPath, [path('nemoStep.mjs'), 'supercond', 'auto', '1', String(models)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const found = [];
  for (let round = 0; round < 5; round++) {
    child.stdin.write('{"iterations":6}\n');
    found.push(JSON.parse((await lines.next()).value));
  }
  child.stdin.end();
  const cpu = found.map((one) => one.cpu / 6).toSorted((a, b) => a - b)[2];
  return { cpu, megabytes: found.at(-1).peak / 1e6 };
}

const rows = [100, 300, 1000, 3000, 10_000, 100_000, 1_000_000];
const columns = [4, 12, 40, 120, 400, 1200, 4000];
/** @type {Record<string, { what: string, at: number[], measure(at: number): unknown }>} */
const series = {
  'iteration, K': { what: 'a NEMO iteration, K networks', at: [10, 20, 40, 80], measure: iteration },
  'check, rows': { what: 'check, rows x 4', at: rows, measure: (at) => check(at, 4) },
  'check, columns': { what: 'check, 500 x columns', at: columns, measure: (at) => check(500, at) },
  'design, rows': { what: 'design --effort fast, rows x 4', at: rows, measure: (at) => design(at, 4) },
  'design, columns': {
    what: 'design --effort fast, 500 x columns',
    at: columns,
    measure: (at) => design(500, at),
  },
};

const known = existsSync(records) ? JSON.parse(readFileSync(records, 'utf8')) : { points: {} };
if (!process.argv.includes('--draw')) {
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout?.trim();
  const machine = { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version };
  const wanted = process.argv.slice(2);
  const chosen = Object.entries(series).filter(([name]) => wanted.length === 0 || wanted.includes(name));
  for (const [name, { at, measure }] of chosen)
    for (const value of at) {
      known.points[name] ??= {};
      if (known.points[name][value] !== undefined) continue;
      const { cpu, megabytes } = /** @type {any} */ (await measure(value));
      known.points[name][value] = {
        cpu: Number(cpu.toPrecision(4)),
        megabytes: Math.round(megabytes),
        commit,
      };
      Object.assign(known, { commit, machine });
      writeFileSync(records, `${JSON.stringify(known, null, 2)}\n`);
      process.stderr.write(`${name} ${value}: ${cpu.toFixed(3)} s, ${megabytes.toFixed(0)} MB\n`);
    }
}
const { svg, table } = drawGrowth(
  Object.entries(series).map(([name, { what }]) => ({
    name,
    what,
    points: Object.entries(known.points[name] ?? {}).map(([at, { cpu }]) => ({ at: Number(at), cpu })),
  })),
);
writeFileSync(path('growth.svg'), svg);
process.stdout.write(`${table}\n${known.commit}, ${known.machine?.cpu}, Node ${known.machine?.node}\n`);
