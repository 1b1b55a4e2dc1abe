// Dense float64 linear algebra: Cholesky factor, triangular solves, products. Matrices are row-major.
//
// Everything reduces to one 4 x 4 tile over packed operands: four rows (or columns) of a matrix side by side,
// [depth][4], zeros where there are fewer than four (Goto & van de Geijn 2008). Matrices are read through two strides
// in bytes, of either sign, so that L' X = B is a lower solve too: L' with its rows and columns reversed is lower.
// The tile is 4 x 4 and not unrolled: 8 sums hide the latency of the multiply-add and stay in V8's 15 registers.

/** Rows of a diagonal block. */
const BLOCK: i32 = 64;
/** Columns of the right operand that are packed together. */
const WIDTH: i32 = 128;
/** How much of the sum a tile takes at a time: two operands of 256 x 4 fill a third of the first cache. */
const DEPTH: i32 = 256;

// Layout of `room`, in bytes.
const SPARE: usize = 0; // one tile
const LEFT: usize = SPARE + 128; // DEPTH x 4
const PANEL: usize = LEFT + <usize>DEPTH * 32; // BLOCK x 4
const TRIANGLE: usize = PANEL + <usize>BLOCK * 32; // groups of four rows, each [4 g + 4][4]
const RIGHT: usize = TRIANGLE + <usize>BLOCK * (<usize>BLOCK + 4) * 4; // WIDTH / 4 x DEPTH x 4
const ROOM: usize = RIGHT + <usize>WIDTH * <usize>DEPTH * 8;

/** Bytes that the other functions need at `room`. */
export function linalgRoom(): i32 {
  return <i32>ROOM;
}

/** a * b + c, as `multiplyAdd` for float32. */
// @ts-ignore: decorator
@inline function fused(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f64x2.relaxed_madd(a, b, c);
  return f64x2.add(f64x2.mul(a, b), c);
}

// @ts-ignore: decorator
@inline function accumulate(to: usize, sum: v128, subtract: bool): void {
  const old = v128.load(to);
  v128.store(to, subtract ? f64x2.sub(old, sum) : f64x2.add(old, sum));
}

/** C (4 x 4) += or -= A B', A and B packed; depth >= 1. */
function tile(depth: i32, a: usize, b: usize, c: usize, stride: isize, subtract: bool): void {
  let c00 = f64x2.splat(0), c01 = c00, c10 = c00, c11 = c00, c20 = c00, c21 = c00, c30 = c00, c31 = c00;
  const end = b + (<usize>depth << 5);
  do {
    const b0 = v128.load(b), b1 = v128.load(b, 16);
    let s = v128.load64_splat(a);
    c00 = fused(s, b0, c00); c01 = fused(s, b1, c01);
    s = v128.load64_splat(a, 8);
    c10 = fused(s, b0, c10); c11 = fused(s, b1, c11);
    s = v128.load64_splat(a, 16);
    c20 = fused(s, b0, c20); c21 = fused(s, b1, c21);
    s = v128.load64_splat(a, 24);
    c30 = fused(s, b0, c30); c31 = fused(s, b1, c31);
    a += 32; b += 32;
  } while (b < end);
  accumulate(c, c00, subtract); accumulate(c + 16, c01, subtract);
  c += stride;
  accumulate(c, c10, subtract); accumulate(c + 16, c11, subtract);
  c += stride;
  accumulate(c, c20, subtract); accumulate(c + 16, c21, subtract);
  c += stride;
  accumulate(c, c30, subtract); accumulate(c + 16, c31, subtract);
}

