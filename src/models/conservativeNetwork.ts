/**
 * A network that is taught not to promise much where designs would climb to (conservative objective models, Trabucco
 * et al. 2021). Beside the squared error it is trained to say less at adversaries, x-, than at the data, x:
 *
 *     mean (f(x) - y)^2 + alpha (mean f(x-) - mean f(x))                          (their Eq. 3 and §4.2)
 *
 * x- are the rows of the minibatch after some steps of plain ascent on f. alpha is a Lagrange multiplier: it grows
 * while the overestimation mean f(x-) - mean f(x) is above tau, and shrinks below. Scores are standardised.
 */
import { adamCorrection, adamMove } from '../numeric/adam.js';
import type { Engine, Program } from '../numeric/engine.js';
import { gradient } from '../numeric/gradient.js';
import { type Activation, add, apply, constant, multiply, scale, subtract, value } from '../numeric/graph.js';
import { foldKey, type Key } from '../numeric/key.js';
import { portableExp, portableLog } from '../numeric/portable.js';
import type { Stream } from '../numeric/random.js';
import { takeRows } from '../numeric/rows.js';
import type { NetworkStack, StackState } from '../numeric/stack.js';
import { fitStandardization, mean, type Standardization, standardize } from '../numeric/stats.js';
import type { Variable } from '../numeric/variable.js';
import {
  type Encoding,
  isBounded,
  modelInputs,
  modelInputsOf,
  project,
  roundToGrid,
} from '../search/encoding.js';
import { evenly } from '../search/rowSubset.js';
import { DesignGradient, type Minibatch, NetworkFit, ROWS_JUDGED } from './networkFit.js';

export interface ConservativeSpec extends MultiplierSettings {
  readonly encoding: Encoding;
  readonly hidden: readonly number[];
  readonly activation: Activation;
  /** Parameters of the data's designs, N x P. */
  readonly parameters: Float64Array;
  /** N. */
  readonly y: Float64Array;
  /** Rows of data per step, and adversaries. */
  readonly minibatch: number;
  /** M, designs whose gradient is taken together. */
  readonly batchSize: number;
  readonly trainRate: number;
  /** Steps of ascent that make an adversary of a row. */
  readonly adversarySteps: number;
  /** Such a step is this times sqrt(P) times the gradient. */
  readonly adversaryRate: number;
  /** alpha at the beginning. */
  readonly alpha: number;
}

/** Plain data. */
export interface ConservativeState {
  readonly networks: StackState;
  readonly multiplier: Multiplier;
  /** mean f(x-) - mean f(x) of the last minibatch. */
  readonly overestimation: number;
}

export class ConservativeNetwork {
  readonly scores: Standardization;
  private readonly N: number;
  private readonly targets: Float64Array;
  private readonly stack: NetworkStack;
  private readonly batch: Minibatch;
  private readonly adversaries: Variable;
  private readonly alpha: Variable;
  private readonly gaps: Variable;
  private readonly designs: Variable;
  private readonly designGradient: DesignGradient;
  private readonly programs: Record<'oppose' | 'train', Program>;
  private multiplier: Multiplier;
  private overestimation = 0;

  constructor(
    engine: Engine,
    private readonly spec: ConservativeSpec,
  ) {
    const { encoding, hidden, activation, y, minibatch: B, batchSize: M } = spec;
    const P = encoding.parameters;
    this.N = y.length;
    this.scores = fitStandardization(y, 1);
    this.targets = standardize(y, this.scores);
    this.multiplier = startMultiplier(spec.alpha);
    const fit = new NetworkFit(engine, {
      encoding,
      parameters: spec.parameters,
      labels: this.targets,
      labelColumns: 1,
      networks: { models: 1, hidden, activation },
    });
    this.stack = fit.stack;
    this.batch = fit.minibatch(B);
    this.adversaries = engine.variable('adversaries', { rows: B, columns: P, models: 1 });
    this.alpha = engine.variable('alpha', { rows: 1, columns: 1 });
    this.gaps = engine.variable('gaps', { rows: B, columns: 1, models: 1 });

    const opposed = value(this.adversaries);
    const above = this.stack.output(modelInputsOf(encoding, opposed));
    const [rise] = gradient(above, [opposed]);
    const step = spec.adversaryRate * Math.sqrt(P);
    const { output: f, label } = this.batch;
    const gap = subtract(above, f);
    const error = apply('square', subtract(f, label));
    const loss = add(error, multiply(gap, value(this.alpha)));
    this.programs = {
      oppose: fit.compile('oppose', [
        { kind: 'store', to: this.adversaries, from: add(opposed, scale(rise!, step)) },
      ]),
      train: fit.compile('train conservatively', [
        { kind: 'store', to: this.gaps, from: gap },
        ...fit.descend(loss).effects,
      ]),
    };

    this.designs = engine.variable('designs', { rows: M, columns: P });
    this.designGradient = new DesignGradient(
      engine,
      this.designs,
      1,
      (x) => this.stack.output(modelInputsOf(encoding, x)),
      constant(1, M, 1),
    );
  }

