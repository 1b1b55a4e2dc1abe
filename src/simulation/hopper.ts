/**
 * Gym's Hopper-v2 (Brockman et al. 2016, after Erez et al. 2011): a leg of four links that hops in a plane. A design is
 * the policy network that moves it. docs/tasks/hopper-controller.md
 */
import { foldKey, rootKey } from '../numeric/key.js';
import { portableTanh } from '../numeric/portable.js';
import { Stream } from '../numeric/random.js';
import { type Mujoco, type MujocoState, rethrowCrash, Simulation } from './mujoco.js';
import type { Robot } from './robot.js';

/** Margins are half of Gym's: MuJoCo adds those of two geoms since 3.5, and took the larger one before. */
export const hopperXml = `
<mujoco model="hopper">
  <compiler angle="degree"/>
  <option integrator="RK4" timestep="0.002">
    <flag island="disable" autoreset="disable"/>
  </option>
  <size memory="1M"/>
  <default>
    <joint type="hinge" axis="0 -1 0" limited="true" armature="1" damping="1"/>
    <geom type="capsule" condim="1" friction="0.9" margin="0.0005" solref="0.02 1" solimp="0.8 0.8 0.01"/>
    <motor ctrllimited="true" ctrlrange="-1 1" gear="200"/>
  </default>
  <worldbody>
    <geom type="plane" condim="3" friction="1" size="20 20 0.125"/>
    <body name="torso" pos="0 0 1.25">
      <joint type="slide" axis="1 0 0" limited="false" armature="0" damping="0"/>
      <joint type="slide" axis="0 0 1" ref="1.25" limited="false" armature="0" damping="0"/>
      <joint type="hinge" axis="0 1 0" limited="false" armature="0" damping="0"/>
      <geom size="0.05 0.2"/>
      <body name="thigh" pos="0 0 -0.2">
        <joint name="thigh" range="-150 0"/>
        <geom pos="0 0 -0.225" size="0.05 0.225"/>
        <body name="leg" pos="0 0 -0.7">
          <joint name="leg" pos="0 0 0.25" range="-150 0"/>
          <geom size="0.04 0.25"/>
          <body name="foot" pos="0.13 0 -0.35">
            <joint name="foot" pos="-0.13 0 0.1" range="-45 45"/>
            <geom pos="-0.065 0 0.1" euler="0 -90 0" size="0.06 0.195" friction="2"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="thigh"/>
    <motor joint="leg"/>
    <motor joint="foot"/>
  </actuator>
</mujoco>`;

export const OBSERVED = 11;
export const HIDDEN = 64;
export const ACTIONS = 3;
export const HOPPER_STEPS = 1000;

const FRAME_SKIP = 4;
const SECONDS = 0.002 * FRAME_SKIP;

/** Where the parts of a design begin: weights (in x out, row-major) and biases, layer by layer. */
export const hopperLayout = {
  weights0: 0,
  biases0: 704,
  weights1: 768,
  biases1: 4864,
  weights2: 4928,
  biases2: 5120,
  /** Logarithms of the spread of actions while a policy is trained; not used here. */
  logSpread: 5123,
  end: 5126,
} as const;

/** Hopper-v2 as Gym defines it, one step at a time. */
export class HopperWorld {
  readonly observation = new Float64Array(OBSERVED);
  /** After a fall, or when numbers have left every bound. */
  isOver = false;
  private state: MujocoState;

  constructor(readonly simulation: Simulation) {
    this.state = simulation.state;
  }

  /** `noise` draws one number of the start's noise; none: the model's pose at rest. */
  reset(noise?: () => number): void {
    this.state = this.simulation.reset();
    const { qpos, qvel } = this.state;
    if (noise) {
      for (let i = 0; i < qpos.length; i++) qpos[i]! += noise();
      for (let i = 0; i < qvel.length; i++) qvel[i]! += noise();
    }
    this.observe();
    this.isOver = false;
  }

  /** Reward of an action: forward velocity, 1 for being up, minus 0.001 |a|². MuJoCo limits motors to ±1 by itself. */
  step(action: ArrayLike<number>): number {
    const { qpos, ctrl } = this.state;
    const before = qpos[0]!;
    let effort = 0;
    for (let k = 0; k < ACTIONS; k++) {
      ctrl[k] = action[k]!;
      effort += action[k]! * action[k]!;
    }
    this.simulation.step(FRAME_SKIP);
    this.observe();
    this.isOver = !this.isUp();
    return (qpos[0]! - before) / SECONDS + 1 - 1e-3 * effort;
  }

