// Matrix products of one model: C = A W and C = A W'. Weights lie in panels of 8 columns, as assembly/matmul.ts says. Every
// element of C is one chain of fused multiply-adds along the sum, first to last, whatever the tile.

/** How much of the sum a tile takes at a time: 256 x 16 floats of two panels are half of the first cache. */
#define DEPTH 256

/** R rows, sixteen columns of two panels: C = sum of a_r[i] b[i] (added to C where `add`), times T where given. */
INLINE void tileOf(
  const int R, size_t depth, const float *const *a, size_t skip, const float *b0, const float *b1,
  float *c, size_t cs, int add, const float *times
) {
#define ROWS(row) \
  row(0) row(1) row(2) row(3) row(4) row(5) \
  ROWS_FURTHER(row)
#if TILE_ROWS > 6
#define ROWS_FURTHER(row) row(6) row(7) row(8) row(9) row(10) row(11)
#else
#define ROWS_FURTHER(row)
#endif
#define START(r) \
  const float *a##r = R > r ? a[r] + skip : 0; \
  w16 c##r = add && R > r ? w_load(c + r * cs) : w_splat(0);
  ROWS(START)
  for (size_t i = 0; i < depth; i++) {
    const w16 b = w_load2(b0 + 8 * i, b1 + 8 * i);
#define STEP(r) if (R > r) c##r = w_fma(w_splat(a##r[i]), b, c##r);
    ROWS(STEP)
  }
  if (times) {
#define TIMES(r) if (R > r) c##r = w_mul(c##r, w_load(times + r * cs));
    ROWS(TIMES)
  }
#define STORE(r) if (R > r) w_store(c + r * cs, c##r);
  ROWS(STORE)
#undef START
#undef STEP
#undef TIMES
#undef STORE
}

static void tile(
  int rows, size_t depth, const float *const *a, size_t skip, const float *b0, const float *b1,
  float *c, size_t cs, int add, const float *times
) {
  switch (rows) {
#define CASE(R) case R: tileOf(R, depth, a, skip, b0, b1, c, cs, add, times); break;
    CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6)
#if TILE_ROWS > 6
    CASE(7) CASE(8) CASE(9) CASE(10) CASE(11) CASE(12)
#endif
#undef CASE
  }
}

static void copyRows(size_t rows, size_t columns, float *to, size_t toStride, const float *from, size_t fromStride) {
  for (size_t r = 0; r < rows; r++) memcpy(to + r * toStride, from + r * fromStride, columns * sizeof(float));
}

/**
 * Up to sixteen columns of C, all rows, from two panels [depth][8]. Rows are split into tiles of nearly equal height. Where
 * there are fewer columns, tiles are made aside and only their columns copied.
 */
static void panelProduct(
  size_t rows, size_t depth, size_t columns, const float *const *a, size_t skip, const float *b0, const float *b1,
  float *c, size_t cs, int add, const float *times
) {
  float aside[2][TILE_ROWS * 16];
  const size_t tiles = (rows + TILE_ROWS - 1) / TILE_ROWS;
  for (size_t t = 0, r = 0; t < tiles; t++) {
    const size_t end = (t + 1) * rows / tiles, count = end - r;
    if (columns == 16) {
      tile((int)count, depth, a + r, skip, b0, b1, c + r * cs, cs, add, times ? times + r * cs : 0);
    } else {
      memset(aside, 0, sizeof aside);
      if (add) copyRows(count, columns, aside[0], 16, c + r * cs, cs);
      if (times) copyRows(count, columns, aside[1], 16, times + r * cs, cs);
      tile((int)count, depth, a + r, skip, b0, b1, aside[0], 16, add, times ? aside[1] : 0);
      copyRows(count, columns, c + r * cs, cs, aside[0], 16);
    }
    r = end;
  }
}

/** Eight lanes, folded to four, then what is left. */
static float dot(size_t count, const float *a, const float *b) {
  v8 s = {0};
  size_t i = 0;
  for (; i + 8 <= count; i += 8) s = v8_fma(*(const v8 *)(a + i), *(const v8 *)(b + i), s);
  float lanes[4];
  for (int q = 0; q < 4; q++) lanes[q] = s[q] + s[q + 4];
  float sum = laneSum(lanes);
  for (; i < count; i++) sum += a[i] * b[i];
  return sum;
}

/** C (rows x n) = A (rows x k) W (k x n), added to C where `add`. `a`: where each row of A lies. */
static void matmul(size_t rows, size_t k, size_t n, const float *const *a, const float *w, float *c, int add) {
  if (n == 1) {
    for (size_t r = 0; r < rows; r++) {
      const float sum = dot(k, a[r], w);
      c[r] = sum + (add ? c[r] : 0);
    }
    return;
  }
  for (size_t from = 0; from < k; from += DEPTH) {
    const size_t depth = k - from < DEPTH ? k - from : DEPTH;
    for (size_t j = 0; j < n; j += 16) {
      const float *b0 = w + j * k + 8 * from;
      // a panel that is missing is never stored
      const float *b1 = j + 8 < n ? b0 + 8 * k : b0;
      panelProduct(rows, depth, n - j < 16 ? n - j : 16, a, from, b0, b1, c + j, n, add || from > 0, 0);
    }
  }
}

/** to = s w [times T], added to `to` where `add`. */
INLINE void outerRow(size_t count, float s, const float *w, const float *times, float *to, int add) {
  for (size_t i = 0; i < count; i++) {
    float v = s * w[i];
    if (times) v *= times[i];
    to[i] = add ? v + to[i] : v;
  }
}

/** Rows i to i + 7 of W as columns: `to` [n][8], with n rounded up to the width of W's panels. */
static void transposePanel(size_t k, size_t n, size_t i, const float *w, float *to) {
  const size_t count = k - i < 8 ? k - i : 8;
  for (size_t j = 0; j < n; j += 8, to += 64) {
    const float *from = w + j * k + 8 * i;
    if (count == 8) {
      transpose8(from, to);
      continue;
    }
    memset(to, 0, 64 * sizeof(float));
    for (size_t p = 0; p < count; p++)
      for (size_t q = 0; q < 8; q++) to[8 * q + p] = from[8 * p + q];
  }
}

/**
 * C (rows x k) = A (rows x n) W' (n x k), added to C where `add`; or, with `times`, that product times T element by
 * element. `room`: 16 floats for each column of A, rounded up to a multiple of 8.
 */
static void matmulTransposed(
  size_t rows, size_t k, size_t n, const float *const *a, const float *w, const float *times, float *c, int add,
  float *room
) {
  if (n == 1) {
    for (size_t r = 0; r < rows; r++) {
      if (times) outerRow(k, a[r][0], w, times + r * k, c + r * k, add);
      else outerRow(k, a[r][0], w, 0, c + r * k, add);
    }
    return;
  }
  float *p0 = room, *p1 = room + ((n + 7) & ~(size_t)7) * 8;
  for (size_t i = 0; i < k; i += 16) {
    transposePanel(k, n, i, w, p0);
    if (i + 8 < k) transposePanel(k, n, i + 8, w, p1);
    const float *second = i + 8 < k ? p1 : p0;
    for (size_t from = 0; from < n; from += DEPTH) {
      const size_t depth = n - from < DEPTH ? n - from : DEPTH;
      const float *factor = times && from + depth == n ? times + i : 0;
      panelProduct(
        rows, depth, k - i < 16 ? k - i : 16, a, from, p0 + 8 * from, second + 8 * from, c + i, k, add || from > 0, factor
      );
    }
  }
}
