// Pictures of the pages of ant-morphology-cpg-v1 and dkitty-morphology-cpg-v1, from their data and the result of
// morphology-search.mjs: how scores are spread; and side views of three bodies on their way: a poor visible one, the
// best visible one, and the best that was found by asking the simulator.
//   node studies/robots/morphologyPictures.mjs --robot ant|dkitty
// Writes docs/tasks/images/<robot>-scores.svg and <robot>-bodies.svg.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import loadMujoco from '@mujoco/mujoco';
import { quantile } from '../../dist/numeric/index.js';
import { antController, antStarts, runAnt } from '../../dist/simulation/ant.js';
import { dkittyController, runDKitty } from '../../dist/simulation/dkitty.js';
import { Simulation } from '../../dist/simulation/mujoco.js';
import { robotOf } from '../../dist/simulation/robot.js';
import { decodeDesigns } from '../../dist/tasks/designFile.js';
import { bodies } from './bodies.mjs';
import { distributionPlot, sheet } from './plots.mjs';

/** @typedef {{ depth: number, shape: string }} Part */

/** Numbers of MuJoCo's kinds of geoms. */
const PLANE = 0;
const SPHERE = 2;
const CAPSULE = 3;

const { values } = parseArgs({ options: { robot: { type: 'string', default: 'ant' } } });
const robot = values.robot === 'dkitty' ? 'dkitty' : 'ant';
/** Steps that are shown; seconds of one; length shown of the ground; where the robot goes; which side is near. */
const view = {
  ant: {
    name: 'Ant',
    steps: [0, 20, 40, 60, 80, 100],
    seconds: 0.05,
    wide: 3.6,
    high: 2.2,
    mark: 1,
    ahead: 0,
    across: 1,
    near: -1,
  },
  dkitty: {
    name: 'D’Kitty',
    steps: [0, 20, 40, 60, 80, 100],
    seconds: 0.1,
    wide: 0.62,
    high: 0.46,
    mark: 0.25,
    ahead: 1,
    across: 0,
    near: 1,
  },
}[robot];

const mujoco = await loadMujoco({ print() {}, printErr() {} });
const typed = /** @type {import('../../dist/simulation/mujoco.js').Mujoco} */ (
  /** @type {unknown} */ (mujoco)
);
const file = new URL(`../../data/${robot}-morphology/designs.bin`, import.meta.url);
const { x, y, hidden, columns: d } = decodeDesigns(readFileSync(file), 'designs.bin');
const found = JSON.parse(readFileSync(new URL(`headroom-${robot}.json`, import.meta.url), 'utf8'));
/** @param {number} score */
const rowOf = (score) => {
  const row = y.reduce(
    (best, value, i) => (Math.abs(value - score) < Math.abs(at(y, best) - score) ? i : best),
    0,
  );
  return { design: x.slice(row * d, (row + 1) * d), score: at(y, row) };
};
const strips = [
  { title: 'poor', ...rowOf(quantile(y, 0.05)) },
  { title: 'best visible', ...rowOf(y.reduce((a, b) => Math.max(a, b))) },
  { title: 'best found', design: Float64Array.from(found.design), score: found.best },
];

const [left, top, panel, gap] = [104, 30, 132, 8];
const unit = panel / view.wide;
const tall = Math.round(view.high * unit) + 34;
const width = left + view.steps.length * (panel + gap) + 4;
const height = top + strips.length * tall + 4;
const heads = view.steps.map(
  (step, i) =>
    `<text x="${left + i * (panel + gap) + panel / 2}" y="18" text-anchor="middle">${round(step * view.seconds)} s</text>`,
);
const rows = strips.map(({ title, design, score }, row) => {
  const y0 = top + row * tall;
  const frames = film(design).map(
    (frame, i) =>
      `<svg x="${left + i * (panel + gap)}" y="${y0}" width="${panel}" height="${tall - 8}">${frame}</svg>`,
  );
  const middle = y0 + (tall - 20) / 2;
  return `<text class="head" x="8" y="${middle}">${title}</text><text x="8" y="${middle + 17}">score ${score.toFixed(0)}</text>
${frames.join('\n')}`;
});
const look = `<style>
.small { font-size: 10px; fill: #777 } .sky { fill: #f4f6f8 } .ground { fill: #ddd } .tick { stroke: #999 }
.far { fill: #9db8d2; stroke: #9db8d2 } .middle { fill: #2f6ea8; stroke: #2f6ea8 } .near { fill: #0b3f77; stroke: #0b3f77 }
.torso { fill: #d08a2e; stroke: #d08a2e }
</style>`;
const images = new URL('../../docs/tasks/images/', import.meta.url);
mkdirSync(images, { recursive: true });
writeFileSync(
  new URL(`${robot}-bodies.svg`, images),
  sheet(width, height, 'Side views of three bodies over time', [look, ...heads, ...rows].join('\n')),
);
const best = y.reduce((a, b) => Math.max(a, b));
const usual = robotOf(robot).rollout(typed, bodies[robot].start);
writeFileSync(
  new URL(`${robot}-scores.svg`, images),
  distributionPlot({
    title: `${view.name}: scores of ${(y.length + hidden.length).toLocaleString('en')} bodies`,
    axis: 'score',
    visible: y,
    hidden,
    marks: [
      { label: `best found by asking the simulator ${found.best.toFixed(1)}`, value: found.best },
      { label: `default body ${usual.toFixed(1)}`, value: usual, colour: '#777' },
      { label: `best visible ${best.toFixed(1)}`, value: best, colour: '#0b5cad' },
    ],
  }),
);

