// Covariances of pairs of rows (src/numeric/pairKernel.ts), eight pairs side by side. No multiply and add is fused and every sum keeps the order
// that JavaScript adds in, so that all kernels give the same bits.

/** Rows of b whose columns are packed together. */
#define PAIRS 64

INLINE d8 radialOf(d8 r) {
  const d8 near = d_div(d_splat(1), d_add(d_splat(1), d_mul(r, d_splat(0.0625))));
  const d8 fourth = d_mul(d_mul(d_mul(near, near), near), near);
  return d_mul(fourth, fourth);
}

INLINE d8 maternOf(d8 r) {
  const d8 t = d_sqrt(d_mul(d_splat(5), r)), u = d_mul(t, d_splat(-0.00390625));
  d8 e = d_add(d_mul(u, d_splat(1.0 / 362880)), d_splat(1.0 / 40320));
  e = d_add(d_mul(u, e), d_splat(1.0 / 5040));
  e = d_add(d_mul(u, e), d_splat(1.0 / 720));
  e = d_add(d_mul(u, e), d_splat(1.0 / 120));
  e = d_add(d_mul(u, e), d_splat(1.0 / 24));
  e = d_add(d_mul(u, e), d_splat(1.0 / 6));
  e = d_add(d_mul(u, e), d_splat(0.5));
  e = d_add(d_mul(u, e), d_splat(1));
  e = d_add(d_mul(u, e), d_splat(1));
  for (int i = 0; i < 8; i++) e = d_mul(e, e);
  const d8 part = d_add(d_add(d_splat(1), t), d_mul(d_mul(t, t), d_splat(1.0 / 3)));
  return d_except(d_lt(d_splat(40), t), d_mul(part, e));
}

/** Eight covariances of the row (x, k) with the packed rows at `b`, [column][PAIRS]. */
INLINE d8 covarianceOf(const PairKernel *of, double allInverse, const double *x, const int32_t *k, const double *b, int isMatern) {
  const size_t c = of->numbers, G = of->classes;
  d8 r = d_splat(0), sum = d_splat(1), product = d_splat(0);
  for (size_t u = 0; u < c; u++, b += PAIRS) {
    const d8 from = d_splat(x[u]), to = d_load(b);
    const d8 apart = d_sub(from, to), d = d_mul(apart, apart);
    r = d_add(r, d_mul(d, d_splat(of->inverse[u])));
    if (of->effects[u] > 0) sum = d_add(sum, d_mul(d_splat(of->effects[u]), radialOf(d_mul(d, d_splat(0.25)))));
    product = d_add(product, d_mul(from, to));
  }
  if (G > 0) {
    d8 same = d_splat(0), apart = d_splat(allInverse);
    for (size_t g = 0; g < G; g++, b += PAIRS) {
      const mask8 isSame = d_eq(d_splat(k[g]), d_load(b));
      same = d_add(same, d_where(isSame, d_splat(of->effects[c + g])));
      apart = d_sub(apart, d_where(isSame, d_splat(of->inverse[c + g])));
    }
    sum = d_add(sum, same);
    r = d_add(r, d_except(d_lt(apart, d_splat(0)), apart));
  }
  const d8 q = isMatern ? maternOf(r) : radialOf(r);
  return d_add(d_add(sum, d_mul(d_splat(of->v), q)), d_mul(d_splat(of->line), product));
}

static void packPairs(const PairKernel *of, PairRows b, size_t from, size_t width, double *to) {
  const size_t c = of->numbers, G = of->classes;
  for (size_t u = 0; u < c + G; u++, to += PAIRS)
    for (size_t j = 0; j < PAIRS; j++) {
      const size_t row = from + j;
      to[j] = j >= width ? 0 : u < c ? b.x[row * c + u] : b.k[row * G + u - c];
    }
}

/** to (n x m): covariances of all pairs. With `isSame`, a and b are the same rows. */
static int pairCovariances(const PairKernel *of, PairRows a, PairRows b, int isSame, double *to, Scratch *scratch) {
  const size_t c = of->numbers, G = of->classes, m = b.count;
  double *packed = scratchOf(scratch, (c + G + 1) * PAIRS * sizeof(double));
  if (!packed) return -1;
  double allInverse = 0;
  for (size_t g = 0; g < G; g++) allInverse += of->inverse[c + g];
  for (size_t from = 0; from < m; from += PAIRS) {
    const size_t width = m - from < PAIRS ? m - from : PAIRS;
    packPairs(of, b, from, width, packed);
    for (size_t i = isSame ? from : 0; i < a.count; i++) {
      const double *x = a.x + i * c;
      const int32_t *k = a.k + i * G;
      const size_t end = isSame && i - from + 1 < width ? i - from + 1 : width;
      for (size_t j = 0; j < end; j += 8) {
        const d8 values = of->isMatern ? covarianceOf(of, allInverse, x, k, packed + j, 1) : covarianceOf(of, allInverse, x, k, packed + j, 0);
        double *at = to + i * m + from + j;
        if (j + 8 <= end) d_store(at, values);
        else {
          double lanes[8];
          d_store(lanes, values);
          memcpy(at, lanes, (end - j) * sizeof(double));
        }
      }
    }
  }
  if (isSame) mirror(m, to);
  return 0;
}

