/**
 * A set of designs in one file: what tasks bring along that were made here. Little-endian:
 *
 *     bytes 0 to 7     "NEMODSGN"
 *     4 x uint32       version 1, designs n, columns d, scores m ≥ n
 *     m x float64      scores: of the n designs, then of designs that are not shown
 *     n x d x half     designs, row-major
 */
import { ShapeError } from '../numeric/errors.js';
import { halfBits, halfValue } from './halfFloat.js';

export interface DesignSet {
  /** n x d; numbers that two bytes can hold. */
  readonly x: Float64Array;
  readonly columns: number;
  /** Scores of the n designs. */
  readonly y: Float64Array;
  /** Scores of designs that are not shown. */
  readonly hidden: Float64Array;
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
  const fault = (what: string) => new Error(`${name}: ${what}; the file is damaged, install nemokit again`);
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