/** to[k][r] = from(r, k) for r < count <= 4, else zero. `across`: bytes from r to r + 1, `along`: from k to k + 1. */
function pack(count: i32, depth: i32, from: usize, across: isize, along: isize, to: usize): void {
  let k = 0;
  if (count == 4 && along == 8) {
    let r0 = from, r1 = r0 + across, r2 = r1 + across, r3 = r2 + across;
    for (; k + 2 <= depth; k += 2) {
      const a = v128.load(r0), b = v128.load(r1), c = v128.load(r2), d = v128.load(r3);
      v128.store(to, v128.shuffle<f64>(a, b, 0, 2));
      v128.store(to, v128.shuffle<f64>(c, d, 0, 2), 16);
      v128.store(to, v128.shuffle<f64>(a, b, 1, 3), 32);
      v128.store(to, v128.shuffle<f64>(c, d, 1, 3), 48);
      r0 += 16; r1 += 16; r2 += 16; r3 += 16; to += 64;
    }
    from = r0;
  } else if (count == 4 && across == 8) {
    for (; k < depth; k++) {
      v128.store(to, v128.load(from));
      v128.store(to, v128.load(from, 16), 16);
      from += along; to += 32;
    }
  } else if (count == 4 && across == -8) {
    for (; k < depth; k++) {
      const low = v128.load(from - 24), high = v128.load(from - 8);
      v128.store(to, v128.shuffle<f64>(high, high, 1, 0));
      v128.store(to, v128.shuffle<f64>(low, low, 1, 0), 16);
      from += along; to += 32;
    }
  }
  for (; k < depth; k++) {
    let at = from;
    for (let r = 0; r < 4; r++) {
      store<f64>(to, r < count ? load<f64>(at) : 0);
      at += across; to += 8;
    }
    from += along;
  }
}

/** The reverse of `pack`. */
function unpack(count: i32, depth: i32, from: usize, to: usize, across: isize, along: isize): void {
  for (let k = 0; k < depth; k++) {
    let at = to;
    for (let r = 0; r < count; r++) {
      store<f64>(at, load<f64>(from + (<usize>r << 3)));
      at += across;
    }
    from += 32;
    to += along;
  }
}

/**
 * C (rows x columns) += or -= A (rows x depth) B' (depth x columns). C's columns are adjacent, its rows `stride` apart.
 * With `lower`, tiles that lie above C's diagonal are left out.
 */
function accumulateProduct(
  rows: i32, columns: i32, depth: i32, a: usize, aAcross: isize, aAlong: isize, b: usize, bAcross: isize, bAlong: isize,
  c: usize, stride: isize, subtract: bool, lower: bool, room: usize,
): void {
  const left = room + LEFT, right = room + RIGHT;
  for (let from = 0; from < columns; from += WIDTH) {
    const width = min(WIDTH, columns - from);
    for (let start = 0; start < depth; start += DEPTH) {
      const part = min(DEPTH, depth - start);
      const panel = <usize>part << 5;
      for (let j = 0; j < width; j += 4) {
        const at = b + <isize>(from + j) * bAcross + <isize>start * bAlong;
        pack(min(4, width - j), part, at, bAcross, bAlong, right + <usize>(j >> 2) * panel);
      }
      for (let i = 0; i < rows; i += 4) {
        const count = min(4, rows - i);
        pack(count, part, a + <isize>i * aAcross + <isize>start * aAlong, aAcross, aAlong, left);
        const end = lower ? min(width, i + 4 - from) : width;
        let to = c + <isize>i * stride + (<usize>from << 3);
        let packed = right;
        for (let j = 0; j < end; j += 4) {
          if (count == 4 && j + 4 <= width) tile(part, left, packed, to, stride, subtract);
          else edge(count, min(4, width - j), part, left, packed, to, stride, subtract, room);
          packed += panel;
          to += 32;
        }
      }
    }
  }
}

/** A tile of which only `rows` x `columns` exist. */
function edge(
  rows: i32, columns: i32, depth: i32, a: usize, b: usize, c: usize, stride: isize, subtract: bool, room: usize,
): void {
  let from = room + SPARE;
  memory.fill(from, 0, 128);
  tile(depth, a, b, from, 32, false);
  for (let r = 0; r < rows; r++) {
    for (let j = 0; j < columns; j++) {
      const at = <usize>j << 3;
      const sum = load<f64>(from + at);
      store<f64>(c + at, subtract ? load<f64>(c + at) - sum : load<f64>(c + at) + sum);
    }
    from += 32;
    c += stride;
  }
}

