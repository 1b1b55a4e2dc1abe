// G = A' B: the gradient of a weight, strip by strip of 64 rows, each finished (stored, or taken by Adam) while it lies in the
// first cache.
import { updateStrip } from './adam';
import { addSparse, columnSums, entriesOf, isSparse, listedMost, sortByColumn } from './sparse';
import { rowAt, tile4x8 } from './tile';
import { loadTail, splat, storeTail } from './vector';
import { outerRow } from './matmul';

/** Rows of a weight gradient that are made together. */
const STRIP = 64;

/**
 * G (k x n, a weight) = A' (k x rows) B (rows x n). G is stored at `g`, added to where `add`; or, where `control` is
 * given, goes strip by strip straight into Adam's update of `theta` with moments `m`, `v` and average `target`, and
 * never reaches memory.
 */
export function outer(
  rows: i32, k: i32, n: i32, a: usize, stride: usize, table: usize, b: usize, g: usize, add: bool, room: usize,
  theta: usize, m: usize, v: usize, target: usize, control: usize,
): void {
  const strip = room;
  const block = strip + STRIP * 32;
  const packed = block + <usize>rows * (STRIP * 4);
  if (n == 1) {
    for (let from = 0; from < k; from += STRIP * 8) {
      const count = min(STRIP * 8, k - from);
      const at = <usize>from << 2;
      outerVector(rows, count, a + at, stride, table, b, strip);
      finishStrip(count, strip, at, g, add, theta, m, v, target, control);
    }
    return;
  }
  const panels = (n + 7) >> 3;
  packColumns(rows, n, b, packed);
  const strips = packed + ((<usize>panels * rows) << 5);
  const sparse = table != 0 && areSparse(rows, k, a, stride, table);
  const counts = strips + <usize>panels * (STRIP * 32);
  const heads = counts + (<usize>rows << 2);
  const lists = heads + (<usize>k << 2);
  const sorted = lists + (<usize>(listedMost(rows, k) + 32) << 3);
  const listed = sparse && listRows(rows, k, a, stride, table, counts, lists);
  if (listed) sortByColumn(rows, k, counts, lists, heads, sorted);
  for (let from = 0; from < k; from += STRIP) {
    const count = min(STRIP, k - from);
    if (listed) {
      for (let p = 0; p < panels; p += 2) {
        const b0 = packed + ((<usize>p * rows) << 5);
        // a panel that is missing is never finished
        const two = p + 1 < panels;
        columnSums(
          from, count, heads, sorted, b0, two ? b0 + (<usize>rows << 5) : b0, strips, two ? strips + STRIP * 32 : strips,
        );
        finishStrip(count << 3, strips, (<usize>p * k + from) << 5, g, add, theta, m, v, target, control);
        if (!two) break;
        const next = (<usize>(p + 1) * k + from) << 5;
        finishStrip(count << 3, strips + STRIP * 32, next, g, add, theta, m, v, target, control);
      }
      continue;
    }
    if (sparse) {
      memory.fill(strips, 0, <usize>panels * (STRIP * 32));
      for (let r = 0; r < rows; r++) {
        const row = rowAt(a, stride, table, r) + (<usize>from << 2);
        addSparse(count, row, panels, STRIP, strips, rows, packed + (<usize>r << 5));
      }
      for (let p = 0; p < panels; p++) {
        const made = strips + <usize>p * (STRIP * 32);
        finishStrip(count << 3, made, (<usize>p * k + from) << 5, g, add, theta, m, v, target, control);
      }
      continue;
    }
    for (let r = 0; r < rows; r++) {
      packStrip(count, rowAt(a, stride, table, r) + (<usize>from << 2), block + (<usize>r << 4), <usize>rows << 4);
    }
    for (let p = 0; p < panels; p++) {
      const bp = packed + ((<usize>p * rows) << 5);
      for (let i = 0; i < count; i += 4) {
        tile4x8(rows, block + ((<usize>i * rows) << 2), bp, strip + (<usize>i << 5), 32, false, 0);
      }
      finishStrip(count << 3, strip, (<usize>p * k + from) << 5, g, add, theta, m, v, target, control);
    }
  }
}

/** `count` elements of a row, four by four, `step` bytes apart; zeros behind the last. */
// @ts-ignore: decorator
@inline function packStrip(count: i32, row: usize, to: usize, step: usize): void {
  for (let i = 0; i < count; i += 4) {
    v128.store(to, i + 4 <= count ? v128.load(row) : loadTail(row, count - i));
    row += 16;
    to += step;
  }
}

/** Whether three of four picked rows are sparse. */
function areSparse(rows: i32, k: i32, a: usize, stride: usize, table: usize): bool {
  let count = 0;
  for (let r = 0; r < rows; r++) count += i32(isSparse(k, rowAt(a, stride, table, r)));
  return 4 * count >= 3 * rows;
}

/** Lists what is not zero in each row, one after the other, and how many; whether there was room for all. */
function listRows(
  rows: i32, k: i32, a: usize, stride: usize, table: usize, counts: usize, lists: usize,
): bool {
  let left = listedMost(rows, k);
  for (let r = 0; r < rows; r++) {
    const found = entriesOf(k, rowAt(a, stride, table, r), lists, left);
    if (found < 0) return false;
    store<i32>(counts + (<usize>r << 2), found);
    lists += <usize>found << 3;
    left -= found;
  }
  return true;
}

/** B (rows x n) into panels [n/8][rows][8], zeros behind the last column. */
function packColumns(rows: i32, n: i32, b: usize, to: usize): void {
  for (let j = 0; j < n; j += 8) {
    const columns = min(8, n - j);
    let from = b + (<usize>j << 2);
    for (let r = 0; r < rows; r++) {
      if (columns == 8) {
        v128.store(to, v128.load(from));
        v128.store(to, v128.load(from, 16), 16);
      } else {
        v128.store(to, splat(0));
        v128.store(to, splat(0), 16);
        for (let q = 0; q < columns; q++) store<f32>(to + (<usize>q << 2), load<f32>(from + (<usize>q << 2)));
      }
      from += <usize>n << 2;
      to += 32;
    }
  }
}

/** `to` (count) = sum over rows of b[r] A[r]. */
function outerVector(rows: i32, count: i32, a: usize, stride: usize, table: usize, b: usize, to: usize): void {
  memory.fill(to, 0, <usize>count << 2);
  for (let r = 0; r < rows; r++) outerRow(count, load<f32>(b + (<usize>r << 2)), rowAt(a, stride, table, r), 0, to, true);
}

function finishStrip(
  count: i32, strip: usize, at: usize, g: usize, add: bool,
  theta: usize, m: usize, v: usize, target: usize, control: usize,
): void {
  if (control) {
    updateStrip(count, strip, theta + at, m + at, v + at, target ? target + at : 0, control);
    return;
  }
  const to = g + at;
  if (!add) {
    memory.copy(to, strip, <usize>count << 2);
    return;
  }
  let i = 0;
  for (; i + 4 <= count; i += 4) {
    const q = <usize>i << 2;
    v128.store(to + q, f32x4.add(v128.load(to + q), v128.load(strip + q)));
  }
  if (i < count) {
    const q = <usize>i << 2;
    storeTail(to + q, f32x4.add(loadTail(to + q, count - i), loadTail(strip + q, count - i)), count - i);
  }
}
