// Runs every instruction at odd sizes on memory that ends right behind its last operand, and instructions that are made of random
// words. Built with AddressSanitizer and UndefinedBehaviorSanitizer by test/numeric/native/sanitizers.slow.test.ts: a read or write outside
// ends the program. Gaps between operands must stay as they are, and all variants must give the same bits.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "kernels.h"
#include "opcodes.h"

#define GAP 16
#define CANARY 0x7fc5a5a5u
#define PROGRAM_END 64

static uint64_t state = 88172645463325252u;

static uint32_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 16);
}

static uint32_t below(uint32_t n) { return next() % n; }
static float normal(void) { return ((float)below(20001) - 10000) / 4000; }

/** Small sizes mostly, around the widths of tiles, strips and blocks; sometimes beyond one block of a sum. */
static uint32_t size(void) {
  static const uint32_t special[] = {1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 97, 129, 257, 300};
  return below(2) ? 1 + below(20) : special[below(sizeof special / sizeof *special)];
}

typedef struct {
  int32_t words[INSTRUCTION_WORDS];
  /** Elements of each operand; 0: absent. */
  uint64_t sizes[OPERANDS];
  int isTable[OPERANDS], isOutput[OPERANDS];
  uint32_t tableLimit;
  int isPositive, classes;
  /** Where an instruction keeps an address among its integers, and how many elements it has. */
  int addressInteger;
} Case;

static uint64_t weight(uint64_t k, uint64_t n) { return n == 1 ? k : k * ((n + 7) / 8 * 8); }

static void setIntegers(Case *c, int count, const uint32_t *values) {
  for (int i = 0; i < count; i++) c->words[INTEGERS_AT + i] = (int32_t)values[i];
}
#define INTEGERS(...) setIntegers(c, sizeof(uint32_t[]){__VA_ARGS__} / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})
#define SIZES(...) memcpy(c->sizes, (uint64_t[OPERANDS]){__VA_ARGS__}, sizeof c->sizes)

static void makeCase(Case *c, int op) {
  memset(c, 0, sizeof *c);
  c->words[0] = op;
  c->addressInteger = -1;
  c->isOutput[0] = 1;
  float floats[2] = {0.25f, normal()};
  memcpy(c->words + FLOATS_AT, floats, sizeof floats);
  const uint64_t r = size(), k = size(), n = below(4) ? size() : 1, pool = 1 + below(9);
  const int picked = below(2), store = (int)below(3);
  c->tableLimit = (uint32_t)pool;
  c->isTable[2] = op == MATMUL || op == OUTER || op == OUTER_ADAM || op == GATHER;
  switch (op) {
    case MATMUL: INTEGERS(r, k, n, 0, 0, 0, store); SIZES(r * n, (picked ? pool : r) * k, picked ? r : 0, weight(k, n)); break;
    case MATMUL_TRANSPOSED: INTEGERS(r, k, n, 0, 0, 0, store); SIZES(r * k, r * n, weight(k, n), picked ? r * k : 0); break;
    case OUTER: INTEGERS(r, k, n, 0, 0, 0, store); SIZES(weight(k, n), (picked ? pool : r) * k, picked ? r : 0, r * n); break;
    case OUTER_ADAM: {
      const uint64_t w = weight(k, n);
      INTEGERS(r, k, n, 0);
      SIZES(w, (picked ? pool : r) * k, picked ? r : 0, r * n, w, w, below(2) ? w : 0, 8);
      c->addressInteger = 3;
      c->isOutput[4] = c->isOutput[5] = c->isOutput[6] = 1;
      c->isPositive = 5;
      break;
    }
    case ADAM:
      INTEGERS(k); SIZES(k, k, k, k, picked ? k : 0, 8);
      c->isOutput[2] = c->isOutput[3] = c->isOutput[4] = 1;
      c->isPositive = 3;
      break;
    case ACTIVATE:
      INTEGERS(below(12), r, k); SIZES(r * k, r * k, picked ? k : 0, below(2) ? r * k : 0);
      c->isOutput[3] = 1;
      break;
    case CURVATURE: INTEGERS(below(12), k); SIZES(k, k, k); break;
    case COMBINE: {
      const uint32_t how = below(4);
      INTEGERS(below(4), how, r, k);
      SIZES(r * k, r * k, how == SAME ? r * k : how == ROW ? k : how == COLUMN ? r : 1);
      break;
    }
    case SCALE: INTEGERS(k); SIZES(k, k); break;
    case FILL: INTEGERS(k); SIZES(k); break;
    case SUM_ROWS: INTEGERS(r, k); SIZES(k, r * k); break;
    case SUM_COLUMNS: INTEGERS(r, k); SIZES(r, r * k); break;
    case BROADCAST: {
      const uint32_t how = 1 + below(3);
      INTEGERS(how, r, k); SIZES(r * k, how == ROW ? k : how == COLUMN ? r : 1);
      break;
    }
    case COPY_COLUMNS: {
      const uint32_t from = below(5), to = below(5), wide = (uint32_t)k + from + below(4), wider = (uint32_t)k + to + below(4);
      INTEGERS(r, k, wide, from, wider, to); SIZES(r * wider, r * wide);
      break;
    }
    case GATHER: INTEGERS(r, k); SIZES(r * k, pool * k, r); break;
    case SOFTMAX: INTEGERS(r * k, k); SIZES(r * k, r * k); break;
    case SOFTMAX_BACKWARD: INTEGERS(r * k, k); SIZES(r * k, r * k, r * k); break;
    case THERMOMETER: INTEGERS(r, k); SIZES(r, r, r, 2 * r); c->isOutput[1] = 1; c->classes = (int)k; break;
    case CATEGORICAL: INTEGERS(r, k); SIZES(r, r * k, r * k, 2 * r); c->isOutput[1] = 1; c->classes = (int)k; break;
    case ADD_MODELS: INTEGERS(k); SIZES(k, k); break;
  }
}

