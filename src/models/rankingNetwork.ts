/**
 * A network that learns the order of designs, not their scores (Tan et al. 2025). It is trained on lists of m rows of
 * the data, drawn without replacement, s its outputs and y the standardised scores of a list:
 *
 *   ListNet     - sum_i softmax(y)_i log softmax(s)_i                   (Cao et al. 2007)
 *   RankCosine  1 - cos(s - mean s, y - mean y)                         (Qin et al. 2008)
 *
 * Neither says anything of the level of s. So after training s is brought to mean 0 and deviation 1 over the data.
 */
import type { Engine, Program } from '../numeric/engine.js';
import { gradient } from '../numeric/gradient.js';
import {
  add,
  apply,
  constant,
  divide,
  matmul,
  multiply,
  outer,
  scale,
  subtract,
  type Tensor,
  value,
} from '../numeric/graph.js';
import { foldKey, type Key } from '../numeric/key.js';
import { portableExp, portableLog } from '../numeric/portable.js';
import type { Stream } from '../numeric/random.js';
import type { StackState } from '../numeric/stack.js';
import { fitStandardization, largest, mean } from '../numeric/stats.js';
import type { Variable } from '../numeric/variable.js';
import { evenly } from '../search/rowSubset.js';
import { type Minibatch, ROWS_JUDGED } from './networkFit.js';
import { ScoreNetwork, type ScoreNetworkSpec } from './scoreNetwork.js';

export type RankingLoss = 'listNet' | 'rankCosine';

export interface RankingSpec extends ScoreNetworkSpec {
  readonly loss: RankingLoss;
  /** L, lists per step. */
  readonly lists: number;
  /** m, rows of a list; all rows where there are fewer. */
  readonly listLength: number;
  /** Adam's rate. */
  readonly trainRate: number;
  /** What is added to the gradient, times the weights. */
  readonly weightDecay: number;
}

/** Plain data. */
export interface RankingState {
  readonly network: StackState;
  /** Mean and deviation of f over the data; 0 and 1 before training has ended. */
  readonly level: Level;
}

interface Level {
  readonly mean: number;
  readonly deviation: number;
}

const FIRST_LEVEL: Level = { mean: 0, deviation: 1 };

export class RankingNetwork {
  private readonly network: ScoreNetwork;
  private readonly batch: Minibatch;
  private readonly goals: Variable;
  private readonly program: Program;
  private readonly m: number;
  private level = FIRST_LEVEL;

  constructor(
    engine: Engine,
    private readonly spec: RankingSpec,
  ) {
    const { loss: kind, lists: L, listLength, weightDecay } = spec;
    this.network = new ScoreNetwork(engine, spec);
    const { fit } = this.network;
    this.m = Math.min(listLength, fit.rowCount);
    const B = L * this.m;
    this.batch = fit.minibatch(B);
    this.goals = engine.variable('goals', { rows: B, columns: 1 });
    const membership = engine.variable('membership', { rows: B, columns: L });
    membership.write(Float64Array.from({ length: B * L }, (_, i) => (isMember(i, L, this.m) ? 1 : 0)));

    const loss = rankingLosses[kind](this.batch.output, value(this.goals), value(membership));
    const parameters = fit.stack.parameters().map(value);
    const slopes = gradient(loss, parameters, constant(1 / L, B, 1));
    const decayed = slopes.map((slope, i) => add(slope, scale(parameters[i]!, weightDecay)));
    this.program = fit.compile('train by lists', fit.stack.update(decayed));
  }

  initialize(key: Key): void {
    this.network.initialize(foldKey(key, 'weights'));
    this.level = FIRST_LEVEL;
  }

  /** One step of Adam on L fresh lists. */
  async train(stream: Stream): Promise<void> {
    const { lists: L, loss, trainRate } = this.spec;
    const { m } = this;
    const rows = new Int32Array(L * m);
    const goals = new Float64Array(L * m);
    for (let l = 0; l < L; l++) {
      const list = stream.choose(this.network.fit.rowCount, m);
      rows.set(list, l * m);
      goals.set(this.goalsOf(list, loss), l * m);
    }
    this.batch.table.write(rows);
    this.goals.write(goals);
    this.network.fit.stack.advance({ rate: trainRate });
    await this.program.run();
  }

