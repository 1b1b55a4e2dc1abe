// Repeats committed trials and compares them with their records, bit for bit: the ids of all trials, and the results of the
// quickest trials of every algorithm, each on another task or with other settings.
//   npm run repeat-trials -- [--per 3] [folder with records ...]
// Exits with 1 where something differs. Bits depend on the kernel and the version of the algorithm: trials of others are
// left out.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { versionOf } from '../dist/bench/algorithmVersions.js';
import { readRecords, recordsName } from '../dist/bench/records.js';
import { builtIn } from '../dist/bench/registry.js';
import { runTrial, trialId } from '../dist/bench/trial.js';
import { openDataFolder } from '../dist/data/dataFolder.js';
import { openEngine } from '../dist/numeric/engine.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { per: { type: 'string', default: '3' } },
});
const folders = positionals.length > 0 ? positionals : committedFolders(join(root, 'studies'));

/** @type {{ folder: string, record: import('../dist/bench/records.js').TrialRecord }[]} */
const kept = [];
for (const folder of folders)
  for (const record of (await readRecords(folder)).records) kept.push({ folder, record });

const renamed = kept.filter(({ record }) => trialId(specOf(record)) !== record.id);
console.log(`${kept.length} trials in ${folders.length} folders; ids that differ: ${renamed.length}`);

const older = kept.filter(({ record }) => !isOfToday(record)).length;
console.log(`${older} of other versions of their algorithms are not repeated`);

const engine = await openEngine();
const source = openDataFolder();
const chosen = choose(Number(values.per), engine.kernel);
let different = 0;
for (const { record } of chosen) {
  const result = await runTrial(specOf(record), { engine, source });
  // Early records keep all digits of the distances, later ones six.
  const distances = record.result.distances.map((apart) => Number(apart.toPrecision(6)));
  const isSame = isDeepStrictEqual(JSON.parse(JSON.stringify(result)), { ...record.result, distances });
  if (!isSame) different++;
  const { algorithm, variant, task, seed, made } = record;
  console.log(
    `${isSame ? 'same bits ' : 'DIFFERENT'} ${algorithm}@${variant} ${task} seed ${seed} (${made.cpuSeconds} s then)`,
  );
}
console.log(
  `${chosen.length - different} of ${chosen.length} trials repeated with the same bits, kernel ${engine.kernel}`,
);
await engine.close();
process.exitCode = renamed.length + different > 0 || chosen.length === 0 ? 1 : 0;

/** Whether its algorithm is here, in the same version. @param {import('../dist/bench/records.js').TrialRecord} record */
function isOfToday(record) {
  return builtIn.algorithms.get(record.algorithm)?.version === versionOf(record);
}

/** @param {import('../dist/bench/records.js').TrialRecord} record */
function specOf({ task, algorithm, algorithmVersion, variant, options, seed, result }) {
  const withScores = result.curve.some(({ best }) => best !== undefined);
  return { task, algorithm, algorithmVersion, variant, options, seed, curve: { every: 50, withScores } };
}

/**
 * The quickest trial of each (algorithm, variant, task), then the first `per` of each algorithm.
 * @param {number} per @param {string} kernel
 */
function choose(per, kernel) {
  const quickest = kept
    .filter(({ record }) => record.made.kernel === kernel && isOfToday(record))
    .toSorted((a, b) => a.record.made.cpuSeconds - b.record.made.cpuSeconds);
  /** @type {Map<string, Map<string, (typeof kept)[number]>>} */
  const byAlgorithm = new Map();
  for (const trial of quickest) {
    const { algorithm, variant, task } = trial.record;
    const cells = byAlgorithm.get(algorithm) ?? new Map();
    byAlgorithm.set(algorithm, cells);
    const cell = `${variant} ${task}`;
    if (cells.size < per && !cells.has(cell)) cells.set(cell, trial);
  }
  return [...byAlgorithm.values()].flatMap((cells) => [...cells.values()]);
}

/** @param {string} folder */
function committedFolders(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(recordsName))
    .filter((name) => readFileSync(join(folder, name), 'utf8').startsWith('{"recordVersion"'))
    .map((name) => join(folder, dirname(name)));
}
