/**
 * The space as a search sees it: designs as parameters (encoding), constraints beyond bounds, and the rows of the data
 * that the search starts from. Every algorithm uses this class, so all of them treat constraints alike.
 */
import { requireFinite, requireLength } from '../numeric/errors.js';
import type { Key } from '../numeric/key.js';
import { Stream } from '../numeric/random.js';
import { takeRows } from '../numeric/rows.js';
import { argsort } from '../numeric/stats.js';
import type { Dataset, Space } from '../space/space.js';
import {
  type Constraints,
  constraintsOf,
  decode,
  type Encoding,
  type EncodingOptions,
  encode,
  fitEncoding,
  isBounded,
  project,
} from './encoding.js';

export interface Start {
  /** M, designs. */
  readonly batchSize: number;
  readonly startFrom: 'best' | 'worst';
}

/** The space as a search moves in it: starts, bounds, and designs brought back into it. */
export class SearchSpace {
  readonly encoding: Encoding;
  /** Parameters of the data's designs, N x P. */
  readonly parameters: Float64Array;
  private constraints: Constraints | null = null;
  private prepared: Promise<void> | null = null;

  /** Throws where the data are not of the space; `prepare` then says whether it has designs at all. */
  constructor(
    readonly data: Dataset,
    readonly space: Space,
    options: EncodingOptions,
  ) {
    this.encoding = fitEncoding(data, space, options);
    requireFinite('y', data.y);
    if (data.censored) requireLength('censored', data.censored, data.y.length);
    this.parameters = encode(this.encoding, data.x);
  }

  /** To be awaited once before anything is moved or proposed. Throws if no design is feasible. */
  prepare(): Promise<void> {
    this.prepared ??= constraintsOf(this.encoding).then((constraints) => {
      this.constraints = constraints;
    });
    return this.prepared;
  }

  /** Whether the space asks for more than bounds. */
  get isConstrained(): boolean {
    return this.constraints !== null;
  }

  /** Whether `hold` can change anything. */
  get isLimited(): boolean {
    return this.isConstrained || isBounded(this.encoding);
  }

  /** Moves parameters (n x P, in place) into the box, and to where sums, groups, fixed columns and forbidden combinations hold. */
  hold(designs: Float32Array | Float64Array): void {
    project(this.encoding, designs);
    this.constraints?.hold(designs);
  }

  /** Designs of parameters, n x P to n x d, that satisfy the whole space to 1e-9. */
  settle(designs: ArrayLike<number>): Float64Array {
    return this.constraints?.settle(designs) ?? decode(this.encoding, designs);
  }

  /** M rows of the data by score, as parameters; with a key, rows that have to be used again are moved a little. */
  start({ batchSize, startFrom }: Start, key: Key | null): Float64Array {
    const { data, encoding, space } = this;
    const order = argsort(data.y, startFrom === 'best' ? 'descending' : 'ascending');
    const d = space.columns.length;
    const rows = Array.from({ length: batchSize }, (_, m) => order[m % order.length]!);
    const designs = encode(encoding, takeRows(data.x, d, rows));
    if (key) {
      const stream = new Stream(key);
      for (let i = order.length * encoding.parameters; i < designs.length; i++)
        designs[i]! += 0.05 * stream.normal();
    }
    this.hold(designs);
    return designs;
  }
}
