/**
 * Model inversion networks (MINs): learn which designs go with a score, and ask for the best score.
 * Kumar & Levine, NeurIPS 2020; settings as in the benchmark of Trabucco et al. 2022. Departures, cost and results:
 * docs/algorithms/mins.md.
 *
 *   G generator   D critic   z noise   y score, standardised   w(y) weights   M batchSize
 */
import {
  type Algorithm,
  type AlgorithmState,
  defineAlgorithm,
  type Preset,
  type Setup,
} from '../algorithm.js';
import { ConditionalGan, type GanState } from '../models/conditionalGan.js';
import { type InferenceState, InversionInference, split } from '../models/inversionInference.js';
import { scoreWeights } from '../models/scoreReweighting.js';
import { requireSteps } from '../numeric/errors.js';
import { foldKey } from '../numeric/key.js';
import { Stream, type StreamState } from '../numeric/random.js';
import { takeRows } from '../numeric/rows.js';
import type { StackState } from '../numeric/stack.js';
import { extent, fitStandardization, largest, median, standardize } from '../numeric/stats.js';
import { choice, count, number, type OptionsOf, steps, widths } from '../options/option.js';
import { batchSize, box, startFrom } from '../options/searchOptions.js';
import { copyAscent, startAscent } from '../search/ascent.js';
import { requireConverging } from '../search/divergence.js';
import { SearchSpace } from '../search/searchSpace.js';
import { Sessions } from '../search/session.js';

const minsOptions = {
  batchSize: batchSize('M, designs that are drawn'),
  hidden: widths([128, 128, 128], 'Widths of the hidden layers of generator and critic'),
  latent: count(32, 'Numbers of noise that a design is made of'),
  trainSteps: steps(5000, 'Minibatches; each trains the critic. N / minibatch of them are an epoch'),
  criticSteps: count(5, 'Steps of the critic per step of the generator'),
  trainRate: number(5e-4, "Adam's rate, with beta 0 and 0.9", { least: 0 }),
  minibatch: count(128, 'Rows of data per step'),
  bins: count(20, 'Bins of the scores, for w(y)'),
  temperature: number('auto', 'Standard deviations of the score over which w(y) falls by e', {
    above: 0,
    words: { auto: 'from the best to the 90th percentile' },
  }),
  weightLimit: number(5, 'Greatest w(y)', { above: 0 }),
  reweight: choice('rows', 'What w(y) does', {
    rows: 'rows are drawn with probability w(y)',
    losses: 'rows are drawn evenly and their losses multiplied by w(y)',
  }),
  relaxation: number(5, 'Temperature of relaxed one-hots in the first minibatch; 1 in the last', {
    least: 1,
  }),
  inferenceSteps: steps(
    0,
    'Steps over score and noise once designs are drawn (§3.2 of the paper); 0: the best visible score is asked for',
  ),
  inferenceRate: number(0.02, "Adam's rate for score and noise", { least: 0 }),
  forwardRate: number(1e-3, "Adam's rate for the forward model that inference needs", { least: 0 }),
  startFrom: startFrom('Which visible designs are proposed until any are drawn'),
  box: box('Designs stay where all but this share of the data lies, on either side of each column'),
};

export type MinsOptions = OptionsOf<typeof minsOptions>;

/** As released with the benchmark: 200 epochs, here of 17,014 rows. Hours, not minutes. */
const released: Partial<MinsOptions> = {
  hidden: [1024, 1024, 1024],
  trainSteps: 26_600,
  criticSteps: 10,
  trainRate: 2e-4,
  temperature: 0.1,
  reweight: 'losses',
  box: null,
};

const presets: Readonly<Record<string, Preset<MinsOptions>>> = {
  superconductor: { help: 'as released with Design-Bench: 200 epochs of Superconductor', options: released },
  tfbind8: { help: 'the same, 200 epochs of TFBind8', options: { ...released, trainSteps: 51_400 } },
  gfp: { help: 'the same, 200 epochs of GFP', options: { ...released, trainSteps: 7800 } },
  hopperController: {
    help: 'the same, 500 epochs of HopperController',
    options: { ...released, trainSteps: 12_500 },
  },
};

const advice = { training: 'lower trainRate', search: 'lower inferenceRate or trainRate' };

/** Plain data: survives structuredClone and bytes, and goes on bit for bit. */
export interface MinsState extends AlgorithmState, GanState {
  readonly stream: StreamState;
  /** The critic's last loss; 0 before the first. */
  readonly loss: number;
  /** The forward model, if there is to be inference. */
  readonly forward: StackState | null;
  /** Noise and scores of the designs, and the draws that choose their classes; empty before any are drawn. */
  readonly inference: InferenceState;
  readonly classNoise: Float64Array;
  /** M x d. */
  readonly proposals: Float64Array;
}

