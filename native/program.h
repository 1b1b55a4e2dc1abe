// Runs an encoded program for a range of models: assembly/program.ts, with every address checked. What is checked is read
// once, so that another thread that writes to the memory meanwhile cannot change it afterwards.

typedef struct {
  Memory memory;
  Scratch *scratch;
  int32_t words[INSTRUCTION_WORDS];
  int64_t model, group, thread;
  int reason;
} Context;

INLINE int32_t integerAt(const Context *x, int i) { return x->words[INTEGERS_AT + i]; }

INLINE float floatAt(const Context *x, int i) {
  float value;
  memcpy(&value, &x->words[FLOATS_AT + i], sizeof value);
  return value;
}

/** Integer i as a size. */
INLINE size_t sizeAt(Context *x, int i) {
  const int32_t size = integerAt(x, i);
  if (size < 0) x->reason = BAD_INSTRUCTION;
  return size < 0 ? 0 : (size_t)size;
}

/** `count` floats from element `offset` on. */
INLINE float *range(Context *x, int64_t offset, uint64_t count) {
  if (offset <= 0 || (uint64_t)offset > x->memory.count || count > x->memory.count - (uint64_t)offset) {
    x->reason = OUT_OF_BOUNDS;
    return 0;
  }
  return x->memory.floats + offset;
}

/** base + model * a + group * b + thread * c; 0 if there is no such operand. */
INLINE int64_t offsetOf(const Context *x, int i) {
  const int32_t *q = x->words + OPERANDS_AT + OPERAND_WORDS * i;
  return q[0] + x->model * q[1] + x->group * q[2] + x->thread * q[3];
}

INLINE float *operand(Context *x, int i, uint64_t count) { return range(x, offsetOf(x, i), count); }

/** Null, without complaint, if there is no such operand. */
INLINE float *optional(Context *x, int i, uint64_t count) { return offsetOf(x, i) == 0 ? 0 : operand(x, i, count); }

/** Elements of a weight of k rows and n columns. */
INLINE uint64_t weightSize(size_t k, size_t n) { return n == 1 ? k : (uint64_t)k * ((n + 7) & ~(size_t)7); }

/** Where each row of operand i lies, picked by the table at operand `table` if there is one (-1: never). */
static const float **rowsOf(Context *x, int i, int table, size_t rows, size_t columns, const float **to) {
  const int64_t offset = offsetOf(x, i);
  const volatile int32_t *numbers = 0;
  if (table >= 0) numbers = (const volatile int32_t *)optional(x, table, rows);
  if (x->reason) return 0;
  if (!numbers) {
    const float *a = range(x, offset, (uint64_t)rows * columns);
    for (size_t r = 0; a && r < rows; r++) to[r] = a + r * columns;
    return a ? to : 0;
  }
  for (size_t r = 0; r < rows; r++) {
    const int64_t number = numbers[r];
    if (number < 0 || offset <= 0) {
      x->reason = OUT_OF_BOUNDS;
      return 0;
    }
    to[r] = range(x, offset + number * (int64_t)columns, columns);
    if (!to[r]) return 0;
  }
  return to;
}

INLINE void *roomFor(Context *x, size_t size) {
  void *room = scratchOf(x->scratch, size);
  if (!room) x->reason = NO_MEMORY;
  return room;
}

