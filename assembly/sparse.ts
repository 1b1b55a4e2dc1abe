// Rows that are mostly zeros, such as classes and sequences as ones and zeros: products skip the zeros. A sum that starts
// at 0 passes a product with 0 unchanged, so the bits are those of the dense kernels, for finite weights.
import { loadTail, multiplyAdd, splat } from './vector';

/** Shorter rows are not looked at. */
const LEAST: i32 = 256;
/** Elements that are looked at first, evenly spread; with more than PROBES_SET other than 0 a row is dense. */
const PROBES: i32 = 32;
const PROBES_SET: i32 = 8;

export function isSparse(k: i32, a: usize): bool {
  if (k < LEAST) return false;
  let set = 0;
  for (let i = 0; i < PROBES; i++) {
    const at = <usize>((<i64>i * k) / PROBES);
    set += i32(load<f32>(a + (at << 2)) != 0);
  }
  return set <= PROBES_SET;
}

/** A bit for each of up to four floats at `at` that is not zero. */
// @ts-ignore: decorator
@inline function nonzeros(at: usize, left: i32): i32 {
  return i32x4.bitmask(f32x4.ne(left >= 4 ? v128.load(at) : loadTail(at, left), splat(0)));
}

/** Entries (index, value) of what is not zero, first to last; how many, or -1 if more than a quarter. */
export function entriesOf(k: i32, a: usize, to: usize): i32 {
  const most = k >> 2;
  let count = 0;
  for (let i = 0; i < k; i += 4) {
    const at = a + (<usize>i << 2);
    let set = nonzeros(at, k - i);
    while (set != 0) {
      const j = ctz(set);
      set &= set - 1;
      if (count == most) return -1;
      store<i32>(to, i + j);
      store<f32>(to, load<f32>(at + (<usize>j << 2)), 4);
      to += 8;
      count++;
    }
  }
  return count;
}

/** Eight columns of one row of C = sum over the entries, added to C where `add`; `count` >= 0. */
// @ts-ignore: decorator
@inline function sparsePanels(count: i32, entries: usize, p0: usize, p1: usize, c: usize, add: bool): void {
  let c0 = splat(0), c1 = c0, c2 = c0, c3 = c0;
  if (add) {
    c0 = v128.load(c); c1 = v128.load(c, 16); c2 = v128.load(c, 32); c3 = v128.load(c, 48);
  }
  const end = entries + (<usize>count << 3);
  for (; entries < end; entries += 8) {
    const at = <usize>load<i32>(entries) << 5;
    const s = v128.load32_splat(entries, 4);
    c0 = multiplyAdd(s, v128.load(p0 + at), c0); c1 = multiplyAdd(s, v128.load(p0 + at, 16), c1);
    c2 = multiplyAdd(s, v128.load(p1 + at), c2); c3 = multiplyAdd(s, v128.load(p1 + at, 16), c3);
  }
  v128.store(c, c0); v128.store(c, c1, 16); v128.store(c, c2, 32); v128.store(c, c3, 48);
}

/** One row of C (n columns) = row of A times W, added to C where `add`. `spare`: 16 floats. */
export function sparseRow(
  k: i32, n: i32, count: i32, entries: usize, w: usize, c: usize, add: bool, spare: usize,
): void {
  for (let j = 0; j < n; j += 16) {
    const left = min(16, n - j);
    const p0 = w + ((<usize>j * k) << 2);
    // a panel that is missing is never stored
    const p1 = left > 8 ? p0 + (<usize>k << 5) : p0;
    const to = c + (<usize>j << 2);
    if (left == 16) {
      sparsePanels(count, entries, p0, p1, to, add);
    } else {
      if (add) memory.copy(spare, to, <usize>left << 2);
      sparsePanels(count, entries, p0, p1, spare, add);
      memory.copy(to, spare, <usize>left << 2);
    }
  }
}

/** Adds to `strips` [panels][strip][8] the products of a row's `count` elements at `row` with row r of B [panels][rows][8]. */
export function addSparse(
  count: i32, row: usize, panels: i32, strip: i32, strips: usize, rows: i32, b: usize,
): void {
  for (let i = 0; i < count; i += 4) {
    let set = nonzeros(row + (<usize>i << 2), count - i);
    while (set != 0) {
      const q = i + ctz(set);
      set &= set - 1;
      const s = v128.load32_splat(row + (<usize>q << 2));
      let to = strips + (<usize>q << 5), from = b;
      for (let p = 0; p < panels; p++) {
        v128.store(to, multiplyAdd(s, v128.load(from), v128.load(to)));
        v128.store(to, multiplyAdd(s, v128.load(from, 16), v128.load(to, 16)), 16);
        to += <usize>strip << 5;
        from += <usize>rows << 5;
      }
    }
  }
}
