/**
 * NEMO: normalized maximum likelihood for offline model-based optimisation.
 * Fu & Levine, ICLR 2021. Follows Alg. 2 (App. A.2.1); Alg. 1 with `objective: 'nml'`.
 * Options and presets: options/nemoOptions.ts. Departures from the paper and their reasons: docs/algorithms/nemo.md.
 *
 *   theta models   theta-bar targets   K bins   M batchSize   alpha_theta modelRate   alpha_x designRate
 *   tau targetRate   w queryWeight   mu the head's location   o its outputs, sigmoid((mu - k/K) / s)
 */
import { type Algorithm, type AlgorithmState, defineAlgorithm, type Setup } from '../algorithm.js';
import { AmortizedCnml, type AmortizedCnmlState } from '../models/amortizedCnml.js';
import { type Assessment, Assessor } from '../models/assessment.js';
import { fitQuantizer, labelsOf } from '../models/quantizer.js';
import { ArgumentError, requireSteps } from '../numeric/errors.js';
import { foldKey } from '../numeric/key.js';
import { openLinearAlgebra } from '../numeric/linalg.js';
import { Stream, type StreamState } from '../numeric/random.js';
import { median } from '../numeric/stats.js';
import { type NemoOptions, nemoOptions, nemoPresets } from '../options/nemoOptions.js';
import { ascentMetrics } from '../search/ascent.js';
import { distinctDesigns } from '../search/distinctDesigns.js';
import { requireConverging } from '../search/divergence.js';
import { encode, isAllClasses } from '../search/encoding.js';
import { SearchSpace } from '../search/searchSpace.js';
import { Sessions } from '../search/session.js';

export type { NemoOptions };

/** What to change where the networks diverge. */
const advice = {
  training: 'lower pretrainRate',
  search: 'lower modelRate, designRate or pretrainRate',
};

/** Plain data: survives structuredClone and bytes, and goes on bit for bit. */
export interface NemoState extends AlgorithmState, AmortizedCnmlState {
  readonly stream: StreamState;
  /** M x d, where the space has more than bounds: parameters in float32 would not hold its constraints to 1e-9. */
  readonly proposals?: Float64Array;
}

/** NEMO (Fu & Levine, ICLR 2021), Alg. 2. */
export const nemo: Algorithm<NemoOptions, NemoState> = defineAlgorithm({
  id: 'nemo',
  options: nemoOptions,
  presets: nemoPresets,

  length({ options }) {
    return { training: options.pretrainSteps, search: options.steps };
  },

  async init(setup, key) {
    const { options } = setup;
    const { models, search } = sessions.begin(setup);
    await search.prepare(); // an infeasible space is refused before anything is trained
    models.initialize(foldKey(key, 'weights'));
    models.startFrom(search.start(options, foldKey(key, 'start'))); // Alg. 2, x_0^{1:M}
    const proposals = search.isConstrained ? search.settle(models.designs()) : undefined;
    return sessions.hold(setup, {
      ...models.state(),
      iteration: 0 - options.pretrainSteps,
      stream: new Stream(foldKey(key, 'minibatches')).state(),
      ...(proposals && { proposals }),
    });
  },

  async step(state, setup, iterations = 1) {
    requireSteps('iterations', iterations);
    const { data, options } = setup;
    const { bins: K, batchSize: M, minibatch, modelRate, targetRate, modelSteps } = options;
    const designRate = designRateOf(setup);
    const { models, search } = sessions.change(setup, state);
    await search.prepare();
    const stream = new Stream(state.stream);
    const end = state.iteration + iterations;
    for (let t = state.iteration; t < end; t++) {
      if (t < 0) {
        const batch = stream.sampleWithReplacement(data.y.length, minibatch);
        await models.pretrain(batch, options.pretrainRate); // Alg. 2, pretrain theta on D
        if (t === -1) {
          requireConverging([await models.dataLoss()], 0, advice);
          models.copyToTargets(); // Alg. 2, theta-bar <- theta
        }
        continue;
      }
      for (let step = 1; modelRate > 0 && step <= modelSteps; step++) {
        const batch = stream.sampleWithReplacement(data.y.length, minibatch);
        const queries = stream.sampleWithReplacement(M, K); // Alg. 2, x' ~ x_t^{1:M}, for each k
        const tau = step === modelSteps ? targetRate : 0; // Alg. 2, theta-bar <- tau theta + (1 - tau) theta-bar
        await models.train(batch, queries, { rate: modelRate, targetRate: tau });
      }
      await models.climb(designRate, options.ascent); // Alg. 2, x_t^m by Adam on g_x, for each m
      const designs = models.designs();
      requireConverging(designs, t + 1, advice);
      if (search.isLimited) {
        search.hold(designs);
        models.placeDesigns(designs);
      }
    }
    const hasMoved = search.isConstrained && end > 0;
    const proposals = hasMoved ? search.settle(models.designs()) : state.proposals;
    return sessions.hold(setup, {
      ...models.state(),
      iteration: end,
      stream: stream.state(),
      ...(proposals && { proposals }),
    });
  },

  propose(state, setup) {
    if (state.proposals) return state.proposals.slice();
    const { search } = sessions.of(setup);
    return setup.options.twins === 'part' && state.iteration > 0 && isAllClasses(setup.space)
      ? distinctDesigns(search.encoding, state.designs)
      : search.settle(state.designs);
  },

  async watch(state, setup) {
    const { models, search } = sessions.read(setup, state);
    await search.prepare();
    const { iteration } = state;
    const trainingLoss = await models.dataLoss();
    requireConverging([trainingLoss], iteration, advice);
    if (iteration < 0) return { iteration, trainingLoss }; // the targets are not trained yet
    const { mean, spread, gamma } = await models.read(models.seenDesigns());
    const { moved, ...predicted } = ascentMetrics(mean, state.designs, search.start(setup.options, null));
    return {
      iteration,
      trainingLoss,
      ...predicted,
      spread: median(spread),
      moved,
      gamma: median(gamma),
    };
  },
});

