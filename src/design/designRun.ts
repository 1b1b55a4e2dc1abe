/**
 * From a table to a batch: networks that leave out folds are trained and say how long training should be; the method
 * searches with all rows; the networks that it never met choose and judge the batch. Every piece of work is a step of
 * plain data, so that a run can stop anywhere and go on bit for bit.
 */

import type { Algorithm, AlgorithmState, Setup } from '../algorithm.js';
import { algorithms } from '../algorithms/index.js';
import { Advisor, type TrainedModel } from '../judging/advisor.js';
import { CrossTraining, type CrossTrainingState } from '../judging/crossTraining.js';
import { type Plan, planFor } from '../judging/plan.js';
import { scoreModels } from '../judging/scoreModel.js';
import { requireSupport } from '../judging/support.js';
import type { Engine } from '../numeric/engine.js';
import { foldKey, rootKey } from '../numeric/key.js';
import { openLinearAlgebra } from '../numeric/linalg.js';
import { smallest } from '../numeric/stats.js';
import { type DesignResult, describe } from './describe.js';
import { type DesignRequest, optionsFor, requireMethod } from './designRequest.js';
import type { Progress, Work } from './work.js';

export interface DesignState {
  /** One per score that is modelled, the objective first. */
  readonly validation: readonly CrossTrainingState[];
  readonly algorithm: AlgorithmState | null;
  /** Designs (n x d) met at some points of the search. */
  readonly pool: readonly Float64Array[];
  readonly curves: readonly Readonly<Record<string, number>>[];
}

/** Steps per piece of work. */
const TRAINING_PIECE = 25;
const SEARCH_PIECE = 5;

/** Points of the search at which its designs are kept for the choice of the batch. */
const KEPT = 6;

/** Costs of a step, for the share of the work that is done. */
const SEARCH_COST = 4;

/** Share of a run that is done when the batch is chosen and judged. */
export const BEFORE_ASSESSING = 0.97;

type AnyAlgorithm = Algorithm<Record<string, unknown>, AlgorithmState>;

export class DesignRun implements Work<DesignState, DesignResult> {
  private readonly method: AnyAlgorithm;
  private setup: Setup<Record<string, unknown>> | null = null;

  private constructor(
    readonly request: DesignRequest,
    private readonly engine: Engine,
    readonly plan: Plan,
    private readonly trainings: readonly CrossTraining[],
    private readonly models: readonly TrainedModel[],
  ) {
    this.method = algorithms[requireMethod(request.method)] as unknown as AnyAlgorithm;
  }

  /** Throws what `planOf` throws. */
  static open(request: DesignRequest, engine: Engine): DesignRun {
    const { problem, seed } = request;
    const plan = planOf(request);
    const key = foldKey(rootKey(seed), 'validation');
    const models = scoreModels(problem, plan, key);
    const trainings = models.map((model) => new CrossTraining(engine, model, foldKey(key, model.name)));
    const trained = models.map((model, i) => ({ model, networks: trainings[i]!.networks }));
    return new DesignRun(request, engine, plan, trainings, trained);
  }

  async start(): Promise<DesignState> {
    return {
      validation: this.trainings.map((training) => training.start()),
      algorithm: null,
      pool: [],
      curves: [],
    };
  }

  async advance(state: DesignState): Promise<DesignState> {
    const i = this.unvalidated(state);
    if (i >= 0) {
      const reached = await this.trainings[i]!.advance(state.validation[i]!, TRAINING_PIECE);
      return { ...state, validation: state.validation.with(i, reached) };
    }
    const setup = this.setupFor(state);
    if (!state.algorithm) {
      return {
        ...state,
        algorithm: await this.method.init(setup, foldKey(rootKey(this.request.seed), 'search')),
      };
    }
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

  isDone(state: DesignState): boolean {
    if (this.unvalidated(state) >= 0 || !state.algorithm) return false;
    return state.algorithm.iteration >= this.method.length(this.setupFor(state)).search;
  }

  /** A batch can be chosen from the first designs on. */
  canFinish(state: DesignState): boolean {
    return state.pool.length > 0;
  }

  progress(state: DesignState): Progress {
    const longest = this.plan.tried.at(-1)!;
    const i = this.unvalidated(state);
    const validated = state.validation.reduce(
      (sum, { step }, j) => sum + (i >= 0 && j >= i ? step : longest),
      0,
    );
    const [validation, training] = [longest * this.trainings.length, longest];
    const search = SEARCH_COST * this.plan.steps;
    const all = (validation + training + search) / BEFORE_ASSESSING;
    if (i >= 0) {
      const name = this.models[i]!.model.name;
      const detail = `training on parts of the rows${i === 0 ? '' : ` (${name})`}, step ${state.validation[i]!.step}`;
      return { stage: 'validate', fraction: validated / all, detail };
    }
    const length = this.method.length(this.setupFor(state));
    const iteration = state.algorithm?.iteration ?? -length.training;
    if (iteration < 0) {
      const done = 1 + iteration / Math.max(1, length.training);
      const detail = `training on all rows, step ${length.training + iteration} of ${length.training}`;
      return { stage: 'train', fraction: (validation + done * training) / all, detail };
    }
    const share = iteration / length.search;
    const detail = `searching, step ${iteration} of ${length.search}`;
    return { stage: 'search', fraction: (validation + training + share * search) / all, detail };
  }

  watch(state: DesignState): Readonly<Record<string, number>> | null {
    return state.curves.at(-1) ?? null;
  }

  async finish(state: DesignState): Promise<DesignResult> {
    state.validation.forEach(({ best }, i) => {
      this.models[i]!.networks.loadWeights(best!.weights);
    });
    const linalg = await openLinearAlgebra({ kernel: this.engine.kernel });
    const advisor = await Advisor.open(
      linalg,
      this.request.problem,
      this.models as [TrainedModel, ...TrainedModel[]],
    );
    return describe(advisor, {
      request: this.request,
      plan: this.plan,
      options: this.setupFor(state).options,
      validation: state.validation,
      pool: state.pool,
      curves: state.curves,
      isComplete: this.isDone(state),
    });
  }

  dispose(): void {
    for (const training of this.trainings) training.dispose();
  }

  private unvalidated(state: DesignState): number {
    return this.trainings.findIndex((training, i) => !training.isDone(state.validation[i]!));
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
      options: optionsFor(this.request, this.plan, validation[0]!.best!.steps),
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
