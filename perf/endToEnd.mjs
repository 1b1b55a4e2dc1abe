// `npm run perf` is about one iteration; this is about whole commands: `design` on tables of 20 columns, the demo, and one trial of
// each of the paper's tasks, with native kernels and without, in turn. Measures what endToEnd.json lacks, one after the other, and
// prints a table. Trials need the data: NEMOKIT_DATA.
//   node perf/endToEnd.mjs [--only design,demo,trial] [--draw]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { command, cost, main } from './command.mjs';

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: 'design,demo,trial' },
    draw: { type: 'boolean', default: false },
  },
});
const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const records = path('endToEnd.json');
const known = existsSync(records) ? JSON.parse(readFileSync(records, 'utf8')) : { points: {} };
const kernels = ['wasm-relaxed', 'native'];

/** @param {(folder: string) => import('./command.mjs').Cost} job */
function aside(job) {
  const folder = mkdtempSync(join(tmpdir(), 'nemokit-end-'));
  try {
    return job(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @typedef {{ kind: string, name: string, run(env: Record<string, string>): import('./command.mjs').Cost }} Job */
/** @type {Job[]} */
const jobs = [
  ...[240, 1000, 10_000].map((rows) => ({
    kind: 'design',
    name: `\`design\` on ${rows.toLocaleString('en-US')} x 20`,
    run: (/** @type {Record<string, string>} */ env) =>
      command(['design', '--goal', 'max yield', '--quiet', '--out', 'run'], rows, 20, env),
  })),
  {
    kind: 'demo',
    name: 'the demo (`npm run demo`)',
    run: (env) => aside((cwd) => cost([path('../scripts/demo.mjs')], { cwd, env })),
  },
  ...[
    'superconductor-gbdt-v1',
    'dkitty-morphology-cpg-v1',
    'ant-morphology-cpg-v1',
    'hopper-controller-v1',
    'gfp-gp-v1',
    'molecule-activity-forest-v1',
  ].map((task) => ({
    kind: 'trial',
    name: `a trial of \`nemo@lockstep\` on ${task}`,
    run: (/** @type {Record<string, string>} */ env) =>
      aside((cwd) => {
        const asked = [
          '--task',
          task,
          '--algorithm',
          'nemo@lockstep',
          '--seeds',
          '0',
          '--jobs',
          '1',
          '--quiet',
        ];
        return cost([main, 'bench', 'run', ...asked, '--out', join(cwd, 'records')], {
          cwd: path('..'),
          env,
        });
      }),
  })),
];

const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, Node ${process.version}`;
const wanted = flags.draw ? [] : flags.only.split(',');
const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout?.trim();
for (const { name, run } of jobs.filter(({ kind }) => wanted.includes(kind))) {
  // kernels are compared on one machine
  const before = Object.entries(known.points[name] ?? {});
  if (before.length === kernels.length) continue;
  known.points[name] = Object.fromEntries(before.filter(([, point]) => point.machine === machine));
  for (const kernel of kernels) {
    if (known.points[name][kernel]) continue;
    const load = loadavg()[0] ?? Number.NaN;
    const { cpu, megabytes } = run({ NEMOKIT_KERNEL: kernel });
    known.points[name][kernel] = {
      cpu: Number(cpu.toPrecision(4)),
      megabytes: Math.round(megabytes),
      load: Number(load.toPrecision(2)),
      commit,
      machine,
    };
    writeFileSync(records, `${JSON.stringify(known, null, 2)}\n`);
    process.stderr.write(`${name}, ${kernel}: ${cpu.toFixed(1)} s, ${megabytes.toFixed(0)} MB\n`);
  }
}

const machines = [
  ...new Set(Object.values(known.points).flatMap((one) => Object.values(one).map((point) => point.machine))),
];
const lines = [
  '| what | CPU s, wasm-relaxed | CPU s, native | native takes | MB, native | commit, load average |',
  '| --- | --- | --- | --- | --- | --- |',
];
for (const { name } of jobs) {
  const { native, 'wasm-relaxed': relaxed } = known.points[name] ?? {};
  const cells = [
    relaxed?.cpu.toFixed(1) ?? 'not run',
    native?.cpu.toFixed(1) ?? 'not run',
    relaxed && native ? (native.cpu / relaxed.cpu).toFixed(2) : '',
    native?.megabytes ?? '',
  ];
  const loads = [relaxed, native].flatMap((point) => (point ? [point.load] : []));
  const where = native
    ? `${native.commit}, ${loads.join(' and ')}${machines.indexOf(native.machine) > 0 ? ' \\*' : ''}`
    : '';
  lines.push(`| ${[name, ...cells, where].join(' | ')} |`);
}
process.stdout.write(
  `${lines.join('\n')}\n\n${machines.map((one, i) => `${i > 0 ? '\\* ' : ''}${one}.`).join(' ')}\n`,
);
