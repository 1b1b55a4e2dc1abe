/** How far designs are from the visible rows: root mean square over standardised parameters. */
import { rowOf, squaredDistance } from '../numeric/rows.js';
import { median } from '../numeric/stats.js';
import { type Encoding, encode, fitEncoding, isAllClasses, modelInputs } from '../search/encoding.js';
import type { Dataset, Space } from '../space/space.js';

/** Measures designs against the same rows many times. */
export class DataDistance {
  private readonly encoding: Encoding;
  /** The distance of row i to design m, as a sum of squares; one that has reached `limit` need not be complete. */
  private readonly compareWith: (designs: Float64Array) => (i: number, m: number, limit: number) => number;
  private readonly N: number;
  /** Per design, the row that was nearest the last time: looked at first, it leaves little to do for the others. */
  private guesses = new Uint32Array(0);

  constructor(data: Dataset, space: Space) {
    const encoding = fitEncoding(data, space, { box: null });
    this.encoding = encoding;
    this.N = data.y.length;
    this.compareWith = isAllClasses(space) ? byClasses(encoding, data.x) : byNumbers(encoding, data.x);
  }

  /** Per design, to the nearest visible row. */
  of(designs: Float64Array): Float64Array {
    const { parameters: P, space } = this.encoding;
    const M = designs.length / space.columns.length;
    const compare = this.compareWith(designs);
    if (this.guesses.length !== M) this.guesses = new Uint32Array(M);
    return Float64Array.from({ length: M }, (_, m) => {
      let nearest = this.guesses[m]!;
      let least = compare(nearest, m, Number.POSITIVE_INFINITY);
      for (let i = 0; i < this.N; i++) {
        const squared = compare(i, m, least);
        if (squared < least) [nearest, least] = [i, squared];
      }
      this.guesses[m] = nearest;
      return Math.sqrt(least / P);
    });
  }

  medianOf(designs: Float64Array): number {
    return median(this.of(designs));
  }
}

function byNumbers(encoding: Encoding, x: Float64Array) {
  const { parameters: P } = encoding;
  const inputsOf = (rows: Float64Array) => modelInputs(encoding, encode(encoding, rows));
  const rows = inputsOf(x);
  return (designs: Float64Array) => {
    const proposed = inputsOf(designs);
    const points = Array.from({ length: proposed.length / P }, (_, m) => rowOf(proposed, P, m));
    return (i: number, m: number, limit: number) => squaredDistance(rows, i, points[m]!, limit);
  };
}

/**
 * The same sum where all columns are classes: parameters of a column whose class is the same add nothing. Four classes at a
 * time are compared, as bytes of a word.
 */
function byClasses(encoding: Encoding, x: Float64Array) {
  const { columns } = encoding.space;
  const d = columns.length;
  const sizes = Int32Array.from(columns, (column) => (column.kind === 'categorical' ? column.classes : 0));
  /** Per column C x C: row c has the inputs of class c. */
  const inputs = inputsOfClasses(encoding, sizes);
  const most = sizes.reduce((a, b) => Math.max(a, b), 1);
  const [perWord, bits] = most <= 256 ? [4, 8] : [1, 32];
  const words = Math.ceil(d / perWord);
  const pack = (rows: Float64Array) => {
    const packed = new Uint32Array((rows.length / d) * words);
    for (let at = 0; at < rows.length; at++) {
      const j = at % d;
      packed[Math.floor(at / d) * words + Math.floor(j / perWord)]! |= rows[at]! << (bits * (j % perWord));
    }
    return packed;
  };
  const seen = pack(x);
  return (designs: Float64Array) => {
    const asked = pack(designs);
    return (i: number, m: number, limit: number) => {
      let sum = 0;
      for (let w = 0; w < words; w++) {
        if (seen[i * words + w] === asked[m * words + w]) continue;
        for (let j = w * perWord; j < Math.min(d, (w + 1) * perWord); j++) {
          const [own, other] = [x[i * d + j]!, designs[m * d + j]!];
          if (own === other) continue;
          const C = sizes[j]!;
          const table = inputs[j]!;
          for (let c = 0; c < C; c++) {
            const difference = table[own * C + c]! - table[other * C + c]!;
            sum += difference * difference;
          }
        }
        if (sum >= limit) break;
      }
      return sum;
    };
  };
}

function inputsOfClasses(encoding: Encoding, sizes: Int32Array): Float64Array[] {
  const most = sizes.reduce((a, b) => Math.max(a, b), 1);
  // design c has class c in every column that has one
  const designs = Float64Array.from({ length: most * sizes.length }, (_, at) =>
    Math.min(Math.floor(at / sizes.length), sizes[at % sizes.length]! - 1),
  );
  const all = modelInputs(encoding, encode(encoding, designs));
  let from = 0;
  return Array.from(sizes, (C) => {
    const own = new Float64Array(C * C);
    for (let c = 0; c < C; c++)
      own.set(all.subarray(c * encoding.parameters + from, c * encoding.parameters + from + C), c * C);
    from += C;
    return own;
  });
}
