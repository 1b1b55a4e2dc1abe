// Dense float64 linear algebra: assembly/linalg.ts, whose blocks, orders of sums and roundings are kept, so that both give the
// same bits where the WebAssembly engine fuses multiply and add. Strides count elements, and may be negative.

/** Rows of a diagonal block. */
#define BLOCK 64
/** Columns of the right operand that are packed together. */
#define WIDTH 128
/** How much of the sum a tile takes at a time. Sums of parts are added to C one by one, so this shows in the bits. */
#define PART 256

typedef struct {
  double left[PART * TILE_ROWS];
  double right[WIDTH * PART];
  double panel[BLOCK * 8];
  double triangle[BLOCK * BLOCK];
} LinalgRoom;

/** to[k][r] = from(r, k) for r < count, zeros up to `width`. */
INLINE void pack(
  size_t count, size_t width, size_t depth, const double *from, ptrdiff_t across, ptrdiff_t along, double *to
) {
  for (size_t k = 0; k < depth; k++, from += along, to += width)
    for (size_t r = 0; r < width; r++) to[r] = r < count ? from[(ptrdiff_t)r * across] : 0;
}

/** C (rows x columns, at most TILE_ROWS x 8) += or -= A B', packed. */
static void tileDouble(
  size_t rows, size_t columns, size_t depth, const double *a, const double *b, double *c, ptrdiff_t stride, int subtract
) {
#define START(r) d8 c##r = d_splat(0);
  ROWS(START)
  for (size_t k = 0; k < depth; k++) {
    const d8 x = d_load(b);
#define STEP(r) c##r = d_fma(d_splat(a[r]), x, c##r);
    ROWS(STEP)
    a += TILE_ROWS;
    b += 8;
  }
  double sums[TILE_ROWS * 8];
#define STORE(r) d_store(sums + 8 * r, c##r);
  ROWS(STORE)
#undef START
#undef STEP
#undef STORE
  for (size_t r = 0; r < rows; r++) {
    double *to = c + (ptrdiff_t)r * stride;
    const double *sum = sums + 8 * r;
    if (columns == 8) d_store(to, subtract ? d_sub(d_load(to), d_load(sum)) : d_add(d_load(to), d_load(sum)));
    else for (size_t j = 0; j < columns; j++) to[j] = subtract ? to[j] - sum[j] : to[j] + sum[j];
  }
}

/** One matrix, read through two strides: element (i, j) lies at `at` + i across + j along. */
typedef struct {
  const double *at;
  ptrdiff_t across, along;
} Strided;

INLINE const double *elementOf(Strided m, size_t i, size_t j) {
  return m.at + (ptrdiff_t)i * m.across + (ptrdiff_t)j * m.along;
}

/** C (rows x columns) += or -= A (rows x depth) B' (depth x columns). With `lower`, C's upper triangle may be left out. */
static void accumulateProduct(
  size_t rows, size_t columns, size_t depth, Strided a, Strided b, double *c, ptrdiff_t stride, int subtract, int lower,
  LinalgRoom *room
) {
  for (size_t from = 0; from < columns; from += WIDTH) {
    const size_t width = columns - from < WIDTH ? columns - from : WIDTH;
    for (size_t start = 0; start < depth; start += PART) {
      const size_t part = depth - start < PART ? depth - start : PART;
      for (size_t j = 0; j < width; j += 8)
        pack(width - j < 8 ? width - j : 8, 8, part, elementOf(b, from + j, start), b.across, b.along, room->right + j * part);
      for (size_t i = 0; i < rows; i += TILE_ROWS) {
        const size_t count = rows - i < TILE_ROWS ? rows - i : TILE_ROWS;
        if (lower && i + count <= from) continue;
        pack(count, TILE_ROWS, part, elementOf(a, i, start), a.across, a.along, room->left);
        const size_t end = lower && i + count - from < width ? i + count - from : width;
        for (size_t j = 0; j < end; j += 8) {
          double *to = c + (ptrdiff_t)i * stride + from + j;
          tileDouble(count, width - j < 8 ? width - j : 8, part, room->left, room->right + j * part, to, stride, subtract);
        }
      }
    }
  }
}

/** Eight lanes: pairs of pairs, then what is left. */
static double dotDouble(size_t count, const double *a, const double *b) {
  d8 s = d_splat(0);
  size_t i = 0;
  for (; i + 8 <= count; i += 8) s = d_fma(d_load(a + i), d_load(b + i), s);
  double lanes[8];
  d_store(lanes, s);
  double sum = (lanes[0] + lanes[2] + (lanes[4] + lanes[6])) + (lanes[1] + lanes[3] + (lanes[5] + lanes[7]));
  for (; i < count; i++) sum += a[i] * b[i];
  return sum;
}

