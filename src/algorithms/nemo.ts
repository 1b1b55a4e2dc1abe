/**
 * NEMO: normalized maximum likelihood for offline model-based optimisation.
 * Fu & Levine, ICLR 2021. Alg. 2 (App. A.2.1), or Alg. 1 with `objective: 'nml'`. By default a second batch climbs the
 * conditional NML of a Gaussian process (models/exactNml.ts), and judges that were never climbed choose what is proposed
 * from all designs met (models/searchPanel.ts). Presets `lockstep` and `paper` are Alg. 2 alone.
 * Options and presets: options/nemoOptions.ts. Departures from the paper and their reasons: docs/algorithms/nemo.md.
 *
 *   theta models   theta-bar targets   K bins   M batchSize   alpha_theta modelRate   alpha_x designRate
 *   tau targetRate   w queryWeight   mu the head's location   o its outputs, sigmoid((mu - k/K) / s)
 */
import { type Algorithm, type AlgorithmState, defineAlgorithm, type Setup } from '../algorithm.js';
import { AmortizedCnml, type AmortizedCnmlState } from '../models/amortizedCnml.js';
import { type Assessment, Assessor } from '../models/assessment.js';
import { ExactNml, type ExactNmlSpec, type ExactNmlState } from '../models/exactNml.js';
import { breed, doNothing } from '../models/judgedProposal.js';
import { fitQuantizer, labelsOf } from '../models/quantizer.js';
import { SearchPanel } from '../models/searchPanel.js';
import { ArgumentError, requireSteps } from '../numeric/errors.js';
import { foldKey, type Key } from '../numeric/key.js';
import { openLinearAlgebra } from '../numeric/linalg.js';
import { Stream, type StreamState } from '../numeric/random.js';
import { largest, median } from '../numeric/stats.js';
import { type NemoOptions, nemoOptions, nemoPresets } from '../options/nemoOptions.js';
import { ascentMetrics, distances } from '../search/ascent.js';
import { concatenate } from '../search/candidates.js';
import { distinctDesigns } from '../search/distinctDesigns.js';
import { requireConverging } from '../search/divergence.js';
import { encode, isAllClasses } from '../search/encoding.js';
import { batchOf, careful, type MetDesigns, meet, noDesigns } from '../search/metDesigns.js';
import { SearchSpace } from '../search/searchSpace.js';
import { Sessions } from '../search/session.js';

export type { NemoOptions };

/** What to change where the networks diverge. */
const advice = {
  training: 'lower pretrainRate',
  search: 'lower modelRate, designRate or pretrainRate',
};

/** Plain data: survives structuredClone and bytes, and goes on bit for bit. */
export interface NemoState
  extends AlgorithmState,
    AmortizedCnmlState,
    Partial<Pick<ExactNmlState, 'rank' | 'climbs'>> {
  readonly stream: StreamState;
  /** M x d, where the space has more than bounds: parameters in float32 would not hold its constraints to 1e-9. */
  readonly proposals?: Float64Array;
  /** Of processes and judges, where there are any. */
  readonly key?: Key;
  /** The best designs met so far, where judges choose; once the search is over with variants of them. */
  readonly met?: MetDesigns;
  /** The part of the batch that judges do not choose: none of it, or all where they cannot rank rows. */
  readonly known?: Float64Array;
  readonly settling?: Settling;
  /** Of the batch that climbs a process beside the networks. */
  readonly beside?: ExactNmlState;
}

/** Whether a search has come to rest. */
interface Settling {
  readonly isOver: boolean;
  /** What was expected at each look so far. */
  readonly values: readonly number[];
}

/** Steps between two times that designs are judged, and between two looks at whether anything still rises. */
const JUDGE = 25;
const LOOK = 100;
/** Looks over which it has to rise, and looks before the first time it may end. */
const PATIENCE = 2;
const FIRST_END = 6;
/** Steps that a process is climbed for beside the networks. */
const BESIDE = 200;

