// Ant and D'Kitty against trajectories of native MuJoCo 2.2.2, and what is promised of every body.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { foldKey, rootKey } from '../../src/numeric/key.js';
import { Stream } from '../../src/numeric/random.js';
import {
  ant,
  antController,
  antDefault,
  antInside,
  antLeg,
  antStarts,
  antXml,
  runAnt,
} from '../../src/simulation/ant.js';
import { dkitty, dkittyController, runDKitty } from '../../src/simulation/dkitty.js';
import { dkittyDefault, dkittyXml } from '../../src/simulation/dkittyModel.js';
import { type Mujoco, Simulation } from '../../src/simulation/mujoco.js';
import { goldenAction, openMujoco } from './open.js';

let mujoco: Mujoco;
beforeAll(async () => {
  mujoco = await openMujoco();
});

/** Largest difference from a trajectory: rows of positions and velocities after each step. */
function largestDifference(xml: string, name: string, frameSkip: number): number {
  const text = readFileSync(new URL(`../golden/mujoco/${name}`, import.meta.url), 'utf8');
  const simulation = new Simulation(mujoco, xml);
  const { qpos, qvel, ctrl } = simulation.reset();
  let most = 0;
  text
    .trim()
    .split('\n')
    .forEach((line, t) => {
      const row = line.trim().split(/\s+/).map(Number);
      expect(row).toHaveLength(qpos.length + qvel.length);
      for (let k = 0; k < ctrl.length; k++) ctrl[k] = goldenAction(t, k, 0.5);
      simulation.step(frameSkip);
      [...qpos, ...qvel].forEach((value, i) => {
        most = Math.max(most, Math.abs(value - row[i]!));
      });
    });
  simulation.free();
  return most;
}

describe('default bodies move as in native MuJoCo', () => {
  it('Ant', () => {
    // Chaotic: rounding grows to 2e-7 within 100 steps.
    expect(largestDifference(antXml(antDefault), 'ant_native2.2.2_100steps.txt', 5)).toBeLessThan(1e-5);
  });

  it('D’Kitty', () => {
    const most = largestDifference(dkittyXml(dkittyDefault), 'dkitty_native2.2.2_50steps.txt', 40);
    expect(most).toBeLessThan(1e-10);
  });
});

describe.each([
  { robot: ant, start: antDefault, score: 246.927255504 },
  { robot: antInside, start: antDefault, score: 240.78925329120983 },
  { robot: dkitty, start: dkittyDefault, score: 262.103525885 },
])('$robot.id', ({ robot, start, score }) => {
  it('scores the default body, whatever was computed before', () => {
    expect(start).toHaveLength(robot.parameters);
    expect(robot.rollout(mujoco, start)).toBeCloseTo(score, 6);
    const other = start.map((value) => value * 0.98);
    expect(robot.rollout(mujoco, other)).not.toBeCloseTo(score, 1);
    expect(robot.rollout(mujoco, start)).toBeCloseTo(score, 6);
  });

  it('has the floor for bodies that MuJoCo refuses or that break down', () => {
    expect(robot.rollout(mujoco, start.with(0, Number.NaN))).toBe(robot.floor);
    // A joint whose range is empty.
    expect(robot.rollout(mujoco, start.with(7, -1))).toBe(robot.floor);
    // A leg far below the floor is thrown out of it.
    expect(robot.rollout(mujoco, start.with(2, -1e12))).toBe(robot.floor);
    expect(robot.rollout(mujoco, start)).toBeCloseTo(score, 6);
  });

  it('gives back its memory', () => {
    const xml = robot !== dkitty ? antXml(start) : dkittyXml(start);
    const probe = new Simulation(mujoco, xml);
    const bytes = () => probe.reset().qpos.buffer.byteLength;
    const before = bytes();
    // A model and its state take 2 to 4 MB.
    for (let i = 0; i < 30; i++) {
      new Simulation(mujoco, xml).free();
      robot.rollout(mujoco, start.with(7, -1));
    }
    expect(bytes()).toBe(before);
    probe.free();
  });
});

