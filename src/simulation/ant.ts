/**
 * Ant of Design-Bench's AntMorphology (Trabucco et al. 2021): a sphere on four legs of three links. A design is the
 * body; a frozen gait moves it. docs/tasks/ant-morphology.md
 */
import { foldKey, rootKey } from '../numeric/key.js';
import { Stream } from '../numeric/random.js';
import { rowOf } from '../numeric/rows.js';
import type { Mujoco, Simulation } from './mujoco.js';
import { scoreBody } from './mujoco.js';
import { aim, clip, JOINTS, type Leg, RHYTHM_NUMBERS } from './rhythm.js';
import type { Robot } from './robot.js';

/** Names, default and bounds of the numbers of one leg; lengths in units of the model, angles in degrees. */
export const antLeg: readonly (readonly [name: string, value: number, lower: number, upper: number])[] = [
  ['x', 0, -0.1, 0.1],
  ['y', 0, -0.1, 0.1],
  ['z', 0, -0.1, 0.1],
  ['angle a', 0, -180, 180],
  ['angle b', 0, -180, 180],
  ['angle c', 0, -180, 180],
  ['hip centre', 0, -180, 180],
  ['hip range', 5, 5, 45],
  ['thigh centre', 0, -180, 180],
  ['thigh range', 30, 5, 45],
  ['ankle centre', 50, -180, 180],
  ['ankle range', 20, 5, 45],
  ['hip size', 0.2, 0.1, 0.4],
  ['thigh size', 0.2, 0.1, 0.4],
  ['ankle size', 0.4, 0.2, 0.8],
];

const NUMBERS = antLeg.length;
const ANGLE_C = 5;
const HIP_CENTRE = 6;

/** Legs point to the front left, back left, back right, front right; ahead is x. */
const legs: readonly Leg[] = [
  { isFront: true, isLeft: true },
  { isFront: false, isLeft: true },
  { isFront: false, isLeft: false },
  { isFront: true, isLeft: false },
];

/** The body as it is without a search. */
export const antDefault: Float64Array = Float64Array.from(
  [0, 90, 180, -90].flatMap((c) => antLeg.map(([, value], j) => (j === ANGLE_C ? c : value))),
);

/** Margins are half of the original's: MuJoCo adds those of two geoms since 3.5, and took the larger one before. */
export function antXml(design: Float64Array): string {
  const body = legs.map((_, leg) => legXml(rowOf(design, NUMBERS, leg), leg));
  const motors = legs.flatMap((_, leg) =>
    ['hip', 'thigh', 'ankle'].map((j) => `<motor joint="${j}${leg}"/>`),
  );
  return `
<mujoco model="ant">
  <compiler angle="degree"/>
  <option integrator="RK4" timestep="0.01"><flag island="disable" autoreset="disable"/></option>
  <size memory="2M"/>
  <default>
    <joint type="hinge" limited="true" armature="1" damping="1"/>
    <geom type="capsule" size="0.08" conaffinity="0" condim="3" density="5" friction="1 0.5 0.5" margin="0.005"/>
    <motor gear="150" ctrllimited="true" ctrlrange="-1 1"/>
  </default>
  <worldbody>
    <geom type="plane" size="40 40 40" conaffinity="1"/>
    <body pos="0 0 1.25">
      <joint type="free" armature="0" damping="0" limited="false"/>
      <geom type="sphere" size="0.25"/>${body.join('')}
    </body>
  </worldbody>
  <actuator>${motors.join('')}</actuator>
</mujoco>`;
}

function legXml(numbers: Float64Array, leg: number): string {
  const [x, y, z, a, b, c] = numbers;
  const [hip, thigh, ankle] = numbers.subarray(12);
  const range = (joint: number) => {
    const [centre, half] = numbers.subarray(HIP_CENTRE + 2 * joint);
    return `${centre! - half!} ${centre! + half!}`;
  };
  return `
      <body pos="${x} ${y} ${z}" euler="${a} ${b} ${c}">
        <geom fromto="0 0 0 ${hip} ${hip} 0"/>
        <body pos="${hip} ${hip} 0">
          <joint name="hip${leg}" axis="-1 1 0" range="${range(0)}"/>
          <joint name="thigh${leg}" axis="0 0 1" range="${range(1)}"/>
          <geom fromto="0 0 0 ${thigh} ${thigh} 0"/>
          <body pos="${thigh} ${thigh} 0">
            <joint name="ankle${leg}" axis="-1 1 0" range="${range(2)}"/>
            <geom fromto="0 0 0 ${ankle} ${ankle} 0"/>
          </body>
        </body>
      </body>`;
}

/** A rhythm, then stiffness (1/rad) and damping (s/rad) of the servos that follow it. */
export type AntController = readonly number[];

