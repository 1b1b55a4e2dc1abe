// The recorded designs of hopper-controller-v1: policies on their way, from runs of PPO.
//   node studies/robots/hopperPpo.mjs [folder] [runs]     default runs/hopper-ppo and 21; a run takes half a minute
// Each run is a file in the folder, written when the run is finished: start again to go on. Then
//   node studies/robots/hopperData.mjs [folder]           makes data/hopper-controller/designs.bin of them
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import loadMujoco from '@mujoco/mujoco';
import { foldKey, rootKey, Stream } from '../../dist/numeric/index.js';
import { ACTIONS, HopperWorld, hopper, hopperXml, OBSERVED } from '../../dist/simulation/hopper.js';
import { Simulation } from '../../dist/simulation/mujoco.js';
import { encodeDesigns, roundToHalf } from '../../dist/tasks/designFile.js';
import { ppo } from './ppo.mjs';

/** Of 1,000 steps each. */
const updates = 70;
/** Halfway through each update and after it. */
const checkpoints = 2 * updates;

const [folder = 'runs/hopper-ppo', runs = '21'] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const silent = () => {};
const mujoco = /** @type {import('../../dist/simulation/mujoco.js').Mujoco} */ (
  /** @type {unknown} */ (await loadMujoco({ print: silent, printErr: silent }))
);
const world = new HopperWorld(new Simulation(mujoco, hopperXml));
const d = hopper.parameters;

for (let run = 0; run < Number(runs); run++) {
  const file = `${folder}/run-${String(run).padStart(2, '0')}.bin`;
  if (existsSync(file)) continue;
  const begun = process.cpuUsage();
  const stream = new Stream(foldKey(foldKey(rootKey(0), 'hopper-controller-v1'), run));
  const x = new Float64Array(checkpoints * d);
  const y = new Float64Array(checkpoints);
  let i = 0;
  for (const values of ppo(world, OBSERVED, ACTIONS, stream, updates)) {
    const design = roundToHalf(values);
    x.set(design, i * d);
    // The start has no noise: what two bytes hold is what is scored.
    y[i] = hopper.rollout(mujoco, design);
    i += 1;
  }
  writeFileSync(`${file}.part`, encodeDesigns({ x, columns: d, y, hidden: new Float64Array(0) }));
  renameSync(`${file}.part`, file);
  const { user, system } = process.cpuUsage(begun);
  const shown = Array.from(
    y.filter((_, k) => k % 14 === 13),
    (score) => score.toFixed(0),
  ).join(' ');
  process.stdout.write(
    `run ${run}: ${((user + system) / 1e6).toFixed(0)} s CPU, ${y.filter((score) => score <= 1400).length} up to 1400, scores ${shown}\n`,
  );
}
