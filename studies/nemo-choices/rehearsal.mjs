// NEMO's open choices, made without a task's scorer: the best rows of the visible ones are hidden from the search, and a
// judge that was fitted to all visible rows says what its designs are worth. On tasks declared for tuning the task's own
// scorer judges. One line of JSON per run in results/nemo-rehearsal.jsonl; runs that are there are not repeated.
//   NEMOKIT_DATA=<folder> node studies/nemo-choices/rehearsal.mjs [task...]
import { presetOptions } from '../../dist/algorithm.js';
import { gpBo, nemo } from '../../dist/algorithms/index.js';
import { openDataFolder } from '../../dist/data/dataFolder.js';
import {
  boostingSteps,
  decodeTrees,
  encodeTrees,
  GaussianProcess,
  kernelShape,
  predictTrees,
} from '../../dist/models/index.js';
import { foldKey, openEngine, quantile, rootKey } from '../../dist/numeric/index.js';
import { openLinearAlgebra } from '../../dist/numeric/linalg.js';
import { takeRows } from '../../dist/numeric/rows.js';
import { fitStandardization } from '../../dist/numeric/stats.js';
import { states } from '../../dist/research.js';
import { encode, fitEncoding, modelInputs } from '../../dist/search/encoding.js';
import { chooseRows } from '../../dist/search/rowSubset.js';
import { tasks } from '../../dist/tasks/index.js';
import { commit, openRecords } from '../lineFile.mjs';

/** @typedef {Partial<import('../../dist/algorithms/index.js').NemoOptions>} Changes */

/** The recipe of the superconductor oracle; for 1,024 bits fewer trees on a part of the columns each. */
const deep = { rate: 0.02, trees: 374, depth: 16, rowShare: 0.5 };
const quick = { rate: 0.05, trees: 200, depth: 12, rowShare: 0.5, columnsPerTree: 300 };

const strong = { modelRate: 5e-3, queryWeight: 10 };
const along = { ascent: /** @type {const} */ ('mahalanobis') };
const narrow = { minibatch: 64, pretrainSteps: 400, pretrainRate: 3e-3 };

const ascents = {
  'adam, box': {},
  adam: { box: null },
  'mahalanobis 0.005': { ...along, designRate: 0.005, box: null },
  'mahalanobis 0.01': { ...along, designRate: 0.01, box: null },
  'mahalanobis 0.02': { ...along, designRate: 0.02, box: null },
  'mahalanobis 0.02, box': { ...along, designRate: 0.02 },
  'mahalanobis 0.05, box': { ...along, designRate: 0.05 },
};
const nml = {
  'no NML': { modelRate: 0 },
  'rate 1e-4, w 0.1': {},
  'rate 3e-4, w 1': { modelRate: 3e-4, queryWeight: 1 },
  'rate 1e-3, w 0.3': { modelRate: 1e-3, queryWeight: 0.3 },
  'rate 1e-3, w 1': { modelRate: 1e-3, queryWeight: 1 },
  'rate 2e-3, w 0.3': { modelRate: 2e-3, queryWeight: 0.3 },
  'rate 5e-3, w 0.1': { modelRate: 5e-3, queryWeight: 0.1 },
  'rate 5e-3, w 0.3': { modelRate: 5e-3, queryWeight: 0.3 },
  'rate 5e-3, w 1': { modelRate: 5e-3, queryWeight: 1 },
};

/**
 * Every training by every way to climb by every strength of NML.
 * @param {number[]} trained steps @param {(keyof typeof ascents)[]} climbed @param {(keyof typeof nml)[]} told
 * @param {Changes} rest
 */
function grid(trained, climbed, told, rest) {
  return Object.fromEntries(
    trained.flatMap((pretrainSteps) =>
      climbed.flatMap((a) =>
        told.map((n) => [
          `trained ${pretrainSteps}, ${a}, ${n}`,
          { pretrainSteps, ...ascents[a], ...nml[n], ...rest },
        ]),
      ),
    ),
  );
}

/**
 * One setting for each length of training.
 * @param {number[]} trained steps @param {(steps: number) => string} nameOf @param {Changes} rest
 */
function lengths(trained, nameOf, rest) {
  return Object.fromEntries(
    trained.map((pretrainSteps) => [nameOf(pretrainSteps), { ...rest, pretrainSteps }]),
  );
}

