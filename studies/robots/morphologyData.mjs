// The recorded designs of ant-morphology-cpg-v1 and dkitty-morphology-cpg-v1: the default body with noise, scored.
//   node studies/robots/morphologyData.mjs --robot ant|dkitty [--designs 8192]
// Scores are appended to a file under runs/: start again to go on. At the end data/<robot>-morphology/designs.bin is
// written, and its size and checksum printed. With --noise, only says how scores are distributed.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import loadMujoco from '@mujoco/mujoco';
import { foldKey, quantile, rootKey, Stream } from '../../dist/numeric/index.js';
import { robotOf } from '../../dist/simulation/robot.js';
import { encodeDesigns } from '../../dist/tasks/designFile.js';
import { openNumbers } from '../lineFile.mjs';
import { bodies, drawBody } from './bodies.mjs';

const { values } = parseArgs({
  options: {
    robot: { type: 'string', default: 'ant' },
    designs: { type: 'string', default: '8192' },
    noise: { type: 'string' },
  },
});
const robot = values.robot === 'dkitty' ? 'dkitty' : 'ant';
/** Noise as a share of half the range of each number; visible share of the designs, the worst ones. */
const chosen = { ant: { noise: 0.035, visible: 0.2 }, dkitty: { noise: 0.008, visible: 0.55 } }[robot];
const noise = Number(values.noise ?? chosen.noise);
const count = Number(values.designs);

const mujoco = /** @type {import('../../dist/simulation/mujoco.js').Mujoco} */ (
  /** @type {unknown} */ (await loadMujoco({ print() {}, printErr() {} }))
);
const body = bodies[robot];
const { rollout } = robotOf(robot);
const key = foldKey(rootKey(0), `${robot}-morphology-cpg-v1`);
const record = openNumbers(`${robot}-morphology-${noise}`);
/** @type {Float64Array[]} */
const designs = [];
const y = new Float64Array(count);
for (let i = 0; i < count; i++) {
  const design = drawBody(body, noise, new Stream(foldKey(key, i)));
  designs.push(design);
  y[i] = record(() => rollout(mujoco, design));
  if ((i + 1) % 256 === 0 || i + 1 === count) process.stderr.write(`\r${i + 1} of ${count}`);
}
process.stderr.write('\n');

const limit = quantile(y, chosen.visible);
const shown = Array.from(y.keys()).filter((i) => /** @type {number} */ (y[i]) <= limit);
const marks = [0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 0.9, 0.95, 1];
process.stdout.write(
  `${robot}, noise ${noise}: default ${rollout(mujoco, body.start).toFixed(2)}; quantiles ` +
    `${marks.map((p) => `${p}: ${quantile(y, p).toFixed(1)}`).join(', ')}\n` +
    `visible: ${shown.length}, at most ${shown.map((i) => y[i] ?? 0).reduce((a, b) => Math.max(a, b))}\n`,
);
if (values.noise === undefined) {
  const bytes = encodeDesigns({
    x: Float64Array.from(shown.flatMap((i) => Array.from(designs[i] ?? []))),
    columns: body.start.length,
    y: Float64Array.from(shown, (i) => y[i] ?? 0),
    hidden: y.filter((value) => value > limit),
  });
  const folder = new URL(`../../data/${robot}-morphology/`, import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL('designs.bin', folder), bytes);
  process.stdout.write(`${bytes.length} bytes, sha256 ${createHash('sha256').update(bytes).digest('hex')}\n`);
}
