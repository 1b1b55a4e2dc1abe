/**
 * Cross-fitted networks: the data are cut into folds, and every network is trained on all folds but one. Its predictions
 * for the fold it has not seen are honest, and no search has climbed these networks, so their predictions for proposed
 * designs are not inflated. One more group of networks is trained without the best rows; it measures predictions for
 * designs that beat all training data. Training is that of NEMO's networks before the search (§4.2).
 */
import type { Engine, Program } from '../numeric/engine.js';
import { ArgumentError, requireCount } from '../numeric/errors.js';
import { thermometer } from '../numeric/graph.js';
import { foldKey, type Key } from '../numeric/key.js';
import { Stream, type StreamState } from '../numeric/random.js';
import { takeRows } from '../numeric/rows.js';
import type { StackState } from '../numeric/stack.js';
import type { TensorData } from '../numeric/tensorFile.js';
import type { Encoding } from '../search/encoding.js';
import { evenly } from '../search/rowSubset.js';
import { type Head, loss } from './discretizedLogistic.js';
import { type Minibatch, NetworkFit } from './networkFit.js';

export interface CrossFitSpec {
  readonly encoding: Encoding;
  readonly head: Head;
  readonly hidden: readonly number[];
  /** Of the data's designs, N x P. */
  readonly parameters: Float64Array;
  /** Lowest and highest bin of each score, N x 2. */
  readonly labels: Int32Array;
  /** Fold of each row, N; `foldsOf` makes them. */
  readonly folds: Int32Array;
  /** The best rows, which one more group of networks leaves out; may be none. */
  readonly top: Int32Array;
  /** Networks that learn from the same rows. */
  readonly networksPerGroup: number;
  readonly minibatch: number;
}

export interface CrossFitState {
  readonly networks: StackState;
  readonly stream: StreamState;
}

/** Rows of a table in folds of nearly one size, in random order. */
export function foldsOf(rowCount: number, foldCount: number, key: Key): Int32Array {
  requireCount('folds', foldCount);
  if (foldCount < 2 || foldCount > rowCount) {
    throw new ArgumentError('folds', `${rowCount} rows cannot be cut into ${foldCount} folds`);
  }
  const folds = new Int32Array(rowCount);
  new Stream(key).permutation(rowCount).forEach((row, i) => {
    folds[row] = i % foldCount;
  });
  return folds;
}

export class CrossFit {
  readonly foldCount: number;
  /** The folds, and the best rows if some are left out. */
  readonly groupCount: number;
  readonly networkCount: number;
  private readonly fit: NetworkFit;
  private readonly batch: Minibatch;
  private readonly program: Program;
  /** Rows that each group's networks learn from. */
  readonly seen: readonly Int32Array[];
  private stream = new Stream([0, 0]);

  constructor(
    engine: Engine,
    readonly spec: CrossFitSpec,
  ) {
    const { encoding, head, hidden, labels, folds, networksPerGroup, minibatch: B } = spec;
    const all = Int32Array.from(folds.keys());
    const top = new Set(spec.top);
    this.foldCount = folds.reduce((most, fold) => Math.max(most, fold), 0) + 1;
    this.groupCount = this.foldCount + (top.size > 0 ? 1 : 0);
    this.networkCount = this.groupCount * networksPerGroup;
    this.seen = Array.from({ length: this.groupCount }, (_, group) =>
      all.filter((row) => (group < this.foldCount ? folds[row] !== group : !top.has(row))),
    );
    this.fit = new NetworkFit(engine, {
      encoding,
      parameters: spec.parameters,
      labels,
      labelColumns: 2,
      networks: { models: this.networkCount, hidden },
    });
    this.batch = this.fit.minibatch(B, { perNetwork: true });
    const dataLoss = thermometer(this.batch.output, this.batch.label, head.bins, head.scale);
    this.program = this.fit.compile('crossFit', this.fit.descend(dataLoss).effects);
  }

  initialize(key: Key): void {
    this.fit.stack.initialize(foldKey(key, 'weights'));
    this.stream = new Stream(foldKey(key, 'minibatches'));
  }

  /** Steps of maximum likelihood, each network on rows of its own. */
  async train(steps: number, rate: number): Promise<void> {
    const { minibatch: B } = this.spec;
    const batch = new Int32Array(this.networkCount * B);
    for (let step = 0; step < steps; step++) {
      for (let network = 0; network < this.networkCount; network++) {
        const seen = this.seen[network % this.groupCount]!;
        const drawn = this.stream.sampleWithReplacement(seen.length, B);
        for (let i = 0; i < B; i++) batch[network * B + i] = seen[drawn[i]!]!;
      }
      this.batch.table.write(batch);
      this.fit.stack.advance({ rate });
      await this.program.run();
    }
  }

  /** mu of every network at inputs (n x P, as `modelInputs` makes them), `[network][row]`. */
  locations(inputs: ArrayLike<number>): Promise<Float32Array | Float64Array> {
    return this.fit.stack.evaluate(inputs);
  }

  /** Mean loss of rows under the mean location of the networks that have not seen them; at most `most` rows, spread evenly. */
  async unseenLoss(most: number): Promise<number> {
    const { encoding, head, labels, folds, networksPerGroup: R } = this.spec;
    const chosen = evenly(folds.length, most);
    const mu = await this.locations(takeRows(this.fit.inputs, encoding.parameters, chosen));
    let sum = 0;
    chosen.forEach((row, i) => {
      let location = 0;
      for (let r = 0; r < R; r++)
        location += mu[(r * this.groupCount + folds[row]!) * chosen.length + i]! / R;
      sum += loss(head, location, labels[2 * row]!, labels[2 * row + 1]!);
    });
    return sum / chosen.length;
  }

  state(): CrossFitState {
    return { networks: this.fit.stack.state(), stream: this.stream.state() };
  }

  restore({ networks, stream }: CrossFitState): void {
    this.fit.stack.restore(networks);
    this.stream = new Stream(stream);
  }

  /** The networks alone. */
  weights(): Record<string, TensorData> {
    return this.fit.stack.weights();
  }

  /** Networks to be read out; they cannot be trained on from here. */
  loadWeights(tensors: Readonly<Record<string, TensorData>>): void {
    this.fit.stack.loadWeights(tensors);
  }

  /** Gives all memory back. */
  dispose(): void {
    this.fit.dispose();
  }
}
