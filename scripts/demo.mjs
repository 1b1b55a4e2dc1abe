// `npm run demo`: the main job on a process whose truth is known. A simulated reactor gives 240 past runs, without its
// best fifth; `nemokit design` proposes a batch from them; then, and only then, the simulator is asked what the designs
// are worth, and so it is for plain gradient ascent on the same table.
//   npm run demo [-- seed]
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import pc from 'picocolors';
import { requestFrom } from '../dist/design/run.js';
import * as models from '../dist/models/index.js';
import * as numeric from '../dist/numeric/index.js';
import { toCells, writeProblemFile } from '../dist/problem/index.js';
import { readRun } from '../dist/runs/savedRun.js';
import { plainBatch } from '../studies/plainAscent.mjs';
import { demoProcess } from '../studies/simulated/index.mjs';

const started = performance.now();
const seed = Number(process.argv[2] ?? 0);
if (!Number.isSafeInteger(seed) || seed < 0) {
  process.stderr.write(`demo: "${process.argv[2]}" is no seed; expected a whole number, 0 or more\n`);
  process.exit(2);
}
const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`);

const { rows, truthOfBestVisible: best } = demoProcess.makeTable(seed);
const folder = freeFolder('runs', 'demo');
mkdirSync('runs', { recursive: true });
const names = Object.keys(rows[0] ?? {});
const csv = [names.join(','), ...rows.map((row) => names.map((name) => row[name] ?? '').join(','))];
writeFileSync(`${folder}.csv`, `${csv.join('\n')}\n`);
writeFileSync(
  `${folder}.yaml`,
  writeProblemFile({ version: 1, data: relative('runs', `${folder}.csv`), ...demoProcess.words }),
);

say(`\n${pc.bold(demoProcess.title)} ${pc.dim('(simulated)')}`);
say(demoProcess.story);
say(`${rows.length} past runs are in ${folder}.csv; the best fifth of what was run is withheld.\n`);
say(`${pc.dim('$')} nemokit design ${folder}.yaml --seed ${seed}`);
const code = await design();
if (code !== 0 && code !== 3) process.exit(code);

const engine = await numeric.openEngine();
const document = await readRun(folder);
const { problem } = await requestFrom(document.asked);
const options = /** @type {import('../dist/algorithms/index.js').NemoOptions} */ (
  /** @type {unknown} */ (document.run.options)
);
const { data, space } = problem;
const batch = document.candidates.length;
const plain = await plainBatch(
  { numeric, models },
  { data, space, engine, options },
  numeric.rootKey(seed),
  batch,
);

/** @typedef {{ expected: number, lo80: number, hi80: number, trust: string, truth: number }} Design */
/** @type {Design[]} */
const ours = document.candidates.map(({ expected, lo80, hi80, trust, cells }) => {
  return { expected, lo80, hi80, trust: String(trust), truth: demoProcess.truth(cells) };
});
/** @type {Design[]} */
const theirs = toCells(problem, plain.x).map((cells, i) => {
  const expected = plain.promised[i] ?? 0;
  return { expected, lo80: expected, hi80: expected, trust: '', truth: demoProcess.truth(cells) };
});

say(`${pc.bold('Now the simulator is asked.')} What was promised, and the truth:\n`);
draw('nemokit', ours);
draw('plain gradient ascent, one network', theirs);
say(`  ${legend()}\n`);
tell('nemokit', ours);
tell('plain gradient ascent', theirs);
await engine.close();
say('');
say(
  pc.dim(
    `  ${((performance.now() - started) / 1000).toFixed(0)} s. Other tables: npm run demo -- 1. Tables with known truth: docs/design.md`,
  ),
);

/** @returns {Promise<number>} */
function design() {
  const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
  const child = spawn(
    process.execPath,
    [main, 'design', `${folder}.yaml`, '--out', folder, '--seed', String(seed)],
    { stdio: 'inherit' },
  );
  return new Promise((resolve) => child.on('exit', (status) => resolve(status ?? 130)));
}

/** @param {string} root @param {string} name */
function freeFolder(root, name) {
  let path = join(root, name);
  for (let n = 2; existsSync(path) || existsSync(`${path}.csv`) || existsSync(`${path}.yaml`); n++)
    path = join(root, `${name}-${n}`);
  return path;
}

/** @param {string} title @param {Design[]} designs */
function draw(title, designs) {
  const all = [...ours, ...theirs].flatMap(({ expected, lo80, hi80, truth }) => [
    expected,
    lo80,
    hi80,
    truth,
  ]);
  const [low, high] = [
    all.reduce((a, b) => Math.min(a, b), best),
    all.reduce((a, b) => Math.max(a, b), best),
  ];
  const width = 56;
  const at = (/** @type {number} */ v) => Math.round(((v - low) / (high - low || 1)) * (width - 1));
  say(`  ${pc.bold(title)}`);
  designs.forEach(({ expected, lo80, hi80, truth, trust }, i) => {
    const cells = Array(width).fill(' ');
    for (let j = at(lo80); j <= at(hi80); j++) cells[j] = pc.dim('─');
    cells[at(best)] = pc.yellow('│');
    cells[at(expected)] = pc.cyan('●');
    const isBetter = truth > best;
    cells[at(truth)] = isBetter ? pc.green('◆') : pc.red('◆');
    const numbers = `${expected.toFixed(1).padStart(6)} ${isBetter ? pc.green(truth.toFixed(1).padStart(6)) : pc.red(truth.toFixed(1).padStart(6))}`;
    say(`  ${String(i + 1).padStart(3)}  ${cells.join('')} ${numbers}  ${trust}`);
  });
  say('');
}

function legend() {
  return `${pc.cyan('●')} promised  ${pc.dim('─')} 80 % range  ${pc.green('◆')} truth  ${pc.yellow('│')} best past run, ${best.toFixed(1)}      ${pc.dim('numbers: promised, truth')}`;
}

/** @param {string} who @param {Design[]} designs */
function tell(who, designs) {
  const truths = designs.map(({ truth }) => truth);
  const better = truths.filter((truth) => truth > best).length;
  const promised = numeric.median(designs.map(({ expected }) => expected));
  const inside = designs.filter(({ truth, lo80, hi80 }) => lo80 <= truth && truth <= hi80).length;
  const ranges = designs.some(({ lo80, hi80 }) => hi80 > lo80)
    ? `; ${inside} of ${designs.length} ranges hold the truth`
    : '';
  say(
    `  ${pc.bold(who.padEnd(22))} ${better} of ${designs.length} designs really beat the best past run; promised ${promised.toFixed(1)}, truth ${numeric.median(truths).toFixed(1)} (medians)${ranges}`,
  );
}
