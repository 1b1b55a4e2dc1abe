/**
 * CMA-ES on an ensemble: each of the best visible designs begins an evolution strategy of its own (Hansen 2016) that
 * climbs what bootstrapped networks say together, without gradients; the best design of each is proposed. The baseline
 * of that name in Design-Bench (Trabucco et al. 2022).
 * Departures from the public version and their reasons: docs/algorithms/cma-es.md.
 */
import {
  type Algorithm,
  type AlgorithmState,
  defineAlgorithm,
  type Preset,
  type Setup,
} from '../algorithm.js';
import { aggregateMeans } from '../models/aggregate.js';
import {
  type CmaEsState,
  cmaEsSettings,
  drawOffspring,
  nextGeneration,
  startCmaEs,
} from '../models/cmaEs.js';
import { makeNetworks, type RegressionState } from '../models/regressionNetworks.js';
import { requireSteps } from '../numeric/errors.js';
import { foldKey, splitKey } from '../numeric/key.js';
import { Stream, type StreamState } from '../numeric/random.js';
import { rowOf } from '../numeric/rows.js';
import { median } from '../numeric/stats.js';
import { choice, count, flag, number, type OptionsOf, steps, widths } from '../options/option.js';
import { batchSize, box, startFrom } from '../options/searchOptions.js';
import { ascentMetrics, distances } from '../search/ascent.js';
import { requireConverging } from '../search/divergence.js';
import { SearchSpace } from '../search/searchSpace.js';
import { Sessions } from '../search/session.js';

const cmaEsOptions = {
  networks: count(5, 'B, networks'),
  batchSize: batchSize('M, runs, and designs that are proposed'),
  hidden: widths([256, 256], 'Widths of the hidden layers'),
  activation: choice('softplus', 'After every hidden layer', {
    softplus: 'log(1 + e^x)',
    relu: 'max(0, x)',
    leakyRelu: 'slope 0.3 below 0',
  }),
  head: choice('mean', 'How the networks are fitted; their means are climbed', {
    mean: 'squared error',
    gaussian: 'mean and standard deviation by likelihood',
  }),
  bootstrap: flag(true, 'A resample of the rows for each network'),
  trainSteps: steps(5000, 'Steps of training; an epoch is N / minibatch of them'),
  trainRate: number(1e-3, "Adam's rate in training", { least: 0 }),
  minibatch: count(128, 'Rows of data per step and network'),
  steps: count(100, 'Generations of each run'),
  population: count('auto', 'lambda, designs per generation', {
    least: 4,
    words: { auto: '4 + floor(3 ln P), P numbers per design' },
  }),
  sigma: number(0.5, 'First step size, in standard deviations of the columns', { above: 0 }),
  fullUpTo: steps(
    100,
    'Whole covariance matrices up to this many numbers per design; variances alone beyond',
  ),
  startFrom: startFrom(),
  box: box(),
};

export type CmaEsOptions = OptionsOf<typeof cmaEsOptions>;

const presets: Readonly<Record<string, Preset<CmaEsOptions>>> = {
  designBench: {
    help: "Design-Bench's settings, 2022; trainSteps are 100 epochs at 17,014 rows (133 steps an epoch)",
    options: { hidden: [256], activation: 'leakyRelu', head: 'gaussian', trainSteps: 13_300, box: null },
  },
};

/** One run: its strategy, its random numbers, and the best design it has met. */
interface RunState extends CmaEsState {
  readonly stream: StreamState;
  /** P, inside the box. */
  readonly best: Float64Array;
  /** Of the aggregate, in the units of the scores; null before the first generation. */
  readonly bestValue: number | null;
}

/** Plain data: survives structuredClone and bytes, and goes on bit for bit. */
export interface CmaEsSearchState extends AlgorithmState {
  readonly stream: StreamState;
  readonly surrogate: RegressionState;
  readonly runs: readonly RunState[];
  /** M x d, inside the space. */
  readonly proposals: Float64Array;
}

const advice = { training: 'lower trainRate', search: 'lower sigma or trainRate' };

