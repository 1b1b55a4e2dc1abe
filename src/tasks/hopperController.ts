/**
 * A policy network for Gym's Hopper: 5126 numbers, scored by how far it hops in a simulation without noise.
 * docs/tasks/hopper-controller.md
 */
import { ACTIONS, HIDDEN, hopper, hopperNoisy, OBSERVED } from '../simulation/hopper.js';
import type { Space } from '../space/space.js';
import { decodeDesigns, rangeOfScores } from './designFile.js';
import type { TaskDefinition } from './task.js';
import { requireDesigns, requireSimulator } from './task.js';

const ID = 'hopper-controller-v1';
const DATASET = 'hopper-controller';
const FILE = 'designs.bin';

/** Numbers of a design lie within ±BOUND: more than twice as wide as the data. */
const BOUND = 4;

/** Names of the numbers of a design, in their order. */
function* names(): Generator<string> {
  const sizes = [OBSERVED, HIDDEN, HIDDEN, ACTIONS];
  for (let l = 0; l < 3; l++) {
    const [n, m] = [sizes[l]!, sizes[l + 1]!];
    for (let i = 0; i < n; i++) for (let j = 0; j < m; j++) yield `weight ${l + 1}.${i}.${j}`;
    for (let j = 0; j < m; j++) yield `bias ${l + 1}.${j}`;
  }
  for (let k = 0; k < ACTIONS; k++) yield `log spread ${k}`;
}

const space: Space = {
  columns: Array.from(names(), (name) => ({ kind: 'continuous', name, lower: -BOUND, upper: BOUND })),
};

export const hopperController: TaskDefinition = {
  id: ID,
  title: 'Hopper controller',
  summary:
    'A design is the 5,126 numbers of a policy network that moves a one-legged robot. Its score is the return of one ' +
    'episode of Hopper-v2 in MuJoCo, at most 1,000 steps, without noise.',
  paper: 'HopperController',
  datasets: [DATASET],
  provenance: {
    data: 'policies recorded in our own runs of PPO, because those of Design-Bench v0 are not public',
    scorer: 'the simulator itself: Hopper-v2 of Gym in MuJoCo 3.10.0',
    labels: 'scored',
  },
  isForTuning: false,

  async open(source) {
    const name = `${DATASET}/${FILE}`;
    const recorded = decodeDesigns(await source.read(DATASET, FILE), name);
    return {
      data: { x: recorded.x, y: recorded.y },
      space,
      async score(designs, report) {
        requireDesigns(space, designs);
        const simulator = await requireSimulator(source, ID);
        return simulator.score(hopper.id, designs, report);
      },
      secondScorers: {
        // the mean over eight starts near the one at rest
        async 'noisy-start'(designs, report) {
          requireDesigns(space, designs);
          const simulator = await requireSimulator(source, ID);
          return simulator.score(hopperNoisy.id, designs, report);
        },
      },
      range: rangeOfScores(recorded),
    };
  },
};
