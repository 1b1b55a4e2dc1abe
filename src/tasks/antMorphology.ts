/** Ant of Design-Bench (Trabucco et al. 2021), moved by a gait of ours. docs/tasks/ant-morphology.md */
import { antLeg } from '../simulation/ant.js';
import { bodyTask } from './bodyTask.js';

export const antMorphologyCpg = bodyTask({
  id: 'ant-morphology-cpg-v1',
  title: 'Ant morphology: the body of a four-legged robot',
  summary:
    'A design is the body of a four-legged robot: where its legs sit, how they are turned, how far joints move and how long links are (60 numbers); the score is how far and how cheaply a frozen gait takes it in 5 s, simulated by MuJoCo.',
  robot: 'ant',
  // without the throw of joints that begin beyond their limits
  otherRuns: { 'joints-inside': 'ant-joints-inside' },
  dataset: 'ant-morphology',
  leg: antLeg.map(([name, , lower, upper]) => ({ name, lower, upper })),
});
