// Rows that are mostly zeros, such as classes and sequences as ones and zeros: products skip the zeros. A chain of fused
// multiply-adds that starts at 0 passes a zero unchanged, so the bits are those of the dense kernels, for finite weights.
// assembly/sparse.ts does the same.

/** Shorter rows are not looked at. */
#define LEAST_SPARSE 256
/** Elements that are looked at first, evenly spread; with more than PROBES_SET other than 0 a row is dense. */
#define PROBES 32
#define PROBES_SET 8

typedef struct {
  int32_t index;
  float value;
} Entry;

static int isSparse(size_t k, const float *a) {
  if (k < LEAST_SPARSE) return 0;
  int set = 0;
  for (size_t i = 0; i < PROBES; i++) set += a[i * k / PROBES] != 0;
  return set <= PROBES_SET;
}

/** What is not zero, first to last. @returns how many, or -1 if more than a quarter */
static int64_t entriesOf(size_t k, const float *a, Entry *to) {
  const size_t most = k / 4;
  size_t count = 0;
  for (size_t i = 0; i < k; i += 16) {
    const size_t end = i + 16 < k ? i + 16 : k;
    if (w_isZero(w_part(a + i, k - i))) continue;
    for (size_t j = i; j < end; j++) {
      // read once: what another thread writes meanwhile must not be counted one way and stored another
      const float value = ((const volatile float *)a)[j];
      if (value == 0) continue;
      if (count == most) return -1;
      to[count++] = (Entry){(int32_t)j, value};
    }
  }
  return (int64_t)count;
}

/** One row of C (n columns) = row of A times W, added to C where `add`. */
static void sparseRow(size_t k, size_t n, size_t count, const Entry *entries, const float *w, float *c, int add) {
  for (size_t j = 0; j < n; j += 32) {
    const size_t left = n - j;
    const float *p0 = w + j * k, *p1 = left > 8 ? p0 + 8 * k : p0, *p2 = left > 16 ? p0 + 16 * k : p0;
    const float *p3 = left > 24 ? p0 + 24 * k : p0;
    w16 low = add ? w_part(c + j, left) : w_splat(0), high = add && left > 16 ? w_part(c + j + 16, left - 16) : w_splat(0);
    for (size_t e = 0; e < count; e++) {
      const size_t at = 8 * (size_t)entries[e].index;
      const w16 value = w_splat(entries[e].value);
      low = w_fma(value, w_load2(p0 + at, p1 + at), low);
      high = w_fma(value, w_load2(p2 + at, p3 + at), high);
    }
    w_put(c + j, low, left);
    if (left > 16) w_put(c + j + 16, high, left - 16);
  }
}

/** `matmul`, sparse rows by themselves and dense ones in runs. `entries`: room for a quarter of a row. */
static void matmulRows(
  size_t rows, size_t k, size_t n, const float *const *a, const float *w, float *c, int add, Entry *entries
) {
  size_t from = 0;
  for (size_t r = 0; r < rows; r++) {
    const int64_t count = n > 1 && isSparse(k, a[r]) ? entriesOf(k, a[r], entries) : -1;
    if (count < 0) continue;
    if (from < r) matmul(r - from, k, n, a + from, w, c + from * n, add);
    sparseRow(k, n, (size_t)count, entries, w, c + r * n, add);
    from = r + 1;
  }
  if (from < rows) matmul(rows - from, k, n, a + from, w, c + from * n, add);
}

/** `outer` of rows most of which are sparse. `room`: of `outerRoom` and STRIP floats for each column of B's panels. */
static void outerSparse(
  size_t rows, size_t k, size_t n, const float *const *a, const float *b, const Destination *to, float *room
) {
  const size_t panels = (n + 7) / 8;
  float *strips = room, *packed = room + panels * STRIP * 8;
  packColumns(rows, n, b, packed);
  for (size_t from = 0; from < k; from += STRIP) {
    const size_t count = k - from < STRIP ? k - from : STRIP;
    memset(strips, 0, panels * STRIP * 8 * sizeof(float));
    for (size_t r = 0; r < rows; r++) {
      const float *row = a[r] + from;
      for (size_t i = 0; i < count; i += 16) {
        if (w_isZero(w_part(row + i, count - i))) continue;
        for (size_t q = i; q < i + 16 && q < count; q++) {
          const float value = row[q];
          if (value == 0) continue;
          const v8 factor = {value, value, value, value, value, value, value, value};
          for (size_t p = 0; p < panels; p++) {
            v8 *sum = (v8 *)(strips + (p * STRIP + q) * 8);
            *sum = v8_fma(factor, *(const v8 *)(packed + (p * rows + r) * 8), *sum);
          }
        }
      }
    }
    for (size_t p = 0; p < panels; p++) finishStrip(count * 8, strips + p * STRIP * 8, (p * k + from) * 8, to);
  }
}

/** Whether three of four rows are sparse. */
static int areSparse(size_t rows, size_t k, const float *const *a) {
  size_t count = 0;
  for (size_t r = 0; k >= LEAST_SPARSE && r < rows; r++) count += (size_t)isSparse(k, a[r]);
  return 4 * count >= 3 * rows && k >= LEAST_SPARSE;
}
