// How much of Ant's score is the throw of joints that begin beyond their limits: the same bodies by the task's own
// scorer and by its second one, where joints begin inside. Writes ant-throw.json.
//   node studies/robots/antThrow.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import loadMujoco from '@mujoco/mujoco';
import { foldKey, median, rootKey, Stream, spearman } from '../../dist/numeric/index.js';
import {
  ant,
  antController,
  antDefault,
  antInside,
  antStarts,
  antXml,
  runAnt,
} from '../../dist/simulation/ant.js';
import { Simulation } from '../../dist/simulation/mujoco.js';
import { decodeDesigns } from '../../dist/tasks/designFile.js';
import { bodies } from './bodies.mjs';

const mujoco = /** @type {import('../../dist/simulation/mujoco.js').Mujoco} */ (
  /** @type {unknown} */ (await loadMujoco({ print() {}, printErr() {} }))
);
const d = antDefault.length;
const { x, y } = decodeDesigns(
  readFileSync(new URL('../../data/ant-morphology/designs.bin', import.meta.url)),
  'designs.bin',
);
const order = Array.from(y.keys()).sort((a, b) => (y[b] ?? 0) - (y[a] ?? 0));
const row = (/** @type {number} */ i) => x.slice(i * d, (i + 1) * d);
const found = JSON.parse(readFileSync(new URL('headroom-ant.json', import.meta.url), 'utf8'));

const stream = new Stream(foldKey(rootKey(0), 'ant, bodies drawn evenly'));
const { lower, upper } = bodies.ant;
const drawn = Array.from({ length: 128 }, () =>
  Float64Array.from({ length: d }, (_, j) => {
    const [low, high] = [lower[j] ?? 0, upper[j] ?? 0];
    return low + (high - low) * stream.uniform();
  }),
);
/** Bodies from all over the visible scores: every twelfth. */
const visible = order.filter((_, i) => i % 12 === 0).map(row);

/** Height of the torso at its highest. @param {Float64Array} design */
function highest(design) {
  const simulation = new Simulation(mujoco, antXml(design));
  let top = 0;
  const watch = () => {
    top = Math.max(top, simulation.state.qpos[2] ?? 0);
  };
  runAnt(simulation, design, antController, /** @type {Float64Array} */ (antStarts[0]), { watch });
  simulation.free();
  return round(top);
}
/** @param {readonly Float64Array[]} designs */
function scored(designs) {
  const [own, inside] = [ant, antInside].map((robot) =>
    Float64Array.from(designs, (design) => robot.rollout(mujoco, design)),
  );
  if (!own || !inside) throw new Error('no scores');
  const at = own.indexOf(own.reduce((a, b) => Math.max(a, b)));
  return {
    designs: designs.length,
    best: { own: round(own[at] ?? 0), inside: round(inside.reduce((a, b) => Math.max(a, b))) },
    median: { own: round(median(own)), inside: round(median(inside)) },
    bestByOwn: { inside: round(inside[at] ?? 0), highest: highest(designs[at] ?? antDefault) },
    ...(designs.length > 1 && { rankCorrelation: round(spearman(own, inside)) }),
  };
}
const results = {
  default: scored([antDefault]),
  bestFound: scored([Float64Array.from(found.design)]),
  bestVisible: scored(order.slice(0, 128).map(row)),
  visible: scored(visible),
  drawnEvenly: scored(drawn),
};
writeFileSync(new URL('ant-throw.json', import.meta.url), `${JSON.stringify(results, null, 2)}\n`);
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);

/** @param {number} value */
function round(value) {
  return Number(value.toPrecision(4));
}