export const ANT_CONTROLLER_NUMBERS = RHYTHM_NUMBERS + 2;
export const ANT_STEPS = 100;
const FLOOR = -1000;
const FRAME_SKIP = 5;
const SECONDS = 0.01 * FRAME_SKIP;
const RADIANS = Math.PI / 180;
/** x, y, z and a quaternion; 6 velocities. */
const [ROOT_POSITIONS, ROOT_VELOCITIES] = [7, 6];

/** A single run is chaotic: moving a design by 0.0005 of its range moves its return by up to 80. So several are averaged. */
const STARTS = 4;
const START_NOISE = 0.02;

/** Starts x (angles of the joints, all velocities): what is added to the model's pose at rest. */
export const antStarts: readonly Float64Array[] = Array.from({ length: STARTS }, (_, i) => {
  const stream = new Stream(foldKey(foldKey(rootKey(0), 'ant starts'), i));
  return Float64Array.from(
    { length: 2 * JOINTS + ROOT_VELOCITIES },
    () => START_NOISE * (2 * stream.uniform() - 1),
  );
});

/** Place of joint j's range in a design: its centre, and after it half of its width, in degrees. */
function rangeAt(j: number): number {
  return Math.floor(j / 3) * NUMBERS + HIP_CENTRE + 2 * (j % 3);
}

/**
 * Return of one run: speed ahead, minus 0.5 |action|², plus 1, over 100 steps of 0.05 s. The original also has a small
 * cost of contact forces, which MuJoCo leaves at 0 since version 2 unless it is asked for them. NaN if the simulation
 * breaks down. `watch` is called before the first step and after each.
 *
 * As in the original all joints begin at 0, also where their range does not hold 0: then the limits throw the body.
 * With `beginsInside` every joint begins at the angle of its range that is nearest to that.
 */
export function runAnt(
  simulation: Simulation,
  design: Float64Array,
  controller: AntController,
  start: Float64Array,
  { beginsInside = false, watch }: { beginsInside?: boolean; watch?: (step: number) => void } = {},
): number {
  const { qpos, qvel, ctrl } = simulation.reset();
  const [stiffness, damping] = [controller[RHYTHM_NUMBERS]!, controller[RHYTHM_NUMBERS + 1]!];
  for (let j = 0; j < JOINTS; j++) {
    const angle = qpos[ROOT_POSITIONS + j]! + start[j]!;
    const [centre, half] = design.subarray(rangeAt(j));
    qpos[ROOT_POSITIONS + j] = beginsInside
      ? clip(angle, RADIANS * (centre! - half!), RADIANS * (centre! + half!))
      : angle;
  }
  for (let j = 0; j < qvel.length; j++) qvel[j]! += start[JOINTS + j]!;
  const aims = new Float64Array(JOINTS);
  let sum = 0;
  watch?.(0);
  for (let step = 0; step < ANT_STEPS; step++) {
    aim(controller, legs, [false, true, false], SECONDS * step, 0, aims);
    let effort = 0;
    for (let j = 0; j < JOINTS; j++) {
      const at = rangeAt(j);
      const target = RADIANS * (design[at]! + design[at + 1]! * aims[j]!);
      const push = stiffness * (target - qpos[ROOT_POSITIONS + j]!) - damping * qvel[ROOT_VELOCITIES + j]!;
      const action = clip(push, -1, 1);
      ctrl[j] = action;
      effort += action * action;
    }
    const before = qpos[0]!;
    simulation.step(FRAME_SKIP);
    sum += (qpos[0]! - before) / SECONDS - 0.5 * effort + 1;
    watch?.(step + 1);
    if (!Number.isFinite(sum)) return Number.NaN;
  }
  return sum;
}

/**
 * Tuned once on the default body and three near it, then frozen:
 * `node studies/robots/tuneControllers.mjs --robot ant`.
 */
export const antController: AntController = [
  1.675, 0.964, 0.74, -0.049, 0.249, 0.773, -0.123, -0.168, 0.679, 0.262, 0.209, 0.214, 0.07, -0.307, 0.676,
  0.1, -0.442, 0.715, -0.138, -0.126, 0.663, 0.006,
];

function meanReturn(mujoco: Mujoco, design: Float64Array, beginsInside: boolean): number {
  return scoreBody(mujoco, antXml(design), FLOOR, (simulation) => {
    let sum = 0;
    for (const start of antStarts) sum += runAnt(simulation, design, antController, start, { beginsInside });
    return sum / antStarts.length;
  });
}

export const ant: Robot = {
  id: 'ant',
  parameters: antDefault.length,
  floor: FLOOR,
  rollout: (mujoco, design) => meanReturn(mujoco, design, false),
};

/** The same runs without the throw: joints begin inside their limits. A second scorer. */
export const antInside: Robot = {
  id: 'ant-joints-inside',
  parameters: antDefault.length,
  floor: FLOOR,
  rollout: (mujoco, design) => meanReturn(mujoco, design, true),
};