  private goalsOf(list: ArrayLike<number>, loss: RankingLoss): Float64Array {
    const y = Float64Array.from(list, (row) => this.network.targets[row]!);
    return loss === 'listNet' ? softmax(y) : unit(y);
  }

  /** Brings f to mean 0 and deviation 1 over all rows of the data: to be called once, when training has ended. */
  async settleLevel(): Promise<void> {
    const { mean: means, scale: scales } = fitStandardization(await this.network.valuesAtData(), 1);
    this.level = { mean: means[0]!, deviation: scales[0]! };
  }

  /** The loss of one list of at most 512 rows, spread evenly. */
  async dataLoss(): Promise<number> {
    const all = await this.network.valuesAtData();
    const list = evenly(all.length, ROWS_JUDGED);
    const s = Float64Array.from(list, (row) => all[row]!);
    const goals = this.goalsOf(list, this.spec.loss);
    if (this.spec.loss === 'rankCosine') return 1 - sumOf(unit(s), (v, i) => v * goals[i]!);
    const top = largest(s);
    const logZ = top + portableLog(sumOf(s, (v) => portableExp(v - top)));
    return sumOf(s, (v, i) => goals[i]! * (logZ - v));
  }

  /** Slopes of f, brought to its level, at M designs (M x P parameters). */
  async gradientAt(parameters: Float64Array): Promise<ArrayLike<number>> {
    const slopes = await this.network.gradientAt(parameters);
    return Float64Array.from(slopes, (slope) => slope / this.level.deviation);
  }

  /** f at designs (n x P parameters), its level and deviation those of the scores. */
  async valuesAt(parameters: Float64Array): Promise<Float64Array> {
    const { mean: center, scale: unitOf } = this.network.scores;
    const f = await this.network.valuesAt(parameters);
    return f.map((s) => center[0]! + (unitOf[0]! * (s - this.level.mean)) / this.level.deviation);
  }

  state(): RankingState {
    return { network: this.network.state(), level: this.level };
  }

  restore({ network, level }: RankingState): void {
    this.network.restore(network);
    this.level = level;
  }
}

/** Whether element i of the B x L matrix is that of a row in its own list. */
function isMember(i: number, L: number, m: number): boolean {
  return Math.floor(i / L / m) === i % L;
}

/** Sums over the lists, for each row that of its own list: `values` B x 1, `membership` B x L of zeros and ones. */
function sumOverList(values: Tensor, membership: Tensor): Tensor {
  return matmul(membership, outer(membership, values));
}

function centred(s: Tensor, membership: Tensor): Tensor {
  const m = membership.rows / membership.columns;
  return subtract(s, scale(sumOverList(s, membership), 1 / m));
}

/**
 * Losses as shares of the rows, B x 1: their sum over a list is the list's loss. `goals` of a list: softmax(y) for
 * ListNet, (y - mean y) / |y - mean y| for RankCosine.
 */
export const rankingLosses: Readonly<
  Record<RankingLoss, (s: Tensor, goals: Tensor, membership: Tensor) => Tensor>
> = {
  listNet(s, goals, membership) {
    const z = centred(s, membership); // exp of a number near 0, whatever the level of s
    const logZ = apply('log', sumOverList(apply('exp', z), membership));
    return multiply(goals, subtract(logZ, z));
  },
  rankCosine(s, goals, membership) {
    const z = centred(s, membership);
    const norm = apply('sqrt', scale(sumOverList(apply('square', z), membership), 1, 1e-12)); // a slope at 0 too
    const m = membership.rows / membership.columns;
    return scale(divide(multiply(goals, z), norm), -1, 1 / m);
  },
};

function sumOf(values: Float64Array, term: (value: number, i: number) => number): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += term(values[i]!, i);
  return sum;
}

export function softmax(y: Float64Array): Float64Array {
  const top = largest(y);
  const e = y.map((v) => portableExp(v - top));
  const sum = sumOf(e, (v) => v);
  return e.map((v) => v / sum);
}

/** y - mean y, of length 1; zeros where all are the same. */
function unit(y: Float64Array): Float64Array {
  const center = mean(y);
  const length = Math.sqrt(sumOf(y, (v) => (v - center) ** 2));
  return y.map((v) => (length > 0 ? (v - center) / length : 0));
}
