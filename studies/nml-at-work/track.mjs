// How many phantom rows does training in lockstep stand for? Along a search by Alg. 2 (preset lockstep, 1,000 steps), the
// spread of the K networks' expected scores at a design is compared with that of exact refits of a last layer to m more
// rows with each label, features and last layer those of the networks before the search. The m at which both are equal is
// what the networks stand for there and then. Only visible data decide; the true score of the batch stands beside it.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { presetOptions } from '../../dist/algorithm.js';
import { nemo } from '../../dist/algorithms/index.js';
import { mean as meanOf } from '../../dist/models/discretizedLogistic.js';
import { LeverageCnml } from '../../dist/models/leverageCnml.js';
import { fitQuantizer } from '../../dist/models/quantizer.js';
import { median, openEngine, rootKey } from '../../dist/numeric/index.js';
import { openLinearAlgebra } from '../../dist/numeric/linalg.js';
import { dot } from '../../dist/numeric/rows.js';
import { NetworkStack } from '../../dist/numeric/stack.js';
import { largest } from '../../dist/numeric/stats.js';
import { run, states } from '../../dist/run.js';
import { SearchSpace } from '../../dist/search/searchSpace.js';
import { levy20, rosenbrock12, styblinski15 } from '../nemo-choices/problems.mjs';

const file = new URL('tracking.jsonl', import.meta.url);
const known = existsSync(file) ? readFileSync(file, 'utf8') : '';
const POINTS = [0, 25, 50, 100, 150, 200, 300, 400, 600, 800, 1000];
const K = 20;
const head = { bins: K, scale: 1 / K };
const MOST = 1e6;

const engine = await openEngine({ threads: 1 });
const linalg = await openLinearAlgebra({ kernel: engine.kernel });
for (const make of [levy20, rosenbrock12, styblinski15]) {
  const { name, data, space, score } = make();
  if (known.includes(`"task":"${name}"`)) continue;
  const options = { ...presetOptions(nemo, 'lockstep'), steps: 1000 };
  const setup = { data, space, options, engine };
  const search = new SearchSpace(data, space, options);
  const P = search.encoding.parameters;
  const N = data.y.length;
  const before = await run(nemo, setup, rootKey(0), { until: 0 });

  // the last layer of the middle network as it is before the search
  const middle = K / 2;
  const stackOf = (/** @type {import('../../dist/algorithms/nemo.js').NemoState} */ state) => {
    const stack = new NetworkStack(engine, { models: K, inputs: P, hidden: options.hidden, targets: true });
    stack.restore(state.networks);
    return stack;
  };
  const first = stackOf(before);
  const h = options.hidden.at(-1) ?? 0;
  const featuresOf = async (/** @type {ArrayLike<number>} */ inputs) => {
    const all = await first.evaluateFeatures(inputs, 'targets');
    const n = inputs.length / P;
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
  const phi = await featuresOf(search.parameters);
  const scaled = new Float64Array(phi.length);
  for (let i = 0; i < N; i++) {
    const root = Math.sqrt(cnml.curvature(outputAt(phi, i)));
    for (let j = 0; j <= h; j++) scaled[j * N + i] = root * Number(phi[i * (h + 1) + j]);
  }
  const hessian = linalg.multiplyTransposed(scaled, scaled, h + 1, h + 1, N);
  for (let j = 0; j <= h; j++) hessian[j * (h + 2)] = Number(hessian[j * (h + 2)]) + 1e-3;
  const factor = linalg.cholesky(hessian, h + 1);
  const quantizer = fitQuantizer(data.y, options);

  /** Deviation over the labels of what each fit expects, 0 to 1. @param {number} mu0 @param {number} lambda @param {number} m */
  const spreadOf = (mu0, lambda, m) => {
    const means = Array.from({ length: K }, (_, k) => meanOf(head, cnml.output(mu0, m * lambda, k)));
    const mean = means.reduce((sum, v) => sum + v, 0) / K;
    return Math.sqrt(means.reduce((sum, v) => sum + (v - mean) ** 2, 0) / K);
  };
  for await (const state of states(nemo, setup, rootKey(0), { from: before, every: 25 })) {
    const { iteration } = state;
    if (!POINTS.includes(iteration)) continue;
    const watched = await nemo.watch(state, setup);
    const stack = stackOf(state);
    const designs = state.designs;
    const outputs = await stack.evaluate(designs, 'targets');
    stack.dispose();
    const M = designs.length / P;
    const at = await featuresOf(designs);
    const equal = Array.from({ length: M }, (_, i) => {
      const means = Array.from({ length: K }, (_, k) => meanOf(head, Number(outputs[k * M + i])));
      const mean = means.reduce((sum, v) => sum + v, 0) / K;
      const spread = Math.sqrt(means.reduce((sum, v) => sum + (v - mean) ** 2, 0) / K);
      const query = at.slice(i * (h + 1), (i + 1) * (h + 1));
      const direction = linalg.solveCholesky(factor, h + 1, query);
      const lambda = dot(query, direction);
      const mu0 = outputAt(at, i);
      let [low, high] = [1e-3, MOST];
      if (spreadOf(mu0, lambda, low) >= spread) return low;
      if (spreadOf(mu0, lambda, high) <= spread) return high;
      for (let step = 0; step < 30; step++) {
        const m = Math.sqrt(low * high);
        if (spreadOf(mu0, lambda, m) < spread) low = m;
        else high = m;
      }
      return Math.sqrt(low * high);
    });
    const scores = score(nemo.propose(state, setup));
    const record = {
      task: name,
      iteration,
      rows: N,
      phantomRows: Number(median(equal).toPrecision(4)),
      spread: Number(((watched.spread ?? 0) / (quantizer.high - quantizer.low)).toPrecision(4)),
      estimate: Number(
        (((watched.predictedMedian ?? 0) - quantizer.low) / (quantizer.high - quantizer.low)).toPrecision(4),
      ),
      moved: Number((watched.moved ?? 0).toPrecision(4)),
      best: Number(largest(scores).toPrecision(4)),
      median: Number(median(scores).toPrecision(4)),
    };
    appendFileSync(file, `${JSON.stringify(record)}\n`);
  }
  first.dispose();
}
process.exit(0);