export const cmaEs: Algorithm<CmaEsOptions, CmaEsSearchState> = defineAlgorithm({
  id: 'cma-es',
  version: '0.2.0',
  options: cmaEsOptions,
  presets,

  length({ options }) {
    return { training: options.trainSteps, search: options.steps };
  },

  async init(setup, key) {
    const { search, models, settings } = sessions.begin(setup);
    const { bootstrap, trainSteps, batchSize, sigma } = setup.options;
    await search.prepare();
    models.initialize(foldKey(key, 'networks'), { bootstrap });
    const start = search.start(setup.options, foldKey(key, 'start'));
    const { n } = settings;
    const runs = splitKey(foldKey(key, 'runs'), batchSize).map((runKey, m): RunState => {
      const best = start.slice(m * n, (m + 1) * n);
      const stream = new Stream(runKey).state();
      return { ...startCmaEs(best, sigma, settings), stream, best, bestValue: null };
    });
    return sessions.hold(setup, {
      iteration: 0 - trainSteps,
      stream: new Stream(foldKey(key, 'minibatches')).state(),
      surrogate: models.state(),
      runs,
      proposals: search.settle(start),
    });
  },

  async step(state, setup, iterations = 1) {
    requireSteps('iterations', iterations);
    const session = sessions.change(setup, state);
    const { search, models } = session;
    await search.prepare();
    const stream = new Stream(state.stream);
    const end = state.iteration + iterations;
    let { runs } = state;
    for (let t = state.iteration; t < end; t++) {
      if (t < 0) {
        await models.train(models.draw(stream), setup.options.trainRate);
        if (t === -1) requireConverging([await models.dataLoss()], 0, advice);
      } else runs = await evolve(session, runs, t + 1);
    }
    return sessions.hold(setup, {
      iteration: end,
      stream: stream.state(),
      surrogate: models.state(),
      runs,
      proposals: end > 0 ? search.settle(bestOf(runs)) : state.proposals,
    });
  },

  propose(state) {
    return state.proposals.slice();
  },

  async watch(state, setup) {
    const { search, models } = sessions.read(setup, state);
    await search.prepare();
    const { iteration, runs } = state;
    const trainingLoss = await models.dataLoss();
    requireConverging([trainingLoss], iteration, advice);
    const values = runs.flatMap(({ bestValue }) => bestValue ?? []);
    if (values.length === 0) return { iteration, trainingLoss };
    return {
      iteration,
      trainingLoss,
      ...ascentMetrics(Float64Array.from(values), bestOf(runs), search.start(setup.options, null)),
      sigma: median(runs.map(({ sigma }) => sigma)),
    };
  },
});

/**
 * A generation of every run. A design outside of what the space allows is judged where it is moved to, less the mean
 * square of the move (both in standard deviations): the strategy then comes back by itself.
 */
async function evolve(
  session: ReturnType<typeof sessions.of>,
  runs: readonly RunState[],
  t: number,
): Promise<RunState[]> {
  const { search, models, settings, networks } = session;
  const { n, lambda } = settings;
  const streams = runs.map(({ stream }) => new Stream(stream));
  const offspring = runs.map((run, m) => drawOffspring(run, settings, streams[m]!));
  const held = new Float64Array(runs.length * lambda * n);
  offspring.forEach(({ x }, m) => {
    held.set(x, m * lambda * n);
  });
  if (search.isLimited) search.hold(held);
  requireConverging(held, t, advice);
  const values = aggregateMeans({ kind: 'mean' }, (await models.predictDesigns(held)).mean, networks);
  requireConverging(values, t, advice);
  const unit = models.scores.scale[0]!;
  return runs.map((run, m) => {
    const found = rowOf(values, lambda, m);
    const moved = distances(offspring[m]!.x, rowOf(held, lambda * n, m), n);
    const judged = found.map((v, k) => v - unit * moved[k]! ** 2);
    let { best, bestValue } = run;
    found.forEach((v, k) => {
      if (bestValue !== null && v <= bestValue) return;
      bestValue = v;
      best = held.slice((m * lambda + k) * n, (m * lambda + k + 1) * n);
    });
    const next = nextGeneration(run, settings, offspring[m]!, judged);
    return { ...next, stream: streams[m]!.state(), best, bestValue };
  });
}

function bestOf(runs: readonly RunState[]): Float64Array {
  const n = runs[0]!.best.length;
  const all = new Float64Array(runs.length * n);
  runs.forEach(({ best }, m) => {
    all.set(best, m * n);
  });
  return all;
}

const sessions = new Sessions(
  ({ data, space, options, engine }: Setup<CmaEsOptions>) => {
    const { networks, population, fullUpTo } = options;
    const search = new SearchSpace(data, space, options);
    const n = search.encoding.parameters;
    const settings = cmaEsSettings(n, {
      ...(population !== 'auto' && { lambda: population }),
      isSeparable: n > fullUpTo,
    });
    return { search, models: makeNetworks(engine, search, networks, options), networks, settings };
  },
  ({ models }, { surrogate }: CmaEsSearchState) => models.restore(surrogate),
);
