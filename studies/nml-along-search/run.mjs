// What NML does along a search of NEMO, per task of the paper: the spread of the K networks, Γ, and how far the networks,
// which are trained in lockstep, are from the fits they stand for. These fits are exact for the last layer: of the middle
// network as it was before the search, refitted to the data and one more row, the design with label k (LeverageCnml). The
// tracking error of a design is the root mean square over the labels of the difference between what network k expects and
// what fit k expects. All as shares of the range of the scores; medians over the batch. No scorer is asked.
//   NEMOKIT_DATA=<folder> node studies/nml-along-search/run.mjs [--task id,...] [--preset paper,...] [--seeds 0,...] [--into folder]
//   node studies/nml-along-search/run.mjs --table
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { nemo } from '../../dist/algorithms/index.js';
import { builtIn } from '../../dist/bench/registry.js';
import { openDataFolder } from '../../dist/data/dataFolder.js';
import { mean as meanOf } from '../../dist/models/discretizedLogistic.js';
import { LeverageCnml } from '../../dist/models/leverageCnml.js';
import { fitQuantizer } from '../../dist/models/quantizer.js';
import { median, openEngine, rootKey } from '../../dist/numeric/index.js';
import { openLinearAlgebra } from '../../dist/numeric/linalg.js';
import { dot, takeRows } from '../../dist/numeric/rows.js';
import { NetworkStack } from '../../dist/numeric/stack.js';
import { run, states } from '../../dist/run.js';
import { centringShift, modelInputs } from '../../dist/search/encoding.js';
import { SearchSpace } from '../../dist/search/searchSpace.js';
import { commit, openRecords } from '../lineFile.mjs';

const tasks = [
  'ant-morphology-cpg-v1',
  'dkitty-morphology-cpg-v1',
  'superconductor-gbdt-v1',
  'molecule-activity-forest-v1',
  'gfp-gp-v1',
  'hopper-controller-v1',
];
const { values: flags } = parseArgs({
  options: {
    task: { type: 'string', default: tasks.join(',') },
    preset: { type: 'string', default: 'paper' },
    seeds: { type: 'string', default: '0' },
    into: { type: 'string' },
    table: { type: 'boolean' },
  },
});
const folder = flags.into === undefined ? new URL('.', import.meta.url) : pathToFileURL(`${flags.into}/`);
/** Iterations between two points. */
const EVERY = 25;
/** Rows that the Hessian is taken over, at most; it is scaled to all of them. */
const ROWS = 2000;
/** Of the last layer's weights, so that the Hessian can be inverted. */
const RIDGE = 1e-3;

/**
 * @typedef {{
 *   task: string, preset: string, version: string, seed: number, iteration: number, spread: number, gamma: number,
 *   trackingError: number, exactSpread: number, atTop: number, moved: number, commit: string,
 * }} Point
 * @type {ReturnType<typeof openRecords<Point>>}
 */
const { runs, add } = openRecords(new URL('records.jsonl', folder));

if (flags.table) {
  process.stdout.write(table());
} else {
  const engine = await openEngine({ threads: 1 });
  const linalg = await openLinearAlgebra({ kernel: engine.kernel });
  for (const seed of flags.seeds.split(',').map(Number))
    for (const id of flags.task.split(','))
      for (const preset of flags.preset.split(',')) await follow(id, preset, seed, engine, linalg);
  await engine.close();
}

/**
 * @param {string} id @param {string} preset @param {number} seed @param {import('../../dist/numeric/index.js').Engine} engine
 * @param {Awaited<ReturnType<typeof openLinearAlgebra>>} linalg
 */