export const mins: Algorithm<MinsOptions, MinsState> = defineAlgorithm({
  id: 'mins',
  version: '0.2.0',
  options: minsOptions,
  presets,

  length({ options }) {
    return { training: options.trainSteps, search: 1 + options.inferenceSteps };
  },

  async init(setup, key) {
    const { options } = setup;
    const { search, gan, inference } = sessions.begin(setup);
    await search.prepare();
    gan.initialize(foldKey(key, 'weights'));
    inference?.initialize(foldKey(key, 'forward'));
    return sessions.hold(setup, {
      ...gan.state(),
      forward: inference?.state() ?? null,
      iteration: 0 - options.trainSteps,
      stream: new Stream(foldKey(key, 'draws')).state(),
      loss: 0,
      inference: startAscent(new Float64Array(0)),
      classNoise: new Float64Array(0),
      proposals: search.settle(search.start(options, foldKey(key, 'start'))),
    });
  },

  async step(state, setup, iterations = 1) {
    requireSteps('iterations', iterations);
    const { options } = setup;
    const session = sessions.change(setup, state);
    const { search, gan, inference } = session;
    await search.prepare();
    const stream = new Stream(state.stream);
    let { loss, classNoise, proposals } = state;
    let inferred = state.inference;
    const end = state.iteration + iterations;
    for (let t = state.iteration; t < end; t++) {
      if (t < 0) {
        loss = await train(session, options, stream, options.trainSteps + t);
        requireConverging([loss], 0, advice);
        continue;
      }
      if (t === 0) {
        classNoise = gan.classNoise(stream);
        inferred = startAscent(firstDraw(session, options, stream));
      } else if (inference) {
        inferred = copyAscent(inferred);
        await inference.climb(inferred, t, options.inferenceRate);
      }
    }
    if (end > 0 && end > state.iteration)
      proposals = await designs(session, options, inferred, classNoise, end);
    return sessions.hold(setup, {
      ...gan.state(),
      forward: inference?.state() ?? null,
      iteration: end,
      stream: stream.state(),
      loss,
      inference: inferred,
      classNoise,
      proposals,
    });
  },

  propose(state) {
    return state.proposals.slice();
  },

  async watch(state, setup) {
    const { iteration, loss: trainingLoss, inference } = state;
    if (iteration <= 0) return { iteration, trainingLoss };
    const { mean, scale } = sessions.of(setup).scores;
    const { y } = split(inference.designs, setup.options.batchSize, setup.options.latent);
    const asked = y.map((told) => mean[0]! + scale[0]! * told);
    return { iteration, trainingLoss, askedBest: largest(asked), askedMedian: median(asked) };
  },
});

const sessions = new Sessions(
  ({ data, space, options, engine }: Setup<MinsOptions>) => {
    const search = new SearchSpace(data, space, options);
    const { encoding } = search;
    const { hidden, latent, minibatch, batchSize, inferenceSteps } = options;
    const gan = new ConditionalGan(engine, { encoding, hidden, latent, minibatch, batchSize });
    const scores = fitStandardization(data.y, 1);
    const y = standardize(data.y, scores);
    const weights = scoreWeights(y, options);
    const inference = inferenceSteps > 0 ? new InversionInference(engine, gan, hidden) : null;
    return { search, gan, inference, scores, y, weights, sums: runningSums(weights) };
  },
  ({ gan, inference }, state: MinsState) => {
    gan.restore(state);
    if (state.forward) inference?.restore(state.forward);
  },
);

type Session = ReturnType<typeof sessions.of>;

function runningSums(weights: Float64Array): Float64Array {
  let sum = 0;
  return weights.map((w) => {
    sum += w;
    return sum;
  });
}

/** Minibatch number `done`, from 0. Returns the critic's loss. */
async function train(
  { search, gan, inference, y, weights, sums }: Session,
  options: MinsOptions,
  stream: Stream,
  done: number,
): Promise<number> {
  const { minibatch: B, trainSteps, criticSteps, trainRate, relaxation, reweight } = options;
  const N = y.length;
  const rows =
    reweight === 'rows'
      ? Uint32Array.from({ length: B }, () => firstAbove(sums, stream.uniform() * sums[N - 1]!))
      : stream.sampleWithReplacement(N, B);
  const parameters = takeRows(search.parameters, search.encoding.parameters, rows);
  const batch = {
    parameters,
    y: Float64Array.from(rows, (row) => y[row]!),
    weights: Float64Array.from(rows, (row) => (reweight === 'rows' ? 1 : weights[row]!)),
  };
  await inference?.train(batch.parameters, batch.y, options.forwardRate);
  return gan.train(batch, stream, {
    rate: trainRate,
    temperature: relaxation + (1 - relaxation) * (done / Math.max(1, trainSteps - 1)),
    isGeneratorTrained: (done + 1) % criticSteps === 0,
  });
}

/** Index of the first sum above `target`. */
function firstAbove(sums: Float64Array, target: number): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle]! > target) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Noise from its prior, and the best visible score: M x (latent + 1). */
function firstDraw({ y }: Session, { batchSize, latent }: MinsOptions, stream: Stream): Float64Array {
  const best = extent(y).max;
  return Float64Array.from({ length: batchSize * (latent + 1) }, (_, i) =>
    i % (latent + 1) === latent ? best : stream.normal(),
  );
}

async function designs(
  { gan, search }: Session,
  { batchSize, latent }: MinsOptions,
  inferred: InferenceState,
  classNoise: Float64Array,
  iteration: number,
): Promise<Float64Array> {
  const { z, y } = split(inferred.designs, batchSize, latent);
  requireConverging(z, iteration, advice);
  const parameters = await gan.draw(z, y, classNoise);
  requireConverging(parameters, iteration, advice);
  search.hold(parameters);
  return search.settle(parameters);
}