/** C (rows x columns) = A (rows x depth) B' (depth x columns), B columns x depth. */
export function multiplyTransposed(
  rows: i32, columns: i32, depth: i32, a: usize, b: usize, c: usize, room: usize,
): void {
  const row = <isize>depth << 3;
  memory.fill(c, 0, (<usize>rows * <usize>columns) << 3);
  accumulateProduct(rows, columns, depth, a, row, 8, b, row, 8, c, <isize>columns << 3, false, false, room);
}

// @ts-ignore: decorator
@inline function dot(count: i32, a: usize, b: usize): f64 {
  let s0 = f64x2.splat(0), s1 = s0, s2 = s0, s3 = s0;
  let i = 0;
  for (; i + 8 <= count; i += 8) {
    s0 = fused(v128.load(a), v128.load(b), s0);
    s1 = fused(v128.load(a, 16), v128.load(b, 16), s1);
    s2 = fused(v128.load(a, 32), v128.load(b, 32), s2);
    s3 = fused(v128.load(a, 48), v128.load(b, 48), s3);
    a += 64; b += 64;
  }
  s0 = f64x2.add(f64x2.add(s0, s1), f64x2.add(s2, s3));
  let sum = f64x2.extract_lane(s0, 0) + f64x2.extract_lane(s0, 1);
  for (; i < count; i++) {
    sum += load<f64>(a) * load<f64>(b);
    a += 8; b += 8;
  }
  return sum;
}

/**
 * The triangle of a diagonal block in groups of four rows. Rows that fill up the last group hold anything: they come
 * after all others in a solve and reach none of them.
 */
function packTriangle(size: i32, l: usize, across: isize, along: isize, to: usize): void {
  for (let i = 0; i < size; i += 4) {
    const count = min(4, size - i);
    pack(count, i + count, l + <isize>i * across, across, along, to);
    to += <usize>(i + 4) << 5;
  }
}

/** L X = P in place, L as `packTriangle` leaves it, P [size][4] with room for `size` rounded up to a multiple of 4. */
function solvePanel(size: i32, l: usize, panel: usize): void {
  for (let i = 0; i < size; i += 4) {
    const x = panel + (<usize>i << 5);
    if (i) tile(i, l, panel, x, 32, true);
    l += <usize>i << 5;
    // l(r, k) lies at l + 32 k + 8 r
    for (let h: usize = 0; h < 32; h += 16) {
      const at = x + h;
      const x0 = f64x2.div(v128.load(at), v128.load64_splat(l));
      const x1 = f64x2.div(
        f64x2.sub(v128.load(at, 32), f64x2.mul(v128.load64_splat(l, 8), x0)),
        v128.load64_splat(l, 40),
      );
      let s = f64x2.sub(v128.load(at, 64), f64x2.mul(v128.load64_splat(l, 16), x0));
      s = f64x2.sub(s, f64x2.mul(v128.load64_splat(l, 48), x1));
      const x2 = f64x2.div(s, v128.load64_splat(l, 80));
      s = f64x2.sub(v128.load(at, 96), f64x2.mul(v128.load64_splat(l, 24), x0));
      s = f64x2.sub(s, f64x2.mul(v128.load64_splat(l, 56), x1));
      s = f64x2.sub(s, f64x2.mul(v128.load64_splat(l, 88), x2));
      const x3 = f64x2.div(s, v128.load64_splat(l, 120));
      v128.store(at, x0);
      v128.store(at, x1, 32);
      v128.store(at, x2, 64);
      v128.store(at, x3, 96);
    }
    l += 128;
  }
}