/** NEMO (Fu & Levine, ICLR 2021). */
export const nemo: Algorithm<NemoOptions, NemoState> = defineAlgorithm({
  id: 'nemo',
  version: '0.7.0',
  options: nemoOptions,
  presets: nemoPresets,

  length(setup) {
    return { training: pretrainStepsOf(setup), search: setup.options.steps };
  },

  async init(setup, key) {
    const { options } = setup;
    const { models, beside, search, isJudged } = sessions.begin(setup);
    await search.prepare(); // an infeasible space is refused before anything is trained
    models.initialize(foldKey(key, 'weights'));
    const start = search.start(options, foldKey(key, 'start'));
    models.startFrom(start); // Alg. 2, x_0^{1:M}
    beside?.initialize(foldKey(key, 'beside'));
    beside?.startFrom(start);
    const proposals = search.isConstrained ? search.settle(models.designs()) : undefined;
    return sessions.hold(setup, {
      ...models.state(),
      iteration: 0 - pretrainStepsOf(setup),
      stream: new Stream(foldKey(key, 'minibatches')).state(),
      ...(proposals && { proposals }),
      ...((isJudged || beside || models instanceof ExactNml) && { key: [key[0], key[1]] as const }),
      ...(isJudged && { met: noDesigns }),
      ...(options.settle !== null && { settling: { isOver: false, values: [] } }),
      ...(beside && { beside: beside.state() }),
    });
  },

  async step(state, setup, iterations = 1) {
    requireSteps('iterations', iterations);
    const { options } = setup;
    const session = sessions.change(setup, state);
    const { models, beside, search } = session;
    await search.prepare();
    const stream = new Stream(state.stream);
    const end = state.iteration + iterations;
    const rate = designRateOf(setup);
    let { met, known, settling } = state;
    for (let t = state.iteration; t < end; t++) {
      if (t < 0) {
        await pretrain(setup, session, stream, t);
        if (t < -1) continue;
      }
      if (t <= 0 && met?.mean.length === 0) {
        const panel = await panelOf(setup, session, state.key!);
        ({ met, known } = await doNothing(setup, panel, state.key!));
        met = await judged(setup, session, state.key!, met);
      }
      if (t < 0 || settling?.isOver || isWhole(setup, known)) continue;
      if (models instanceof ExactNml) await climbExactly(setup, session, models, state.key!, rate);
      else await climbInLockstep(setup, models, stream, rate);
      if (beside && t < BESIDE) await climbExactly(setup, session, beside, state.key!, rate);
      for (const climbed of [models, ...(beside ? [beside] : [])]) {
        const designs = climbed.designs();
        requireConverging(designs, t + 1, advice);
        if (!search.isLimited) continue;
        search.hold(designs);
        climbed.placeDesigns(designs as Float64Array);
      }
      const isLast = t + 1 === options.steps;
      if (met && ((t + 1) % JUDGE === 0 || isLast)) met = await judged(setup, session, state.key!, met);
      if (settling && (t + 1) % LOOK === 0) settling = await look(setup, session, settling, met);
      // bringing thousands of variants back into constraints would cost more than the search
      if (met && !search.isConstrained && (isLast || settling?.isOver)) {
        const panel = await panelOf(setup, session, state.key!);
        met = await breed(setup, search, panel, state.key!, met);
      }
    }
    const hasMoved = search.isConstrained && end > 0;
    const proposals = hasMoved ? search.settle(models.designs()) : state.proposals;
    return sessions.hold(setup, {
      ...models.state(),
      iteration: end,
      stream: stream.state(),
      ...(proposals && { proposals }),
      ...(state.key && { key: state.key }),
      ...(met && { met }),
      ...(known && { known }),
      ...(settling && { settling }),
      ...(beside && { beside: beside.state() }),
    });
  },

  propose(state, setup) {
    if (state.met && state.met.mean.length > 0) return judgedBatch(setup, state.met, state.known);
    if (state.proposals) return state.proposals.slice();
    return state.iteration > 0
      ? proposalOf(setup, state.designs)
      : sessions.of(setup).search.settle(state.designs);
  },

  async watch(state, setup) {
    const session = sessions.read(setup, state);
    const { models, beside, search } = session;
    await search.prepare();
    const { iteration, met } = state;
    const trainingLoss = await models.dataLoss();
    requireConverging([trainingLoss], iteration, advice);
    if (iteration < 0) return { iteration, trainingLoss }; // the targets are not trained yet
    const start = search.start(setup.options, null);
    if (models instanceof ExactNml) {
      await models.open(setup.engine, await scoresOf(setup, session, state.key!), state.key!);
      const { networks, process } = models.phantomRows;
      return {
        iteration,
        trainingLoss,
        moved: median(distances(state.designs, start, search.encoding.parameters)),
        phantomRows: setup.options.estimator === 'gp' ? process : networks,
        ...(met && (await expectations(setup, session, state))),
      };
    }
    const { mean, spread, gamma } = await models.read(models.seenDesigns());
    const { moved, ...predicted } = ascentMetrics(mean, state.designs, start);
    await beside?.open(setup.engine, await scoresOf(setup, session, state.key!), state.key!);
    return {
      iteration,
      trainingLoss,
      ...predicted,
      spread: median(spread),
      moved,
      gamma: median(gamma),
      ...(beside && { phantomRows: beside.phantomRows.process }),
      ...(met && (await expectations(setup, session, state))),
    };
  },
});

