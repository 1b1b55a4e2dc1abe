// Element-by-element work, sums, copies, and functions of one number with their slopes: assembly/elementwise.ts and
// assembly/activation.ts. Loops over plain floats are left to the compiler: it may not change the order of a sum.

INLINE float operate(int op, float a, float b) {
  switch (op) {
    case ADD: return a + b;
    case SUBTRACT: return a - b;
    case MULTIPLY: return a * b;
    default: return a / b;
  }
}

/** to = a op b; `to` may be a. b is of a's shape, or one row, one column or one number that is repeated. */
INLINE void combineWith(int op, int how, size_t rows, size_t columns, const float *a, const float *b, float *to) {
  if (how == SAME || how == SCALAR) {
    columns *= rows;
    rows = 1;
  }
  for (size_t r = 0; r < rows; r++) {
    if (how == COLUMN || how == SCALAR) {
      const float one = b[how == COLUMN ? r : 0];
      for (size_t j = 0; j < columns; j++) to[j] = operate(op, a[j], one);
    } else {
      for (size_t j = 0; j < columns; j++) to[j] = operate(op, a[j], b[j]);
    }
    a += columns;
    to += columns;
  }
}

static void combine(int op, int how, size_t rows, size_t columns, const float *a, const float *b, float *to) {
  switch (op) {
    case ADD: combineWith(ADD, how, rows, columns, a, b, to); break;
    case SUBTRACT: combineWith(SUBTRACT, how, rows, columns, a, b, to); break;
    case MULTIPLY: combineWith(MULTIPLY, how, rows, columns, a, b, to); break;
    default: combineWith(DIVIDE, how, rows, columns, a, b, to);
  }
}

static void scale(size_t count, float factor, float offset, const float *a, float *to) {
  for (size_t i = 0; i < count; i++) to[i] = factor * a[i] + offset;
}

static void fill(size_t count, float value, float *to) {
  for (size_t i = 0; i < count; i++) to[i] = value;
}

static void addTo(size_t count, float *to, const float *from) {
  for (size_t i = 0; i < count; i++) to[i] += from[i];
}

/** to (1 x columns) = sum of the rows, first to last. */
static void sumRows(size_t rows, size_t columns, const float *a, float *to) {
  memmove(to, a, columns * sizeof(float));
  for (size_t r = 1; r < rows; r++) addTo(columns, to, a + r * columns);
}

/** to (rows x 1) = sum of the columns: four lanes, then what is left. */
static void sumColumns(size_t rows, size_t columns, const float *a, float *to) {
  for (size_t r = 0; r < rows; r++) {
    float lanes[4] = {0};
    size_t j = 0;
    for (; j + 4 <= columns; j += 4)
      for (int q = 0; q < 4; q++) lanes[q] += a[j + q];
    float sum = laneSum(lanes);
    for (; j < columns; j++) sum += a[j];
    to[r] = sum;
    a += columns;
  }
}

/** to (rows x columns): one row, one column or one number repeated. */
static void broadcast(int how, size_t rows, size_t columns, const float *a, float *to) {
  for (size_t r = 0; r < rows; r++, to += columns) {
    if (how == ROW) memmove(to, a, columns * sizeof(float));
    else fill(columns, a[how == COLUMN ? r : 0], to);
  }
}

/** Columns of `a` into columns of `to`; both point at the first of them. */
static void copyColumns(size_t rows, size_t count, size_t aColumns, size_t toColumns, const float *a, float *to) {
  for (size_t r = 0; r < rows; r++) memmove(to + r * toColumns, a + r * aColumns, count * sizeof(float));
}

