// How far above the visible designs bodies go: CMA-ES that asks the simulator, which no offline method may do.
//   node studies/robots/morphologySearch.mjs --robot ant|dkitty [--evaluations 600]
// Begins at the default body. Can be stopped and started again. Writes results/robots-headroom-<robot>.json.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import loadMujoco from '@mujoco/mujoco';
import { robotOf } from '../../dist/simulation/robot.js';
import { openNumbers } from '../lineFile.mjs';
import { bodies, halfRange, withinBounds } from './bodies.mjs';
import { populations } from './populations.mjs';

const { values } = parseArgs({
  options: {
    robot: { type: 'string', default: 'ant' },
    evaluations: { type: 'string', default: '600' },
    seed: { type: 'string', default: '0' },
  },
});
const robot = values.robot === 'dkitty' ? 'dkitty' : 'ant';
const [evaluations, seed] = [Number(values.evaluations), Number(values.seed)];
const population = 20;
/** First step, as a share of half the range of each number. */
const sigma = robot === 'ant' ? 0.015 : 0.005;

const mujoco = /** @type {import('../../dist/simulation/mujoco.js').Mujoco} */ (
  /** @type {unknown} */ (await loadMujoco({ print() {}, printErr() {} }))
);
const body = bodies[robot];
const start = withinBounds(body, body.start);
const { rollout } = robotOf(robot);

const record = openNumbers(`search-${robot}-${seed}`);
const scale = Array.from(start, (_, j) => halfRange(body, j));
const search = populations({ start, scale, sigma, population, seed });
const first = record(() => rollout(mujoco, start));
let best = { score: first, design: start };
/** @type {[evaluations: number, best: number][]} */
const curve = [[0, Number(first.toFixed(2))]];
/** @type {ArrayLike<number>} */
let scores = [];
for (let done = population; done <= evaluations; done += population) {
  const designs = /** @type {Float64Array[]} */ (search.next(scores).value).map((design) =>
    withinBounds(body, design),
  );
  scores = designs.map((design) => record(() => rollout(mujoco, design)));
  designs.forEach((design, i) => {
    const score = /** @type {number} */ (scores[i]);
    if (score > best.score) best = { score, design };
  });
  curve.push([done, Number(best.score.toFixed(2))]);
  process.stderr.write(`\r${done} of ${evaluations}: best ${best.score.toFixed(1)}`);
}
process.stderr.write('\n');
const result = {
  robot,
  method: `CMA-ES asking the simulator, population ${population}, first step ${sigma} of half the range, seed ${seed}`,
  start: 'the default body',
  evaluations,
  best: best.score,
  curve,
  design: Array.from(best.design),
};
writeFileSync(new URL(`headroom-${robot}.json`, import.meta.url), `${JSON.stringify(result)}\n`);