/** A step of training before the search, `t` from -training to -1. */
async function pretrain(
  setup: Setup<NemoOptions>,
  { models }: Session,
  stream: Stream,
  t: number,
): Promise<void> {
  const { data, options } = setup;
  if (models instanceof ExactNml) {
    const of = pretrainStepsOf(setup);
    await models.pretrain(stream, options.pretrainRate, of + t + 1, of);
  } else {
    const batch = stream.sampleWithReplacement(data.y.length, options.minibatch);
    await models.pretrain(batch, options.pretrainRate); // Alg. 2, pretrain theta on D
  }
  if (t < -1) return;
  requireConverging([await models.dataLoss()], 0, advice);
  if (models instanceof AmortizedCnml) models.copyToTargets(); // Alg. 2, theta-bar <- theta
}

/** The body of Alg. 2. */
async function climbInLockstep(
  { data, options }: Setup<NemoOptions>,
  models: AmortizedCnml,
  stream: Stream,
  rate: number,
): Promise<void> {
  const { bins: K, batchSize: M, minibatch, modelRate, targetRate, modelSteps } = options;
  for (let step = 1; modelRate > 0 && step <= modelSteps; step++) {
    const batch = stream.sampleWithReplacement(data.y.length, minibatch);
    const queries = stream.sampleWithReplacement(M, K); // Alg. 2, x' ~ x_t^{1:M}, for each k
    const tau = step === modelSteps ? targetRate : 0; // Alg. 2, theta-bar <- tau theta + (1 - tau) theta-bar
    await models.train(batch, queries, { rate: modelRate, targetRate: tau });
  }
  await models.climb(rate, options.ascent); // Alg. 2, x_t^m by Adam on g_x, for each m
}

/** One step of designs up exact conditional NML. */
async function climbExactly(
  setup: Setup<NemoOptions>,
  session: Session,
  models: ExactNml,
  key: Key,
  rate: number,
): Promise<void> {
  await models.open(setup.engine, await scoresOf(setup, session, key), key);
  await models.climb(rate);
}

/** Over, where what is expected did not rise by `settle` between the last looks. */
async function look(
  { options }: Setup<NemoOptions>,
  { models, quantizer }: Session,
  { values }: Settling,
  met: MetDesigns | undefined,
): Promise<Settling> {
  const { low, high } = quantizer;
  const now = [...values];
  if (met) now.push(meanOf(careful(met)));
  else if (models instanceof ExactNml) now.push(median(models.estimates()));
  else now.push((median((await models.read(models.seenDesigns())).mean) - low) / (high - low));
  const before = now.at(-1 - PATIENCE);
  const isOver = now.length >= FIRST_END && before !== undefined && !(now.at(-1)! - before > options.settle!);
  return { isOver, values: now };
}

/** The designs where they are, judged and added to those that were met. */
async function judged(setup: Setup<NemoOptions>, session: Session, key: Key, met: MetDesigns) {
  const panel = await panelOf(setup, session, key);
  let all = met;
  for (const climbed of [session.models, ...(session.beside ? [session.beside] : [])]) {
    const x = proposalOf(setup, climbed.designs());
    all = meet(all, { x, ...panel.read(x) }, setup.options.batchSize);
  }
  return all;
}

const meanOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** What the judges expect of the designs that are proposed. */
async function expectations(setup: Setup<NemoOptions>, session: Session, state: NemoState) {
  const { key, met, known } = state;
  const panel = await panelOf(setup, session, key!);
  const { mean } = panel.read(judgedBatch(setup, met!, known));
  return { expectedBest: panel.scoreOf(largest(mean)), expectedMedian: panel.scoreOf(median(mean)) };
}

/** Whether the part of the batch that judges do not choose is all of it. */
const isWhole = ({ options, space }: Setup<NemoOptions>, known: Float64Array | undefined) =>
  known?.length === options.batchSize * space.columns.length;

/** What needs no judge, and what judges like best. */
function judgedBatch(
  setup: Setup<NemoOptions>,
  met: MetDesigns,
  known: Float64Array = new Float64Array(),
): Float64Array {
  if (isWhole(setup, known)) return known.slice();
  const rest = setup.options.batchSize - known.length / setup.space.columns.length;
  return concatenate(known, batchOf(met, rest, known));
}

