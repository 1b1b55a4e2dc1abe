// Room that the products of WebAssembly pack their operands into, in elements. Native kernels have memory of their own.
import { PACKED_DEPTH, PACKED_ROWS } from './kernels/opcodes.js';

/** A tile that is cut off and its factors. */
const ASIDE = 96;

function packedRows(rows: number, depth: number): number {
  return Math.min(rows, PACKED_ROWS) * Math.min(depth, PACKED_DEPTH);
}

/** A W: of picked rows that are sparse up to a quarter is listed, each with its index; others are packed. */
export function matmulRoom(rows: number, depth: number, isPicked: boolean): number {
  return ASIDE + (isPicked ? Math.floor(depth / 4) * 2 : 0) + packedRows(rows, depth);
}

/** A W': a panel of W', and rows of A. */
export function transposedRoom(rows: number, depth: number): number {
  return ASIDE + PACKED_DEPTH * 8 + packedRows(rows, depth);
}

/** A' B: a strip of the result, a block of A, B in panels, strips of all panels. */
export function outerRoom(rows: number, columns: number): number {
  return 512 + rows * 64 + Math.ceil(columns / 8) * 8 * (rows + 64);
}