async function follow(id, preset, seed, engine, linalg) {
  const { data, space } = await builtIn.taskOf(id).open(openDataFolder());
  const options = /** @type {import('../../dist/algorithms/index.js').NemoOptions} */ (
    builtIn.presetOptions('nemo', preset, id)
  );
  const steps = options.steps;
  const points = [...Array.from({ length: Math.ceil(steps / EVERY) }, (_, i) => i * EVERY), steps];
  const isKnown = (/** @type {number} */ iteration) =>
    runs.some(
      (one) =>
        one.task === id &&
        one.preset === preset &&
        one.seed === seed &&
        one.version === nemo.version &&
        one.iteration === iteration,
    );
  if (points.every(isKnown)) return;
  const setup = { data, space, options, engine };
  const search = new SearchSpace(data, space, options);
  const { encoding } = search;
  const P = encoding.parameters;
  const N = data.y.length;
  const K = options.bins;
  const head = { bins: K, scale: options.scale === 'bin' ? 1 / K : options.scale };
  const inputs = modelInputs(encoding, search.parameters);
  const shift = centringShift(encoding, inputs);
  const stackOf = (/** @type {import('../../dist/algorithms/nemo.js').NemoState} */ state) => {
    const stack = new NetworkStack(engine, {
      models: K,
      inputs: P,
      hidden: options.hidden,
      targets: true,
      shift,
    });
    stack.restore(state.networks);
    return stack;
  };
  const before = await run(nemo, setup, rootKey(seed), { until: 0 });
  const first = stackOf(before);
  const middle = Math.floor(K / 2);
  const h = options.hidden.at(-1) ?? 0;
  /** Of the last layer of the middle network, with a one for its bias; n x (h + 1). */
  const featuresOf = async (/** @type {Float64Array} */ seen) => {
    const all = await first.evaluateFeatures(seen, 'targets');
    const n = seen.length / P;
    const phi = new Float64Array(n * (h + 1)).fill(1);
    for (let i = 0; i < n; i++)
      phi.set(all.subarray((middle * n + i) * h, (middle * n + i + 1) * h), i * (h + 1));
    return phi;
  };
  const [weight, bias] = first
    .parameters('targets')
    .slice(-2)
    .map((variable) => variable.read());
  const theta = Float64Array.from({ length: h + 1 }, (_, j) =>
    Number(j < h ? weight?.[middle * h + j] : bias?.[middle]),
  );
  const cnml = new LeverageCnml(head);
  const outputAt = (/** @type {Float64Array} */ phi, /** @type {number} */ i) =>
    dot(theta, phi, h + 1, 0, i * (h + 1));
  const n = Math.min(N, ROWS);
  const phi = await featuresOf(
    takeRows(
      inputs,
      P,
      Array.from({ length: n }, (_, i) => Math.floor((i * N) / n)),
    ),
  );
  const scaled = new Float64Array(phi.length);
  for (let i = 0; i < n; i++) {
    const root = Math.sqrt((cnml.curvature(outputAt(phi, i)) * N) / n);
    for (let j = 0; j <= h; j++) scaled[j * n + i] = root * Number(phi[i * (h + 1) + j]);
  }
  const hessian = linalg.multiplyTransposed(scaled, scaled, h + 1, h + 1, n);
  for (let j = 0; j <= h; j++) hessian[j * (h + 2)] = Number(hessian[j * (h + 2)]) + RIDGE;
  const factor = linalg.cholesky(hessian, h + 1);
  const { low, high } = fitQuantizer(data.y, options);

  for await (const state of states(nemo, setup, rootKey(seed), { from: before, every: EVERY })) {
    const { iteration } = state;
    if (!points.includes(iteration) || isKnown(iteration)) continue;
    const watched = await nemo.watch(state, setup);
    const stack = stackOf(state);
    const designs = modelInputs(encoding, state.designs);
    const outputs = await stack.evaluate(designs, 'targets');
    stack.dispose();
    const at = await featuresOf(designs);
    const M = designs.length / P;
    const [errors, spreads, tops] = [new Float64Array(M), new Float64Array(M), new Float64Array(M)];
    for (let i = 0; i < M; i++) {
      const query = at.slice(i * (h + 1), (i + 1) * (h + 1));
      const lambda = dot(query, linalg.solveCholesky(factor, h + 1, query));
      const mu0 = outputAt(at, i);
      const exact = Float64Array.from({ length: K }, (_, k) => meanOf(head, cnml.output(mu0, lambda, k)));
      const said = Float64Array.from({ length: K }, (_, k) => meanOf(head, Number(outputs[k * M + i])));
      errors[i] = Math.sqrt(said.reduce((sum, v, k) => sum + (v - Number(exact[k])) ** 2, 0) / K);
      const middleOf = exact.reduce((sum, v) => sum + v, 0) / K;
      spreads[i] = Math.sqrt(exact.reduce((sum, v) => sum + (v - middleOf) ** 2, 0) / K);
      tops[i] = said.filter((v) => v > 1 - 1 / K).length / K;
    }
    const digits = (/** @type {number} */ value) => Number(value.toPrecision(6));
    add({
      task: id,
      preset,
      version: nemo.version,
      seed,
      iteration,
      spread: digits((watched.spread ?? 0) / (high - low)),
      gamma: digits(watched.gamma ?? 0),
      trackingError: digits(median(errors)),
      exactSpread: digits(median(spreads)),
      atTop: digits(median(tops)),
      moved: digits(watched.moved ?? 0),
      commit,
    });
    process.stdout.write(`${id} nemo@${preset} seed ${seed} iteration ${iteration}\n`);
  }
  first.dispose();
}

/** The first and the last point of every search, Markdown. */
function table() {
  const head =
    '| task | row | iteration | spread | Γ | tracking error | exact spread | networks in the top bin |';
  const key = (/** @type {Point} */ one) => JSON.stringify([one.task, one.preset, one.seed]);
  const text = (/** @type {number} */ value) =>
    Math.abs(value) < 1e-4 && value !== 0 ? value.toExponential(1) : value.toFixed(4);
  const lines = [...new Set(runs.map(key))].flatMap((one) => {
    const own = runs.filter((point) => key(point) === one).toSorted((a, b) => a.iteration - b.iteration);
    return [own[0], own.at(-1)].flatMap((point) =>
      point
        ? [
            `| ${point.task} | nemo@${point.preset} | ${point.iteration} | ${text(point.spread)} | ${text(point.gamma)} | ${text(point.trackingError)} | ${text(point.exactSpread)} | ${Math.round(100 * point.atTop)} % |`,
          ]
        : [],
    );
  });
  return `${[head, '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |', ...lines].join('\n')}\n`;
}