/** Judges that the search never climbs, made once per setup and key. */
async function panelOf(setup: Setup<NemoOptions>, session: Session, key: Key): Promise<SearchPanel> {
  const known = session.panel.made;
  if (known && known.key[0] === key[0] && known.key[1] === key[1]) return known.panel;
  const linalg = await openLinearAlgebra({ kernel: setup.engine.kernel });
  const panel = SearchPanel.fit(linalg, session.search, foldKey(key, 'judges'));
  session.panel.made = { key, panel };
  return panel;
}

/** Scores on the scale of the judges; as they are where nothing can be judged. */
async function scoresOf(setup: Setup<NemoOptions>, session: Session, key: Key): Promise<Float64Array> {
  return SearchPanel.canJudge(session.search)
    ? (await panelOf(setup, session, key)).scores
    : Float64Array.from(setup.data.y);
}

/** Designs of parameters, M x P to M x d. */
function proposalOf(setup: Setup<NemoOptions>, designs: Float32Array | Float64Array): Float64Array {
  const { search } = sessions.of(setup);
  return setup.options.twins === 'part' && isAllClasses(setup.space) && !search.isConstrained
    ? distinctDesigns(search.encoding, designs)
    : search.settle(designs);
}

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
  if (models instanceof ExactNml) {
    throw new ArgumentError(
      'estimator',
      `designs are assessed with the amortised estimator, not with "${options.estimator}"`,
    );
  }
  const linalg = await openLinearAlgebra({ kernel: setup.engine.kernel });
  const head = { bins: options.bins, scale: scaleOf(options) };
  const assessor = await Assessor.fit(linalg, models, head, quantizer, search.parameters, labels);
  return assessor.assess(encode(models.encoding, x));
}

type Session = ReturnType<typeof sessionOf>;

function sessionOf({ data, space, options, engine }: Setup<NemoOptions>) {
  const { estimator, bins, head, hidden, objective, minibatch, batchSize, networks, phantomRows } = options;
  const search = new SearchSpace(data, space, options);
  const quantizer = fitQuantizer(data.y, options);
  const labels = labelsOf(data.y, quantizer, data.censored);
  const exact = (kind: ExactNmlSpec['estimator']) =>
    new ExactNml(engine, {
      ...{ estimator: kind, search, hidden, labels, minibatch, batchSize, networks, phantomRows },
      head: { bins, scale: scaleOf(options) },
    });
  const models =
    estimator === 'amortised' || estimator === 'amortised+gp'
      ? new AmortizedCnml(engine, {
          encoding: search.encoding,
          quantizer,
          head: head === 'logistic' ? { kind: head, bins, scale: scaleOf(options) } : { kind: head, bins },
          hidden,
          objective,
          parameters: search.parameters,
          labels,
          minibatch,
          batchSize,
          queryWeight: queryWeightOf(options, data.y.length),
        })
      : exact(estimator);
  const canJudge = SearchPanel.canJudge(search);
  const beside = estimator === 'amortised+gp' && canJudge ? exact('gp') : null;
  const isJudged = options.proposal === 'judged' && canJudge;
  const panel: { made: { readonly key: Key; readonly panel: SearchPanel } | null } = { made: null };
  return { models, beside, search, quantizer, labels, isJudged, panel };
}

const sessions = new Sessions(sessionOf, ({ models, beside }, state: NemoState) => {
  if (state.beside) beside?.restore(state.beside);
  if (models instanceof ExactNml) models.restore(state as unknown as ExactNmlState);
  else models.restore(state, Math.max(0, state.iteration));
});

/** m of amortised networks. */
const AMORTISED_ROWS = 30;

function queryWeightOf({ queryWeight, phantomRows }: NemoOptions, N: number): number {
  if (queryWeight === 'row') return 1 / N;
  if (queryWeight !== 'phantom') return queryWeight;
  return (phantomRows === 'auto' ? AMORTISED_ROWS : phantomRows) / N;
}

/** Training that wide tables can afford. */
function pretrainStepsOf(setup: Setup<NemoOptions>): number {
  const { estimator, pretrainSteps } = setup.options;
  if (estimator === 'gp') return 0;
  if (pretrainSteps !== 'auto') return pretrainSteps;
  const { parameters } = sessions.of(setup).search.encoding;
  return Math.max(600, Math.min(2000, Math.round(800_000 / parameters)));
}

function scaleOf({ scale, bins }: NemoOptions): number {
  return scale === 'bin' ? 1 / bins : scale;
}

function designRateOf({ options: { designRate }, space }: Setup<NemoOptions>): number {
  if (designRate !== 'auto') return designRate;
  return isAllClasses(space) ? 0.05 : 0.02;
}
