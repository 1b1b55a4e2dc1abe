/**
 * Test functions with known optima: Branin, Hartmann-6, Rosenbrock and Levy, all with their sign turned, so that larger
 * is better. Formulas and domains after S. Surjanovic & D. Bingham, "Virtual Library of Simulation Experiments".
 * docs/tasks/closed-forms.md
 */
import { portableExp, portableSinPi } from '../numeric/portable.js';
import type { Space } from '../space/space.js';
import { drawnTask } from './drawnTask.js';

function box(bounds: readonly (readonly [lower: number, upper: number])[]): Space {
  return {
    columns: bounds.map(([lower, upper], j) => ({ kind: 'continuous', name: `x${j + 1}`, lower, upper })),
  };
}

function cube(d: number, lower: number, upper: number): Space {
  return box(Array.from({ length: d }, () => [lower, upper] as const));
}

/** `** 2` leaves the last bit to the engine. */
function square(value: number): number {
  return value * value;
}

/** (x2 - 5.1/(4 pi²) x1² + 5/pi x1 - 6)² + 10 (1 - 1/(8 pi)) cos x1 + 10. */
export function branin([x1, x2]: Float64Array): number {
  const { PI } = Math;
  const bent = x2! - (5.1 / (4 * PI * PI)) * x1! * x1! + (5 / PI) * x1! - 6;
  return -(square(bent) + 10 * (1 - 1 / (8 * PI)) * portableSinPi(x1! / PI + 0.5) + 10);
}

const hartmannAlpha = [1, 1.2, 3, 3.2];
const hartmannA = [
  [10, 3, 17, 3.5, 1.7, 8],
  [0.05, 10, 17, 0.1, 8, 14],
  [3, 3.5, 1.7, 10, 17, 8],
  [17, 8, 0.05, 10, 0.1, 14],
];
const hartmannP = [
  [0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886],
  [0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991],
  [0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.665],
  [0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381],
];

/** sum_i alpha_i exp(-sum_j A_ij (x_j - P_ij)²). */
export function hartmann6(x: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < 4; i++) {
    let exponent = 0;
    for (let j = 0; j < 6; j++) exponent += hartmannA[i]![j]! * square(x[j]! - hartmannP[i]![j]!);
    sum += hartmannAlpha[i]! * portableExp(-exponent);
  }
  return sum;
}

/** sum_i 100 (x_{i+1} - x_i²)² + (x_i - 1)². */
export function rosenbrock(x: Float64Array): number {
  let sum = 0;
  for (let i = 0; i + 1 < x.length; i++) {
    const [a, b] = [x[i]!, x[i + 1]!];
    sum += 100 * square(b - a * a) + square(a - 1);
  }
  return 0 - sum;
}

/**
 * With w = 1 + (x - 1) / 4: sin²(pi w_1) + sum_{i<d} (w_i - 1)² (1 + 10 sin²(pi w_i + 1))
 * + (w_d - 1)² (1 + sin²(2 pi w_d)).
 */
export function levy(x: Float64Array): number {
  const w = x.map((value) => 1 + (value - 1) / 4);
  const last = w[w.length - 1]!;
  let sum = square(portableSinPi(w[0]!)) + square(last - 1) * (1 + square(portableSinPi(2 * last)));
  for (let i = 0; i + 1 < w.length; i++) {
    sum += square(w[i]! - 1) * (1 + 10 * square(portableSinPi(w[i]! + 1 / Math.PI)));
  }
  return 0 - sum;
}

const library = 'S. Surjanovic & D. Bingham, Virtual Library of Simulation Experiments';

export const braninTask = drawnTask({
  id: 'branin-v1',
  title: 'Branin',
  summary: 'A design is two numbers. Its score is minus the Branin function, which has three best places.',
  isForTuning: false,
  source: library,
  space: box([
    [-5, 10],
    [0, 15],
  ]),
  formula: branin,
  rows: 500,
});

export const hartmann6Task = drawnTask({
  id: 'hartmann6-v1',
  title: 'Hartmann-6',
  summary:
    'A design is six numbers from 0 to 1. Its score is minus the Hartmann function, four bumps on a plain, of which ' +
    'the visible designs show little.',
  isForTuning: false,
  source: library,
  space: cube(6, 0, 1),
  formula: hartmann6,
  rows: 2500,
});

export const rosenbrock20Task = drawnTask({
  id: 'rosenbrock20-v1',
  title: 'Rosenbrock-20',
  summary:
    'A design is 20 numbers from -5 to 10. Its score is minus the Rosenbrock function: a steep way down into a valley, ' +
    'a flat one along it.',
  isForTuning: true,
  source: library,
  space: cube(20, -5, 10),
  formula: rosenbrock,
  rows: 10_000,
});

export const levy50Task = drawnTask({
  id: 'levy50-v1',
  title: 'Levy-50',
  summary: 'A design is 50 numbers from -10 to 10. Its score is minus the Levy function, a wavy bowl.',
  isForTuning: true,
  source: library,
  space: cube(50, -10, 10),
  formula: levy,
  rows: 25_000,
});

/** The best score there is, and the places that have it. */
export const closedFormOptima: Readonly<
  Record<string, { readonly score: number; readonly at: readonly (readonly number[])[] }>
> = {
  'branin-v1': {
    // -10 / (8 pi)
    score: -0.39788735772973816,
    at: [
      [-Math.PI, 12.275],
      [Math.PI, 2.275],
      [3 * Math.PI, 2.475],
    ],
  },
  'hartmann6-v1': {
    score: 3.322368011415515,
    at: [[0.20168952, 0.15001069, 0.47687398, 0.27533243, 0.31165162, 0.65730054]],
  },
  'rosenbrock20-v1': { score: 0, at: [new Array(20).fill(1)] },
  'levy50-v1': { score: 0, at: [new Array(50).fill(1)] },
};
