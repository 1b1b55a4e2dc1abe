// `nemokit design` with default settings against plain gradient ascent, on processes whose truth is known and given to
// neither: ten tables of the demo's reactor (seeds 0 to 9) and the ten simulated processes (seed 2). One line of JSON
// per run in records.jsonl; runs that are there already are not repeated. Settings were chosen on the reactor's
// seeds 100 to 103 and on closed forms (rosenbrock12, dixonPrice10, styblinski15, levy20); earlier versions were looked
// at on seeds 0 and 1 of the ten and on seeds 0 to 9 of the reactor (docs/design.md).
//   node studies/design/run.mjs [--only name,name]
import { DesignRun } from '../../dist/design/designRun.js';
import * as models from '../../dist/models/index.js';
import * as numeric from '../../dist/numeric/index.js';
import { stateProblem, toCells } from '../../dist/problem/index.js';
import { readTable } from '../../dist/table/index.js';
import { commit, openRecords } from '../lineFile.mjs';
import { plainBatch } from '../plainAscent.mjs';
import { demoProcess, simulatedProblems } from '../simulated/index.mjs';

const BATCH = 8;
const at = process.argv.indexOf('--only');
const only = at > 0 ? process.argv[at + 1]?.split(',') : undefined;

/**
 * @typedef {{ row: number, truth: number, expected: number, lo80: number, hi80: number, trust: string }} Proposal
 * @typedef {{ problem: string, seed: number, commit: string, kernel: string, direction: 'max' | 'min', rows: number,
 *   columns: number, noise: number, bestVisible: number, bestMeasured: number, verdict: string, rankCorrelation: number,
 *   coverage80: number, trainingSteps: number, seconds: number, nemo: Proposal[], plain: number[] }} Trial
 */

/** @type {ReturnType<typeof openRecords<Trial>>} */
const { runs: trials, add } = openRecords(new URL('records.jsonl', import.meta.url));

const planned = [
  ...Array.from({ length: 10 }, (_, seed) => ({ process: demoProcess, seed })),
  ...simulatedProblems.map((process) => ({ process, seed: 2 })),
];
for (const { process: simulated, seed } of planned) {
  const isKnown = trials.some((own) => own.problem === simulated.name && own.seed === seed);
  if (isKnown || (only && !only.includes(simulated.name))) continue;
  const trial = await runTrial(simulated, seed);
  add(trial);
  process.stderr.write(`${line(trial)}\n`);
}

/**
 * @param {typeof demoProcess} simulated @param {number} seed
 * @returns {Promise<Trial>}
 */
async function runTrial(simulated, seed) {
  const engine = await numeric.openEngine();
  const started = performance.now();
  const { rows, truthOfBestVisible, noise } = simulated.makeTable(seed);
  const table = await readTable(rows, { name: simulated.name });
  const problem = stateProblem(table, simulated.words);
  const request = { problem, batch: BATCH, seed, method: 'nemo', options: {} };
  const run = DesignRun.open({ ...request, effort: 'balanced' }, engine);
  let state = await run.start();
  while (!run.isDone(state)) state = await run.advance(state);
  const { findings } = await run.finish(state);
  const seconds = (performance.now() - started) / 1000;
  const { data, space } = problem;
  const options = /** @type {import('../../dist/algorithms/index.js').NemoOptions} */ (
    /** @type {unknown} */ (findings.run.options)
  );
  const plain = await plainBatch(
    { numeric, models },
    { data, space, engine, options },
    numeric.rootKey(seed),
    BATCH,
  );
  const trial = {
    problem: simulated.name,
    seed,
    commit,
    kernel: engine.kernel,
    direction: findings.goal.direction,
    rows: data.y.length,
    columns: space.columns.length,
    noise,
    bestVisible: truthOfBestVisible,
    bestMeasured: findings.bestKnown.value,
    verdict: findings.verdict.level,
    rankCorrelation: findings.validation.rankCorrelation,
    coverage80: findings.validation.coverage80,
    trainingSteps: findings.validation.trainingSteps,
    seconds,
    nemo: findings.candidates.map(({ row, cells, expected, lo80, hi80, trust }) => {
      return { row, truth: simulated.truth(cells), expected, lo80, hi80, trust };
    }),
    plain: toCells(problem, plain.x).map((cells) => simulated.truth(cells)),
  };
  run.dispose();
  await engine.close();
  return trial;
}

/** @param {Trial} trial */
function summary(trial) {
  const sign = trial.direction === 'max' ? 1 : -1;
  const median = numeric.median(trial.nemo.map(({ truth }) => truth));
  const plain = numeric.median(trial.plain);
  const inside = trial.nemo.filter(({ truth, lo80, hi80 }) => lo80 <= truth && truth <= hi80).length;
  const better = trial.nemo.filter(({ truth }) => sign * truth > sign * trial.bestVisible).length;
  return {
    median,
    plain,
    inside,
    better,
    beatsVisible: sign * median > sign * trial.bestVisible,
    beatsPlain: sign * median > sign * plain,
  };
}

/** @param {Trial} trial */
function line(trial) {
  const { median, plain, inside, better } = summary(trial);
  const n = trial.nemo.length;
  return `| ${trial.problem} | ${trial.seed} | ${trial.rows} | ${trial.columns} | ${trial.bestVisible.toFixed(2)} | ${median.toFixed(2)} | ${plain.toFixed(2)} | ${better} of ${n} | ${inside} of ${n} | ${trial.verdict} | ${trial.seconds.toFixed(0)} |`;
}

const head =
  '| process | seed | rows | numbers per design | best visible (truth) | nemokit, median truth | plain ascent, median truth | better than best visible | inside 80 % interval | verdict | seconds |\n|---|---|---|---|---|---|---|---|---|---|---|';
for (const [title, own] of [
  ['The demo, ten tables', trials.filter(({ problem }) => problem === demoProcess.name)],
  ['Ten processes', trials.filter(({ problem }) => problem !== demoProcess.name)],
]) {
  if (typeof title !== 'string' || typeof own === 'string' || !own || own.length === 0) continue;
  const results = own.map(summary);
  const share = numeric.mean(own.map((trial, i) => (results[i]?.inside ?? 0) / trial.nemo.length));
  const count = (/** @type {'beatsVisible' | 'beatsPlain'} */ what) =>
    results.filter((one) => one[what]).length;
  process.stdout.write(
    `### ${title}\n\n${head}\n${own.map(line).join('\n')}\n\nThe median design beats the best visible run in ${count('beatsVisible')} of ${own.length}, plain ascent in ${count('beatsPlain')}; ${(100 * share).toFixed(0)} % of the intervals hold the truth.\n\n`,
  );
}
const labels = ['Trusted', 'Stretch', 'Guess'].map((trust) => {
  const own = trials.flatMap(({ nemo }) => nemo).filter((one) => one.trust === trust);
  const inside = own.filter(({ truth, lo80, hi80 }) => lo80 <= truth && truth <= hi80).length;
  return own.length === 0 ? `${trust}: none` : `${trust}: ${inside} of ${own.length}`;
});
process.stdout.write(`Truth inside the 80 % interval by label: ${labels.join(', ')}.\n`);
