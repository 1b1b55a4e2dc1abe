/**
 * D'Kitty of Design-Bench's DKittyMorphology (Trabucco et al. 2021; robot: ROBEL, Ahn et al. 2019). A design is the body;
 * a frozen gait walks it to a point 2 m ahead. docs/tasks/dkitty-morphology.md
 */
import { portableSinPi } from '../numeric/portable.js';
import { dkittyDefault, dkittyLegNumbers, dkittyXml } from './dkittyModel.js';
import type { Mujoco, Simulation } from './mujoco.js';
import { scoreBody } from './mujoco.js';
import { aim, clip, JOINTS, type Leg, RHYTHM_NUMBERS } from './rhythm.js';
import type { Robot } from './robot.js';

/** In the order of the model; ahead is y. */
const legs: readonly Leg[] = [
  { isFront: true, isLeft: false },
  { isFront: true, isLeft: true },
  { isFront: false, isLeft: true },
  { isFront: false, isLeft: false },
];

/** A rhythm, then how strongly it steers: share of the thighs' swing per sine of the angle to the target. */
export type DKittyController = readonly number[];

export const DKITTY_CONTROLLER_NUMBERS = RHYTHM_NUMBERS + 1;
export const DKITTY_STEPS = 100;
const FRAME_SKIP = 40;
const SECONDS = 0.0025 * FRAME_SKIP;
/** A joint's target is at most this far from where the joint is: pi rad/s. */
const MOST_TURN = Math.PI * SECONDS;
const ROOT = 6;
const HIP_CENTRE = 6;
const HIP_RANGE = 7;
const TARGET = 2;

/**
 * Return of one run of at most 100 steps of 0.1 s; it ends with a fall. NaN if the simulation breaks down. `watch` is
 * called before the first step and after each.
 */
export function runDKitty(
  simulation: Simulation,
  design: Float64Array,
  controller: DKittyController,
  watch?: (step: number) => void,
): number {
  const { qpos, ctrl } = simulation.reset();
  const centre = new Float64Array(JOINTS);
  const range = new Float64Array(JOINTS);
  for (let j = 0; j < JOINTS; j++) {
    const leg = Math.floor(j / 3) * dkittyLegNumbers;
    const at = leg + HIP_CENTRE + 2 * (j % 3);
    [centre[j], range[j]] = [design[at]!, design[at + 1]!];
    // The model limits a thigh by the range of the hip, actions by its own: as in the original.
    const limit = j % 3 === 1 ? design[leg + HIP_RANGE]! : range[j]!;
    qpos[ROOT + j] = clip(0, centre[j]! - limit, centre[j]! + limit);
  }
  const aims = new Float64Array(JOINTS);
  let pose = poseOf(qpos);
  let sum = 0;
  watch?.(0);
  for (let step = 0; step < DKITTY_STEPS; step++) {
    const turn = controller[RHYTHM_NUMBERS]! * pose.left;
    aim(controller, legs, [true, false, false], SECONDS * step, turn, aims);
    for (let j = 0; j < JOINTS; j++) {
      const now = qpos[ROOT + j]!;
      ctrl[j] = clip(centre[j]! + range[j]! * aims[j]!, now - MOST_TURN, now + MOST_TURN);
    }
    simulation.step(FRAME_SKIP);
    pose = poseOf(qpos);
    sum += reward(pose);
    watch?.(step + 1);
    if (!Number.isFinite(sum)) return Number.NaN;
    if (pose.up < LEAST_UP) break;
  }
  return sum;
}

interface Pose {
  /** Cosine of the angle between the torso's z axis and the vertical. */
  readonly up: number;
  /** Of the angle between the torso's y axis and the target, seen from above: cosine, and sine (positive on the left). */
  readonly head: number;
  readonly left: number;
  /** To the target, m. */
  readonly distance: number;
}

const LEAST_UP = 0.9;
const LEAST_HEAD = 0.9;
const NEAR = 0.5;

function reward({ up, head, distance }: Pose): number {
  const isNear = distance < NEAR ? 1 : 0;
  const isAhead = head > LEAST_HEAD ? 1 : 0;
  const fall = up < LEAST_UP ? 500 : 0;
  return (
    (up - 0.9) / 0.1 -
    fall -
    4 * distance +
    (2 * (head - 0.9)) / 0.1 +
    5 * (isNear + isAhead) +
    10 * isNear * isAhead
  );
}

/** From three slides and then hinges about x, y, z: the torso is turned by Rx Ry Rz. */
function poseOf(qpos: Float64Array): Pose {
  const [x, y, , a, b, c] = qpos;
  const [sinA, sinB, sinC] = [sin(a!), sin(b!), sin(c!)];
  const [cosA, cosB, cosC] = [cos(a!), cos(b!), cos(c!)];
  const heading = unit(-sinC * cosB, cosA * cosC - sinA * sinB * sinC);
  const [dx, dy] = [-x!, TARGET - y!];
  const direction = unit(dx, dy);
  return {
    up: cosA * cosB,
    head: heading[0] * direction[0] + heading[1] * direction[1],
    left: heading[0] * direction[1] - heading[1] * direction[0],
    distance: Math.sqrt(dx * dx + dy * dy),
  };
}

function unit(x: number, y: number): readonly [number, number] {
  const length = Math.sqrt(x * x + y * y);
  return length > 0 ? [x / length, y / length] : [0, 0];
}

function sin(angle: number): number {
  return portableSinPi(angle / Math.PI);
}

function cos(angle: number): number {
  return portableSinPi(angle / Math.PI + 0.5);
}

/**
 * Tuned once on the default body and two near it, then frozen:
 * `node studies/robots/tuneControllers.mjs --robot dkitty`.
 */
export const dkittyController: DKittyController = [
  1.847, 0.928, 0.502, 0.198, -0.232, 0.18, -0.392, 0.291, 0.439, 0.274, 0.742, 0.195, -0.036, 0.904, 0.517,
  -0.445, 1.357, 0.698, 0.371, 1.731, 1.365,
];

export const dkitty: Robot = {
  id: 'dkitty',
  parameters: dkittyDefault.length,
  floor: -1000,

  rollout(mujoco: Mujoco, design: Float64Array): number {
    return scoreBody(mujoco, dkittyXml(design), dkitty.floor, (simulation) =>
      runDKitty(simulation, design, dkittyController),
    );
  },
};
