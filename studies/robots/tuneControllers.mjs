// Tunes the frozen gaits of src/simulation on the default body and a few others near it, once and for all:
//   node studies/robots/tuneControllers.mjs --robot ant|dkitty
// Prints the numbers that stand in the source. Can be stopped and started again.
import { parseArgs } from 'node:util';
import loadMujoco from '@mujoco/mujoco';
import { foldKey, rootKey, Stream } from '../../dist/numeric/index.js';
import * as ant from '../../dist/simulation/ant.js';
import * as dkitty from '../../dist/simulation/dkitty.js';
import { Simulation } from '../../dist/simulation/mujoco.js';
import { openNumbers } from '../lineFile.mjs';
import { bodies, drawBody } from './bodies.mjs';
import { populations } from './populations.mjs';

const { values } = parseArgs({
  options: {
    robot: { type: 'string', default: 'ant' },
    seed: { type: 'string', default: '0' },
  },
});
const robot = values.robot === 'dkitty' ? 'dkitty' : 'ant';
// Ant: all joints swing. D'Kitty: a trot that stands, of the few that were tried by hand.
const { noise, others, start, scale, stages } = {
  ant: {
    ...{ noise: 0.015, others: 3, stages: [{ sigma: 0.5, evaluations: 480 }] },
    start: [1.5, 1, ...Array.from({ length: 6 }, () => [0.5, 0, 0]).flat(), 0.5, 0.05],
    scale: scales(0.3, 0.03),
  },
  dkitty: {
    ...{ noise: 0.01, others: 2 },
    stages: [
      { sigma: 0.25, evaluations: 208 },
      { sigma: 0.08, evaluations: 192 },
    ],
    start: [1.5, 1, ...[0, 0, 0, 0.4, -0.5, 0, 0.2, 0.3, 0.5], ...[0, 0, 1, 0.4, -0.5, 1, 0.2, 0.3, 1.5], 1],
    scale: scales(0.5),
  },
}[robot];
const seed = Number(values.seed);
const population = 16;

const mujoco = /** @type {import('../../dist/simulation/mujoco.js').Mujoco} */ (
  /** @type {unknown} */ (await loadMujoco({ print() {}, printErr() {} }))
);
const body = bodies[robot];
const designs = [body.start];
const key = foldKey(rootKey(seed), `bodies to tune ${robot} on`);
for (let i = 0; i < others; i++) designs.push(drawBody(body, noise, new Stream(foldKey(key, i))));
const simulations = designs.map((design) => new Simulation(mujoco, body.xml(design)));

const record = openNumbers(`tune-${robot}-${seed}`);
/** @type {{ score: number, numbers: ArrayLike<number> }} */
let best = { score: Number.NEGATIVE_INFINITY, numbers: start };
stages.forEach(({ sigma, evaluations }, stage) => {
  const search = populations({ start: best.numbers, scale, sigma, population, seed: seed + stage });
  /** @type {number[]} */
  let scores = [];
  for (let done = population; done <= evaluations; done += population) {
    const candidates = /** @type {Float64Array[]} */ (search.next(scores).value);
    scores = candidates.map((candidate) => record(() => mean(candidate)));
    candidates.forEach((numbers, i) => {
      const score = /** @type {number} */ (scores[i]);
      if (score > best.score) best = { score, numbers };
    });
    const [least, most] = [
      scores.reduce((a, b) => Math.min(a, b)),
      scores.reduce((a, b) => Math.max(a, b)),
    ].map((score) => score.toFixed(1));
    process.stderr.write(
      `stage ${stage + 1}, ${done}: best ${best.score.toFixed(1)}, these ${least} to ${most}\n`,
    );
  }
});
const rounded = Array.from(best.numbers, (value) => Number(value.toFixed(3)));
process.stdout.write(`${JSON.stringify(rounded)}\nmean ${mean(Float64Array.from(rounded)).toFixed(2)}\n`);

/** @param {Float64Array} numbers */
function mean(numbers) {
  const controller = Array.from(numbers);
  let [sum, runs] = [0, 0];
  designs.forEach((design, i) => {
    const simulation = /** @type {Simulation} */ (simulations[i]);
    const returns =
      robot === 'ant'
        ? ant.antStarts.slice(0, 2).map((offset) => ant.runAnt(simulation, design, controller, offset))
        : [dkitty.runDKitty(simulation, design, controller)];
    for (const value of returns) {
      sum += Number.isFinite(value) ? value : -1000;
      runs += 1;
    }
  });
  return sum / runs;
}

/**
 * How widely the numbers of a rhythm are searched, then those that follow it.
 * @param {number[]} more
 */
function scales(...more) {
  return [0.5, 0.4, ...Array.from({ length: 6 }, () => [0.5, 0.4, 0.6]).flat(), ...more];
}