/** MATMUL, MATMUL_TRANSPOSED, OUTER and OUTER_ADAM. */
static void multiply(Context *x, int op, int add) {
  const size_t rows = sizeAt(x, 0), k = sizeAt(x, 1), n = sizeAt(x, 2);
  if (rows == 0 || k == 0 || n == 0) x->reason = BAD_INSTRUCTION;
  // one of the operands is rows x n in every case, so what is larger than the memory is wrong, and no size below wraps round
  if ((uint64_t)rows * n > x->memory.count) x->reason = OUT_OF_BOUNDS;
  if (x->reason) return;
  const int isTransposed = op == MATMUL_TRANSPOSED;
  const size_t pointers = (rows * sizeof(float *) + 63) & ~(size_t)63;
  const size_t floats = isTransposed ? ((n + 7) & ~(size_t)7) * 16 : op == MATMUL ? sparseRoom(rows, k) : outerSparseRoom(rows, k, n);
  char *room = roomFor(x, pointers + floats * sizeof(float));
  if (!room) return;
  float *free = (float *)(room + pointers);
  const float **a = (const float **)room;
  if (!rowsOf(x, 1, isTransposed ? -1 : 2, rows, isTransposed ? n : k, a)) return;
  if (isTransposed) {
    const float *w = operand(x, 2, weightSize(k, n)), *times = optional(x, 3, (uint64_t)rows * k);
    float *c = operand(x, 0, (uint64_t)rows * k);
    if (!x->reason) matmulTransposed(rows, k, n, a, w, times, c, add, free);
    return;
  }
  if (op == MATMUL) {
    const float *w = operand(x, 3, weightSize(k, n));
    float *c = operand(x, 0, (uint64_t)rows * n);
    // only rows that a table picks are data, which may be sparse
    if (x->reason) return;
    if (offsetOf(x, 2) != 0) matmulRows(rows, k, n, a, w, c, add, (Entry *)free);
    else matmul(rows, k, n, a, w, c, add);
    return;
  }
  const float *b = operand(x, 3, (uint64_t)rows * n);
  const uint64_t size = weightSize(k, n);
  Destination to = {0};
  float control[8];
  if (op == OUTER) {
    to.g = operand(x, 0, size);
    to.add = add;
  } else {
    to.theta = operand(x, 0, size);
    to.m = operand(x, 4, size);
    to.v = operand(x, 5, size);
    to.target = optional(x, 6, size);
    const float *given = range(x, integerAt(x, 3), 8);
    if (given) memcpy(control, given, sizeof control);
    to.control = control;
  }
  if (x->reason) return;
  if (n > 1 && offsetOf(x, 2) != 0 && areSparse(rows, k, a)) outerSparse(rows, k, n, a, b, &to, free);
  else outer(rows, k, n, a, b, &to, free);
}

static void execute(Context *x, int isFirst) {
  const int op = x->words[0], store = integerAt(x, 6);
  const int add = store == ACCUMULATE || (store == ACCUMULATE_GROUP && !isFirst);
  const size_t s0 = sizeAt(x, 0), s1 = sizeAt(x, 1), s2 = sizeAt(x, 2), s3 = sizeAt(x, 3);
  if (x->reason) return;
  switch (op) {
    case MATMUL: case MATMUL_TRANSPOSED: case OUTER: case OUTER_ADAM:
      multiply(x, op, add);
      return;
    case ADAM: {
      float *theta = operand(x, 0, s0), *m = operand(x, 2, s0), *v = operand(x, 3, s0), *target = optional(x, 4, s0);
      const float *g = operand(x, 1, s0), *given = operand(x, 5, 8);
      float control[8];
      if (x->reason) return;
      memcpy(control, given, sizeof control);
      update(s0, g, theta, m, v, target, control);
      return;
    }
    case ACTIVATE: {
      const uint64_t size = (uint64_t)s1 * s2;
      float *value = operand(x, 0, size), *slope = optional(x, 3, size);
      const float *z = operand(x, 1, size), *bias = optional(x, 2, s2);
      if (!x->reason) activate((int)s0, floatAt(x, 0), s1, s2, z, bias, value, slope);
      return;
    }
    case CURVATURE: {
      float *to = operand(x, 0, s1);
      const float *value = operand(x, 1, s1), *slope = operand(x, 2, s1);
      if (!x->reason) curvature((int)s0, s1, value, slope, to);
      return;
    }
    case COMBINE: {
      const uint64_t size = (uint64_t)s2 * s3;
      float *to = operand(x, 0, size);
      const uint64_t second = s1 == SAME ? size : s1 == ROW ? s3 : s1 == COLUMN ? s2 : 1;
      const float *a = operand(x, 1, size), *b = operand(x, 2, second);
      if (s1 > SCALAR) x->reason = BAD_INSTRUCTION;
      if (!x->reason) combine((int)s0, (int)s1, s2, s3, a, b, to);
      return;
    }
    case SCALE: {
      float *to = operand(x, 0, s0);
      const float *a = operand(x, 1, s0);
      if (!x->reason) scale(s0, floatAt(x, 0), floatAt(x, 1), a, to);
      return;
    }
    case FILL: {
      float *to = operand(x, 0, s0);
      if (!x->reason) fill(s0, floatAt(x, 0), to);
      return;
    }
    case SUM_ROWS: case SUM_COLUMNS: {
      float *to = operand(x, 0, op == SUM_ROWS ? s1 : s0);
      const float *a = operand(x, 1, (uint64_t)s0 * s1);
      if (s0 == 0) x->reason = BAD_INSTRUCTION;
      if (x->reason) return;
      if (op == SUM_ROWS) sumRows(s0, s1, a, to);
      else sumColumns(s0, s1, a, to);
      return;
    }
    case BROADCAST: {
      float *to = operand(x, 0, (uint64_t)s1 * s2);
      const float *a = operand(x, 1, s0 == ROW ? s2 : s0 == COLUMN ? s1 : 1);
      if (!x->reason) broadcast((int)s0, s1, s2, a, to);
      return;
    }
    case COPY_COLUMNS: {
      const size_t toColumns = sizeAt(x, 4), toColumn = sizeAt(x, 5);
      if (x->reason || s0 == 0) return;
      const float *a = operand(x, 1, (uint64_t)(s0 - 1) * s2 + s3 + s1);
      float *to = operand(x, 0, (uint64_t)(s0 - 1) * toColumns + toColumn + s1);
      if (!x->reason) copyColumns(s0, s1, s2, toColumns, a + s3, to + toColumn);
      return;
    }
    case GATHER: {
      const float **rows = roomFor(x, s0 * sizeof(float *) + 1);
      float *to = operand(x, 0, (uint64_t)s0 * s1);
      if (x->reason || !rowsOf(x, 1, 2, s0, s1, rows)) return;
      for (size_t r = 0; r < s0; r++) memmove(to + r * s1, rows[r], s1 * sizeof(float));
      return;
    }
    case SOFTMAX: case SOFTMAX_BACKWARD: {
      float *to = operand(x, 0, s0);
      const float *a = operand(x, 1, s0), *dy = op == SOFTMAX ? a : operand(x, 2, s0);
      if (s1 == 0 || s0 % s1 != 0) x->reason = BAD_INSTRUCTION;
      if (x->reason) return;
      if (op == SOFTMAX) softmax(s0, s1, a, to);
      else softmaxBackward(s0, s1, a, dy, to);
      return;
    }
    case THERMOMETER: {
      float *loss = optional(x, 0, s0), *slope = optional(x, 1, s0);
      const float *mu = operand(x, 2, s0), *labels = operand(x, 3, 2 * (uint64_t)s0);
      if (s1 > 1 << 24) x->reason = BAD_INSTRUCTION;
      if (!x->reason) thermometer(s0, (int)s1, floatAt(x, 0), mu, labels, loss, slope);
      return;
    }
    case CATEGORICAL: {
      const uint64_t size = (uint64_t)s0 * s1;
      float *loss = optional(x, 0, s0), *slope = operand(x, 1, size);
      const float *a = operand(x, 2, size), *labels = operand(x, 3, 2 * (uint64_t)s0);
      if (s1 == 0) x->reason = BAD_INSTRUCTION;
      if (!x->reason && !categorical(s0, s1, a, labels, loss, slope)) x->reason = BAD_LABEL;
      return;
    }
    case ADD_MODELS: {
      float *to = operand(x, 0, s0);
      const float *from = operand(x, 1, s0);
      if (x->reason) return;
      if (isFirst) memmove(to, from, s0 * sizeof(float));
      else addTo(s0, to, from);
      return;
    }
    default: x->reason = BAD_INSTRUCTION;
  }
}

