/** The judges of a run: fitted to a problem, or made again from what was saved of them. */
import type { CrossFit } from '../models/crossFit.js';
import { type ProcessData, ProcessJudge, type SavedProcess } from '../models/processJudge.js';
import { ArgumentError } from '../numeric/errors.js';
import { foldKey, type Key } from '../numeric/key.js';
import type { LinearAlgebra } from '../numeric/linalg.js';
import type { Problem } from '../problem/index.js';
import type { Judges } from './advisor.js';
import { luckOf, type Rehearsed, rehearse } from './dressRehearsal.js';
import { GoalsJudge, type ScoreJudge } from './goalsJudge.js';
import { NetworkJudge } from './networkJudge.js';
import { clumping, PastRows } from './novelty.js';
import { Panel, type PanelSettings } from './panel.js';
import type { ScoreModel } from './scoreModel.js';

/** Plain data. */
export interface SavedJudges {
  /** Of the objective, or of each goal where the objective is their desirability. */
  readonly processes: readonly SavedProcess[];
  readonly settings: PanelSettings;
  readonly rehearsed: Rehearsed;
}

/** What judges need to know of a problem. */
export type JudgedProblem = Pick<Problem, 'data' | 'space' | 'rule' | 'goalValues' | 'limits' | 'noise'>;

/** What a process of each score learns from. */
function processData(
  { data, rule, goalValues, noise }: JudgedProblem,
  { encoding }: ScoreModel,
): ProcessData[] {
  if (rule.kind === 'value') return [{ encoding, x: data.x, y: data.y, noise }];
  return goalValues.map((y) => ({ encoding, x: data.x, y, noise: null }));
}

export function fitProcesses(
  linalg: LinearAlgebra,
  problem: JudgedProblem,
  model: ScoreModel,
  key: Key,
): SavedProcess[] {
  // rows of many are drawn alike for all goals, so that a row is judged by all of them
  return processData(problem, model).map((data) => ProcessJudge.fit(linalg, data, key).saved);
}

interface Restored {
  readonly objective: ScoreJudge;
  readonly processes: readonly ProcessJudge[];
}

/** Throws `ArgumentError` where what was saved cannot be of this problem. */
function requireProcesses(saved: readonly SavedProcess[], scores: number, rows: number): void {
  const isOdd = ({ rows: kept, members }: SavedProcess) =>
    kept.length === 0 || members.length === 0 || kept.some((row) => row >= rows);
  if (saved.length === scores && !saved.some(isOdd)) return;
  throw new ArgumentError('model', 'the processes of the model are not those of the problem');
}

export function restoreProcesses(
  linalg: LinearAlgebra,
  problem: JudgedProblem,
  model: ScoreModel,
  saved: readonly SavedProcess[],
): Restored {
  const { rule, limits, data } = problem;
  const learned = processData(problem, model);
  requireProcesses(saved, learned.length, data.y.length);
  const processes = learned.map((of, i) => ProcessJudge.restore(linalg, of, saved[i]!));
  const objective = rule.kind === 'value' ? processes[0]! : new GoalsJudge(processes, rule, limits, data.y);
  return { objective, processes };
}

/** What the rehearsal finds, and the settings of the panel that follow from it. */
export async function rehearseJudges(
  linalg: LinearAlgebra,
  problem: JudgedProblem,
  model: ScoreModel,
  networks: CrossFit,
  processes: readonly SavedProcess[],
  key: Key,
): Promise<SavedJudges> {
  const { objective, processes: restored } = restoreProcesses(linalg, problem, model, processes);
  const judges = {
    gaussian: objective,
    networks: new NetworkJudge(networks, model.quantizer, objective.response),
  };
  const { data } = problem;
  const clumped = clumping(new PastRows(model.encoding, data.x).distances);
  const {
    settings,
    unseen: _,
    ...found
  } = await rehearse(judges, data, model.crossFitSpec.top, clumped, key);
  const luck = luckOf(linalg, restored[0]!, data, found.rankCorrelation, key);
  return { processes, settings, rehearsed: { ...found, luck } };
}

export function restoreJudges(
  linalg: LinearAlgebra,
  problem: JudgedProblem,
  model: ScoreModel,
  networks: CrossFit,
  { processes: saved, settings, rehearsed }: SavedJudges,
): Judges {
  const { objective, processes } = restoreProcesses(linalg, problem, model, saved);
  const panel = new Panel(
    objective,
    new NetworkJudge(networks, model.quantizer, objective.response),
    settings,
  );
  return { panel, goals: problem.rule.kind === 'value' ? [] : processes, rehearsed };
}

/**
 * The panel as a search may ask it, thousands of times: means are those of all rows, deviations, which cost far more, those
 * of a sketch of the process. `isRough`: the sketch speaks for it.
 */
export function climbable(panel: Panel, isRough: boolean, key: Key): Panel {
  const { gaussian, networks, settings } = panel;
  const sketch = gaussian.sketch(foldKey(key, 'sketch'));
  if (sketch === gaussian) return panel;
  if (isRough) return new Panel(sketch, networks, settings);
  const quick: ScoreJudge = {
    response: gaussian.response,
    noise: gaussian.noise,
    read: (x) => ({ mean: gaussian.means(x), deviation: sketch.read(x).deviation }),
    quick: () => gaussian.quick(),
    means: (x) => gaussian.means(x),
    together: (x, normals) => gaussian.together(x, normals),
    leaveOneOut: () => gaussian.leaveOneOut(),
    gammaOf: (deviation) => gaussian.gammaOf(deviation),
    relevance: (of) => gaussian.relevance(of),
    without: (hidden, of) => gaussian.without(hidden, of),
    sketch: () => sketch,
  };
  return new Panel(quick, networks, settings);
}
