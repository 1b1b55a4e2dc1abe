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
  const isKnown = trials.some((known) => known.problem === simulated.name && known.seed === seed);
  if (isKnown || (only && !only.includes(simulated.name))) continue;
  const trial = await runTrial(simulated, seed);
  add(trial);
  const truth = numeric.median(trial.nemo.map((proposal) => proposal.truth));
  process.stderr.write(
    `${trial.problem} ${seed}: best past run ${trial.bestVisible.toFixed(2)}, median of nemokit ${truth.toFixed(2)}, of plain ascent ${numeric.median(trial.plain).toFixed(2)}, ${trial.seconds.toFixed(0)} s\n`,
  );
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
process.stdout.write(`${trials.length} runs in records.jsonl; node scripts/measured.mjs renders them\n`);
