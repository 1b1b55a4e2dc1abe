/**
 * From a table to a batch: networks that leave out folds are trained, a Gaussian process is fitted, and a rehearsal with
 * the best rows hidden says how much each may be believed; the method searches with all rows, and climbs of the judges
 * search the whole range; the judges choose the batch. Every piece of work is a step of plain data, so that a run can
 * stop anywhere and go on bit for bit.
 */

import type { Algorithm, AlgorithmState, Setup } from '../algorithm.js';
import { algorithms } from '../algorithms/index.js';
import { Advisor, type Judges } from '../judging/advisor.js';
import { CrossTraining, type CrossTrainingState } from '../judging/crossTraining.js';
import { cautionOf } from '../judging/dressRehearsal.js';
import {
  climbable,
  fitProcesses,
  rehearseJudges,
  restoreJudges,
  type SavedJudges,
} from '../judging/judges.js';
import { type Plan, planFor } from '../judging/plan.js';
import { objectiveModel, type ScoreModel } from '../judging/scoreModel.js';
import { requireSupport } from '../judging/support.js';
import type { CrossFit } from '../models/crossFit.js';
import type { SavedProcess } from '../models/processJudge.js';
import type { Engine } from '../numeric/engine.js';
import { foldKey, type Key, rootKey } from '../numeric/key.js';
import { type LinearAlgebra, openLinearAlgebra } from '../numeric/linalg.js';
import { smallest } from '../numeric/stats.js';
import { climbJudges, climbs, isLast } from './climb.js';
import { type DesignResult, describe } from './describe.js';
import { type DesignRequest, optionsFor, requireMethod } from './designRequest.js';
import type { Progress, Work } from './work.js';

export interface DesignState {
  readonly validation: CrossTrainingState;
  /** The processes, once they are fitted. */
  readonly processes: readonly SavedProcess[] | null;
  /** What the rehearsal made of them and of the networks. */
  readonly judges: SavedJudges | null;
  readonly algorithm: AlgorithmState | null;
  /** Designs (n x d) met at some points of the search, and by each climb of the judges. */
  readonly pool: readonly Float64Array[];
  /** Climbs that are done. */
  readonly climbed: number;
  readonly curves: readonly Readonly<Record<string, number>>[];
}

/** Steps per piece of work. */
const TRAINING_PIECE = 25;
const SEARCH_PIECE = 5;

/** Points of the search at which its designs are kept for the choice of the batch. */
const KEPT = 6;

/** Costs of a step, for the share of the work that is done. */
const SEARCH_COST = 4;
/** Of fitting and rehearsing, and of all climbs, against training. */
const JUDGING_COST = 0.5;
const CLIMBING_COST = 1;

/** Rows times columns up to which a climb has all its generations, rows that are asked, and generations at least. */
const USUAL_COST = 8000;
const MOST_ASKED = 1000;
/** Rows times columns up to which every climb asks about all rows. */
const ALL_ROWS_COST = 2500;
const MIN_GENERATIONS = 30;

/** Share of a run that is done when the batch is chosen and judged. */
export const BEFORE_ASSESSING = 0.97;

type AnyAlgorithm = Algorithm<Record<string, unknown>, AlgorithmState>;

export class DesignRun implements Work<DesignState, DesignResult> {
  private readonly method: AnyAlgorithm;
  private setup: Setup<Record<string, unknown>> | null = null;
  private judges: Judges | null = null;
  private linalg: LinearAlgebra | null = null;

  private constructor(
    readonly request: DesignRequest,
    private readonly engine: Engine,
    readonly plan: Plan,
    private readonly model: ScoreModel,
    private readonly training: CrossTraining,
  ) {
    this.method = algorithms[requireMethod(request.method)] as unknown as AnyAlgorithm;
  }

  /** Throws what `planOf` throws. */
  static open(request: DesignRequest, engine: Engine): DesignRun {
    const { problem, seed } = request;
    const plan = planOf(request);
    const key = foldKey(rootKey(seed), 'validation');
    const model = objectiveModel(problem, plan, key);
    const training = new CrossTraining(engine, model, foldKey(key, model.name));
    return new DesignRun(request, engine, plan, model, training);
  }

  async start(): Promise<DesignState> {
    return {
      validation: this.training.start(),
      processes: null,
      judges: null,
      algorithm: null,
      pool: [],
      climbed: 0,
      curves: [],
    };
  }

  async advance(state: DesignState): Promise<DesignState> {
    if (!this.training.isDone(state.validation))
      return { ...state, validation: await this.training.advance(state.validation, TRAINING_PIECE) };
    const { problem, seed } = this.request;
    const key = foldKey(rootKey(seed), 'judges');
    if (!state.processes)
      return { ...state, processes: fitProcesses(await this.algebra(), problem, this.model, key) };
    if (!state.judges) {
      const networks = this.networksOf(state);
      const judges = rehearseJudges(
        await this.algebra(),
        problem,
        this.model,
        networks,
        state.processes,
        key,
      );
      return { ...state, judges: await judges };
    }
    const setup = this.setupFor(state);
    if (!state.algorithm) {
      return {
        ...state,
        algorithm: await this.method.init(setup, foldKey(rootKey(seed), 'search')),
      };
    }
    if (this.isSearched(state)) return this.climb(state, key);
    const { iteration } = state.algorithm;
    const { search } = this.method.length(setup);
    const piece = iteration < 0 ? TRAINING_PIECE : SEARCH_PIECE;
    const next = smallest(
      this.stops(search).filter((t) => t > iteration),
      Math.min(iteration < 0 ? 0 : search, iteration + piece),
    );
    const algorithm = await this.method.step(state.algorithm, setup, next - iteration);
    const watched = await this.method.watch(algorithm, setup);
    return {
      ...state,
      algorithm,
      curves: [...state.curves, watched],
      pool: this.stops(search).includes(next)
        ? [...state.pool, this.method.propose(algorithm, setup)]
        : state.pool,
    };
  }

