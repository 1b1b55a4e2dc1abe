import { ArgumentError } from '../numeric/errors.js';
import type { Robot } from '../simulation/robot.js';
import { robotOf } from '../simulation/robot.js';
import type { Space } from '../space/space.js';
import { decodeDesigns, rangeOfScores } from './designFile.js';
import type { Scorer, TaskDefinition } from './task.js';
import { requireDesigns, requireSimulator } from './task.js';

/** A task whose designs are bodies of a robot. Recorded designs come with the package; the truth is a simulation. */
export interface BodyTask
  extends Omit<TaskDefinition, 'datasets' | 'paper' | 'provenance' | 'isForTuning' | 'open'> {
  readonly robot: 'ant' | 'dkitty';
  /** Second scorers by name: the same body in other circumstances. */
  readonly otherRuns?: Readonly<Record<string, Robot['id']>>;
  readonly dataset: string;
  /** Of one leg; there are four. */
  readonly leg: readonly { readonly name: string; readonly lower: number; readonly upper: number }[];
}

const file = 'designs.bin';

export function bodyTask({ robot, otherRuns = {}, dataset, leg, ...description }: BodyTask): TaskDefinition {
  const space: Space = {
    columns: [1, 2, 3, 4].flatMap((number) =>
      leg.map(({ name, lower, upper }) => ({
        kind: 'continuous' as const,
        name: `leg ${number} ${name}`,
        lower,
        upper,
      })),
    ),
  };
  return {
    ...description,
    // Another controller gives other scores than the paper's.
    paper: null,
    datasets: [dataset],
    provenance: {
      data: 'the default body with noise, because the designs of Design-Bench are not public',
      scorer: 'the simulator itself: MuJoCo 3.10.0, with a frozen gait of ours as controller',
      labels: 'scored',
    },
    isForTuning: false,
    async open(source) {
      const recorded = decodeDesigns(await source.read(dataset, file), `${dataset}/${file}`);
      const { x, y, columns } = recorded;
      if (columns !== robotOf(robot).parameters)
        throw new ArgumentError(
          file,
          `${dataset}/${file} has ${columns} columns; ${robot} takes ${robotOf(robot).parameters}`,
        );
      const scorer =
        (id: Robot['id']): Scorer =>
        async (proposed, report) => {
          requireDesigns(space, proposed);
          const simulator = await requireSimulator(source, description.id);
          return simulator.score(id, proposed, report);
        };
      const secondScorers = Object.fromEntries(
        Object.entries(otherRuns).map(([name, id]) => [name, scorer(id)]),
      );
      return {
        data: { x, y },
        space,
        range: rangeOfScores(recorded),
        score: scorer(robot),
        ...(Object.keys(secondScorers).length > 0 && { secondScorers }),
      };
    },
  };
}