/** @param {number[]} trained */
const sequences = (trained) =>
  lengths(trained, (steps) => `mahalanobis 0.16, trained ${steps}, every 5`, {
    ...narrow,
    ...along,
    designRate: 0.16,
    steps: 50,
  });

/** @typedef {{ task: string, judge: typeof deep | 'process' | null, hidden?: number, every?: number, seeds: number, settings: Record<string, Changes> }} Study */
/**
 * What was tried; `judge` null: the task is for tuning; `hidden`: the share of visible rows, 0.2 if not said; judged after
 * `every` steps, 25 if not said.
 * @type {Study[]}
 */
const studies = [
  {
    task: 'superconductor-gbdt-v1',
    judge: deep,
    seeds: 2,
    settings: {
      defaults: { steps: 200 },
      'no NML': { steps: 200, modelRate: 0 },
      'rate 0.005, w 0.3': { steps: 200, modelRate: 5e-3, queryWeight: 0.3 },
      'rate 0.005, w 1': { steps: 200, modelRate: 5e-3, queryWeight: 1 },
      'rate 0.005, w 10': { steps: 200, ...strong },
      'rate 0.005, w 10, no box': { steps: 200, ...strong, box: null },
      'mahalanobis 0.01, no box': { steps: 200, ...along, designRate: 0.01, box: null },
      'mahalanobis 0.01, rate 0.005, w 10, no box': {
        steps: 200,
        ...strong,
        ...along,
        designRate: 0.01,
        box: null,
      },
      'from the worst': { steps: 300, startFrom: 'worst' },
      'from the worst, rate 0.005, w 10, no box': { steps: 300, startFrom: 'worst', ...strong, box: null },
      'from the worst, mahalanobis 0.01, rate 0.005, w 10, no box': {
        steps: 300,
        startFrom: 'worst',
        ...strong,
        ...along,
        designRate: 0.01,
        box: null,
      },
    },
  },
  {
    task: 'superconductor-gbdt-v1',
    judge: deep,
    seeds: 1,
    settings: grid(
      [100, 200, 400],
      ['adam, box', 'adam', 'mahalanobis 0.005', 'mahalanobis 0.01', 'mahalanobis 0.02, box'],
      ['no NML', 'rate 1e-4, w 0.1', 'rate 1e-3, w 0.3', 'rate 1e-3, w 1', 'rate 5e-3, w 1'],
      { steps: 150 },
    ),
  },
  {
    task: 'superconductor-gbdt-v1',
    judge: deep,
    seeds: 5,
    settings: {
      ...grid([200], ['adam'], ['rate 3e-4, w 1'], { steps: 200 }),
      ...grid([200], ['mahalanobis 0.05, box'], ['rate 3e-4, w 1'], { steps: 300 }),
    },
  },
  {
    task: 'superconductor-gbdt-v1',
    judge: deep,
    hidden: 0.05,
    seeds: 3,
    settings: grid(
      [500, 1000, 2000],
      ['adam, box'],
      ['rate 5e-3, w 0.1', 'rate 5e-3, w 0.3', 'rate 2e-3, w 0.3'],
      { steps: 250 },
    ),
  },
  {
    task: 'superconductor-gbdt-v1',
    judge: deep,
    hidden: 0.05,
    seeds: 1,
    settings: Object.fromEntries(
      [250, 1500].map((pretrainSteps) => [
        `256-256 trained ${pretrainSteps}, rate 5e-3, w 0.3`,
        {
          hidden: [256, 256],
          pretrainRate: 1e-3,
          pretrainSteps,
          modelRate: 5e-3,
          queryWeight: 0.3,
          steps: 600,
        },
      ]),
    ),
  },
  ...['ant-morphology-cpg-v1', 'dkitty-morphology-cpg-v1'].map(
    /** @returns {Study} */ (task) => ({
      task,
      judge: 'process',
      seeds: 1,
      settings: grid(
        [400, 2000],
        ['adam, box', 'mahalanobis 0.02, box', 'mahalanobis 0.02'],
        ['no NML', 'rate 1e-4, w 0.1', 'rate 1e-3, w 0.3'],
        { steps: 200 },
      ),
    }),
  ),
  ...['ant-morphology-cpg-v1', 'dkitty-morphology-cpg-v1'].map(
    /** @returns {Study} */ (task) => ({
      task,
      judge: 'process',
      every: 10,
      seeds: 3,
      settings: lengths([100, 200, 400], (steps) => `trained ${steps}, mahalanobis 0.02, box, every 10`, {
        ...along,
        steps: 60,
      }),
    }),
  ),
  {
    task: 'hopper-controller-v1',
    judge: 'process',
    seeds: 1,
    settings: {
      'mahalanobis 0.02': { ...narrow, ...along, designRate: 0.02, steps: 50 },
      'mahalanobis 0.005': { ...narrow, ...along, designRate: 0.005, steps: 100 },
      'mahalanobis 0.001': { ...narrow, ...along, designRate: 0.001, steps: 100 },
      'adam 0.0005': { ...narrow, designRate: 0.0005, steps: 100 },
      'adam 0.002': { ...narrow, designRate: 0.002, steps: 100 },
      'adam 0.002, trained 150': { ...narrow, designRate: 0.002, pretrainSteps: 150, steps: 100 },
      'adam 0.002, rate 5e-3, w 0.3': {
        ...narrow,
        designRate: 0.002,
        modelRate: 5e-3,
        queryWeight: 0.3,
        steps: 150,
      },
      'adam 0.01': { ...narrow, designRate: 0.01, steps: 75 },
    },
  },
  {
    task: 'rosenbrock20-v1',
    judge: null,
    seeds: 2,
    settings: { defaults: { steps: 200 }, mahalanobis: { steps: 200, ...along } },
  },
  {
    task: 'levy50-v1',
    judge: null,
    seeds: 2,
    settings: { defaults: { steps: 200 }, mahalanobis: { steps: 200, ...along } },
  },
  {
    task: 'tfbind8-exact-v1',
    judge: null,
    seeds: 4,
    settings: { 'twins part': {}, 'twins keep': { twins: 'keep' } },
  },
  {
    task: 'gfp-gp-v1',
    judge: 'process',
    seeds: 1,
    settings: {
      'adam 0.02': { ...narrow, designRate: 0.02, steps: 150 },
      'mahalanobis 0.04': { ...narrow, ...along, designRate: 0.04, steps: 100 },
      'mahalanobis 0.08': { ...narrow, ...along, designRate: 0.08, steps: 75 },
      'mahalanobis 0.16': { ...narrow, ...along, designRate: 0.16, steps: 50 },
      'mahalanobis 0.16, trained 800': {
        ...narrow,
        ...along,
        pretrainSteps: 800,
        designRate: 0.16,
        steps: 50,
      },
    },
  },
  {
    task: 'gfp-gp-v1',
    judge: 'process',
    every: 5,
    seeds: 3,
    settings: sequences([50, 100, 200, 400, 800]),
  },
  { task: 'gfp-gp-v1', judge: 'process', every: 5, seeds: 1, settings: sequences([1600]) },
  {
    task: 'molecule-activity-forest-v1',
    judge: quick,
    every: 5,
    seeds: 2,
    settings: {
      adam: { steps: 30 },
      'adam, no NML': { steps: 30, modelRate: 0 },
    },
  },
  {
    task: 'molecule-activity-forest-v1',
    judge: quick,
    every: 5,
    seeds: 1,
    settings: {
      'adam, trained 400': { pretrainSteps: 400, steps: 30 },
      'mahalanobis 0.05': { ...along, designRate: 0.05, steps: 30 },
      'mahalanobis 0.05, trained 400': { ...along, pretrainSteps: 400, designRate: 0.05, steps: 30 },
    },
  },
];

