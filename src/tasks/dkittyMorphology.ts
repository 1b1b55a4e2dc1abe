/** D'Kitty of Design-Bench (Trabucco et al. 2021), moved by a gait of ours. docs/tasks/dkitty-morphology.md */
import { dkittyLeg } from '../simulation/dkittyModel.js';
import { bodyTask } from './bodyTask.js';

export const dkittyMorphologyCpg = bodyTask({
  id: 'dkitty-morphology-cpg-v1',
  title: 'D’Kitty morphology: the body of a walking robot',
  summary:
    'A design is the body of the robot D’Kitty: where its legs sit, how they are turned, how far joints move and how long links are (56 numbers); the score is how well a frozen gait walks it to a point 2 m ahead in 10 s, simulated by MuJoCo.',
  robot: 'dkitty',
  dataset: 'dkitty-morphology',
  leg: dkittyLeg.map(([name, lower, upper]) => ({ name, lower, upper })),
});
