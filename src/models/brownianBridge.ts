/**
 * A Brownian bridge from a worse design to a better one (Li et al. 2023; for designs, Dao et al. 2025). Between the
 * better x_0 at time 0 and the worse x_1 at time 1, the design at time t is
 *
 *   x_t = (1 - t) x_0 + t x_1 + sqrt(2 t (1 - t)) e,   e ~ N(0, I)
 *
 * and what is known of an earlier one, s < t, from x_t and x_0 is again a bridge, in which x_1 no longer occurs:
 *
 *   x_s = x_0 + (s/t) (x_t - x_0) + sqrt(2 s (1 - s/t)) e
 *
 * A network is told x_t, t, and the scores of both ends, and learns x_t - x_0 by absolute error.
 */
import type { Engine, Program } from '../numeric/engine.js';
import { gradient } from '../numeric/gradient.js';
import {
  type Activation,
  add,
  apply,
  constant,
  scale,
  subtract,
  sumColumns,
  value,
} from '../numeric/graph.js';
import type { Key } from '../numeric/key.js';
import type { Stream } from '../numeric/random.js';
import { rowOf } from '../numeric/rows.js';
import { NetworkStack, type StackState } from '../numeric/stack.js';
import type { Variable } from '../numeric/variable.js';

/** Designs as the network sees them, n x P, with their scores, n, standardised. */
export interface Ends extends EndScores {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

export interface EndScores {
  readonly lowScores: Float64Array;
  readonly highScores: Float64Array;
}

export interface BridgeSpec {
  /** P, numbers per design. */
  readonly columns: number;
  readonly hidden: readonly number[];
  readonly activation: Activation;
  /** Rows per step. */
  readonly minibatch: number;
  /** Adam's rate. */
  readonly trainRate: number;
  /** tau of the running average of the weights, of which designs are made. */
  readonly averageRate: number;
  /** Share of the rows whose scores are withheld from the network in training. */
  readonly drop: number;
}

/** Columns of time and of the two scores. */
const TOLD = 3;

export class BrownianBridge {
  private readonly stack: NetworkStack;
  private readonly seen: Variable;
  private readonly moves: Variable;
  private readonly program: Program;

  constructor(
    engine: Engine,
    private readonly spec: BridgeSpec,
  ) {
    const { columns: P, hidden, activation, minibatch: B } = spec;
    this.stack = new NetworkStack(engine, {
      models: 1,
      inputs: P + TOLD,
      hidden,
      outputs: P,
      activation,
      targets: true,
    });
    this.seen = engine.variable('seen', { rows: B, columns: P + TOLD });
    this.moves = engine.variable('moves', { rows: B, columns: P });
    const error = subtract(this.stack.output(value(this.seen)), value(this.moves));
    const size = add(apply('relu', error), apply('relu', scale(error, -1))); // |error|
    const loss = scale(sumColumns(size), 1 / P);
    const slopes = gradient(loss, this.stack.parameters().map(value), constant(1 / B, B, 1));
    this.program = engine.compile('train bridge', [this.stack.update(slopes)]);
  }

  initialize(key: Key): void {
    this.stack.initialize(key);
  }

  /** One step of Adam on pairs drawn from `ends`, each at a time of its own. */
  async train(ends: Ends, stream: Stream): Promise<void> {
    const { columns: P, minibatch: B, trainRate, averageRate, drop } = this.spec;
    const seen = new Float64Array(B * (P + TOLD));
    const moves = new Float64Array(B * P);
    for (let b = 0; b < B; b++) {
      const pair = stream.integer(ends.lowScores.length);
      const [low, high] = [rowOf(ends.low, P, pair), rowOf(ends.high, P, pair)];
      const t = 1 - stream.uniform(); // from above 0 to 1
      const deviation = Math.sqrt(2 * t * (1 - t));
      for (let j = 0; j < P; j++) {
        const at = (1 - t) * high[j]! + t * low[j]! + deviation * stream.normal();
        seen[b * (P + TOLD) + j] = at;
        moves[b * P + j] = at - high[j]!;
      }
      const isTold = !stream.boolean(drop);
      seen.set(
        [t, isTold ? ends.highScores[pair]! : 0, isTold ? ends.lowScores[pair]! : 0],
        b * (P + TOLD) + P,
      );
    }
    this.seen.write(seen);
    this.moves.write(moves);
    this.stack.advance({ rate: trainRate, targetRate: averageRate });
    await this.program.run();
  }

  /**
   * The better ends that designs (n x P) at time t lead to, n x P. `guidance` w: (1 + w) times what is said with scores
   * less w times what is said without.
   */
  async endsOf(designs: Float64Array, t: number, scores: EndScores, guidance: number): Promise<Float64Array> {
    const told = await this.movesOf(designs, t, scores);
    const untold = guidance === 0 ? null : await this.movesOf(designs, t, null);
    return designs.map((x, i) => {
      const move = untold ? (1 + guidance) * told[i]! - guidance * untold[i]! : told[i]!;
      return x - move;
    });
  }

  private async movesOf(
    designs: Float64Array,
    t: number,
    scores: EndScores | null,
  ): Promise<ArrayLike<number>> {
    const { columns: P } = this.spec;
    const n = designs.length / P;
    const seen = new Float64Array(n * (P + TOLD));
    for (let i = 0; i < n; i++) {
      seen.set(rowOf(designs, P, i), i * (P + TOLD));
      seen.set([t, scores?.highScores[i] ?? 0, scores?.lowScores[i] ?? 0], i * (P + TOLD) + P);
    }
    return this.stack.evaluate(seen, 'targets');
  }

  /** Mean absolute error of the better end, from the worse one at time 1; over at most 256 pairs. */
  async dataLoss({ low, high, lowScores, highScores }: Ends): Promise<number> {
    const { columns: P } = this.spec;
    const n = Math.min(256, lowScores.length);
    const scores = { lowScores: lowScores.subarray(0, n), highScores: highScores.subarray(0, n) };
    const ends = await this.endsOf(low.slice(0, n * P), 1, scores, 0);
    return ends.reduce((sum, v, i) => sum + Math.abs(v - high[i]!) / ends.length, 0);
  }

  state(): StackState {
    return this.stack.state();
  }

  restore(state: StackState): void {
    this.stack.restore(state);
  }
}

/** Designs at time s of those at time t (n x P) and their better ends, in a new array. */
export function bridgeBack(
  designs: Float64Array,
  ends: Float64Array,
  t: number,
  s: number,
  stream: Stream,
): Float64Array {
  const share = s / t;
  const deviation = Math.sqrt(2 * s * (1 - share));
  return designs.map((x, i) => ends[i]! + share * (x - ends[i]!) + deviation * stream.normal());
}
