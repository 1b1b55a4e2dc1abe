/**
 * Would this have worked on past data? The best rows of a table are hidden (measuredPool.ts); the judges that `design`
 * uses and two plain methods learn from the rest, and rank rows they have not seen.
 */
import { fitForest, predictTrees } from '../models/index.js';
import type { Engine } from '../numeric/engine.js';
import { foldKey, type Key, rootKey } from '../numeric/key.js';
import { openLinearAlgebra } from '../numeric/linalg.js';
import { nearestRows, rowOf } from '../numeric/rows.js';
import { extent } from '../numeric/stats.js';
import { turnOfEvents } from '../run.js';
import { type Encoding, encode, fitEncoding, modelInputs } from '../search/encoding.js';
import { CrossTraining } from './crossTraining.js';
import { cautionOf, rehearse } from './dressRehearsal.js';
import { fitProcesses, type JudgedProblem, restoreProcesses } from './judges.js';
import { type MeasuredPool, measuredPool, type PoolOptions, type Ranking, rankPool } from './measuredPool.js';
import { NetworkJudge } from './networkJudge.js';
import { clumping, PastRows } from './novelty.js';
import { jointOpinion } from './panel.js';
import { planFor } from './plan.js';
import { objectiveModel } from './scoreModel.js';
import { LEAST_ROWS } from './support.js';

export const rankingMethods = ['design', 'forest', 'nearest'] as const;
/** A model that `rehearse` tries; `design` is the one that proposes. */
export type RankingMethod = (typeof rankingMethods)[number];

export interface RehearsalOptions extends Required<PoolOptions> {
  readonly engine: Engine;
  readonly methods?: readonly RankingMethod[];
  /** Lengths of the lists that are looked at. Default: 10, 30, 100, 300, 1000 as far as there are rows. */
  readonly k?: readonly number[];
  readonly signal?: AbortSignal;
  /** Told what is being done, and the share of all that is done. */
  readonly onProgress?: (method: RankingMethod, share: number) => void;
}

/** What `rehearse` found: how many of the hidden best rows each model would have named. */
export interface Rehearsal {
  /** Counts of rows. */
  readonly seen: number;
  readonly hiddenTop: number;
  readonly withheld: number;
  readonly repeated: number;
  readonly undecided: number;
  /** The greatest score a method saw; hidden rows are above it. */
  readonly bestSeen: number;
  readonly methods: readonly {
    readonly method: RankingMethod;
    /** Among rows that were not seen. */
    readonly unseen: Ranking;
    /** Among all rows; here a method that merely remembers what it saw does well. */
    readonly all: Ranking;
  }[];
}

export async function rehearseRows(problem: JudgedProblem, options: RehearsalOptions): Promise<Rehearsal> {
  const { engine, methods = rankingMethods, k, signal, onProgress, ...cut } = options;
  const pool = measuredPool(problem.data, cut);
  const key = foldKey(rootKey(cut.seed), 'rehearsal');
  const ranked: Rehearsal['methods'][number][] = [];
  for (const [at, method] of methods.entries()) {
    signal?.throwIfAborted();
    onProgress?.(method, at / methods.length);
    const report = (share: number) => onProgress?.(method, (at + share) / methods.length);
    const scores = await scoresBy[method](pool, problem, {
      engine,
      key: foldKey(key, method),
      signal,
      report,
    });
    const known = async (x: Float64Array) => (x.length === pool.x.length ? scores : unseenOf(pool, scores));
    const lengths = k && { k };
    ranked.push({
      method,
      unseen: await rankPool(pool, known, { among: 'unseen', ...lengths }),
      all: await rankPool(pool, known, { among: 'all', ...lengths }),
    });
  }
  const countOf = (marks: Uint8Array) => marks.reduce((sum, mark) => sum + mark, 0);
  const hiddenTop = countOf(pool.isTop);
  return {
    seen: pool.visible.y.length,
    hiddenTop,
    withheld: countOf(pool.isUnseen) - hiddenTop,
    repeated: pool.repeated,
    undecided: pool.undecided,
    bestSeen: pool.visible.y.reduce((most, y) => Math.max(most, y)),
    methods: ranked,
  };
}

function unseenOf(pool: MeasuredPool, scores: Float64Array): Float64Array {
  return scores.filter((_, i) => pool.isUnseen[i] === 1);
}