/**
 * Expected score, 80 % interval and Gamma of any designs (n x d, in the units of the data), as people are shown them:
 * by exact-style CNML of a last layer, not by the amortised networks. Needs the logistic head.
 */
export async function assessDesigns(
  state: NemoState,
  setup: Setup<NemoOptions>,
  x: ArrayLike<number>,
): Promise<Assessment> {
  const { options } = setup;
  if (state.iteration < 0) {
    throw new ArgumentError(
      'state',
      `designs are assessed once the networks are trained; this state has ${-state.iteration} steps of training ahead`,
    );
  }
  if (options.head !== 'logistic') {
    throw new ArgumentError(
      'head',
      `designs are assessed with the logistic head, not the ${options.head} one`,
    );
  }
  const { models, search, quantizer, labels } = sessions.read(setup, state);
  const linalg = await openLinearAlgebra({ kernel: setup.engine.kernel });
  const head = { bins: options.bins, scale: scaleOf(options) };
  const assessor = await Assessor.fit(linalg, models, head, quantizer, search.parameters, labels);
  return assessor.assess(encode(models.encoding, x));
}

const sessions = new Sessions(
  ({ data, space, options, engine }: Setup<NemoOptions>) => {
    const { bins, head, queryWeight, hidden, objective, minibatch, batchSize } = options;
    const search = new SearchSpace(data, space, options);
    const quantizer = fitQuantizer(data.y, options);
    const labels = labelsOf(data.y, quantizer, data.censored);
    const models = new AmortizedCnml(engine, {
      encoding: search.encoding,
      quantizer,
      head: head === 'logistic' ? { kind: head, bins, scale: scaleOf(options) } : { kind: head, bins },
      hidden,
      objective,
      parameters: search.parameters,
      labels,
      minibatch,
      batchSize,
      queryWeight: queryWeight === 'row' ? 1 / data.y.length : queryWeight,
    });
    return { models, search, quantizer, labels };
  },
  ({ models }, state: NemoState) => models.restore(state, Math.max(0, state.iteration)),
);

function scaleOf({ scale, bins }: NemoOptions): number {
  return scale === 'bin' ? 1 / bins : scale;
}

function designRateOf({ options: { designRate }, space }: Setup<NemoOptions>): number {
  if (designRate !== 'auto') return designRate;
  return isAllClasses(space) ? 0.05 : 0.02;
}