/** Places operands in random order, each behind a gap; the memory ends with the last. @returns its elements */
static uint64_t place(Case *c, uint64_t *offsets) {
  int order[OPERANDS];
  for (int i = 0; i < OPERANDS; i++) order[i] = i;
  for (int i = OPERANDS - 1; i > 0; i--) {
    const int j = (int)below((uint32_t)i + 1), kept = order[i];
    order[i] = order[j];
    order[j] = kept;
  }
  uint64_t end = PROGRAM_END;
  for (int i = 0; i < OPERANDS; i++) {
    const int at = order[i];
    offsets[at] = 0;
    if (c->sizes[at] == 0) continue;
    offsets[at] = end + GAP;
    end = offsets[at] + c->sizes[at];
    if (at == 7 && c->addressInteger >= 0) c->words[INTEGERS_AT + c->addressInteger] = (int32_t)offsets[at];
    else c->words[OPERANDS_AT + OPERAND_WORDS * at] = (int32_t)offsets[at];
  }
  return end;
}

static void fillOperands(const Case *c, const uint64_t *offsets, float *memory) {
  // pools of picked rows, of which kernels skip the zeros
  const int isSparse = c->isTable[2] && below(2);
  for (int i = 0; i < OPERANDS; i++) {
    for (uint64_t j = 0; j < c->sizes[i]; j++) {
      float value = normal();
      int32_t bits;
      if (c->isTable[i]) {
        bits = (int32_t)below(c->tableLimit);
        memcpy(memory + offsets[i] + j, &bits, 4);
        continue;
      }
      if (isSparse && i == 1 && below(20)) value = 0;
      if (c->isPositive == i && value < 0) value = -value;
      if (c->classes && i == 3) value = j % 2 ? memory[offsets[i] + j - 1] : (float)below((uint32_t)c->classes);
      memory[offsets[i] + j] = value;
    }
  }
}

static void fail(const char *what, int op) {
  fprintf(stderr, "%s, instruction %d\n", what, op);
  exit(1);
}

/** Whether bit patterns are the same; a NaN is a NaN. */
static int isSame(const float *a, const float *b, uint64_t count) {
  for (uint64_t i = 0; i < count; i++)
    if (memcmp(a + i, b + i, 4) != 0 && !(a[i] != a[i] && b[i] != b[i])) return 0;
  return 1;
}