/** Four right-hand sides against one packed diagonal block; element (k, r) of B lies at b + k along + r across. */
// @ts-ignore: decorator
@inline function solveStrip(count: i32, size: i32, b: usize, across: isize, along: isize, room: usize): void {
  const panel = room + PANEL;
  pack(count, size, b, across, along, panel);
  solvePanel(size, room + TRIANGLE, panel);
  unpack(count, size, panel, b, across, along);
}

/** Cholesky factor of a diagonal block, row by row; 0, or 1 + the first pivot that is not positive. */
function factorBlock(size: i32, a: usize, stride: usize): i32 {
  let row = a;
  for (let i = 0; i < size; i++) {
    let other = a;
    for (let j = 0; j < i; j++) {
      const at = <usize>j << 3;
      store<f64>(row + at, (load<f64>(row + at) - dot(j, row, other)) / load<f64>(other + at));
      other += stride;
    }
    const at = row + (<usize>i << 3);
    const pivot = load<f64>(at) - dot(i, row, row);
    if (!(pivot > 0)) return i + 1;
    store<f64>(at, sqrt(pivot));
    row += stride;
  }
  return 0;
}

/**
 * A = L L' in place, n x n, zeros above the diagonal of L; reads the lower triangle of A only. Left-looking: a block
 * column is brought up to date with all columns before it, then its diagonal block is factored and the rest solved for.
 * Returns 0, or 1 + the first pivot that is not positive (A is then half done).
 */
export function choleskyFactor(n: i32, a: usize, room: usize): i32 {
  const row = <isize>n << 3;
  for (let from = 0; from < n; from += BLOCK) {
    const size = min(BLOCK, n - from);
    const rows = a + <isize>from * row;
    const corner = rows + (<usize>from << 3);
    if (from) {
      accumulateProduct(n - from, size, from, rows, row, 8, rows, row, 8, corner, row, true, true, room);
    }
    const failed = factorBlock(size, corner, row);
    if (failed) return from + failed;
    const below = n - from - size;
    if (!below) break;
    packTriangle(size, corner, row, 8, room + TRIANGLE);
    for (let i = 0; i < below; i += 4) {
      solveStrip(min(4, below - i), size, corner + <isize>(size + i) * row, row, 8, room);
    }
  }
  for (let i = 0; i + 1 < n; i++) {
    memory.fill(a + <isize>i * row + (<usize>(i + 1) << 3), 0, <usize>(n - 1 - i) << 3);
  }
  return 0;
}

/** L X = B in place with L(i, j) at l + i across + j along, row i of B at b + i stride. */
function solveBlocks(
  n: i32, m: i32, l: usize, across: isize, along: isize, b: usize, stride: isize, room: usize,
): void {
  for (let from = 0; from < n; from += BLOCK) {
    const size = min(BLOCK, n - from);
    const rows = l + <isize>from * across;
    const to = b + <isize>from * stride;
    if (from) accumulateProduct(size, m, from, rows, across, along, b, 8, stride, to, stride, true, false, room);
    packTriangle(size, rows + <isize>from * along, across, along, room + TRIANGLE);
    for (let j = 0; j < m; j += 4) solveStrip(min(4, m - j), size, to + (<usize>j << 3), 8, stride, room);
  }
}

/** L X = B in place: L n x n lower triangular, B n x m. */
export function solveLower(n: i32, m: i32, l: usize, b: usize, room: usize): void {
  const row = <isize>n << 3;
  if (m > 1) {
    solveBlocks(n, m, l, row, 8, b, <isize>m << 3, room);
    return;
  }
  for (let i = 0; i < n; i++) {
    const at = <usize>i << 3;
    store<f64>(b + at, (load<f64>(b + at) - dot(i, l, b)) / load<f64>(l + at));
    l += row;
  }
}

