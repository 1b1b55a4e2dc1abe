/** How far designs are from the visible rows: root mean square over standardised parameters. */
import { rowOf, squaredDistance } from '../numeric/rows.js';
import { median } from '../numeric/stats.js';
import { type Encoding, encode, fitEncoding, modelInputs } from '../search/encoding.js';
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
    const areFew = space.columns.every((column) => column.kind === 'categorical' && column.classes <= 256);
    this.compareWith = areFew ? byClasses(encoding, data.x) : byNumbers(encoding, data.x);
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
 * The same sum where all columns are classes, at most 256: parameters that do not differ add nothing. Four classes at a time
 * are compared, as bytes of a word.
 */
function byClasses(encoding: Encoding, x: Float64Array) {
  const { columns } = encoding.space;
  const d = columns.length;
  const sizes = Int32Array.from(columns, (column) => (column.kind === 'categorical' ? column.classes : 0));
  const { squares, ends, firsts } = termsOf(encoding, sizes);
  const words = Math.ceil(d / 4);
  /** A class is a byte; d padded to whole words. */
  const pack = (rows: Float64Array) => {
    const bytes = new Uint8Array((rows.length / d) * words * 4);
    for (let at = 0; at < rows.length; at++) bytes[Math.floor(at / d) * words * 4 + (at % d)] = rows[at]!;
    return { bytes, packed: new Uint32Array(bytes.buffer) };
  };
  const seen = pack(x);
  return (designs: Float64Array) => {
    const asked = pack(designs);
    return (i: number, m: number, limit: number) => {
      let sum = 0;
      for (let w = 0; w < words; w++) {
        if (seen.packed[i * words + w] === asked.packed[m * words + w]) continue;
        const end = Math.min(d, 4 * w + 4);
        for (let j = 4 * w; j < end; j++) {
          const own = seen.bytes[4 * i * words + j]!;
          const other = asked.bytes[4 * m * words + j]!;
          if (own === other) continue;
          const pair = firsts[j]! + own * sizes[j]! + other;
          for (let at = ends[pair]!; at < ends[pair + 1]!; at++) sum += squares[at]!;
        }
        if (sum >= limit) break;
      }
      return sum;
    };
  };
}

/**
 * Of each pair of classes of a column the squared differences of their inputs that are not 0, in order: those of classes a
 * and b of column j are from ends[p] to ends[p + 1] of `squares`, p = firsts[j] + a * C + b. Columns of as many classes
 * have the same.
 */
interface Terms {
  readonly squares: Float64Array;
  readonly ends: Uint32Array;
  readonly firsts: Uint32Array;
}

function termsOf(encoding: Encoding, sizes: Int32Array): Terms {
  const most = sizes.reduce((a, b) => Math.max(a, b), 1);
  // design c has class c in every column that has one
  const designs = Float64Array.from({ length: most * sizes.length }, (_, at) =>
    Math.min(Math.floor(at / sizes.length), sizes[at % sizes.length]! - 1),
  );
  const inputs = modelInputs(encoding, encode(encoding, designs));
  const squares: number[] = [];
  const ends = [0];
  const known = new Map<number, number>();
  let from = 0;
  const firsts = Uint32Array.from(sizes, (C) => {
    const first = known.get(C) ?? ends.length - 1;
    if (!known.has(C)) {
      known.set(C, first);
      const at = (a: number, c: number) => inputs[a * encoding.parameters + from + c]!;
      addTerms(C, at, squares, ends);
    }
    from += C;
    return first;
  });
  return { squares: Float64Array.from(squares), ends: Uint32Array.from(ends), firsts };
}

function addTerms(C: number, at: (a: number, c: number) => number, squares: number[], ends: number[]): void {
  for (let a = 0; a < C; a++) {
    for (let b = 0; b < C; b++) {
      for (let c = 0; c < C; c++) {
        const difference = at(a, c) - at(b, c);
        if (difference !== 0) squares.push(difference * difference);
      }
      ends.push(squares.length);
    }
  }
}