  /** The next climb of the judges. */
  private async climb(state: DesignState, key: Key): Promise<DesignState> {
    const { panel } = await this.judgesOf(state);
    const { data, space } = this.request.problem;
    const { population, generations: most } = this.plan.climb;
    const cost = Math.min(MOST_ASKED, data.y.length) * space.columns.length;
    const generations = Math.max(
      MIN_GENERATIONS,
      Math.round(most * Math.min(1, Math.sqrt(USUAL_COST / cost))),
    );
    const next = climbs[state.climbed]!;
    // of large tables only the last climbs see all rows, those that go to the tops
    const isRough = !isLast(next) && cost > ALL_ROWS_COST;
    const met = await climbJudges(this.request.problem, climbable(panel, isRough, key), next, {
      population,
      generations,
      key: foldKey(key, 'climb'),
      others: state.pool,
    });
    return { ...state, pool: [...state.pool, met], climbed: state.climbed + 1 };
  }

  isDone(state: DesignState): boolean {
    return this.isSearched(state) && state.climbed === climbs.length;
  }

  private isSearched(state: DesignState): boolean {
    if (!state.judges || !state.algorithm) return false;
    return state.algorithm.iteration >= this.method.length(this.setupFor(state)).search;
  }

  /** A batch can be chosen from the first designs on. */
  canFinish(state: DesignState): boolean {
    return state.pool.length > 0;
  }

  progress(state: DesignState): Progress {
    const longest = this.plan.tried.at(-1)!;
    const [judging, search] = [JUDGING_COST * longest, SEARCH_COST * this.plan.steps];
    const climbing = CLIMBING_COST * longest;
    const all = (2 * longest + judging + search + climbing) / BEFORE_ASSESSING;
    if (!this.training.isDone(state.validation)) {
      const { step } = state.validation;
      const detail = `training on parts of the rows, step ${step}`;
      return { stage: 'validate', fraction: step / all, detail };
    }
    if (!state.judges) {
      const detail = state.processes ? 'rehearsing without the best rows' : 'fitting a Gaussian process';
      return { stage: 'validate', fraction: (longest + (state.processes ? judging / 2 : 0)) / all, detail };
    }
    const before = longest + judging;
    const length = this.method.length(this.setupFor(state));
    const iteration = state.algorithm?.iteration ?? -length.training;
    if (iteration < 0) {
      const done = 1 + iteration / Math.max(1, length.training);
      const detail = `training on all rows, step ${length.training + iteration} of ${length.training}`;
      return { stage: 'train', fraction: (before + done * longest) / all, detail };
    }
    if (!this.isSearched(state)) {
      const share = iteration / length.search;
      const detail = `searching, step ${iteration} of ${length.search}`;
      return { stage: 'search', fraction: (before + longest + share * search) / all, detail };
    }
    const share = state.climbed / climbs.length;
    const detail = `searching the whole range, ${state.climbed} of ${climbs.length}`;
    return { stage: 'search', fraction: (before + longest + search + share * climbing) / all, detail };
  }

  watch(state: DesignState): Readonly<Record<string, number>> | null {
    return state.curves.at(-1) ?? null;
  }

  async finish(state: DesignState): Promise<DesignResult> {
    const judges = await this.judgesOf(state);
    const { problem, risk } = this.request;
    const chosen = risk ?? judges.rehearsed.risk;
    return describe(await Advisor.open(problem, this.model.encoding, judges, cautionOf[chosen]), {
      request: this.request,
      plan: this.plan,
      options: this.setupFor(state).options,
      validation: state.validation,
      judges: state.judges!,
      risk: chosen,
      model: this.model,
      pool: state.pool,
      curves: state.curves,
      isComplete: this.isDone(state),
    });
  }

  dispose(): void {
    this.training.dispose();
  }

  private async algebra(): Promise<LinearAlgebra> {
    this.linalg ??= await openLinearAlgebra({ kernel: this.engine.kernel });
    return this.linalg;
  }

  /** The networks that did best on unseen rows. */
  private networksOf({ validation }: DesignState): CrossFit {
    const { networks } = this.training;
    networks.loadWeights(validation.best!.weights);
    return networks;
  }

  private async judgesOf(state: DesignState): Promise<Judges> {
    const { problem } = this.request;
    const networks = this.networksOf(state);
    this.judges ??= restoreJudges(await this.algebra(), problem, this.model, networks, state.judges!);
    return this.judges;
  }

  /** Iterations at which designs are kept. */
  private stops(search: number): number[] {
    return Array.from({ length: KEPT }, (_, i) => Math.round(((i + 1) * search) / KEPT));
  }

  private setupFor({ validation }: DesignState): Setup<Record<string, unknown>> {
    const { data, space } = this.request.problem;
    this.setup ??= {
      data,
      space,
      options: optionsFor(this.request, this.plan, validation.best!.steps),
      engine: this.engine,
    };
    return this.setup;
  }
}

/**
 * How much a run computes. Throws `UnsupportedError` where the data are too few for anything and `ArgumentError` where
 * the method has no such option, so that it can be asked before anything is kept of a run.
 */
export function planOf(request: DesignRequest): Plan {
  const { problem, effort } = request;
  requireSupport(problem);
  const plan = planFor(effort, problem.data.y.length);
  optionsFor(request, plan, plan.tried[0]!);
  return plan;
}