describe('one run', () => {
  it('of Ant: speed ahead, minus half the square of the actions, plus 1', () => {
    const simulation = new Simulation(mujoco, antXml(antDefault));
    let [sum, x] = [0, 0];
    const watch = (step: number) => {
      const { qpos, ctrl } = simulation.state;
      if (step > 0) sum += (qpos[0]! - x) / 0.05 + 1 - 0.5 * ctrl.reduce((s, a) => s + a * a, 0);
      x = qpos[0]!;
    };
    const total = runAnt(simulation, antDefault, antController, antStarts[1]!, { watch });
    expect(total).toBeCloseTo(sum, 9);
    simulation.free();
  });

  it('of Ant with joints inside begins within the limits, and does not throw the body', () => {
    // the seventh of the bodies that studies/robots/antThrow.mjs draws
    const stream = new Stream(foldKey(rootKey(0), 'ant, bodies drawn evenly'));
    const bodies = Float64Array.from({ length: 7 * antDefault.length }, (_, j) => {
      const [, , lower, upper] = antLeg[j % antLeg.length]!;
      return lower + (upper - lower) * stream.uniform();
    });
    const body = bodies.subarray(6 * antDefault.length);
    const simulation = new Simulation(mujoco, antXml(body));
    const run = (beginsInside: boolean) => {
      let [beyond, highest] = [0, 0];
      const watch = (step: number) => {
        const { qpos } = simulation.state;
        highest = Math.max(highest, qpos[2]!);
        if (step > 0) return;
        // hip, thigh and ankle of each leg: centre and half of the range, in degrees
        qpos.subarray(7, 19).forEach((angle, j) => {
          const at = 15 * Math.floor(j / 3) + 6 + 2 * (j % 3);
          const off = Math.abs((180 / Math.PI) * angle - body[at]!);
          beyond = Math.max(beyond, off - body[at + 1]!);
        });
      };
      runAnt(simulation, body, antController, antStarts[0]!, { beginsInside, watch });
      return { beyond, highest };
    };
    const [thrown, calm] = [run(false), run(true)];
    expect(thrown.beyond).toBeGreaterThan(90);
    expect(thrown.highest).toBeGreaterThan(8);
    expect(calm.beyond).toBeLessThan(1e-9);
    expect(calm.highest).toBeLessThan(3);
    simulation.free();
  });

  it('of Ant starts anew each time, a little moved', () => {
    const simulation = new Simulation(mujoco, antXml(antDefault));
    const returns = [0, 1, 0].map((i) => runAnt(simulation, antDefault, antController, antStarts[i]!));
    expect(returns[2]).toBe(returns[0]);
    expect(returns[1]).not.toBe(returns[0]);
    for (const start of antStarts) expect(Math.max(...start.map(Math.abs))).toBeLessThanOrEqual(0.02);
    simulation.free();
  });

  it('of D’Kitty: rewards by MuJoCo’s own orientation of the torso', () => {
    const simulation = new Simulation(mujoco, dkittyXml(dkittyDefault));
    const still = new Simulation(mujoco, dkittyXml(dkittyDefault));
    let sum = 0;
    const total = runDKitty(simulation, dkittyDefault, dkittyController, (step) => {
      if (step === 0) return;
      const { qpos, xmat, xpos } = still.reset();
      qpos.set(simulation.state.qpos);
      still.forward();
      const torso = xmat.subarray(9, 18);
      const [x, y] = xpos.subarray(3);
      const distance = Math.hypot(x!, 2 - y!);
      const length = Math.hypot(torso[1]!, torso[4]!);
      const head = (torso[1]! * -x! + torso[4]! * (2 - y!)) / length / distance;
      const [near, ahead] = [Number(distance < 0.5), Number(head > 0.9)];
      const up = torso[8]!;
      sum += (up - 0.9) / 0.1 - (up < 0.9 ? 500 : 0) - 4 * distance + (2 * (head - 0.9)) / 0.1;
      sum += 5 * (near + ahead) + 10 * near * ahead;
    });
    expect(total).toBeCloseTo(sum, 9);
    simulation.free();
    still.free();
  });

  it('of D’Kitty ends with a fall', () => {
    // Front legs that are folded up.
    const design = Float64Array.from(dkittyDefault);
    for (const leg of [0, 1]) design[leg * 14 + 4] = 0;
    const simulation = new Simulation(mujoco, dkittyXml(design));
    let steps = 0;
    const total = runDKitty(simulation, design, dkittyController, (step) => {
      steps = step;
    });
    expect(steps).toBeLessThan(100);
    expect(total).toBeLessThan(-400);
    simulation.free();
  });
});
