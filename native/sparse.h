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
    for (uint32_t set = w_nonzeros(w_part(a + i, k - i)); set != 0; set &= set - 1) {
      const size_t j = i + (size_t)__builtin_ctz(set);
      if (count == most) return -1;
      // another thread may have made it 0 meanwhile, which changes no sum
      to[count++] = (Entry){(int32_t)j, a[j]};
    }
  }
  return (int64_t)count;
}

/** Sparse rows whose entries are held at the same time. */
#define SPARSE_ROWS 160
/** Rows of W that are taken at a time: of 64 columns they stay in the second cache. */
#define SPARSE_DEPTH 1024

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

/** Entries of rows that are held at most, but those of one row. */
#define SPARSE_ENTRIES (1 << 21)

/** Rows of k columns whose entries are held at the same time. */
INLINE size_t heldRows(size_t rows, size_t k) {
  const size_t most = SPARSE_ENTRIES / (k / 4 + 1);
  const size_t held = most < 1 ? 1 : most < SPARSE_ROWS ? most : SPARSE_ROWS;
  return rows < held ? rows : held;
}

/** Floats that `matmulRows` needs at `room`. */
INLINE size_t sparseRoom(size_t rows, size_t k) { return k < LEAST_SPARSE ? 0 : heldRows(rows, k) * (k / 4) * 2; }

/** `matmul`, sparse rows by themselves, a part of W at a time for all of them, and dense ones in runs. */
static void matmulRows(
  size_t rows, size_t k, size_t n, const float *const *a, const float *w, float *c, int add, Entry *room
) {
  if (k < LEAST_SPARSE || n == 1) {
    matmul(rows, k, n, a, w, c, add);
    return;
  }
  size_t rowOf[SPARSE_ROWS], counts[SPARSE_ROWS], next[SPARSE_ROWS];
  const size_t held = heldRows(rows, k);
  for (size_t first = 0; first < rows; first += held) {
    const size_t end = rows - first < held ? rows : first + held;
    size_t sparse = 0, from = first;
    for (size_t r = first; r < end; r++) {
      const int64_t count = isSparse(k, a[r]) ? entriesOf(k, a[r], room + sparse * (k / 4)) : -1;
      if (count < 0) continue;
      if (from < r) matmul(r - from, k, n, a + from, w, c + from * n, add);
      from = r + 1;
      rowOf[sparse] = r;
      counts[sparse] = (size_t)count;
      next[sparse++] = 0;
    }
    if (from < end) matmul(end - from, k, n, a + from, w, c + from * n, add);
    for (size_t part = 0; part < k; part += SPARSE_DEPTH) {
      for (size_t s = 0; s < sparse; s++) {
        const Entry *entries = room + s * (k / 4);
        const size_t start = next[s];
        size_t stop = start;
        while (stop < counts[s] && (size_t)entries[stop].index < part + SPARSE_DEPTH) stop++;
        next[s] = stop;
        if (stop > start || part == 0) sparseRow(k, n, stop - start, entries + start, w, c + rowOf[s] * n, add || part > 0);
      }
    }
  }
}

/** Adds value times row r of B to row q of all strips, eight panels at a time. */
INLINE void addEntry(size_t panels, float value, const float *b, size_t bs, float *strip) {
  const v8 factor = {value, value, value, value, value, value, value, value};
  size_t p = 0;
#define PANEL(i) { \
    v8 *sum = (v8 *)(strip + (p + i) * STRIP * 8); \
    *sum = v8_fma(factor, *(const v8 *)(b + (p + i) * bs), *sum); \
  }
  for (; p + 8 <= panels; p += 8) {
    PANEL(0) PANEL(1) PANEL(2) PANEL(3) PANEL(4) PANEL(5) PANEL(6) PANEL(7)
  }
  for (; p < panels; p++) PANEL(0)
#undef PANEL
}

/** Floats that `outerSparse` needs at `room`. */
INLINE size_t outerSparseRoom(size_t rows, size_t k, size_t n) {
  return outerRoom(rows, n) + STRIP * (n + 8) + (rows == heldRows(rows, k) ? sparseRoom(rows, k) : 0);
}

/** `outer` of rows most of which are sparse. Of not too many rows the entries are listed first: each row is read once, in order. */
static void outerSparse(
  size_t rows, size_t k, size_t n, const float *const *a, const float *b, const Destination *to, float *room
) {
  const size_t panels = (n + 7) / 8;
  float *strips = room, *packed = room + panels * STRIP * 8;
  // whole panels are read where they lie
  const int isWhole = n % 8 == 0;
  if (!isWhole) packColumns(rows, n, b, packed);
  const float *factors = isWhole ? b : packed;
  const size_t rowStep = isWhole ? n : 8, panelStep = isWhole ? 8 : 8 * rows;
  Entry *lists = (Entry *)(packed + rows * panels * 8);
  int64_t counts[SPARSE_ROWS];
  size_t next[SPARSE_ROWS];
  const int isListed = rows == heldRows(rows, k);
  for (size_t r = 0; isListed && r < rows; r++) {
    counts[r] = entriesOf(k, a[r], lists + r * (k / 4));
    next[r] = 0;
  }
  for (size_t from = 0; from < k; from += STRIP) {
    const size_t count = k - from < STRIP ? k - from : STRIP;
    memset(strips, 0, panels * STRIP * 8 * sizeof(float));
    for (size_t r = 0; r < rows; r++) {
      const float *row = a[r] + from, *factor = factors + r * rowStep;
      if (isListed && counts[r] >= 0) {
        const Entry *list = lists + r * (k / 4);
        size_t e = next[r];
        for (; e < (size_t)counts[r] && (size_t)list[e].index < from + count; e++)
          addEntry(panels, list[e].value, factor, panelStep, strips + (list[e].index - from) * 8);
        next[r] = e;
        continue;
      }
      for (size_t i = 0; i < count; i += 16)
        for (uint32_t set = w_nonzeros(w_part(row + i, count - i)); set != 0; set &= set - 1) {
          const size_t q = i + (size_t)__builtin_ctz(set);
          addEntry(panels, row[q], factor, panelStep, strips + q * 8);
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