const { runs: known, add } = openRecords(new URL('rehearsal.jsonl', import.meta.url));
const done = new Set(known.map(({ task, hidden, setting, seed }) => `${task}|${hidden}|${setting}|${seed}`));
const source = openDataFolder();
const engine = await openEngine();
const wanted = process.argv.slice(2);
for (const { task: id, judge, hidden = 0.2, every = 25, seeds, settings } of studies) {
  if (wanted.length > 0 && !wanted.includes(id)) continue;
  const runs = Object.entries(settings).flatMap(([setting, changes]) =>
    Array.from({ length: seeds }, (_, seed) => ({ setting, changes, seed })),
  );
  const missing = runs.filter(({ setting, seed }) => !done.has(`${id}|${hidden}|${setting}|${seed}`));
  const definition = tasks.find((known) => known.id === id);
  if (!definition || missing.length === 0) continue;
  const task = await definition.open(source);
  const score = judge === null ? task.score : await judgeOf(id, task, judge);
  const data = judge === null ? task.data : withoutBest(task, hidden);
  for (const { setting, changes, seed } of missing) {
    const options = { ...presetOptions(nemo, 'lockstep'), ...changes };
    const setup = { data, space: task.space, options, engine };
    const curve = [];
    const begin = process.cpuUsage();
    for await (const state of states(nemo, setup, rootKey(seed), { every })) {
      if (state.iteration < 0) continue;
      const y = await score(nemo.propose(state, setup));
      const point = [y.reduce((a, b) => Math.max(a, b)), quantile(y, 0.5)].map((value) =>
        Number(value.toPrecision(6)),
      );
      curve.push({ step: state.iteration, best: point[0], median: point[1] });
    }
    const { user, system } = process.cpuUsage(begin);
    const made = { commit, kernel: engine.kernel, cpuSeconds: Math.round((user + system) / 1e6) };
    add({ task: id, hidden, setting, seed, options, curve, made });
    const words = curve.map(({ best, median }) => `(${best?.toPrecision(3)}, ${median?.toPrecision(3)})`);
    process.stdout.write(`${id} ${setting} seed ${seed}, ${made.cpuSeconds} s: ${words.join(' ')}\n`);
  }
}
await engine.close();