  private observe(): void {
    const { qpos, qvel } = this.state;
    for (let i = 0; i < 5; i++) this.observation[i] = qpos[i + 1]!;
    for (let i = 0; i < 6; i++) this.observation[5 + i] = Math.min(10, Math.max(-10, qvel[i]!));
  }

  private isUp(): boolean {
    const { qpos, qvel } = this.state;
    if (!(qpos[1]! > 0.7 && Math.abs(qpos[2]!) < 0.2)) return false;
    for (let i = 2; i < 6; i++) if (!(Math.abs(qpos[i]!) < 100)) return false;
    for (let i = 0; i < 6; i++) if (!(Math.abs(qvel[i]!) < 100)) return false;
    return Number.isFinite(qpos[0]!);
  }
}

/** Action of a policy: tanh, tanh, linear; the mean, without noise. */
export class HopperPolicy {
  readonly action = new Float64Array(ACTIONS);
  private readonly first = new Float64Array(HIDDEN);
  private readonly second = new Float64Array(HIDDEN);

  constructor(private readonly design: Float64Array) {}

  act(observation: Float64Array): Float64Array {
    const { design, first, second, action } = this;
    const { weights0, biases0, weights1, biases1, weights2, biases2 } = hopperLayout;
    layer(design, weights0, biases0, observation, first);
    for (let j = 0; j < HIDDEN; j++) first[j] = portableTanh(first[j]!);
    layer(design, weights1, biases1, first, second);
    for (let j = 0; j < HIDDEN; j++) second[j] = portableTanh(second[j]!);
    layer(design, weights2, biases2, second, action);
    return action;
  }
}

/** out = biases + weightsᵀ input. */
function layer(
  design: Float64Array,
  weights: number,
  biases: number,
  input: Float64Array,
  out: Float64Array,
): void {
  const n = out.length;
  for (let j = 0; j < n; j++) out[j] = design[biases + j]!;
  for (let i = 0; i < input.length; i++) {
    const value = input[i]!;
    const row = weights + i * n;
    for (let j = 0; j < n; j++) out[j]! += value * design[row + j]!;
  }
}

/** All designs share one body. */
const worlds = new WeakMap<Mujoco, HopperWorld>();

/** Return of one episode. `noise` draws the numbers of the start's noise. */
function episode(mujoco: Mujoco, design: Float64Array, noise?: () => number): number {
  let world = worlds.get(mujoco);
  try {
    if (!world) {
      world = new HopperWorld(new Simulation(mujoco, hopperXml));
      worlds.set(mujoco, world);
    }
    const policy = new HopperPolicy(design);
    let sum = 0;
    world.reset(noise);
    for (let t = 0; t < HOPPER_STEPS && !world.isOver; t++) {
      sum += world.step(policy.act(world.observation));
      if (!Number.isFinite(sum)) return hopper.floor;
    }
    return Math.max(hopper.floor, sum);
  } catch (error) {
    rethrowCrash(error);
    // A state that MuJoCo left in the middle of a step is of no further use.
    worlds.delete(mujoco);
    world?.simulation.free();
    return hopper.floor;
  }
}

export const hopper: Robot = {
  id: 'hopper',
  parameters: hopperLayout.end,
  // Falling at once scores about 20; a policy has to push a hundred times harder than motors can to get here.
  floor: -1000,
  rollout: (mujoco, design) => episode(mujoco, design),
};

/** Starts over which the noisy return is averaged. */
export const NOISY_STARTS = 8;
/** Gym starts Hopper-v2 this far from rest, uniformly, in every position and speed. */
const START_NOISE = 0.005;

/**
 * Mean return over starts near the one at rest, the same ones for every design. A single return is chaotic: a change of the
 * start too small to see decides when a policy falls.
 */
export const hopperNoisy: Robot = {
  id: 'hopper-noisy-start',
  parameters: hopperLayout.end,
  floor: hopper.floor,
  rollout(mujoco, design) {
    const key = foldKey(rootKey(0), 'hopper, starts with noise');
    let sum = 0;
    for (let i = 0; i < NOISY_STARTS; i++) {
      const stream = new Stream(foldKey(key, i));
      sum += episode(mujoco, design, () => START_NOISE * (2 * stream.uniform() - 1));
    }
    return sum / NOISY_STARTS;
  },
};