/** f(z); f'(z) in `slope`. `alpha`: the leak of LEAKY_RELU, the floor of ELU. */
INLINE w16 evaluate(int kind, w16 alpha, w16 z, w16 *slope) {
  const w16 one = w_splat(1), zero = w_splat(0);
  switch (kind) {
    case SOFTPLUS: {
      const w16 e = expMinusAbs(z);
      *slope = sigmoidFrom(z, e);
      return softplusFrom(z, e);
    }
    case RELU: {
      const mask16 positive = w_lt(zero, z);
      *slope = w_where(positive, one);
      return w_where(positive, z);
    }
    case LEAKY_RELU:
      *slope = w_select(w_lt(zero, z), one, alpha);
      return w_mul(z, *slope);
    case ELU: {
      const w16 below = w_mul(alpha, expm1Negative(w_min(zero, z)));
      const mask16 positive = w_lt(zero, z);
      *slope = w_select(positive, one, w_add(below, alpha));
      return w_select(positive, z, below);
    }
    case TANH: {
      const w16 t = w_tanh(z);
      *slope = w_mul(w_sub(one, t), w_add(one, t));
      return t;
    }
    case SIGMOID: {
      const w16 e = expMinusAbs(z);
      const w16 denominator = w_add(one, e);
      *slope = w_div(e, w_mul(denominator, denominator));
      return sigmoidFrom(z, e);
    }
    case EXP: return *slope = w_exp(z);
    case LOG:
      *slope = w_div(one, z);
      return w_log(z);
    case SQUARE:
      *slope = w_add(z, z);
      return w_mul(z, z);
    case SQRT: {
      const w16 root = w_sqrt(z);
      *slope = w_div(w_splat(0.5f), root);
      return root;
    }
    case RECIPROCAL: {
      const w16 inverse = w_div(one, z);
      *slope = w_neg(w_mul(inverse, inverse));
      return inverse;
    }
    default:
      *slope = one;
      return z;
  }
}

INLINE void activateWith(
  int kind, float alpha, size_t rows, size_t columns, const float *z, const float *bias, float *value, float *slope
) {
  const w16 a = w_splat(alpha);
  if (!bias) {
    columns *= rows;
    rows = 1;
  }
  for (size_t r = 0; r < rows; r++) {
    for (size_t j = 0; j < columns; j += 16) {
      const size_t left = columns - j;
      w16 x = w_part(z + j, left), s;
      if (bias) x = w_add(x, w_part(bias + j, left));
      w_put(value + j, evaluate(kind, a, x, &s), left);
      if (slope) w_put(slope + j, s, left);
    }
    z += columns;
    value += columns;
    if (slope) slope += columns;
  }
}

/** value = f(z + bias), slope = f'(z + bias) where asked for; `value` may be `z` itself. */
static void activate(
  int kind, float alpha, size_t rows, size_t columns, const float *z, const float *bias, float *value, float *slope
) {
#define CASE(name) case name: activateWith(name, alpha, rows, columns, z, bias, value, slope); break;
  switch (kind) {
    CASE(SOFTPLUS) CASE(RELU) CASE(LEAKY_RELU) CASE(ELU) CASE(TANH) CASE(SIGMOID)
    CASE(EXP) CASE(LOG) CASE(SQUARE) CASE(SQRT) CASE(RECIPROCAL)
    default: activateWith(IDENTITY, alpha, rows, columns, z, bias, value, slope);
  }
#undef CASE
}

/** f'' from f and f'. */
static void curvature(int kind, size_t count, const float *value, const float *slope, float *to) {
  for (size_t i = 0; i < count; i++) {
    const float f = value[i], s = slope[i];
    switch (kind) {
      case SOFTPLUS: to[i] = s * (1 - s); break;
      case ELU: to[i] = f < 0 ? s : 0; break;
      case TANH: case RECIPROCAL: to[i] = -2 * f * s; break;
      case SIGMOID: to[i] = s * (1 - 2 * f); break;
      case EXP: to[i] = f; break;
      case LOG: to[i] = -s * s; break;
      case SQUARE: to[i] = 2; break;
      case SQRT: to[i] = -2 * s * s * s; break;
      default: to[i] = 0;
    }
  }
}