/** @param {import('../../dist/tasks/index.js').Task} task @param {number} hiddenShare */
function withoutBest({ data: { x, y }, space }, hiddenShare) {
  const limit = quantile(y, 1 - hiddenShare);
  const kept = Array.from(y.keys()).filter((i) => (y[i] ?? 0) <= limit);
  return { x: takeRows(x, space.columns.length, kept), y: takeRows(y, 1, kept) };
}

/**
 * Gradient boosting, or the posterior mean of gp-bo's Gaussian process on 2,000 rows.
 * @param {string} id @param {import('../../dist/tasks/index.js').Task} task @param {typeof deep | 'process'} kind
 * @returns {Promise<(designs: Float64Array) => Promise<Float64Array>>}
 */
async function judgeOf(id, { data, space }, kind) {
  const encoding = fitEncoding(data, space, { box: null });
  /** @param {Float64Array} designs */
  const inputs = (designs) => modelInputs(encoding, encode(encoding, designs));
  if (kind !== 'process') {
    const words = Object.entries(kind).map(([name, value]) => `${name}${value}`);
    const bytes = await source.cached(`rehearsal-1-${id}-${words.join('-')}`, async (report) => {
      const seen = {
        x: Float64Array.from(inputs(data.x), Math.fround),
        y: data.y,
        columns: encoding.parameters,
      };
      const steps = boostingSteps(seen, kind, foldKey(rootKey(0), 'rehearsal'));
      for (;;) {
        const { done: isDone, value } = steps.next();
        if (isDone) return encodeTrees(value);
        report(value / kind.trees);
      }
    });
    const trees = decodeTrees(bytes);
    return async (designs) => predictTrees(trees, Float64Array.from(inputs(designs), Math.fround));
  }
  const options = { ...gpBo.defaults, rows: 2000, fitRows: 400 };
  const setup = { data, space, options, engine };
  const { theta } = await gpBo.step(await gpBo.init(setup, rootKey(0)), setup, options.trainSteps);
  const { mean, scale } = fitStandardization(data.y, 1);
  const [center = 0, unit = 1] = [mean[0], scale[0]];
  const rows = Array.from(chooseRows(data.y, options.rows, foldKey(rootKey(0), 'rows')));
  const gp = new GaussianProcess(
    await openLinearAlgebra({ kernel: engine.kernel }),
    kernelShape(encoding, false),
    inputs(takeRows(data.x, space.columns.length, rows)),
    Float64Array.from(rows, (i) => ((data.y[i] ?? 0) - center) / unit),
    theta,
  );
  return async (designs) => gp.predict(inputs(designs)).mean.map((value) => center + unit * value);
}
