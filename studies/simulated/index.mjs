// Simulated processes whose truth is known and never given to the method: ten for the benchmark, one for the demo.
import { demoProcess, electrolyte, enzyme } from './chemistry.mjs';
import { brewing, promoter } from './living.mjs';
import { concrete, printing, steel } from './materials.mjs';
import { antenna, coating, valley } from './waves.mjs';

/** @typedef {import('./process.mjs').SimulatedProblem} SimulatedProblem */

/** @type {readonly SimulatedProblem[]} */
export const simulatedProblems = [
  promoter,
  valley,
  concrete,
  enzyme,
  printing,
  coating,
  electrolyte,
  brewing,
  steel,
  antenna,
];

export { demoProcess };
