/**
 * Train a surrogate of the score, then let designs climb it from rows of the data: what gradient ascent on one network,
 * on an ensemble and on a conservative network have in common.
 */
import { requireSteps } from '../numeric/errors.js';
import { foldKey, type Key } from '../numeric/key.js';
import { Stream, type StreamState } from '../numeric/random.js';
import { median } from '../numeric/stats.js';
import { type AscentState, ascend, distances, startAscent } from '../search/ascent.js';
import { requireConverging } from '../search/divergence.js';
import { type Encoding, isAllClasses } from '../search/encoding.js';
import type { SearchSpace, Start } from '../search/searchSpace.js';

/** Networks that stand for the score; `State` is plain data. */
export interface Surrogate<State> {
  initialize(key: Key): void;
  /** One step of training. */
  train(stream: Stream): Promise<void>;
  /** What training lowers, over the data. */
  dataLoss(): Promise<number>;
  /** Of what designs climb, M x P, at parameters M x P. */
  gradientAt(parameters: Float64Array): Promise<ArrayLike<number>>;
  /** What designs climb, in the units of the scores. */
  valueAt(parameters: Float64Array): Promise<Float64Array>;
  state(): State;
  restore(state: State): void;
}

export interface SurrogateAscentOptions extends Start {
  readonly trainSteps: number;
  readonly trainRate: number;
  readonly minibatch: number;
  readonly steps: number;
  readonly ascent: 'adam' | 'plain';
  readonly designRate: number | 'auto';
}

/** Plain data. */
export interface SurrogateAscentState<State> extends AscentState {
  readonly iteration: number;
  readonly stream: StreamState;
  readonly surrogate: State;
  /** M x d, inside the space. */
  readonly proposals: Float64Array;
}

/** What to change where the networks diverge. */
const advice = { training: 'lower trainRate', search: 'lower designRate or trainRate' };

export class SurrogateAscent<State> {
  private resident: SurrogateAscentState<State> | null = null;

  constructor(
    private readonly search: SearchSpace,
    private readonly surrogate: Surrogate<State>,
    private readonly options: SurrogateAscentOptions,
    /** Of each parameter of a design, P. */
    private readonly rates: Float64Array,
  ) {}

  async start(key: Key): Promise<SurrogateAscentState<State>> {
    const { search, surrogate, options } = this;
    await search.prepare(); // an infeasible space is refused before anything is trained
    this.resident = null;
    surrogate.initialize(foldKey(key, 'networks'));
    const designs = search.start(options, foldKey(key, 'start'));
    const stream = new Stream(foldKey(key, 'minibatches'));
    return this.leave(0 - options.trainSteps, stream, startAscent(designs), search.settle(designs));
  }

  async step(state: SurrogateAscentState<State>, iterations: number): Promise<SurrogateAscentState<State>> {
    requireSteps('iterations', iterations);
    const { search, surrogate, options, rates } = this;
    await search.prepare();
    this.enter(state);
    const stream = new Stream(state.stream);
    const end = state.iteration + iterations;
    const climbing = {
      designs: state.designs.slice(),
      firstMoment: state.firstMoment.slice(),
      secondMoment: state.secondMoment.slice(),
    };
    const { designs } = climbing;
    const settings = { ascent: options.ascent, rates };
    for (let t = state.iteration; t < end; t++) {
      if (t < 0) {
        await surrogate.train(stream);
        if (t === -1) requireConverging([await surrogate.dataLoss()], 0, advice);
        continue;
      }
      const slopes = await surrogate.gradientAt(designs);
      ascend(climbing, slopes, t + 1, settings);
      requireConverging(designs, t + 1, advice);
      if (search.isLimited) search.hold(designs);
    }
    return this.leave(end, stream, climbing, end > 0 ? search.settle(designs) : state.proposals);
  }

  async watch(state: SurrogateAscentState<State>): Promise<Record<string, number>> {
    const { search, surrogate, options } = this;
    await search.prepare();
    this.enter(state);
    this.resident = state;
    const { iteration } = state;
    const trainingLoss = await surrogate.dataLoss();
    requireConverging([trainingLoss], iteration, advice);
    if (iteration < 0) return { iteration, trainingLoss };
    const values = await surrogate.valueAt(state.designs);
    const start = search.start(options, null);
    return {
      iteration,
      trainingLoss,
      predictedBest: Math.max(...values),
      predictedMedian: median(values),
      moved: median(distances(state.designs, start, search.encoding.parameters)),
    };
  }

  /** Brings the networks into `state`; what comes next changes them. */
  private enter(state: SurrogateAscentState<State>): void {
    if (this.resident !== state) this.surrogate.restore(state.surrogate);
    this.resident = null;
  }

  private leave(
    iteration: number,
    stream: Stream,
    climbing: AscentState,
    proposals: Float64Array,
  ): SurrogateAscentState<State> {
    const surrogate = this.surrogate.state();
    const state = { iteration, stream: stream.state(), surrogate, ...climbing, proposals };
    this.resident = state;
    return state;
  }
}

/** 'auto': plain 0.01 for numbers and 0.1 for logits; Adam 0.02, or 0.05 where all columns are classes, as NEMO. */
export function designRatesOf(
  { ascent, designRate }: Pick<SurrogateAscentOptions, 'ascent' | 'designRate'>,
  { parameters, blocks, space }: Encoding,
): Float64Array {
  const rates = new Float64Array(parameters);
  if (designRate !== 'auto') return rates.fill(designRate);
  if (ascent === 'adam') return rates.fill(isAllClasses(space) ? 0.05 : 0.02);
  for (const { from, count, classes } of blocks) rates.fill(classes > 0 ? 0.1 : 0.01, from, from + count);
  return rates;
}
