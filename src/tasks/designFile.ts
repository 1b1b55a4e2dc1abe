/**
 * A set of designs in one file: what tasks bring along that were made here. Little-endian:
 *
 *     bytes 0 to 7     "NEMODSGN"
 *     4 x uint32       version 1, designs n, columns d, scores m ≥ n
 *     m x float64      scores: of the n designs, then of designs that are not shown
 *     n x d x half     designs, row-major
 */
import { ArgumentError, ShapeError } from '../numeric/errors.js';
import { powerOfTwo } from '../numeric/portable.js';
import { extent } from '../numeric/stats.js';

export interface DesignSet {
  /** n x d; numbers that two bytes can hold. */
  readonly x: Float64Array;
  readonly columns: number;
  /** Scores of the n designs. */
  readonly y: Float64Array;
  /** Scores of designs that are not shown. */
  readonly hidden: Float64Array;
}

/** Worst and best of all scores, shown or not. */
export function rangeOfScores({ y, hidden }: DesignSet): { worst: number; best: number } {
  const all = new Float64Array(y.length + hidden.length);
  all.set(y);
  all.set(hidden, y.length);
  const { min: worst, max: best } = extent(all);
  return { worst, best };
}

const MAGIC = 'NEMODSGN';
const HEADER = 24;

/** Throws an `ArgumentError` if a number is too large for two bytes; rounds others. */
export function encodeDesigns({ x, columns, y, hidden }: DesignSet): Uint8Array {
  const n = y.length;
  const m = n + hidden.length;
  if (x.length !== n * columns)
    throw new ShapeError('x', `x has ${x.length} numbers; expected ${n} x ${columns}`);
  const bytes = new Uint8Array(HEADER + 8 * m + 2 * x.length);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode(MAGIC));
  [1, n, columns, m].forEach((word, i) => view.setUint32(8 + 4 * i, word, true));
  y.forEach((score, i) => view.setFloat64(HEADER + 8 * i, score, true));
  hidden.forEach((score, i) => view.setFloat64(HEADER + 8 * (n + i), score, true));
  x.forEach((value, i) => view.setUint16(HEADER + 8 * m + 2 * i, halfBits(value), true));
  return bytes;
}

/** Throws an `Error` that names the file if it is none of these. */
export function decodeDesigns(bytes: Uint8Array, name: string): DesignSet {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fault = (what: string) =>
    new Error(`${name}: ${what}; the file is damaged; get it again: npm install nemokit-robots`);
  if (bytes.length < HEADER || new TextDecoder().decode(bytes.subarray(0, 8)) !== MAGIC)
    throw fault('not a file of designs');
  const [version, n, columns, m] = [8, 12, 16, 20].map((at) => view.getUint32(at, true)) as [
    number,
    number,
    number,
    number,
  ];
  if (version !== 1) throw fault(`version ${version}, expected 1`);
  const expected = HEADER + 8 * m + 2 * n * columns;
  if (m < n || bytes.length !== expected) throw fault(`${bytes.length} bytes, expected ${expected}`);
  const scores = Float64Array.from({ length: m }, (_, i) => view.getFloat64(HEADER + 8 * i, true));
  const values = Float64Array.from({ length: 65536 }, (_, bits) => halfValue(bits));
  const x = new Float64Array(n * columns);
  const start = HEADER + 8 * m;
  for (let i = 0; i < x.length; i++) x[i] = values[view.getUint16(start + 2 * i, true)]!;
  return { x, columns, y: scores.slice(0, n), hidden: scores.slice(n) };
}

const float = new DataView(new ArrayBuffer(8));

/** Bits of the nearest number of two bytes (IEEE 754 binary16); of two equally near, the one with an even last bit. */
export function halfBits(value: number): number {
  float.setFloat64(0, value);
  const exponent = ((float.getUint32(0) >>> 20) & 0x7ff) - 1023;
  const size = Math.abs(value);
  if (!(size < 65520)) throw new ArgumentError('value', `${value} is beyond the numbers of two bytes`);
  const e = Math.max(exponent, -14);
  const scaled = size * powerOfTwo(10 - e);
  const down = Math.floor(scaled);
  const rest = scaled - down;
  const rounded = rest > 0.5 || (rest === 0.5 && down % 2 === 1) ? down + 1 : down;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  // A carry out of the fraction raises the exponent by itself.
  return sign | (((e + 14) << 10) + rounded);
}

export function halfValue(bits: number): number {
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  const size = exponent === 0 ? fraction * 2 ** -24 : (fraction + 1024) * powerOfTwo(exponent - 25);
  return bits & 0x8000 ? -size : size;
}

/** `values` as they are after two bytes each. */
export function roundToHalf(values: Float64Array): Float64Array {
  return values.map((value) => halfValue(halfBits(value)));
}
