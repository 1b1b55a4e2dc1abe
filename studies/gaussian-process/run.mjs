// How long the exact Gaussian process takes, in seconds of CPU on one thread.
//   node studies/gaussian-process/run.mjs      writes results/gaussian-process.json
// `cholesky` alone; `fit`: one value and gradient of the marginal likelihood; `condition`: kernel, factor and weights;
// `ascend`: mean, variance and slopes at 8 designs.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { GaussianProcess } from '../../dist/models/gaussianProcess.js';
import { MarginalLikelihood } from '../../dist/models/marginalLikelihood.js';
import { openLinearAlgebra, rootKey, Stream } from '../../dist/numeric/index.js';
import { commit } from '../lineFile.mjs';

const columns = 81;
const designs = 8;
const linalg = await openLinearAlgebra();
const shape = {
  inputs: columns,
  continuous: Array.from({ length: columns }, (_, j) => j),
  discrete: [],
  groups: 0,
  ard: false,
};
const theta = [0, Math.log(Math.sqrt(columns)), Math.log(0.1)];
const results = [];
for (const n of [500, 1000, 2000, 4000]) {
  const stream = new Stream(rootKey(1));
  const x = new Float64Array(n * columns);
  const y = new Float64Array(n);
  stream.fillNormal(x, 0, 1);
  stream.fillNormal(y, 0, 1);
  const matrix = linalg.multiplyTransposed(x, x, n, n, columns);
  for (let i = 0; i < n; i++) matrix[i * (n + 1)] = (matrix[i * (n + 1)] ?? 0) + 1;
  const process_ = new GaussianProcess(linalg, shape, x, y, theta);
  const queries = x.subarray(0, designs * columns);
  const ones = new Float64Array(designs).fill(1);
  const row = {
    rows: n,
    cholesky: seconds(() => linalg.cholesky(matrix, n)),
    fit: n > 2000 ? null : seconds(() => new MarginalLikelihood(linalg, shape, x, y).evaluate(theta)),
    condition: seconds(() => new GaussianProcess(linalg, shape, x, y, theta)),
    ascend: seconds(() => process_.slopes(process_.predict(queries), ones, ones), 10),
  };
  results.push(row);
  process.stdout.write(`${JSON.stringify(row)}\n`);
}
writeFileSync(
  new URL('results.json', import.meta.url),
  `${JSON.stringify({ commit, kernel: linalg.kernel, processor: cpus()[0]?.model, node: process.version, results }, null, 2)}\n`,
);

/** The least of three, each the mean of `times`. @param {() => unknown} work */
function seconds(work, times = 1) {
  const rounds = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    for (let i = 0; i < times; i++) work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6 / times;
  });
  return Number(rounds.reduce((a, b) => Math.min(a, b)).toPrecision(2));
}