/** L' X = B in place: L n x n lower triangular, B n x m. */
export function solveLowerTransposed(n: i32, m: i32, l: usize, b: usize, room: usize): void {
  const row = <isize>n << 3;
  l += <isize>(n - 1) * row;
  if (m > 1) {
    const stride = <isize>m << 3;
    solveBlocks(n, m, l + (<usize>(n - 1) << 3), -8, -row, b + <isize>(n - 1) * stride, -stride, room);
    return;
  }
  for (let i = n - 1; i >= 0; i--) {
    const at = <usize>i << 3;
    const x = load<f64>(b + at) / load<f64>(l + at);
    store<f64>(b + at, x);
    const factor = f64x2.splat(-x);
    let j = 0;
    for (; j + 2 <= i; j += 2) {
      const to = b + (<usize>j << 3);
      v128.store(to, fused(factor, v128.load(l + (<usize>j << 3)), v128.load(to)));
    }
    if (j < i) {
      const to = b + (<usize>j << 3);
      store<f64>(to, load<f64>(to) - x * load<f64>(l + (<usize>j << 3)));
    }
    l -= row;
  }
}

/** The lower triangle of a (n x n) copied above its diagonal, 8 x 8 at a time. */
export function mirror(n: i32, a: usize): void {
  const row = <usize>n << 3;
  for (let i = 0; i < n; i += 8) {
    for (let j = 0; j <= i; j += 8) {
      const bottom = min(n, i + 8);
      for (let r = i; r < bottom; r++) {
        const right = min(r, j + 8);
        for (let s = j; s < right; s++) {
          store<f64>(a + <usize>s * row + (<usize>r << 3), load<f64>(a + <usize>r * row + (<usize>s << 3)));
        }
      }
    }
  }
}

/**
 * x (n x n) = L^-1, lower triangular: L X = I without what is zero. A product skips the rows of X that are zero in all of
 * its columns; parts of sums end where those of `accumulateProduct` do, so that the bits are those of `solveLower`.
 */
function invertLower(n: i32, l: usize, x: usize, room: usize): void {
  const row = <isize>n << 3;
  memory.fill(x, 0, <usize>n * <usize>row);
  for (let i = 0; i < n; i++) store<f64>(x + <usize>i * (row + 8), 1);
  for (let from = 0; from < n; from += BLOCK) {
    const size = min(BLOCK, n - from), end = from + size;
    const rows = l + <usize>from * row, to = x + <usize>from * row;
    for (let j = 0; j < from; j += BLOCK) {
      for (let start = j; start < from; ) {
        const stop = min(from, (start / DEPTH + 1) * DEPTH);
        const left = rows + (<usize>start << 3), right = x + <usize>start * row + (<usize>j << 3);
        accumulateProduct(
          size, BLOCK, stop - start, left, row, 8, right, 8, row, to + (<usize>j << 3), row, true, false, room,
        );
        start = stop;
      }
    }
    packTriangle(size, rows + (<usize>from << 3), row, 8, room + TRIANGLE);
    for (let j = 0; j < end; j += 4) solveStrip(min(4, end - j), size, to + (<usize>j << 3), 8, row, room);
  }
}

/** x (n x n) = L^-1, or with `isWhole` (L L')^-1: of L' X = L^-1 the lower triangle, then the rest by symmetry. */
export function invertFactor(n: i32, isWhole: bool, l: usize, x: usize, room: usize): void {
  invertLower(n, l, x, room);
  if (!isWhole) return;
  const row = <isize>n << 3;
  const corner = l + <usize>(n - 1) * (row + 8), last = x + <usize>(n - 1) * row;
  for (let from = 0; from < n; from += BLOCK) {
    const size = min(BLOCK, n - from), columns = n - from;
    const rows = corner - (<usize>from << 3), to = last - <usize>from * row;
    if (from) accumulateProduct(size, columns, from, rows, -8, -row, last, 8, -row, to, -row, true, false, room);
    packTriangle(size, rows - <usize>from * row, -8, -row, room + TRIANGLE);
    for (let j = 0; j < columns; j += 4) solveStrip(min(4, columns - j), size, to + (<usize>j << 3), 8, -row, room);
  }
  mirror(n, x);
}