static void checkInstruction(const Kernels *const *all, int variants, int op, Scratch *scratch) {
  Case c;
  uint64_t offsets[OPERANDS];
  makeCase(&c, op);
  const uint64_t count = place(&c, offsets);
  float *first = malloc(count * sizeof(float)), *other = malloc(count * sizeof(float)), *start = malloc(count * sizeof(float));
  const uint32_t canary = CANARY;
  for (uint64_t i = 0; i < count; i++) memcpy(start + i, &canary, 4);
  fillOperands(&c, offsets, start);
  memcpy(start, c.words, sizeof c.words);
  for (int v = 0; v < variants; v++) {
    float *memory = v == 0 ? first : other;
    memcpy(memory, start, count * sizeof(float));
    const Work once = {.program = 0, .length = 1, .first = 0, .last = 1};
    const Outcome outcome = all[v]->run((Memory){memory, count}, &once, scratch);
    if (outcome.reason != DONE) fail("refused", op);
    int isInside = 0;
    for (uint64_t i = 0; i < count; i++) {
      isInside = i < INSTRUCTION_WORDS;
      for (int q = 0; q < OPERANDS; q++)
        if (c.isOutput[q] && offsets[q] && i >= offsets[q] && i < offsets[q] + c.sizes[q]) isInside = 1;
      if (!isInside && memcmp(memory + i, start + i, 4) != 0) fail("wrote where it should not", op);
    }
    if (v > 0 && !isSame(first, other, count)) fail("other bits on another variant", op);
    // one element less, and the last operand does not fit; of a pool, or of columns that are copied, the end may not be needed
    const int needsAll = op != COPY_COLUMNS && !(c.isTable[2] && c.sizes[2]);
    if (needsAll && all[v]->run((Memory){memory, count - 1}, &once, scratch).reason == DONE) fail("accepted too little memory", op);
  }
  free(first);
  free(other);
  free(start);
}

/** Random words, and right instructions with one word changed: done or refused, never outside. */
static void checkNonsense(const Kernels *kernels, Scratch *scratch) {
  const uint64_t count = INSTRUCTION_WORDS + below(400);
  float *memory = malloc(count * sizeof(float));
  int32_t *words = (int32_t *)memory;
  for (uint64_t i = 0; i < count; i++) {
    static const int32_t odd[] = {0, 1, -1, INT32_MAX, INT32_MIN, 44, 100, 1 << 20, 0x7f800000, 0x7fc00000};
    words[i] = below(3) ? (int32_t)below(64) : below(2) ? odd[below(10)] : (int32_t)next();
  }
  words[0] = (int32_t)below(24);
  if (below(2)) {
    Case c;
    uint64_t offsets[OPERANDS];
    makeCase(&c, 1 + (int)below(20));
    place(&c, offsets);
    memcpy(words, c.words, sizeof c.words);
    words[below(INSTRUCTION_WORDS)] = below(2) ? (int32_t)below(500) : (int32_t)next();
  }
  const Work work = {
    .program = below(4) ? 0 : below(500), .length = 1 + (int32_t)below(2), .first = 0, .last = 1 + (int32_t)below(3),
    .group = (int32_t)below(3), .thread = (int32_t)below(3),
  };
  kernels->run((Memory){memory, count}, &work, scratch);
  kernels->addGroups((Memory){memory, count}, next() >> below(32), next() >> below(32), next() >> below(32), next() >> below(32));
  free(memory);
}

static double *doubles(uint64_t count) {
  double *values = malloc(count * sizeof(double));
  for (uint64_t i = 0; i < count; i++) values[i] = normal();
  return values;
}

static void checkLinalg(const Kernels *const *all, int variants, Scratch *scratch) {
  const uint64_t n = size(), m = below(3) ? size() : 1, k = size();
  double *a = doubles(n * k), *b = doubles(m * k), *right = doubles(n * m);
  double *kept[4] = {0};
  for (int v = 0; v < variants; v++) {
    double *c = doubles(n * m), *l = doubles(n * n), *x = malloc(n * m * sizeof(double)), *y = malloc(n * m * sizeof(double));
    all[v]->multiplyTransposed(n, m, k, a, b, c, scratch);
    all[v]->multiplyTransposed(n, n, k, a, a, l, scratch);
    for (uint64_t i = 0; i < n; i++) l[i * n + i] += 1;
    if (all[v]->choleskyFactor(n, l, scratch) != 0) fail("no factor", 0);
    memcpy(x, right, n * m * sizeof(double));
    memcpy(y, right, n * m * sizeof(double));
    all[v]->solveLower(n, m, l, x, scratch);
    all[v]->solveLowerTransposed(n, m, l, y, scratch);
    double *made[4] = {c, l, x, y};
    const uint64_t sizes[4] = {n * m, n * n, n * m, n * m};
    for (int i = 0; i < 4; i++) {
      if (v == 0) kept[i] = made[i];
      else if (memcmp(kept[i], made[i], sizes[i] * sizeof(double)) != 0) fail("other bits of the linear algebra", i);
      if (v > 0) free(made[i]);
    }
  }
  for (int i = 0; i < 4; i++) free(kept[i]);
  free(a);
  free(b);
  free(right);
}

