// Weight gradients G = A' B, and Adam, which takes them strip by strip: assembly/matmul.ts, assembly/adam.ts.

/** Rows of a weight gradient that are made together; a multiple of TILE_ROWS. */
#define STRIP 48
/** Of a weight of one column. */
#define LONG_STRIP 512

/** Where a weight gradient goes: to memory, or into Adam's update. */
typedef struct {
  float *g;
  int add;
  float *theta, *m, *v, *target;
  /** rate / (1 - beta1^t), 1 / sqrt(1 - beta2^t), beta1, 1 - beta1, beta2, 1 - beta2, eps, tau; null without Adam. */
  const float *control;
} Destination;

/** theta -= rate m / (sqrt(v) correction + eps), target += tau (theta - target). */
INLINE void updateSome(
  size_t count, const float *g, float *theta, float *m, float *v, float *target, const float *control
) {
  const w16 rate = w_splat(control[0]), correction = w_splat(control[1]);
  const w16 beta1 = w_splat(control[2]), rest1 = w_splat(control[3]);
  const w16 beta2 = w_splat(control[4]), rest2 = w_splat(control[5]);
  const w16 eps = w_splat(control[6]), tau = w_splat(control[7]);
  for (size_t i = 0; i < count; i += 16) {
    const size_t left = count - i;
    const w16 gradient = w_part(g + i, left);
    const w16 m1 = flushTiny(w_fma(w_part(m + i, left), beta1, w_mul(rest1, gradient)));
    const w16 v1 = flushTiny(w_fma(w_part(v + i, left), beta2, w_mul(rest2, w_mul(gradient, gradient))));
    const w16 denominator = w_fma(w_sqrt(v1), correction, eps);
    const w16 t1 = w_sub(w_part(theta + i, left), w_mul(rate, w_div(m1, denominator)));
    w_put(m + i, m1, left);
    w_put(v + i, v1, left);
    w_put(theta + i, t1, left);
    if (target) {
      const w16 old = w_part(target + i, left);
      w_put(target + i, w_fma(tau, w_sub(t1, old), old), left);
    }
  }
}

static void update(
  size_t count, const float *g, float *theta, float *m, float *v, float *target, const float *control
) {
  if (target) updateSome(count, g, theta, m, v, target, control);
  else updateSome(count, g, theta, m, v, 0, control);
}

static void finishStrip(size_t count, const float *strip, size_t at, const Destination *to) {
  if (to->control)
    update(count, strip, to->theta + at, to->m + at, to->v + at, to->target ? to->target + at : 0, to->control);
  else if (to->add) addTo(count, to->g + at, strip);
  else memcpy(to->g + at, strip, count * sizeof(float));
}

/** TILE_ROWS x 16 of G: `a` [rows][TILE_ROWS], panels [rows][8], to two strips [.][8]. */
static void tileTransposed(size_t rows, const float *a, const float *b0, const float *b1, float *s0, float *s1) {
#define START(r) w16 c##r = w_splat(0);
  ROWS(START)
  for (size_t i = 0; i < rows; i++) {
    const w16 b = w_load2(b0 + 8 * i, b1 + 8 * i);
#define STEP(r) c##r = w_fma(w_splat(a[r]), b, c##r);
    ROWS(STEP)
    a += TILE_ROWS;
  }
#define STORE(r) w_store2(s0 + 8 * r, s1 + 8 * r, c##r);
  ROWS(STORE)
#undef START
#undef STEP
#undef STORE
}

/** B (rows x n) into panels [n/8][rows][8], zeros behind the last column. */
static void packColumns(size_t rows, size_t n, const float *b, float *to) {
  for (size_t j = 0; j < n; j += 8) {
    const size_t columns = n - j < 8 ? n - j : 8;
    for (size_t r = 0; r < rows; r++, to += 8) {
      if (columns == 8) memcpy(to, b + r * n + j, 8 * sizeof(float));
      else {
        memset(to, 0, 8 * sizeof(float));
        memcpy(to, b + r * n + j, columns * sizeof(float));
      }
    }
  }
}

/** Columns from .. from + count - 1 of A, in tiles [rows][TILE_ROWS], zeros behind the last. */
static void packStrip(size_t rows, size_t count, const float *const *a, size_t from, float *to) {
  for (size_t i = 0; i < count; i += TILE_ROWS) {
    const size_t width = count - i < TILE_ROWS ? count - i : TILE_ROWS;
    if (width == TILE_ROWS) {
      for (size_t r = 0; r < rows; r++, to += TILE_ROWS) memcpy(to, a[r] + from + i, TILE_ROWS * sizeof(float));
    } else {
      for (size_t r = 0; r < rows; r++, to += TILE_ROWS)
        for (size_t q = 0; q < TILE_ROWS; q++) to[q] = q < width ? a[r][from + i + q] : 0;
    }
  }
}

/** Floats that `outer` needs at `room`. */
INLINE size_t outerRoom(size_t rows, size_t n) { return rows * STRIP + rows * ((n + 7) & ~(size_t)7); }

/** G (k x n, a weight) = A' (k x rows) B (rows x n). */
static void outer(
  size_t rows, size_t k, size_t n, const float *const *a, const float *b, const Destination *to, float *room
) {
  if (n == 1) {
    float strip[LONG_STRIP];
    for (size_t from = 0; from < k; from += LONG_STRIP) {
      const size_t count = k - from < LONG_STRIP ? k - from : LONG_STRIP;
      memset(strip, 0, sizeof strip);
      for (size_t r = 0; r < rows; r++) outerRow(count, b[r], a[r] + from, 0, strip, 1);
      finishStrip(count, strip, from, to);
    }
    return;
  }
  float strips[2][STRIP * 8];
  float *block = room, *packed = room + rows * STRIP;
  const size_t panels = (n + 7) / 8;
  packColumns(rows, n, b, packed);
  for (size_t from = 0; from < k; from += STRIP) {
    const size_t count = k - from < STRIP ? k - from : STRIP;
    packStrip(rows, count, a, from, block);
    for (size_t p = 0; p < panels; p += 2) {
      const float *b0 = packed + p * rows * 8, *b1 = p + 1 < panels ? b0 + rows * 8 : b0;
      for (size_t i = 0; i < count; i += TILE_ROWS)
        tileTransposed(rows, block + i * rows, b0, b1, strips[0] + i * 8, strips[1] + i * 8);
      finishStrip(count * 8, strips[0], (p * k + from) * 8, to);
      if (p + 1 < panels) finishStrip(count * 8, strips[1], ((p + 1) * k + from) * 8, to);
    }
  }
}
