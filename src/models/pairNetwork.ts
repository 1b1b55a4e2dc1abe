/**
 * A network from designs to better designs (Tagasovska et al. 2024): an autoencoder that is given one row of a matched
 * pair and is to answer with the other one, the better. Loss of a pair (x, x'), P numbers a design:
 *
 *   |f(x) - x'|^2 / P            and with mix-up + |f(x) - x|^2 / P
 *
 * Numbers are standardised and classes softened one-hots, of which f gives the logits.
 */
import type { Engine, Program } from '../numeric/engine.js';
import {
  type Activation,
  add,
  apply,
  rows,
  scale,
  subtract,
  sumColumns,
  type Tensor,
} from '../numeric/graph.js';
import { foldKey, type Key } from '../numeric/key.js';
import type { Stream } from '../numeric/random.js';
import { takeRows } from '../numeric/rows.js';
import type { StackState } from '../numeric/stack.js';
import { fitStandardization, standardize } from '../numeric/stats.js';
import { type Encoding, modelInputs, modelInputsOf, roundToGrid } from '../search/encoding.js';
import { evenly } from '../search/rowSubset.js';
import { type MatchedPairs, matchPairs, type PairSettings } from './matchedPairs.js';
import { type Minibatch, NetworkFit, ROWS_JUDGED } from './networkFit.js';

export interface PairNetworkSpec extends PairSettings {
  readonly encoding: Encoding;
  readonly hidden: readonly number[];
  readonly activation: Activation;
  /** Parameters of the data's designs, N x P. */
  readonly parameters: Float64Array;
  /** N. */
  readonly y: Float64Array;
  /** Pairs per step. */
  readonly minibatch: number;
  readonly mixUp: boolean;
  /** Adam's rate. */
  readonly trainRate: number;
}

export class PairNetwork {
  private readonly fit: NetworkFit;
  private readonly batch: Minibatch;
  private readonly program: Program;

  constructor(
    engine: Engine,
    private readonly spec: PairNetworkSpec,
  ) {
    const { encoding, hidden, activation, parameters, minibatch, mixUp } = spec;
    const P = encoding.parameters;
    this.fit = new NetworkFit(engine, {
      encoding,
      parameters,
      labels: modelInputs(encoding, parameters),
      labelColumns: P,
      networks: { models: 1, hidden, outputs: P, activation },
    });
    this.batch = this.fit.minibatch(minibatch, { labelsApart: true });
    const { table, output, label } = this.batch;
    const answer = modelInputsOf(encoding, output);
    const toBetter = meanSquare(answer, label);
    const loss = mixUp ? add(toBetter, meanSquare(answer, rows(this.fit.pool, table))) : toBetter;
    this.program = this.fit.compile('train by pairs', this.fit.descend(loss).effects);
  }

  initialize(key: Key): void {
    this.fit.stack.initialize(foldKey(key, 'weights'));
  }

  /**
   * The pairs among some rows of the data. Where no row has a better one in reach, each is its own partner: the network
   * then learns to leave designs as they are.
   */
  match(among: Uint32Array): MatchedPairs {
    const { encoding, y } = this.spec;
    const scores = standardize(y, fitStandardization(y, 1));
    const { from, to, reach } = matchPairs(
      takeRows(this.fit.inputs, encoding.parameters, among),
      Float64Array.from(among, (row) => scores[row]!),
      this.spec,
    );
    if (from.length === 0) return { from: among, to: among, reach };
    return { from: from.map((i) => among[i]!), to: to.map((j) => among[j]!), reach };
  }

  /** One step of Adam on pairs drawn from `pairs`. */
  async train({ from, to }: MatchedPairs, stream: Stream): Promise<void> {
    const drawn = stream.sampleWithReplacement(from.length, this.spec.minibatch);
    this.batch.table.write(drawn.map((pair) => from[pair]!));
    this.batch.labelTable.write(drawn.map((pair) => to[pair]!));
    this.fit.stack.advance({ rate: this.spec.trainRate });
    await this.program.run();
  }

  /** Mean of |f(x) - x'|^2 / P over at most 512 pairs, spread evenly. */
  async dataLoss({ from, to }: MatchedPairs): Promise<number> {
    const { encoding } = this.spec;
    const P = encoding.parameters;
    const judged = evenly(from.length, ROWS_JUDGED);
    const inputs = takeRows(
      this.fit.inputs,
      P,
      judged.map((pair) => from[pair]!),
    );
    const better = takeRows(
      this.fit.inputs,
      P,
      judged.map((pair) => to[pair]!),
    );
    const answers = modelInputs(encoding, await this.fit.stack.evaluate(inputs));
    return answers.reduce((sum, v, i) => sum + (v - better[i]!) ** 2 / answers.length, 0);
  }

  /** f of designs, n x P parameters to n x P parameters. */
  async improve(parameters: Float64Array): Promise<Float64Array> {
    const { encoding } = this.spec;
    const inputs = modelInputs(encoding, roundToGrid(encoding, parameters));
    return Float64Array.from(await this.fit.stack.evaluate(inputs));
  }

  state(): StackState {
    return this.fit.stack.state();
  }

  restore(state: StackState): void {
    this.fit.stack.restore(state);
  }
}

/** Mean over the columns of the squared differences, r x 1. */
function meanSquare(a: Tensor, b: Tensor): Tensor {
  return scale(sumColumns(apply('square', subtract(a, b))), 1 / a.columns);
}
