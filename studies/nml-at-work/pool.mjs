// What each strength leads to, and who chooses well. Last layers are climbed for 200 steps and a process for 100, each with
// 0, 1/10, 1 and 10 times the calibrated m; from all designs met, the truth, the judging process and trees choose 128 each.
//   node studies/nml-at-work/pool.mjs [problem...]     records go to pool.jsonl, which is not kept; what is there is not run again
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { GaussianCnml } from '../../dist/models/gaussianCnml.js';
import { fitBoosting } from '../../dist/models/gradientBoosting.js';
import { LastLayerNetworks } from '../../dist/models/lastLayerNetworks.js';
import { ProcessJudge } from '../../dist/models/processJudge.js';
import { fitQuantizer, labelsOf } from '../../dist/models/quantizer.js';
import { toScale } from '../../dist/models/response.js';
import { predictTrees } from '../../dist/models/trees.js';
import { argsort, median, openEngine, rootKey, Stream } from '../../dist/numeric/index.js';
import { openLinearAlgebra } from '../../dist/numeric/linalg.js';
import { takeRows } from '../../dist/numeric/rows.js';
import { largest } from '../../dist/numeric/stats.js';
import { ascend, startAscent } from '../../dist/search/ascent.js';
import { encode, isAllClasses, modelInputs } from '../../dist/search/encoding.js';
import { SearchSpace } from '../../dist/search/searchSpace.js';
import { problems } from './closedForms.mjs';

const file = new URL('pool.jsonl', import.meta.url);
const done = existsSync(file) ? readFileSync(file, 'utf8') : '';
const asked = process.argv.slice(2);
const M = 128;
const STRENGTHS = [0, 0.1, 1, 10];
const short = (/** @type {number} */ value) => Number(value.toPrecision(4));
const both = (/** @type {number[]} */ scores) => [short(largest(scores)), short(median(scores))];

const engine = await openEngine({ threads: 1 });
const linalg = await openLinearAlgebra({ kernel: engine.kernel });
for (const name of asked.length > 0 ? asked : Object.keys(problems)) {
  if (done.includes(`"problem":"${name}"`)) continue;
  const problem = await problems[name]?.();
  if (typeof problem !== 'object') {
    process.stdout.write(`${problem ?? `there is no problem "${name}"`}\n`);
    continue;
  }
  const { data, space, score } = problem;
  const N = data.y.length;
  const d = space.columns.length;
  const search = new SearchSpace(data, space, { box: 0.01 });
  await search.prepare();
  const { encoding, parameters } = search;
  const P = encoding.parameters;
  const hiddenRows = Int32Array.from(argsort(data.y, 'descending').slice(0, Math.ceil(0.2 * N)));
  const networks = new LastLayerNetworks(engine, {
    encoding,
    head: { bins: 20, scale: 1 / 20 },
    hidden: [64, 64],
    parameters,
    labels: labelsOf(data.y, fitQuantizer(data.y, { bins: 20, headroom: 0.3 })),
    minibatch: 128,
    batchSize: M,
    networks: 4,
    hiddenRows,
  });
  networks.initialize(rootKey(0));
  const stream = new Stream(rootKey(1));
  for (let step = 1; step <= 2000; step++) await networks.train(stream, step > 1500 ? 9e-4 : 3e-3);
  networks.keep();
  await networks.open(linalg);
  const m = await networks.calibrate(linalg);
  const start = search.start({ batchSize: M, startFrom: 'best' }, rootKey(3));
  const rate = isAllClasses(space) ? 0.05 : 0.02;
  const met = [search.settle(start)];

  /** @param {number} most @param {number} times @param {(x: Float64Array) => any} estimate */
  const climb = async (most, times, estimate) => {
    const ascent = startAscent(start.slice());
    const rates = new Float64Array(P).fill(times * rate);
    for (let t = 1; t <= most; t++) {
      const { slopes } = await estimate(ascent.designs);
      ascend(ascent, slopes, t, { ascent: 'adam', rates });
      search.hold(ascent.designs);
      if (t % 10 === 0) met.push(search.settle(ascent.designs));
    }
    const scores = [...(await score(/** @type {Float64Array} */ (met.at(-1))))];
    return STRENGTHS.map((_, g) => both(scores.filter((_, i) => i % STRENGTHS.length === g)));
  };
  const strengths = (/** @type {number} */ all) =>
    Float64Array.from({ length: M }, (_, i) => all * (STRENGTHS[i % STRENGTHS.length] ?? 0));
  const lastLayers = await climb(200, 1, (x) => networks.estimate(linalg, x, strengths(m)));
  const judge = ProcessJudge.fit(linalg, { encoding, x: data.x, y: data.y, noise: null }, rootKey(7));
  const z = Float64Array.from(data.y, (/** @type {number} */ y) => toScale(judge.response, y));
  const process_ = new GaussianCnml(linalg, { encoding, parameters, scores: z, hiddenRows }, rootKey(8));
  const processes = await climb(100, 2, (x) => process_.estimate(x, strengths(process_.calibrated)));

  const names = new Set();
  const pool = Float64Array.from(
    met
      .flatMap((x) =>
        Array.from({ length: M }, (_, i) => [...x.subarray(i * d, (i + 1) * d)]).filter((design) => {
          const key = design.join();
          const isNew = !names.has(key);
          names.add(key);
          return isNew;
        }),
      )
      .flat(),
  );
  const truth = [...(await score(pool))];
  const inputs = modelInputs(encoding, parameters);
  const trees = [0, 1].map((half) => {
    const rows = Array.from({ length: N }, (_, i) => i).filter((i) => i % 2 === half);
    const options = { trees: 100, depth: 5, minLeaf: 5, rowShare: 0.7 };
    const y = Float64Array.from(rows, (row) => data.y[row]);
    return fitBoosting({ x: takeRows(inputs, P, rows), y, columns: P }, options, rootKey(half));
  });
  const seen = modelInputs(encoding, encode(encoding, pool));
  const [a, b] = trees.map((half) => predictTrees(half, seen));
  const chosenBy = (/** @type {ArrayLike<number>} */ values) =>
    both(Array.from(argsort(values, 'descending').slice(0, M), (i) => truth[i] ?? Number.NaN));
  const record = {
    problem: name,
    start: both([...(await score(search.settle(start)))]),
    phantomRows: { lastLayers: m, process: short(process_.calibrated) },
    lastLayers,
    processes,
    met: truth.length,
    chosen: {
      truth: chosenBy(truth),
      process: chosenBy(judge.read(pool).mean),
      trees: chosenBy(a.map((value, i) => value + b[i])),
    },
  };
  appendFileSync(file, `${JSON.stringify(record)}\n`);
}
process.exit(0);