/** r, q of all pairs, and the covariances as the lower triangle of k (n x n). `inverse` and `effects` of the kernel are by group. */
static int pairValues(
  const PairKernel *of, const PairTable *table, double noise, double *r, double *q, double *k, Scratch *scratch
) {
  const size_t n = table->n, size = n * (n + 1) / 2;
  double *packed = scratchOf(scratch, (size + 8) * sizeof(double));
  if (!packed) return -1;
  for (size_t at = 0; at < size; at += 8) {
    d8 far = d_splat(0), near = d_splat(0);
    for (size_t g = 0; g < table->groups; g++) {
      const size_t from = g * table->stride + at;
      far = d_add(far, d_mul(d_splat(of->inverse[g]), d_load(table->apart + from)));
      near = d_add(near, d_mul(d_splat(of->effects[g]), d_load(table->alike + from)));
    }
    const d8 value = of->isMatern ? maternOf(far) : radialOf(far);
    d_store(r + at, far);
    d_store(q + at, value);
    const d8 sum = d_add(d_add(d_splat(1), near), d_mul(d_splat(of->v), value));
    d_store(packed + at, d_add(sum, d_mul(d_splat(of->line), d_load(table->product + at))));
  }
  for (size_t i = 0; i < n; i++) {
    memcpy(k + i * n, packed + i * (i + 1) / 2, (i + 1) * sizeof(double));
    k[i * n + i] += noise;
  }
  return 0;
}

/** Groups whose sums are added up side by side. */
#define GROUPS 4

/**
 * sums: of a q, of a x_a.x_b, of a on the diagonal; of a dq/dr^2 d for each group, of a m for each group, where a = alpha alpha' - K^-1, halved on the
 * diagonal. `inverted`: the lower triangle of K^-1, n x n.
 */
static int pairSlopes(
  int isMatern, const PairTable *table, const double *alpha, const double *inverted, const double *r, const double *q,
  double *sums, Scratch *scratch
) {
  const size_t n = table->n, S = table->groups;
  double *room = scratchOf(scratch, 2 * (n + 8) * sizeof(double));
  if (!room) return -1;
  double *half = room, *byRadius = room + n + 8, *byFar = sums + 3, *byNear = byFar + S;
  memset(sums, 0, (3 + 2 * S) * sizeof(double));
  double byV = 0, byLine = 0, byNoise = 0;
  for (size_t i = 0, start = 0; i < n; start += ++i) {
    const double *row = inverted + i * n, *product = table->product + start;
    for (size_t j = 0; j <= i; j++) half[j] = alpha[i] * alpha[j] - row[j];
    half[i] *= 0.5;
    for (size_t j = 0; j <= i; j += 8) {
      const d8 a = d_load(half + j), value = d_load(q + start + j), far = d_load(r + start + j);
      d8 slope;
      if (isMatern) {
        const d8 t = d_sqrt(d_mul(d_splat(5), far)), one = d_splat(1);
        const d8 top = d_mul(d_mul(d_mul(d_splat(-5.0 / 6), a), d_add(one, t)), value);
        slope = d_div(top, d_add(d_add(one, t), d_div(d_mul(t, t), d_splat(3))));
      } else slope = d_div(d_mul(d_mul(d_splat(-0.5), a), value), d_add(d_splat(1), d_div(far, d_splat(16))));
      d_store(byRadius + j, slope);
    }
    for (size_t j = 0; j <= i; j++) {
      byV += half[j] * q[start + j];
      byLine += half[j] * product[j];
    }
    byNoise += half[i];
    for (size_t g = 0; g < S; g += GROUPS) {
      const size_t count = S - g < GROUPS ? S - g : GROUPS;
      const double *far[GROUPS], *near[GROUPS];
      double f[GROUPS], m[GROUPS];
      for (size_t e = 0; e < GROUPS; e++) {
        const size_t from = (g + (e < count ? e : 0)) * table->stride + start;
        far[e] = table->apart + from;
        near[e] = table->alike + from;
        f[e] = e < count ? byFar[g + e] : 0;
        m[e] = e < count ? byNear[g + e] : 0;
      }
      for (size_t j = 0; j <= i; j++)
        for (size_t e = 0; e < GROUPS; e++) {
          f[e] += byRadius[j] * far[e][j];
          m[e] += half[j] * near[e][j];
        }
      for (size_t e = 0; e < count; e++) {
        byFar[g + e] = f[e];
        byNear[g + e] = m[e];
      }
    }
  }
  sums[0] = byV;
  sums[1] = byLine;
  sums[2] = byNoise;
  return 0;
}
