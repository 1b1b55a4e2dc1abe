// How the cost of a command grows: rows 1e2 to 1e6, columns 4 to 4,000, and of a NEMO iteration with K 10 to 80.
//   node perf/growth.mjs            measures what growth.json lacks, one point after the other
//   node perf/growth.mjs --draw     draws growth.svg and prints the exponents from growth.json
// Costs are seconds of the processor, so that other work on the machine counts little.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { rootKey, Stream } from '../dist/numeric/index.js';
import { drawGrowth } from './growthFigure.mjs';

const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const records = path('growth.json');

/** Writes what a process took as its last line on standard error. */
const measured =
  'data:text/javascript,process.on("exit",()=>{const{maxRSS,userCPUTime:u,systemCPUTime:s}=process.resourceUsage();' +
  'process.getBuiltinModule("node:fs").writeSync(2,"\\n"+JSON.stringify({megabytes:maxRSS/1e3,cpu:(u+s)/1e6})+"\\n")})';

/** A table whose last column is a smooth function of the first four, with noise. @param {number} rows @param {number} columns */
function tableText(rows, columns) {
  const stream = new Stream(rootKey(24));
  const lines = [[...Array.from({ length: columns }, (_, j) => `x${j}`), 'yield'].join()];
  for (let i = 0; i < rows; i++) {
    const x = Array.from({ length: columns }, () => Math.round(1e4 * stream.uniform()) / 1e3);
    const y = x.slice(0, 4).reduce((sum, value, j) => sum + (j + 1) * Math.sin(value / 3), 0);
    lines.push(`${x.join()},${(20 + y + 0.3 * stream.normal()).toFixed(3)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** @param {string[]} args @param {number} rows @param {number} columns @returns {{ cpu: number, megabytes: number }} */
function command(args, rows, columns) {
  const folder = mkdtempSync(join(tmpdir(), 'nemokit-growth-'));
  try {
    writeFileSync(join(folder, 'past.csv'), tableText(rows, columns));
    const [name = '', ...options] = args;
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', measured, path('../dist/cli/main.js'), name, 'past.csv', ...options],
      { cwd: folder, encoding: 'utf8', env: { ...process.env, NEMOKIT_THREADS: '1' } },
    );
    // 3: the data support no design
    if (status !== 0 && status !== 3) throw new Error(`${name}, ${rows} x ${columns}: ${stderr}`);
    return JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

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
  'check, rows': { what: 'check, rows x 4', at: rows, measure: (at) => check(at, 4) },
  'check, columns': { what: 'check, 500 x columns', at: columns, measure: (at) => check(500, at) },
  'design, rows': { what: 'design --effort fast, rows x 4', at: rows, measure: (at) => design(at, 4) },
  'design, columns': {
    what: 'design --effort fast, 500 x columns',
    at: columns,
    measure: (at) => design(500, at),
  },
  'iteration, K': { what: 'a NEMO iteration, K networks', at: [10, 20, 40, 80], measure: iteration },
};

const known = existsSync(records) ? JSON.parse(readFileSync(records, 'utf8')) : { points: {} };
if (!process.argv.includes('--draw')) {
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout?.trim();
  const machine = { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version };
  for (const [name, { at, measure }] of Object.entries(series))
    for (const value of at) {
      known.points[name] ??= {};
      if (known.points[name][value] !== undefined) continue;
      const { cpu, megabytes } = /** @type {any} */ (await measure(value));
      known.points[name][value] = { cpu: Number(cpu.toPrecision(4)), megabytes: Math.round(megabytes) };
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
