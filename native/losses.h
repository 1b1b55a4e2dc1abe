// Losses with their gradients, and the softmax over groups of columns: assembly/losses.ts.

/** Discretised logistic head; sums over bins go through four lanes. `labels` rows x 2. */
static void thermometer(
  size_t rows, int bins, float width, const float *mu, const float *labels, float *loss, float *slope
) {
  static const float numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  const float inverse = 1.0f / width, share = 1.0f / (float)bins;
  const w16 lanes = w_load(numbers), end = w_splat((float)bins);
  for (size_t r = 0; r < rows; r++) {
    const w16 m = w_splat(mu[r]), lo = w_splat(labels[2 * r]), hi = w_splat(labels[2 * r + 1]);
    float total[4] = {0}, gradient[4] = {0};
    for (int j = 0; j < bins; j += 16) {
      const w16 index = w_add(w_splat((float)j), lanes);
      const w16 t = w_mul(w_sub(m, w_mul(index, w_splat(share))), w_splat(inverse));
      const mask16 above = w_le(index, lo);
      const mask16 counted = m_and(m_or(above, w_lt(hi, index)), w_lt(index, end));
      const w16 e = expMinusAbs(t);
      const w16 turned = w_xor(t, w_where(above, w_splat(-0.0f)));
      float losses[16], slopes[16];
      w_store(losses, w_where(counted, softplusFrom(turned, e)));
      w_store(slopes, w_where(counted, w_sub(sigmoidFrom(t, e), w_where(above, w_splat(1)))));
      const int width4 = bins - j < 16 ? (bins - j + 3) & ~3 : 16;
      for (int q = 0; q < width4; q += 4) {
        for (int l = 0; l < 4; l++) {
          total[l] += losses[q + l];
          gradient[l] += slopes[q + l];
        }
      }
    }
    if (loss) loss[r] = laneSum(total) * share;
    if (slope) slope[r] = laneSum(gradient) * share * inverse;
  }
}

/** Largest of `count` floats, NaN if one is. */
INLINE float largest(size_t count, const float *a) {
  float top = a[0];
  for (size_t i = 1; i < count; i++)
    if (a[i] > top || a[i] != a[i]) top = a[i];
  return top;
}

INLINE float expOf(float x) {
  float lanes[16];
  w_store(lanes, w_exp(w_splat(x)));
  return lanes[0];
}

static void exponentials(size_t count, float *a) {
  for (size_t i = 0; i < count; i += 16) w_put(a + i, w_exp(w_part(a + i, count - i)), count - i);
}

/** In fours, then what is left. */
INLINE float sumInFours(size_t count, const float *a) {
  float sum = 0;
  size_t i = 0;
  for (; i + 4 <= count; i += 4) sum += laneSum(a + i);
  for (; i < count; i++) sum += a[i];
  return sum;
}

/** Softmax over each run of `group` numbers; `to` may be a. */
static void softmax(size_t count, size_t group, const float *a, float *to) {
  for (size_t from = 0; from < count; from += group) {
    const float top = largest(group, a + from);
    for (size_t i = from; i < from + group; i++) to[i] = a[i] - top;
  }
  exponentials(count, to);
  for (size_t from = 0; from < count; from += group) {
    const float sum = sumInFours(group, to + from);
    for (size_t i = from; i < from + group; i++) to[i] /= sum;
  }
}

/** to = y (dy - sum over the group of y dy); `to` may be dy. */
static void softmaxBackward(size_t count, size_t group, const float *y, const float *dy, float *to) {
  for (size_t from = 0; from < count; from += group) {
    float sum = 0;
    for (size_t i = from; i < from + group; i++) sum += y[i] * dy[i];
    for (size_t i = from; i < from + group; i++) to[i] = y[i] * (dy[i] - sum);
  }
}

/** Cross entropy of softmax(a) with a label in classes lo..hi. Returns 0 where a label is no such range. */
static int categorical(size_t rows, size_t classes, const float *a, const float *labels, float *loss, float *slope) {
  for (size_t r = 0; r < rows; r++) {
    const float first = ((const volatile float *)labels)[2 * r], last = ((const volatile float *)labels)[2 * r + 1];
    if (!(first >= 0 && first <= last && last < (float)classes)) return 0;
    const size_t lo = (size_t)first, hi = (size_t)last;
    if (hi >= classes) return 0;
    const float *row = a + r * classes;
    float *to = slope + r * classes;
    const float top = largest(classes, row), topInside = largest(hi - lo + 1, row + lo);
    float inside = 0;
    for (size_t j = lo; j <= hi; j++) inside += expOf(row[j] - topInside);
    for (size_t j = 0; j < classes; j++) to[j] = row[j] - top;
    exponentials(classes, to);
    const float sum = sumInFours(classes, to);
    if (loss) {
      float logs[16];
      for (int i = 0; i < 16; i++) logs[i] = i == 1 ? inside : sum;
      w_store(logs, w_log(w_load(logs)));
      loss[r] = logs[0] - logs[1] + (top - topInside);
    }
    for (size_t j = 0; j < classes; j++) {
      float p = to[j] / sum;
      if (j >= lo && j <= hi) p -= expOf(row[j] - topInside) / inside;
      to[j] = p;
    }
  }
  return 1;
}