  initialize(key: Key): void {
    this.stack.initialize(foldKey(key, 'weights'));
    this.multiplier = startMultiplier(this.spec.alpha);
    this.overestimation = 0;
  }

  /** One step: adversaries of a minibatch, the network, then alpha. */
  async train(stream: Stream): Promise<void> {
    const { minibatch: B, trainRate } = this.spec;
    const batch = stream.sampleWithReplacement(this.N, B);
    await this.oppose(batch);
    this.batch.table.write(batch);
    this.alpha.write([portableExp(this.multiplier.logAlpha)]);
    this.stack.advance({ rate: trainRate });
    await this.programs.train.run();
    this.overestimation = mean(this.gaps.read());
    this.multiplier = stepMultiplier(this.multiplier, this.overestimation, this.spec);
  }

  /** Adversaries of rows of the data: they stay in the box of the search, as designs do. */
  private async oppose(batch: ArrayLike<number>): Promise<void> {
    const { encoding, parameters, adversarySteps } = this.spec;
    this.adversaries.write(takeRows(parameters, encoding.parameters, batch));
    for (let t = 0; t < adversarySteps; t++) {
      await this.programs.oppose.run();
      if (!isBounded(encoding)) continue;
      const reached = this.adversaries.read();
      project(encoding, reached);
      this.adversaries.write(reached);
    }
  }

  /** Mean squared error over at most 512 rows, spread evenly; of standardised scores. */
  async dataLoss(): Promise<number> {
    const { encoding, parameters } = this.spec;
    const judged = evenly(this.N, ROWS_JUDGED);
    const f = await this.stack.evaluate(
      modelInputs(encoding, takeRows(parameters, encoding.parameters, judged)),
    );
    let sum = 0;
    judged.forEach((row, i) => {
      sum += (f[i]! - this.targets[row]!) ** 2;
    });
    return sum / judged.length;
  }

  /** Gradient of f at M designs (M x P parameters), as standardised scores; on fine grids at the nearest point. */
  async gradientAt(parameters: Float64Array): Promise<ArrayLike<number>> {
    this.designs.write(roundToGrid(this.spec.encoding, parameters));
    await this.designGradient.differentiate();
    return this.designGradient.slopes.read();
  }

  /** f at designs (n x P parameters), in the units of the scores. */
  async valueAt(parameters: Float64Array): Promise<Float64Array> {
    const { encoding } = this.spec;
    const f = await this.stack.evaluate(modelInputs(encoding, roundToGrid(encoding, parameters)));
    return Float64Array.from(f, (v) => this.scores.mean[0]! + this.scores.scale[0]! * v);
  }

  state(): ConservativeState {
    const { multiplier, overestimation } = this;
    return { networks: this.stack.state(), multiplier, overestimation };
  }

  restore(state: ConservativeState): void {
    this.stack.restore(state.networks);
    this.multiplier = state.multiplier;
    this.overestimation = state.overestimation;
  }
}

/**
 * A Lagrange multiplier alpha >= 0 of the constraint overestimation <= tau, kept as log alpha. Adam moves log alpha down
 * the slope of alpha (tau - overestimation): alpha grows while the constraint is broken and shrinks while it holds.
 */
export interface Multiplier {
  readonly logAlpha: number;
  readonly firstMoment: number;
  readonly secondMoment: number;
  /** Steps taken. */
  readonly step: number;
}

export interface MultiplierSettings {
  readonly tau: number;
  /** Adam's rate. */
  readonly alphaRate: number;
}

/** alpha stays between exp(-20) and exp(20): beyond, a loss in float32 would overflow. */
const MOST_LOG = 20;

export function startMultiplier(alpha: number): Multiplier {
  return { logAlpha: portableLog(alpha), firstMoment: 0, secondMoment: 0, step: 0 };
}

export function stepMultiplier(
  { logAlpha, firstMoment, secondMoment, step }: Multiplier,
  overestimation: number,
  { tau, alphaRate }: MultiplierSettings,
): Multiplier {
  // d / d log alpha of alpha (tau - overestimation)
  const slope = portableExp(logAlpha) * (tau - overestimation);
  const t = step + 1;
  const moments = { firstMoment: Float64Array.of(firstMoment), secondMoment: Float64Array.of(secondMoment) };
  const move = adamMove(moments, 0, slope, adamCorrection(t), alphaRate);
  return {
    logAlpha: Math.max(-MOST_LOG, Math.min(MOST_LOG, logAlpha - move)),
    firstMoment: moments.firstMoment[0]!,
    secondMoment: moments.secondMoment[0]!,
    step: t,
  };
}
