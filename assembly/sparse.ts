// Rows that are mostly zeros, such as classes and sequences as ones and zeros: products skip the zeros. A sum that starts
// at 0 passes a product with 0 unchanged, so the bits are those of the dense kernels, for finite weights.
import { LEAST_SPARSE, MOST_LISTED } from '../src/numeric/kernels/opcodes';
import { loadTail, multiplyAdd, splat } from './vector';

/** Elements that are looked at first, evenly spread; with more than PROBES_SET other than 0 a row is dense. */
const PROBES: i32 = 32;
const PROBES_SET: i32 = 8;

export function isSparse(k: i32, a: usize): bool {
  if (k < LEAST_SPARSE) return false;
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

/** A bit for each of sixteen floats at `at` that is not zero. */
// @ts-ignore: decorator
@inline function nonzeros16(at: usize): i32 {
  const zero = splat(0);
  const low = i16x8.narrow_i32x4_s(f32x4.ne(v128.load(at), zero), f32x4.ne(v128.load(at, 16), zero));
  const high = i16x8.narrow_i32x4_s(f32x4.ne(v128.load(at, 32), zero), f32x4.ne(v128.load(at, 48), zero));
  return i8x16.bitmask(i8x16.narrow_i16x8_s(low, high));
}

// @ts-ignore: decorator
@inline function put(to: usize, a: usize, i: i32): void {
  store<i32>(to, i);
  store<f32>(to, load<f32>(a + (<usize>i << 2)), 4);
}

/** How many entries there is room for where rows of k elements are listed; src/numeric/packing.ts has 32 more. */
export function listedMost(rows: i32, k: i32): i32 {
  return max(k >> 2, i32(min(<i64>rows * (k >> 3), MOST_LISTED)));
}

/**
 * Entries (index, value) of what is not zero, first to last; how many, or -1 if more than `most`, of which up to 18 are written.
 * Of sixteen elements of a sequence two are set at most: their entries are written in any case, and counted if they are ones,
 * because branches that nothing foretells took more time.
 */
export function entriesOf(k: i32, a: usize, to: usize, most: i32): i32 {
  const start = to;
  const last = to + (<usize>most << 3);
  let i = 0;
  for (; i + 16 <= k; i += 16) {
    let set = nonzeros16(a + (<usize>i << 2));
    put(to, a, i + ctz(set | 0x8000));
    to += <usize>(set != 0) << 3;
    set &= set - 1;
    put(to, a, i + ctz(set | 0x8000));
    to += <usize>(set != 0) << 3;
    set &= set - 1;
    for (; set != 0; set &= set - 1) {
      put(to, a, i + ctz(set));
      to += 8;
    }
    if (to > last) return -1;
  }
  for (; i < k; i++) {
    put(to, a, i);
    to += <usize>(load<f32>(a + (<usize>i << 2)) != 0) << 3;
  }
  return to > last ? -1 : i32((to - start) >> 3);
}

/** Sixteen columns of one row of C = sum over the entries, added to C where `add`; `count` >= 0. */
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

/**
 * Rows of C (n columns) = rows of A times W, added to C where `add`, sixteen columns at a time for all rows, so that their part
 * of W stays in the second cache. Of each of `held` rows `list` has number, address and count of entries. `spare`: 16 floats.
 */
export function sparseRows(
  held: i32, list: usize, k: i32, n: i32, w: usize, c: usize, add: bool, spare: usize,
): void {
  const end = list + <usize>held * 12;
  for (let j = 0; j < n; j += 16) {
    const left = min(16, n - j);
    const p0 = w + ((<usize>j * k) << 2);
    // a panel that is missing is never stored
    const p1 = left > 8 ? p0 + (<usize>k << 5) : p0;
    for (let at = list; at < end; at += 12) {
      const to = c + ((<usize>load<i32>(at) * n + j) << 2);
      const entries = <usize>load<i32>(at, 4), count = load<i32>(at, 8);
      if (left == 16) {
        sparsePanels(count, entries, p0, p1, to, add);
      } else {
        if (add) memory.copy(spare, to, <usize>left << 2);
        sparsePanels(count, entries, p0, p1, spare, add);
        memory.copy(to, spare, <usize>left << 2);
      }
    }
  }
}

/**
 * The entries of `rows` rows at `lists`, `counts` of each, sorted by column: (32 times the row, value). `heads` (k) says where
 * each column ends. Within a column rows come first to last.
 */
export function sortByColumn(rows: i32, k: i32, counts: usize, lists: usize, heads: usize, sorted: usize): void {
  memory.fill(heads, 0, <usize>k << 2);
  let total = 0;
  for (let r = 0; r < rows; r++) total += load<i32>(counts + (<usize>r << 2));
  const end = lists + (<usize>total << 3);
  for (let e = lists; e < end; e += 8) {
    const at = heads + (<usize>load<i32>(e) << 2);
    store<i32>(at, load<i32>(at) + 1);
  }
  for (let i = 0, before = 0; i < k; i++) {
    const at = heads + (<usize>i << 2);
    const count = load<i32>(at);
    store<i32>(at, before);
    before += count;
  }
  for (let r = 0, e = lists; r < rows; r++) {
    for (const last = e + (<usize>load<i32>(counts + (<usize>r << 2)) << 3); e < last; e += 8) {
      const at = heads + (<usize>load<i32>(e) << 2);
      const place = load<i32>(at);
      store<i32>(at, place + 1);
      const to = sorted + (<usize>place << 3);
      store<i32>(to, r << 5);
      store<f32>(to, load<f32>(e, 4), 4);
    }
  }
}

/** Sums of columns from..from+count-1: rows of two panels of B, times the column's values; each sum [count][8]. */
export function columnSums(
  from: i32, count: i32, heads: usize, sorted: usize, b0: usize, b1: usize, to0: usize, to1: usize,
): void {
  let head = heads + (<usize>from << 2);
  let e = from > 0 ? sorted + (<usize>load<i32>(head - 4) << 3) : sorted;
  for (let q = 0; q < count; q++) {
    const end = sorted + (<usize>load<i32>(head) << 3);
    let c0 = splat(0), c1 = c0, c2 = c0, c3 = c0;
    for (; e < end; e += 8) {
      const at = <usize>load<i32>(e);
      const s = v128.load32_splat(e, 4);
      c0 = multiplyAdd(s, v128.load(b0 + at), c0); c1 = multiplyAdd(s, v128.load(b0 + at, 16), c1);
      c2 = multiplyAdd(s, v128.load(b1 + at), c2); c3 = multiplyAdd(s, v128.load(b1 + at, 16), c3);
    }
    v128.store(to0, c0); v128.store(to0, c1, 16);
    v128.store(to1, c2); v128.store(to1, c3, 16);
    head += 4; to0 += 32; to1 += 32;
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