/** L X = P in place: L the lower triangle of `size` rows at `l`, BLOCK apart; P [size][8]. Four rows at a time. */
static void solvePanel(size_t size, const double *l, double *panel) {
  for (size_t i = 0; i < size; i += 4) {
    const size_t count = size - i < 4 ? size - i : 4;
    d8 sum[4] = {d_splat(0), d_splat(0), d_splat(0), d_splat(0)};
    const double *row[4];
    for (size_t r = 0; r < 4; r++) row[r] = l + (i + (r < count ? r : 0)) * BLOCK;
    for (size_t k = 0; k < i; k++) {
      const d8 x = d_load(panel + 8 * k);
      for (int r = 0; r < 4; r++) sum[r] = d_fma(d_splat(row[r][k]), x, sum[r]);
    }
    for (size_t r = 0; r < count; r++) {
      double *at = panel + 8 * (i + r);
      d8 x = i ? d_sub(d_load(at), sum[r]) : d_load(at);
      for (size_t q = 0; q < r; q++) x = d_sub(x, d_mul(d_splat(row[r][i + q]), d_load(panel + 8 * (i + q))));
      d_store(at, d_div(x, d_splat(row[r][i + r])));
    }
  }
}

/** The lower triangle of a diagonal block, rows BLOCK apart. */
static void packTriangle(size_t size, Strided l, double *to) {
  for (size_t i = 0; i < size; i++)
    for (size_t j = 0; j <= i; j++) to[i * BLOCK + j] = *elementOf(l, i, j);
}

/** Up to eight right-hand sides against the packed diagonal block; element (k, r) of B lies at b + k along + r across. */
static void solveStrip(size_t count, size_t size, double *b, ptrdiff_t across, ptrdiff_t along, LinalgRoom *room) {
  pack(count, 8, size, b, across, along, room->panel);
  solvePanel(size, room->triangle, room->panel);
  for (size_t k = 0; k < size; k++)
    for (size_t r = 0; r < count; r++) b[(ptrdiff_t)k * along + (ptrdiff_t)r * across] = room->panel[8 * k + r];
}

/** Cholesky factor of a diagonal block, row by row; 0, or 1 + the first pivot that is not positive. */
static size_t factorBlock(size_t size, double *a, size_t stride) {
  for (size_t i = 0; i < size; i++) {
    double *row = a + i * stride;
    for (size_t j = 0; j < i; j++) {
      const double *other = a + j * stride;
      row[j] = (row[j] - dotDouble(j, row, other)) / other[j];
    }
    const double pivot = row[i] - dotDouble(i, row, row);
    if (!(pivot > 0)) return i + 1;
    row[i] = __builtin_sqrt(pivot);
  }
  return 0;
}

/** A = L L' in place, n x n, zeros above the diagonal of L. */
static int64_t choleskyFactor(size_t n, double *a, Scratch *scratch) {
  LinalgRoom *room = scratchOf(scratch, sizeof(LinalgRoom));
  if (!room) return -1;
  const ptrdiff_t row = (ptrdiff_t)n;
  for (size_t from = 0; from < n; from += BLOCK) {
    const size_t size = n - from < BLOCK ? n - from : BLOCK;
    double *rows = a + from * n, *corner = rows + from;
    const Strided before = {rows, row, 1};
    if (from) accumulateProduct(n - from, size, from, before, before, corner, row, 1, 1, room);
    const size_t failed = factorBlock(size, corner, n);
    if (failed) return (int64_t)(from + failed);
    packTriangle(size, (Strided){corner, row, 1}, room->triangle);
    for (size_t i = from + size; i < n; i += 8)
      solveStrip(n - i < 8 ? n - i : 8, size, a + i * n + from, row, 1, room);
  }
  for (size_t i = 0; i + 1 < n; i++) memset(a + i * n + i + 1, 0, (n - 1 - i) * sizeof(double));
  return 0;
}

/** L X = B in place, row i of B at b + i stride. */
static void solveBlocks(size_t n, size_t m, Strided l, double *b, ptrdiff_t stride, LinalgRoom *room) {
  for (size_t from = 0; from < n; from += BLOCK) {
    const size_t size = n - from < BLOCK ? n - from : BLOCK;
    double *to = b + (ptrdiff_t)from * stride;
    const Strided rows = {elementOf(l, from, 0), l.across, l.along};
    if (from) accumulateProduct(size, m, from, rows, (Strided){b, 1, stride}, to, stride, 1, 0, room);
    packTriangle(size, (Strided){elementOf(l, from, from), l.across, l.along}, room->triangle);
    for (size_t j = 0; j < m; j += 8) solveStrip(m - j < 8 ? m - j : 8, size, to + j, 1, stride, room);
  }
}

/** L X = B in place: L n x n lower triangular, B n x m. */
static int solveLower(size_t n, size_t m, const double *l, double *b, Scratch *scratch) {
  if (m == 1) {
    for (size_t i = 0; i < n; i++) b[i] = (b[i] - dotDouble(i, l + i * n, b)) / l[i * n + i];
    return 0;
  }
  LinalgRoom *room = scratchOf(scratch, sizeof(LinalgRoom));
  if (!room) return -1;
  solveBlocks(n, m, (Strided){l, (ptrdiff_t)n, 1}, b, (ptrdiff_t)m, room);
  return 0;
}

