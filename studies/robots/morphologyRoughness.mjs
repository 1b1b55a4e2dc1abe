// How rough scores of bodies are: what a small move of all numbers of a body does to its score.
//   node studies/robots/morphologyRoughness.mjs --robot ant|dkitty
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import loadMujoco from '@mujoco/mujoco';
import { foldKey, median, rootKey, Stream } from '../../dist/numeric/index.js';
import { robotOf } from '../../dist/simulation/robot.js';
import { decodeDesigns } from '../../dist/tasks/designFile.js';
import { bodies, halfRange } from './bodies.mjs';

const { values } = parseArgs({ options: { robot: { type: 'string', default: 'ant' } } });
const robot = values.robot === 'dkitty' ? 'dkitty' : 'ant';
const mujoco = /** @type {import('../../dist/simulation/mujoco.js').Mujoco} */ (
  /** @type {unknown} */ (await loadMujoco({ print() {}, printErr() {} }))
);
const body = bodies[robot];
const { rollout } = robotOf(robot);
const file = new URL(`../../data/${robot}-morphology/designs.bin`, import.meta.url);
const { x, y, columns: d } = decodeDesigns(readFileSync(file), 'designs.bin');
const order = Array.from(y.keys()).sort((a, b) => (y[a] ?? 0) - (y[b] ?? 0));
const rows = [0.25, 0.5, 1].map((share) => order[Math.round(share * (order.length - 1))] ?? 0);
const designs = [...rows.map((row) => x.slice(row * d, (row + 1) * d)), body.start];
for (const design of designs) {
  const score = rollout(mujoco, design);
  const changes = [1e-6, 1e-4, 5e-4, 2e-3].map((move) => {
    const stream = new Stream(foldKey(rootKey(0), move * 1e6));
    const moved = Array.from({ length: 5 }, () =>
      rollout(
        mujoco,
        design.map((value, j) => value + move * halfRange(body, j) * (2 * stream.uniform() - 1)),
      ),
    );
    return `${move}: ${median(moved.map((other) => Math.abs(other - score))).toPrecision(2)}`;
  });
  process.stdout.write(
    `score ${score.toFixed(1)}; median change by moves of a share of half the range: ${changes.join(', ')}\n`,
  );
}
