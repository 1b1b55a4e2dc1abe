/**
 * A network whose slopes are to match those of the unknown score (Hoang et al. 2024). Slopes are not in the data, but
 * along the straight line between two rows they add up to the difference of the scores:
 *
 *   y_v - y_u = int_0^1 (x_v - x_u) . grad f(x_u + t (x_v - x_u)) dt
 *
 * A step of training takes a path: one row of each of Q quantiles of the scores, from the worst to the best. The loss is
 * the squared error of f at the rows of the path, plus that of the integral between neighbours, a sum over S points
 * t = 0, 1/S, ..., (S - 1)/S. Its gradient in the weights contains second derivatives of f.
 */
import type { Engine, Program } from '../numeric/engine.js';
import { gradient } from '../numeric/gradient.js';
import {
  add,
  apply,
  multiply,
  rows,
  scale,
  subtract,
  sumColumns,
  sumRows,
  type Tensor,
  value,
} from '../numeric/graph.js';
import { foldKey, type Key } from '../numeric/key.js';
import type { Stream } from '../numeric/random.js';
import type { StackState } from '../numeric/stack.js';
import { argsort, mean } from '../numeric/stats.js';
import type { Variable } from '../numeric/variable.js';
import type { Minibatch } from './networkFit.js';
import { ScoreNetwork, type ScoreNetworkSpec } from './scoreNetwork.js';

export interface GradientMatchingSpec extends ScoreNetworkSpec {
  /** Q, rows of a path, at most. */
  readonly buckets: number;
  /** S. */
  readonly points: number;
  /** Adam's rate. */
  readonly trainRate: number;
}

/** Plain data. */
export interface GradientMatchingState {
  readonly network: StackState;
  /** Mean squared error of the differences along the last path. */
  readonly mismatch: number;
}

/** (x_v - x_u) . (1/S) sum_s grad f(x_u + (s/S) (x_v - x_u)), r x 1: what f says the difference of scores is. */
export function riseAlong(f: (x: Tensor) => Tensor, from: Tensor, to: Tensor, points: number): Tensor {
  const dx = subtract(to, from);
  const rises = Array.from({ length: points }, (_, s) => {
    const at = add(from, scale(dx, s / points));
    const [slopes] = gradient(f(at), [at]);
    return sumColumns(multiply(slopes!, dx));
  });
  return scale(rises.reduce(add), 1 / points);
}

/**
 * Rows of a path, one drawn from each of `buckets` parts of the rows by score, from the worst part to the best.
 * `order`: the rows from the worst to the best.
 */
export function drawPath(order: ArrayLike<number>, buckets: number, stream: Stream): Int32Array {
  const N = order.length;
  return Int32Array.from({ length: buckets }, (_, q) => {
    const first = Math.floor((q * N) / buckets);
    const next = Math.floor(((q + 1) * N) / buckets);
    return order[first + stream.integer(next - first)]!;
  });
}

export class GradientMatching {
  private readonly network: ScoreNetwork;
  private readonly order: Uint32Array;
  private readonly batch: Minibatch;
  private readonly from: Variable;
  private readonly to: Variable;
  private readonly rises: Variable;
  private readonly errors: Variable;
  private readonly program: Program;
  private mismatch = 0;
  /** Mean squared error over at most 512 rows, spread evenly; of standardised scores. */
  readonly dataLoss: () => Promise<number>;

  constructor(
    engine: Engine,
    private readonly spec: GradientMatchingSpec,
  ) {
    this.network = new ScoreNetwork(engine, spec);
    const { fit, targets } = this.network;
    this.order = argsort(targets, 'ascending');
    const Q = Math.min(spec.buckets, fit.rowCount);
    const pairs = Math.max(1, Q - 1);
    this.batch = fit.minibatch(Q);
    const numbers = { rows: pairs, columns: 1, index: true };
    this.from = engine.variable('from', numbers);
    this.to = engine.variable('to', numbers);
    this.rises = engine.variable('rises', { rows: pairs, columns: 1 });
    this.errors = engine.variable('errors', { rows: pairs, columns: 1, models: 1 });

    const valueErrors = apply('square', subtract(this.batch.output, this.batch.label));
    const rise = riseAlong(
      (x) => fit.stack.output(x),
      rows(fit.pool, this.from),
      rows(fit.pool, this.to),
      spec.points,
    );
    const riseErrors = apply('square', subtract(rise, value(this.rises)));
    const loss = add(scale(sumRows(valueErrors), 1 / Q), scale(sumRows(riseErrors), 1 / pairs));
    const slopes = gradient(loss, fit.stack.parameters().map(value));
    this.program = fit.compile('match gradients', [
      { kind: 'store', to: this.errors, from: riseErrors },
      ...fit.stack.update(slopes),
    ]);
    this.dataLoss = fit.meanLoss('judge values', this.batch, valueErrors);
  }

  initialize(key: Key): void {
    this.network.initialize(foldKey(key, 'weights'));
    this.mismatch = 0;
  }

  /** One step of Adam on a fresh path. */
  async train(stream: Stream): Promise<void> {
    const { targets, fit } = this.network;
    const path = drawPath(this.order, this.batch.table.rows, stream);
    const from = path.subarray(0, this.from.rows);
    const to = path.length === 1 ? path : path.subarray(1); // a single row is its own neighbour
    this.batch.table.write(path);
    this.from.write(from);
    this.to.write(to);
    this.rises.write(Float64Array.from(from, (row, i) => targets[to[i]!]! - targets[row]!));
    fit.stack.advance({ rate: this.spec.trainRate });
    await this.program.run();
    this.mismatch = mean(this.errors.read());
  }

  /** Slopes of f, of standardised scores, at M designs (M x P parameters). */
  gradientAt(parameters: Float64Array): Promise<ArrayLike<number>> {
    return this.network.gradientAt(parameters);
  }

  /** f at designs (n x P parameters), in the units of the scores. */
  async valuesAt(parameters: Float64Array): Promise<Float64Array> {
    const { mean: center, scale: unit } = this.network.scores;
    return (await this.network.valuesAt(parameters)).map((f) => center[0]! + unit[0]! * f);
  }

  state(): GradientMatchingState {
    return { network: this.network.state(), mismatch: this.mismatch };
  }

  restore({ network, mismatch }: GradientMatchingState): void {
    this.network.restore(network);
    this.mismatch = mismatch;
  }
}