/** L' X = B in place: a lower solve, with rows and columns of L' reversed. */
static int solveLowerTransposed(size_t n, size_t m, const double *l, double *b, Scratch *scratch) {
  if (m == 1) {
    for (size_t i = n; i-- > 0;) {
      const double *row = l + i * n, x = b[i] / row[i];
      b[i] = x;
      const size_t pairs = i & ~(size_t)1;
      for (size_t j = 0; j < pairs; j++) b[j] = __builtin_fma(-x, row[j], b[j]);
      if (pairs < i) b[pairs] = b[pairs] - x * row[pairs];
    }
    return 0;
  }
  LinalgRoom *room = scratchOf(scratch, sizeof(LinalgRoom));
  if (!room) return -1;
  const ptrdiff_t row = (ptrdiff_t)n, stride = (ptrdiff_t)m;
  solveBlocks(n, m, (Strided){l + n * n - 1, -1, -row}, b + (n - 1) * m, -stride, room);
  return 0;
}

/** C (rows x columns) = A (rows x depth) B' (depth x columns), B columns x depth. */
static int multiplyTransposed(
  size_t rows, size_t columns, size_t depth, const double *a, const double *b, double *c, Scratch *scratch
) {
  LinalgRoom *room = scratchOf(scratch, sizeof(LinalgRoom));
  if (!room) return -1;
  memset(c, 0, rows * columns * sizeof(double));
  const ptrdiff_t row = (ptrdiff_t)depth;
  accumulateProduct(
    rows, columns, depth, (Strided){a, row, 1}, (Strided){b, row, 1}, c, (ptrdiff_t)columns, 0, 0, room
  );
  return 0;
}

/** The lower triangle of a (n x n) copied above its diagonal, 8 x 8 at a time. */
static void mirror(size_t n, double *a) {
  for (size_t i = 0; i < n; i += 8)
    for (size_t j = 0; j <= i; j += 8)
      for (size_t r = i; r < i + 8 && r < n; r++)
        for (size_t s = j; s < j + 8 && s < r; s++) a[s * n + r] = a[r * n + s];
}

/**
 * x (n x n, zeros at first) = L^-1, lower triangular: L X = I without what is zero. A product skips the rows of X that are zero in all of its
 * columns; parts of sums end where those of `accumulateProduct` do, so that the bits are those of `solveLower`.
 */
static void invertLower(size_t n, const double *l, double *x, LinalgRoom *room) {
  const ptrdiff_t row = (ptrdiff_t)n;
  for (size_t i = 0; i < n; i++) x[i * n + i] = 1;
  for (size_t from = 0; from < n; from += BLOCK) {
    const size_t size = n - from < BLOCK ? n - from : BLOCK;
    double *to = x + from * n;
    for (size_t j = 0; j < from; j += BLOCK) {
      for (size_t start = j, end; start < from; start = end) {
        end = (start / PART + 1) * PART < from ? (start / PART + 1) * PART : from;
        const Strided left = {l + from * n + start, row, 1}, right = {x + start * n + j, 1, row};
        accumulateProduct(size, BLOCK, end - start, left, right, to + j, row, 1, 0, room);
      }
    }
    packTriangle(size, (Strided){l + from * n + from, row, 1}, room->triangle);
    for (size_t j = 0; j < from + size; j += 8)
      solveStrip(from + size - j < 8 ? from + size - j : 8, size, to + j, 1, row, room);
  }
}

/** x (n x n, zeros at first) = L^-1, or with `isWhole` (L L')^-1: of L' X = L^-1 the lower triangle, then the rest by symmetry. */
static int invertFactor(size_t n, int isWhole, const double *l, double *x, Scratch *scratch) {
  LinalgRoom *room = scratchOf(scratch, sizeof(LinalgRoom));
  if (!room) return -1;
  invertLower(n, l, x, room);
  if (!isWhole) return 0;
  const ptrdiff_t row = (ptrdiff_t)n;
  const Strided reversed = {l + n * n - 1, -1, -row};
  double *last = x + (n - 1) * n;
  for (size_t from = 0; from < n; from += BLOCK) {
    const size_t size = n - from < BLOCK ? n - from : BLOCK, columns = n - from;
    double *to = last - (ptrdiff_t)from * row;
    const Strided rows = {elementOf(reversed, from, 0), -1, -row};
    if (from) accumulateProduct(size, columns, from, rows, (Strided){last, 1, -row}, to, -row, 1, 0, room);
    packTriangle(size, (Strided){elementOf(reversed, from, from), -1, -row}, room->triangle);
    for (size_t j = 0; j < columns; j += 8) solveStrip(columns - j < 8 ? columns - j : 8, size, to + j, 1, -row, room);
  }
  mirror(n, x);
  return 0;
}
