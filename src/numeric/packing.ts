// Room that the products of WebAssembly pack their operands into, in elements. Native kernels have memory of their own.
import { LEAST_SPARSE, MOST_LISTED, PACKED_DEPTH, PACKED_ROWS } from './kernels/opcodes.js';

/** A tile that is cut off and its factors. */
const ASIDE = 96;

function packedRows(rows: number, depth: number): number {
  return Math.min(rows, PACKED_ROWS) * Math.min(depth, PACKED_DEPTH);
}

/** Elements other than 0, each with its index: an eighth of all rows if that is not too much, a quarter of a row at least. */
function listed(rows: number, depth: number): number {
  if (depth < LEAST_SPARSE) return 0;
  const quarter = Math.floor(depth / 4);
  return 2 * (Math.max(quarter, Math.min(rows * Math.floor(depth / 8), MOST_LISTED)) + 32);
}

/** A W: of picked rows, sparse ones are listed, with a number, an address and a count for each; others are packed. */
export function matmulRoom(rows: number, depth: number, isPicked: boolean): number {
  return ASIDE + (isPicked ? 3 * PACKED_ROWS + listed(rows, depth) : 0) + packedRows(rows, depth);
}

/** A W': a panel of W', and rows of A. */
export function transposedRoom(rows: number, depth: number): number {
  return ASIDE + PACKED_DEPTH * 8 + packedRows(rows, depth);
}

/** A' B: a strip of the result, a block of A, B in panels, strips of all panels; lists of sparse rows, and of their columns. */
export function outerRoom(rows: number, depth: number, columns: number, isPicked: boolean): number {
  const lists = isPicked && depth >= LEAST_SPARSE ? rows + depth + 2 * listed(rows, depth) : 0;
  return 512 + rows * 64 + Math.ceil(columns / 8) * 8 * (rows + 64) + lists;
}