/** @param {Float64Array} design */
function film(design) {
  const xml = bodies[robot].xml(design);
  const model = mujoco.MjModel.from_xml_string(xml);
  const simulation = new Simulation(typed, xml);
  // Looking at a pose in the simulation itself would change what comes after it in the last digits.
  const still = new Simulation(typed, xml);
  /** @type {string[]} */
  const frames = [];
  const watch = (/** @type {number} */ step) => {
    if (!view.steps.includes(step)) return;
    still.reset().qpos.set(simulation.state.qpos);
    still.forward();
    frames.push(draw(model, still.state));
  };
  if (robot === 'ant') {
    // Of the runs that are averaged, the one that is nearest to their mean.
    const returns = antStarts.map((start) => runAnt(simulation, design, antController, start));
    const mean = returns.reduce((sum, value) => sum + value) / returns.length;
    const off = returns.map((value) => Math.abs(value - mean));
    const start = antStarts[off.indexOf(off.reduce((a, b) => Math.min(a, b)))];
    runAnt(simulation, design, antController, /** @type {Float64Array} */ (start), { watch });
  } else runDKitty(simulation, design, dkittyController, watch);
  simulation.free();
  still.free();
  model.delete();
  return frames;
}

/**
 * @param {any} model @param {import('../../dist/simulation/mujoco.js').MujocoState} state
 */
function draw(model, { geom_xpos, geom_xmat, xpos }) {
  const centre = at(xpos, 3 + view.ahead);
  const side = at(xpos, 3 + view.across);
  const ground = Math.round(view.high * unit);
  const px = (/** @type {number} */ ahead) => round((ahead - centre) * unit + panel / 2);
  const pz = (/** @type {number} */ z) => round(ground - z * unit);
  /** @type {Part[]} */
  const parts = [];
  for (let g = 0; g < model.ngeom; g++) {
    const [type, body] = [model.geom_type[g], model.geom_bodyid[g]];
    if (type === PLANE) continue;
    const size = [0, 1, 2].map((k) => /** @type {number} */ (model.geom_size[3 * g + k]));
    const place = [0, 1, 2].map((k) => at(geom_xpos, 3 * g + k));
    const axis = (/** @type {number} */ k) => [0, 1, 2].map((i) => at(geom_xmat, 9 * g + 3 * i + k));
    const depth = (at(place, view.across) - side) * view.near;
    const shade =
      body === 1 ? 'torso' : depth > 0.02 * view.wide ? 'near' : depth < -0.02 * view.wide ? 'far' : 'middle';
    const shift = (/** @type {number[][]} */ moves) => {
      const point = [0, 1, 2].map((i) => moves.reduce((sum, move) => sum + at(move, i), at(place, i)));
      return [px(at(point, view.ahead)), pz(at(point, 2))];
    };
    const times = (/** @type {number[]} */ v, /** @type {number} */ s) => v.map((value) => value * s);
    const thick = round(2 * at(size, 0) * unit);
    if (type === SPHERE) {
      const [cx, cy] = shift([]);
      parts.push({
        depth,
        shape: `<circle class="${shade}" cx="${cx}" cy="${cy}" r="${round(at(size, 0) * unit)}"/>`,
      });
    } else if (type === CAPSULE) {
      const [a, b] = [1, -1].map((s) => shift([times(axis(2), s * at(size, 1))]));
      parts.push({
        depth,
        shape: `<path class="${shade}" d="M${a}L${b}" stroke-width="${thick}" stroke-linecap="round"/>`,
      });
    } else {
      const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) =>
        shift([0, 1, 2].map((k) => times(axis(k), at(size, k) * (bits & (1 << k) ? 1 : -1)))),
      );
      parts.push({
        depth,
        shape: `<path class="${shade}" stroke-width="0.5" d="M${hull(corners).join('L')}Z"/>`,
      });
    }
  }
  parts.sort((a, b) => a.depth - b.depth);
  const first = Math.ceil((centre - view.wide / 2) / view.mark);
  const last = Math.floor((centre + view.wide / 2) / view.mark);
  const marks = Array.from({ length: last - first + 1 }, (_, k) => {
    const metre = (first + k) * view.mark;
    return `<path class="tick" d="M${px(metre)} ${ground}v5"/>`;
  });
  return `<rect class="sky" width="${panel}" height="${ground}"/><rect class="ground" y="${ground}" width="${panel}" height="6"/>${marks.join('')}${parts.map(({ shape }) => shape).join('')}<text class="small" x="${panel / 2}" y="${ground + 19}" text-anchor="middle">${centre.toFixed(2)} m ahead</text>`;
}

/** Convex hull of points in the plane (Andrew's chains). @param {number[][]} points */
function hull(points) {
  const sorted = [...points].sort((a, b) => at(a, 0) - at(b, 0) || at(a, 1) - at(b, 1));
  const chain = (/** @type {number[][]} */ list) => {
    /** @type {number[][]} */
    const kept = [];
    for (const p of list) {
      while (
        kept.length > 1 &&
        cross(/** @type {any} */ (kept.at(-2)), /** @type {any} */ (kept.at(-1)), p) <= 0
      )
        kept.pop();
      kept.push(p);
    }
    return kept.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.toReversed())];
}

/** @param {number[]} o @param {number[]} a @param {number[]} b */
function cross(o, a, b) {
  return (at(a, 0) - at(o, 0)) * (at(b, 1) - at(o, 1)) - (at(a, 1) - at(o, 1)) * (at(b, 0) - at(o, 0));
}

/** @param {ArrayLike<number>} v @param {number} i */
function at(v, i) {
  return /** @type {number} */ (v[i]);
}

/** @param {number} value */
function round(value) {
  return Number(value.toFixed(1));
}
