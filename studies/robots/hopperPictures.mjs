// Pictures of docs/tasks/hopper-controller.md, from the data and results/hopper-search.bin:
//   node studies/robots/hopperPictures.mjs     writes docs/tasks/images/hopper-*.svg
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import loadMujoco from '@mujoco/mujoco';
import { quantile } from '../../dist/numeric/index.js';
import { HOPPER_STEPS, HopperPolicy, HopperWorld, hopperXml } from '../../dist/simulation/hopper.js';
import { Simulation } from '../../dist/simulation/mujoco.js';
import { decodeDesigns } from '../../dist/tasks/designFile.js';
import { at, distributionPlot, escapeText, sheet } from './plots.mjs';

const place = (/** @type {string} */ path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const data = decodeDesigns(readFileSync(place('data/hopper-controller/designs.bin')), 'designs');
const found = decodeDesigns(readFileSync(place('studies/robots/hopper-search.bin')), 'search');
const d = data.columns;
const top = data.y.indexOf(data.y.reduce((a, b) => Math.max(a, b)));
const low = quantile(data.y, 0.1);
const poor = data.y.reduce(
  (near, y, i) => (Math.abs(y - low) < Math.abs((data.y[near] ?? 0) - low) ? i : near),
  0,
);
const bestFound = found.y[0] ?? 0;

const silent = () => {};
const mujoco = /** @type {import('../../dist/simulation/mujoco.js').Mujoco} */ (
  /** @type {unknown} */ (await loadMujoco({ print: silent, printErr: silent }))
);
const world = new HopperWorld(new Simulation(mujoco, hopperXml));

/** Radius and half length of torso, thigh, leg and foot: geoms 1 to 4. */
const links = [
  { radius: 0.05, half: 0.2, colour: '#0b5cad' },
  { radius: 0.05, half: 0.225, colour: '#2f7fc9' },
  { radius: 0.04, half: 0.25, colour: '#6aa9df' },
  { radius: 0.06, half: 0.195, colour: '#b7791f' },
];
/** Seconds of a step. */
const beat = 0.008;

/** Poses at each step: the ends of the four links, [x, z, x, z] each. @param {Float64Array} design */
function film(design) {
  const policy = new HopperPolicy(design);
  /** @type {number[][][]} */
  const poses = [];
  let score = 0;
  world.reset();
  world.simulation.forward();
  const look = () => {
    const { geom_xpos, geom_xmat } = world.simulation.state;
    return links.map(({ half }, i) => {
      const g = i + 1;
      const [x, z, ax, az] = [
        geom_xpos[3 * g],
        geom_xpos[3 * g + 2],
        geom_xmat[9 * g + 2],
        geom_xmat[9 * g + 8],
      ];
      return [x - half * ax, z - half * az, x + half * ax, z + half * az];
    });
  };
  poses.push(look());
  for (let t = 0; t < HOPPER_STEPS && !world.isOver; t++) {
    score += world.step(policy.act(world.observation));
    poses.push(look());
  }
  return { poses, score, isDown: world.isOver };
}

/**
 * @param {number[][]} pose @param {number} left of x = 0 @param {number} ground @param {number} scale pixels a metre
 * @param {number} opacity
 */
function body(pose, left, ground, scale, opacity) {
  const lines = pose.map(([x1, z1, x2, z2], i) => {
    const { radius, colour } = /** @type {typeof links[number]} */ (links[i]);
    return `<path stroke="${colour}" stroke-width="${at(2 * radius * scale)}" d="M${at(left + x1 * scale)} ${at(ground - z1 * scale)}L${at(left + x2 * scale)} ${at(ground - z2 * scale)}"/>`;
  });
  return `<g opacity="${opacity}" fill="none" stroke-linecap="round">${lines.join('')}</g>`;
}

const rows = [
  {
    name: 'poor',
    note: 'a tenth of the visible designs is worse',
    design: data.x.subarray(poor * d, (poor + 1) * d),
  },
  {
    name: 'best visible',
    note: 'the best that methods see',
    design: data.x.subarray(top * d, (top + 1) * d),
  },
  { name: 'best found', note: 'by a search that asks the simulator', design: found.x },
].map((row) => ({ ...row, ...film(row.design) }));

const [width, margin] = [900, 24];
const farthest = rows
  .flatMap(({ poses }) => poses.map(([torso]) => torso?.[0] ?? 0))
  .reduce((a, b) => Math.max(a, b));
const meters = Math.ceil(farthest + 1);
const scale = Math.min(50, (width - 2 * margin) / (meters + 0.5));
const near = 62; // pixels a metre of the close-ups
/** Nothing is higher than 2 m. */
const tall = 2;
const rowHeight = 20 + tall * near + 26 + tall * scale + 40;
const drawn = rows.map(({ name, note, poses, score, isDown }, i) => {
  const y = 10 + i * rowHeight;
  const closeGround = Math.round(y + 20 + tall * near);
  const farGround = Math.round(closeGround + 26 + tall * scale);
  const last = (poses.length - 1) * beat;
  const end = isDown ? `falls after ${last.toFixed(2)} s` : `up for all ${last.toFixed(0)} s`;
  const head = `<text class="head" x="${margin}" y="${y + 14}">${escapeText(name)}: ${score.toFixed(1)}</text><text class="faint" x="${margin + 150}" y="${y + 14}">${escapeText(note)}; ${end}</text>`;
  // Ten moments, a tenth of a second apart, from the third second on or up to the fall.
  const begin = Math.max(0, Math.min(2, last - 0.9));
  const moments = Array.from({ length: 10 }, (_, k) => begin + k * 0.1).filter((s) => s <= last + 1e-9);
  const cell = (width - 2 * margin) / 10;
  const close = moments.map((s, k) => {
    const pose = poses[Math.round(s / beat)] ?? [];
    const [torso] = pose;
    const middle = margin + (k + 0.5) * cell;
    return `${body(pose, middle - ((torso?.[0] ?? 0) + (torso?.[2] ?? 0)) * 0.5 * near, closeGround, near, 1)}<text class="faint" x="${at(middle)}" y="${closeGround + 16}" text-anchor="middle">${s.toFixed(1)} s</text>`;
  });
  const every = Math.round(0.4 / beat);
  const shadows = poses
    .filter((_, t) => t % every === 0 || t === poses.length - 1)
    .map((pose) => body(pose, margin + 0.5 * scale, farGround, scale, 0.8));
  const marks = Array.from({ length: Math.ceil(meters / 2) }, (_, m) => {
    const x = margin + (0.5 + 2 * m) * scale;
    return `<path class="rule" d="M${at(x)} ${farGround}v5"/><text class="faint" x="${at(x)}" y="${farGround + 18}" text-anchor="middle">${2 * m}${m === 0 ? ' m' : ''}</text>`;
  });
  const line = (/** @type {number} */ ground) =>
    `<path stroke="#999" d="M${margin} ${ground}H${width - margin}"/>`;
  return [head, line(closeGround), ...close, line(farGround), ...marks, ...shadows].join('\n');
});

mkdirSync(place('docs/tasks/images'), { recursive: true });
writeFileSync(
  place('docs/tasks/images/hopper-designs.svg'),
  sheet(
    width,
    Math.round(10 + rows.length * rowHeight),
    'Hopper moved by a poor policy, the best visible one and the best found',
    drawn.join('\n'),
  ),
);
writeFileSync(
  place('docs/tasks/images/hopper-scores.svg'),
  distributionPlot({
    title: 'hopper-controller-v1: scores of the recorded policies',
    axis: 'return of one episode without noise',
    visible: data.y,
    hidden: data.hidden,
    marks: [
      { label: `best visible ${(data.y[top] ?? 0).toFixed(1)}`, value: data.y[top] ?? 0 },
      { label: `best found by direct search ${bestFound.toFixed(1)}`, value: bestFound },
    ],
  }),
);
for (const { name, score, poses } of rows)
  process.stdout.write(`${name}: ${score} after ${poses.length - 1} steps\n`);