/** What scoring a pool takes, besides the pool. */
interface Resources {
  readonly engine: Engine;
  readonly key: Key;
  readonly signal: AbortSignal | undefined;
  readonly report: (share: number) => void;
}

/** Scores of all rows of a pool, by a method that learns from its visible part alone. */
type PoolScorer = (pool: MeasuredPool, problem: JudgedProblem, resources: Resources) => Promise<Float64Array>;

/** Rows that are read out at a time. */
const READ_AT_ONCE = 1000;
/** Steps of training between two looks at the signal. */
const TRAINING_PIECE = 25;
const NEIGHBOURS = 5;
/** How much the process counts where rows are too few to find out. */
const USUAL_WEIGHT = 0.8;

const scoresBy: Readonly<Record<RankingMethod, PoolScorer>> = {
  /** What the batch of a run is chosen by: its judges, fitted to the visible rows. */
  async design({ visible, seen, x, y }, problem, { engine, key, signal, report }) {
    const scores = new Float64Array(y.length);
    const { min, max } = extent(visible.y);
    const plan = planFor('fast', visible.y.length);
    // rows that are all alike, or fewer than folds, teach nothing
    if (min === max || visible.y.length < plan.folds) return scores;
    const goalValues = problem.goalValues.map((values) => Float64Array.from(seen, (row) => values[row]!));
    const asSeen = { ...problem, data: visible, goalValues };
    const model = objectiveModel(asSeen, plan, key);
    const training = new CrossTraining(engine, model, foldKey(key, model.name));
    try {
      let state = training.start();
      while (!training.isDone(state)) {
        signal?.throwIfAborted();
        report((0.5 * state.step) / plan.tried.at(-1)!);
        state = await training.advance(state, TRAINING_PIECE);
      }
      training.networks.loadWeights(state.best!.weights);
      const linalg = await openLinearAlgebra({ kernel: engine.kernel });
      const { objective } = restoreProcesses(linalg, asSeen, model, fitProcesses(linalg, asSeen, model, key));
      const networks = new NetworkJudge(training.networks, model.quantizer, objective.response);
      const found =
        visible.y.length < LEAST_ROWS
          ? { weight: USUAL_WEIGHT, risk: 'balanced' as const }
          : await rehearse(
              { gaussian: objective, networks },
              visible,
              model.crossFitSpec.top,
              clumping(new PastRows(model.encoding, visible.x).distances),
              key,
            );
      const caution = cautionOf[found.risk];
      const d = problem.space.columns.length;
      for (let from = 0; from < y.length; from += READ_AT_ONCE) {
        await turnOfEvents();
        signal?.throwIfAborted();
        report(0.5 + (0.5 * from) / y.length);
        const part = x.subarray(from * d, (from + READ_AT_ONCE) * d);
        const { mean, deviation } = jointOpinion(
          objective.read(part),
          await networks.read(part),
          found.weight,
        );
        scores.set(
          mean.map((m, i) => m - caution * deviation[i]!),
          from,
        );
      }
      return scores;
    } finally {
      training.dispose();
    }
  },

  async forest({ visible, x }, { space }, { key }) {
    const encoding = fitEncoding(visible, space, { box: null });
    const columns = encoding.parameters;
    const data = { x: inputsOf(encoding, visible.x), y: visible.y, columns };
    return predictTrees(fitForest(data, { trees: 100, minLeaf: 3 }, key), inputsOf(encoding, x));
  },

  /** The mean score of the five nearest visible rows. */
  async nearest({ visible, x, y }, { space }, { signal, report }) {
    const encoding = fitEncoding(visible, space, { box: null });
    const P = encoding.parameters;
    const seen = inputsOf(encoding, visible.x);
    const asked = inputsOf(encoding, x);
    const scores = new Float64Array(y.length);
    for (let row = 0; row < y.length; row++) {
      if (row % READ_AT_ONCE === 0) {
        await turnOfEvents();
        signal?.throwIfAborted();
        report(row / y.length);
      }
      const near = nearestRows(seen, rowOf(asked, P, row), NEIGHBOURS);
      scores[row] = near.reduce((sum, neighbour) => sum + visible.y[neighbour.row]!, 0) / near.length;
    }
    return scores;
  },
};

function inputsOf(encoding: Encoding, x: Float64Array): Float64Array {
  return modelInputs(encoding, encode(encoding, x));
}