static Outcome run(Memory memory, const Work *work, Scratch *scratch) {
  Context x = {.memory = memory, .scratch = scratch, .group = work->group, .thread = work->thread};
  const uint64_t size = (uint64_t)(work->length < 0 ? 0 : work->length) * INSTRUCTION_WORDS;
  // indices below 2^24 times strides of 32 bits stay far below 2^63
  const int32_t most = 1 << 24;
  if (work->length < 0 || work->first < 0 || work->last > most || work->group < 0 || work->group > most ||
      work->thread < 0 || work->thread > most)
    return (Outcome){BAD_INSTRUCTION, 0};
  if (work->program > memory.count || size > memory.count - work->program) return (Outcome){OUT_OF_BOUNDS, 0};
  for (int32_t model = work->first; model < work->last; model++) {
    x.model = model;
    for (int32_t i = 0; i < work->length; i++) {
      const volatile int32_t *from = (const volatile int32_t *)(memory.floats + work->program) + (size_t)i * INSTRUCTION_WORDS;
      for (int j = 0; j < INSTRUCTION_WORDS; j++) x.words[j] = from[j];
      execute(&x, model == work->first);
      if (x.reason) return (Outcome){x.reason, i};
    }
  }
  return (Outcome){DONE, 0};
}

static Outcome addGroups(Memory memory, uint64_t count, uint64_t groups, uint64_t from, uint64_t to) {
  const uint64_t most = memory.count;
  if (groups == 0 || groups > most || count > most / groups || from > most - groups * count || count > most || to > most - count)
    return (Outcome){OUT_OF_BOUNDS, 0};
  float *sum = memory.floats + to;
  memmove(sum, memory.floats + from, count * sizeof(float));
  for (uint64_t g = 1; g < groups; g++) addTo(count, sum, memory.floats + from + g * count);
  return (Outcome){DONE, 0};
}
