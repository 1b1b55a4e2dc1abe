/**
 * NEMO: normalized maximum likelihood for offline model-based optimisation.
 * Fu & Levine, ICLR 2021. Follows Alg. 2 (App. A.2.1); Alg. 1 with `objective: 'nml'`.
 * Departures from the paper and their reasons: docs/algorithms/nemo.md.
 *
 *   theta models   theta-bar targets   K bins   M batchSize   alpha_theta modelRate   alpha_x designRate
 *   tau targetRate   w queryWeight   mu the head's location   o its outputs, sigmoid((mu - k/K) / s)
 */
import {
  type Algorithm,
  type AlgorithmState,
  defineAlgorithm,
  type Preset,
  type Setup,
} from '../algorithm.js';
import { AmortizedCnml, type AmortizedCnmlState } from '../models/amortizedCnml.js';
import { type Assessment, Assessor } from '../models/assessment.js';
import { fitQuantizer, labelsOf } from '../models/quantizer.js';
import { ArgumentError, requireSteps } from '../numeric/errors.js';
import { foldKey } from '../numeric/key.js';
import { openLinearAlgebra } from '../numeric/linalg.js';
import { Stream, type StreamState } from '../numeric/random.js';
import { median } from '../numeric/stats.js';
import { choice, count, number, type OptionsOf, steps, widths } from '../options/option.js';
import { batchSize, box, startFrom } from '../options/searchOptions.js';
import { ascentMetrics } from '../search/ascent.js';
import { distinctDesigns } from '../search/distinctDesigns.js';
import { requireConverging } from '../search/divergence.js';
import { encode, isAllClasses } from '../search/encoding.js';
import { SearchSpace } from '../search/searchSpace.js';
import { Sessions } from '../search/session.js';

const nemoOptions = {
  bins: count(20, 'K, bins of the score (§4.2)'),
  batchSize: batchSize('M, designs that are optimised together'),
  hidden: widths([64, 64], 'Widths of the hidden layers, softplus'),
  modelRate: number(
    1e-4,
    `alpha_theta, Adam's rate for the models while designs move; 0 is the paper's "No NML"`,
    {
      least: 0,
    },
  ),
  designRate: number(
    'auto',
    "alpha_x, Adam's rate for the designs; columns are standardised, so 0.1 is a tenth of a standard deviation",
    { least: 0, words: { auto: '0.02, or 0.05 where all columns are classes' } },
  ),
  ascent: choice('adam', 'How designs climb', {
    adam: 'by Adam (Alg. 2), which moves every parameter alike',
    mahalanobis:
      'in steps of Mahalanobis length alpha_x sqrt(P), which move columns as they vary together in the data (beyond 512 parameters: as much as each of them varies)',
  }),
  targetRate: number(0.05, 'tau, share of the models that enters the targets at each iteration', {
    above: 0,
    most: 1,
  }),
  queryWeight: number(0.1, 'w, weight of the query against the mean of a minibatch', {
    least: 0,
    words: { row: '1/N (§4.1)' },
  }),
  modelSteps: count(1, 'Steps of the models per step of the designs'),
  pretrainSteps: steps(2000, 'Steps of pretraining on the data alone'),
  pretrainRate: number(3e-3, "Adam's rate in pretraining", { least: 0 }),
  minibatch: count(128, 'Rows of data per step'),
  scale: number('bin', "s, scale of the logistic; the paper's text has 1", {
    above: 0,
    words: { bin: '1/K' },
  }),
  headroom: number(0.3, "Room above the best score, as a share of the scores' range", { least: 0 }),
  head: choice('logistic', 'What each network predicts', {
    logistic: 'a discretised logistic (§4.2)',
    categorical: 'a softmax over the bins (App. A.3)',
  }),
  objective: choice('mu', 'What designs climb', {
    mu: 'the mean over models of mu (Alg. 2), or of the expected bin for the categorical head',
    nml: 'the expected score under conditional NML (Alg. 1)',
  }),
  steps: count(150, 'T, iterations after which a run ends'),
  startFrom: startFrom(
    'Which visible designs the search begins at; the paper: best in its results, worst in its figures',
  ),
  box: box(),
  twins: choice('part', 'Designs of classes that decode to the same sequence', {
    keep: 'stay as they are',
    part: 'all but one move to their next most likely sequence',
  }),
};

/** How the defaults were chosen: docs/algorithms/nemo.md. */
export type NemoOptions = OptionsOf<typeof nemoOptions>;

const wide = { bins: 40, hidden: [256, 256], modelRate: 0.05, designRate: 0.1 };
const robots = { bins: 20, hidden: [64, 64], modelRate: 0.005, designRate: 0.001 };

const presets: Readonly<Record<string, Preset<NemoOptions>>> = {
  tuned: {
    help: "chosen on visible data with their best rows hidden, Superconductor's by a prototype that had seen its scorer",
    byTask: {
      Superconductor: {
        hidden: [256, 256],
        modelRate: 5e-3,
        queryWeight: 0.3,
        pretrainSteps: 1500,
        pretrainRate: 1e-3,
        steps: 600,
      },
      MoleculeActivity: { steps: 15 },
      GFP: { ascent: 'mahalanobis', designRate: 0.16, minibatch: 64, pretrainSteps: 400, steps: 25 },
      HopperController: {
        designRate: 0.002,
        minibatch: 64,
        pretrainSteps: 400,
        pretrainRate: 3e-4,
        steps: 75,
      },
      AntMorphology: { ascent: 'mahalanobis', pretrainSteps: 400, steps: 25 },
      DKittyMorphology: { ascent: 'mahalanobis', pretrainSteps: 400, steps: 25 },
    },
  },
  paper: {
    help: 'what the paper prints (App. A.2.2, §4.2); what it leaves open is as in the defaults',
    options: { queryWeight: 'row', scale: 1, headroom: 0, box: null, twins: 'keep' },
    byTask: {
      Superconductor: wide,
      MoleculeActivity: wide,
      GFP: { bins: 40, hidden: [64, 64], modelRate: 0.005, designRate: 0.01 },
      HopperController: robots,
      AntMorphology: robots,
      DKittyMorphology: robots,
    },
  },
};

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

export const nemo: Algorithm<NemoOptions, NemoState> = defineAlgorithm({
  id: 'nemo',
  options: nemoOptions,
  presets,

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
