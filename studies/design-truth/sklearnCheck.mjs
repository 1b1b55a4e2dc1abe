// Our plain Gaussian process against scikit-learn's on five tables of the tuning half: likelihood, mean and standard
// deviation at the same hyperparameters, and what scikit-learn's own fit reaches.
//   NEMOKIT_PYTHON=<python with scikit-learn> node studies/design-truth/sklearnCheck.mjs
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  fitStandardization,
  foldKey,
  openLinearAlgebra,
  pearson,
  rootKey,
  Stream,
} from '../../dist/numeric/index.js';
import { specFrom, stateFor } from '../../dist/problem/index.js';
import { sample } from '../../dist/space/index.js';
import { readTable } from '../../dist/table/index.js';
import { inputsOf } from './peers.mjs';
import { conditioned, fitProcess } from './plainProcess.mjs';
import { tables } from './tables.mjs';

const names = ['borehole-2', 'branin-1', 'quadratic10-1', 'factorial6x5x8s1-1', 'cliff-2'];
const python = process.env.NEMOKIT_PYTHON;
if (!python) {
  process.stdout.write('not compared: NEMOKIT_PYTHON names no Python with scikit-learn\n');
  process.exit(0);
}

const linalg = await openLinearAlgebra();
const cases = await Promise.all(names.map(caseOf));
const sent = cases.map(({ x, y, at, theta }) => ({
  x: rowsOf(x, x.length / y.length),
  y: [...y],
  at: rowsOf(at, x.length / y.length),
  theta: [...theta],
}));
const script = fileURLToPath(new URL('sklearn_process.py', import.meta.url));
const { stdout, stderr, status } = spawnSync(python, [script], {
  input: JSON.stringify(sent),
  encoding: 'utf8',
  maxBuffer: 2 ** 28,
});
if (status !== 0) throw new Error(`${python} ${script}: ${stderr}`);
const { version, answers } = JSON.parse(stdout);
process.stdout.write(
  `scikit-learn ${version}\n\n| table | rows | inputs | log-likelihood, ours | theirs at ours | theirs fitted | mean differs by at most | deviation by at most | correlation of means, each fitted |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n`,
);
for (const [i, { name, x, y, logLikelihood, mean, sd }] of cases.entries()) {
  const theirs = answers[i];
  const cells = [
    name,
    y.length,
    x.length / y.length,
    logLikelihood.toFixed(4),
    theirs.logLikelihoodAtOurs.toFixed(4),
    theirs.logLikelihoodFitted.toFixed(4),
    difference(mean, theirs.mean).toExponential(1),
    difference(sd, theirs.sd).toExponential(1),
    pearson(mean, theirs.meanFitted).toFixed(4),
  ];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

/** @param {string} name */
async function caseOf(name) {
  const table = tables.find((one) => one.name === name);
  if (table?.half !== 'tuning') throw new Error(`${name} is no table for tuning`);
  const problem = await stateFor(await readTable(table.make(), { name }), specFrom(table.words));
  const { data, space } = problem;
  const inputs = inputsOf(problem);
  const { mean: centre, scale } = fitStandardization(data.y, 1);
  const x = inputs(data.x);
  const y = data.y.map((v) => (v - centre[0]) / scale[0]);
  const fit = fitProcess(linalg, x, y, new Stream(foldKey(rootKey(0), 'process')), () => {});
  const at = inputs(await sample(space, new Stream(foldKey(rootKey(0), 'check')), 200));
  return { name, x, y, at, ...fit, ...conditioned(linalg, x, y, fit.theta).predict(at) };
}

/** @param {Float64Array} values @param {number} columns */
function rowsOf(values, columns) {
  return Array.from({ length: values.length / columns }, (_, i) => [
    ...values.subarray(i * columns, (i + 1) * columns),
  ]);
}

/** @param {Float64Array} a @param {number[]} b */
function difference(a, b) {
  return a.reduce((most, v, i) => Math.max(most, Math.abs(v - b[i])), 0);
}