static double *filled(uint64_t count) {
  double *values = doubles(count);
  for (uint64_t i = 0; i < count; i++) values[i] = values[i] * values[i];
  return values;
}

/** Covariances of pairs, their slopes and inverses: arrays that end with their last element. */
static void checkPairs(const Kernels *const *all, int variants, Scratch *scratch) {
  const uint64_t n = size(), m = size(), c = below(6), G = below(4), S = 1 + below(9), columns = c + G > S ? c + G : S;
  const uint64_t stride = (n * (n + 1) / 2 + 15) / 8 * 8;
  double *xa = doubles(n * c), *xb = doubles(m * c), *inverse = filled(columns), *effects = filled(columns), *alpha = doubles(n);
  double *apart = filled(S * stride), *alike = filled(S * stride), *product = doubles(stride), *l = doubles(n * n);
  int32_t *ka = malloc(n * G * sizeof(int32_t)), *kb = malloc(m * G * sizeof(int32_t));
  for (uint64_t i = 0; i < n * G; i++) ka[i] = (int32_t)below(3);
  for (uint64_t i = 0; i < m * G; i++) kb[i] = (int32_t)below(3);
  for (uint64_t i = 0; i < columns; i++) if (below(3) == 0) effects[i] = 0;
  for (uint64_t i = 0; i < n; i++) {
    for (uint64_t j = 0; j < i; j++) l[i * n + j] /= (double)(4 * n);
    l[i * n + i] = 1 + l[i * n + i] * l[i * n + i];
  }
  const PairKernel of = {(int)below(2), c, G, 1.5, 0.25, inverse, effects};
  const PairTable table = {n, S, stride, apart, alike, product};
  double *kept[6] = {0};
  const uint64_t sizes[6] = {n * m, n * n, n * n, 3 + 2 * S, n * n, n * n};
  for (int v = 0; v < variants; v++) {
    double *made[6];
    for (int i = 0; i < 6; i++) made[i] = calloc(sizes[i], sizeof(double));
    double *r = doubles(stride), *q = doubles(stride);
    all[v]->pairCovariances(&of, (PairRows){n, xa, ka}, (PairRows){m, xb, kb}, 0, made[0], scratch);
    all[v]->pairCovariances(&of, (PairRows){n, xa, ka}, (PairRows){n, xa, ka}, 1, made[1], scratch);
    all[v]->pairValues(&of, &table, 0.5, r, q, made[2], scratch);
    all[v]->pairSlopes(of.isMatern, &table, alpha, made[2], r, q, made[3], scratch);
    all[v]->invertFactor(n, 0, l, made[4], scratch);
    all[v]->invertFactor(n, 1, l, made[5], scratch);
    for (int i = 0; i < 6; i++) {
      if (v == 0) kept[i] = made[i];
      else if (memcmp(kept[i], made[i], sizes[i] * sizeof(double)) != 0) fail("other bits of pairs", i);
      if (v > 0) free(made[i]);
    }
    free(r);
    free(q);
  }
  double *arrays[] = {xa, xb, inverse, effects, alpha, apart, alike, product, l};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
  for (int i = 0; i < 6; i++) free(kept[i]);
  free(ka);
  free(kb);
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 100;
  const Kernels *all[3];
  int variants = 0;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw"))
    all[variants++] = &kernelsAvx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) all[variants++] = &kernelsAvx2;
#endif
  all[variants++] = &kernelsPortable;
  Scratch scratch = {0};
  for (int round = 0; round < rounds; round++) {
    for (int op = MATMUL; op <= ADD_MODELS; op++) checkInstruction(all, variants, op, &scratch);
    for (int i = 0; i < 50; i++) checkNonsense(all[below((uint32_t)variants)], &scratch);
    if (round % 5 == 0) checkLinalg(all, variants, &scratch);
    if (round % 5 == 0) checkPairs(all, variants, &scratch);
  }
  freeScratch(&scratch);
  for (int v = 0; v < variants; v++) printf("%s\n", all[v]->name);
  return 0;
}
