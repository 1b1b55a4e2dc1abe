// The boundary between JavaScript and the kernels: Node-API. Every size and every array that comes in is checked here or, for
// what an engine's memory holds, in program.h; nothing that JavaScript can say makes the kernels leave the arrays it gave.
#include <node_api.h>
#include <stdlib.h>
#include "kernels.h"
#include "opcodes.h"

#define MOST_VARIANTS 3
#define MOST_ARGUMENTS 13

typedef struct {
  const Kernels *kernels[MOST_VARIANTS];
  uint32_t count;
  Scratch scratch;
} Instance;

static void findVariants(Instance *it) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw"))
    it->kernels[it->count++] = &kernelsAvx512;
  it->kernels[it->count++] = &kernelsAvx2;
#else
  it->kernels[it->count++] = &kernelsPortable;
#endif
}

/** Arguments of one call. `isRight` is lost with the first one that is not as it should be. */
typedef struct {
  napi_env env;
  napi_value values[MOST_ARGUMENTS];
  size_t count;
  Instance *it;
  int isRight;
} Call;

static Call callOf(napi_env env, napi_callback_info info, size_t expected) {
  Call call = {.env = env, .count = MOST_ARGUMENTS, .isRight = 1};
  void *data = 0;
  if (napi_get_cb_info(env, info, &call.count, call.values, 0, 0) != napi_ok || call.count != expected) call.isRight = 0;
  if (napi_get_instance_data(env, &data) != napi_ok || !data) call.isRight = 0;
  call.it = data;
  return call;
}

/** A whole number from 0 to `most`. */
static uint64_t number(Call *call, size_t i, uint64_t most) {
  double value = -1;
  if (!call->isRight || napi_get_value_double(call->env, call->values[i], &value) != napi_ok) call->isRight = 0;
  // also false for NaN
  if (!(value >= 0 && value <= (double)most) || value != (double)(uint64_t)value) call->isRight = 0;
  return call->isRight ? (uint64_t)value : 0;
}

static void *typedArray(Call *call, size_t i, napi_typedarray_type wanted, size_t alignment, size_t *length) {
  napi_typedarray_type type;
  void *data = 0;
  bool is = false;
  *length = 0;
  if (!call->isRight || napi_is_typedarray(call->env, call->values[i], &is) != napi_ok || !is ||
      napi_get_typedarray_info(call->env, call->values[i], &type, length, &data, 0, 0) != napi_ok || type != wanted ||
      (uintptr_t)data % alignment != 0)
    call->isRight = 0;
  return data;
}

/** The memory of an engine, all of it, as bytes. */
static Memory memoryOf(Call *call, size_t i) {
  size_t bytes;
  float *floats = typedArray(call, i, napi_uint8_array, 16, &bytes);
  return (Memory){floats, call->isRight ? bytes / sizeof(float) : 0};
}

/** Float64 numbers, at least rows x columns. */
static double *matrix(Call *call, size_t i, uint64_t rows, uint64_t columns) {
  size_t length;
  double *data = typedArray(call, i, napi_float64_array, 8, &length);
  if (rows != 0 && columns > length / rows) call->isRight = 0;
  return data;
}

/** Int32 numbers, at least rows x columns. */
static const int32_t *integers(Call *call, size_t i, uint64_t rows, uint64_t columns) {
  size_t length;
  const int32_t *data = typedArray(call, i, napi_int32_array, 4, &length);
  if (rows != 0 && columns > length / rows) call->isRight = 0;
  return data;
}

static const Kernels *kernelsOf(Call *call, size_t i) {
  const uint64_t variant = number(call, i, MOST_VARIANTS);
  if (call->isRight && variant >= call->it->count) call->isRight = 0;
  return call->isRight ? call->it->kernels[variant] : 0;
}

static napi_value wrongArguments(Call *call) {
  napi_throw_type_error(call->env, 0, "the kernel was called with wrong arguments");
  return 0;
}

static napi_value noMemory(Call *call) {
  napi_throw_range_error(call->env, 0, "the kernel has no memory to work in");
  return 0;
}

static napi_value finish(Call *call, Outcome outcome) {
  static const char *const reasons[] = {
    [OUT_OF_BOUNDS] = "an instruction reaches outside of the memory",
    [BAD_INSTRUCTION] = "an instruction is not known",
    [BAD_LABEL] = "a label is not a range of classes",
    [NO_MEMORY] = "the kernel has no memory to work in",
  };
  if (outcome.reason != DONE) napi_throw_range_error(call->env, 0, reasons[outcome.reason]);
  return 0;
}

/** run(variant, memory, program in bytes, length, first, last, group, thread) */
static napi_value runCall(napi_env env, napi_callback_info info) {
  Call call = callOf(env, info, 8);
  const Kernels *kernels = kernelsOf(&call, 0);
  const Memory memory = memoryOf(&call, 1);
  const uint64_t program = number(&call, 2, UINT32_MAX);
  const Work work = {
    .program = program / sizeof(float),
    .length = (int32_t)number(&call, 3, INT32_MAX),
    .first = (int32_t)number(&call, 4, INT32_MAX),
    .last = (int32_t)number(&call, 5, INT32_MAX),
    .group = (int32_t)number(&call, 6, INT32_MAX),
    .thread = (int32_t)number(&call, 7, INT32_MAX),
  };
  if (!call.isRight || program % sizeof(float) != 0) return wrongArguments(&call);
  return finish(&call, kernels->run(memory, &work, &call.it->scratch));
}

/** addGroups(variant, memory, count, groups, from and to in bytes) */
static napi_value addGroupsCall(napi_env env, napi_callback_info info) {
  Call call = callOf(env, info, 6);
  const Kernels *kernels = kernelsOf(&call, 0);
  const Memory memory = memoryOf(&call, 1);
  const uint64_t count = number(&call, 2, UINT32_MAX), groups = number(&call, 3, UINT32_MAX);
  const uint64_t from = number(&call, 4, UINT32_MAX), to = number(&call, 5, UINT32_MAX);
  if (!call.isRight || from % sizeof(float) != 0 || to % sizeof(float) != 0) return wrongArguments(&call);
  return finish(&call, kernels->addGroups(memory, count, groups, from / sizeof(float), to / sizeof(float)));
}

/** choleskyFactor(variant, n, a): a becomes L. Returns 0, or 1 + the first pivot that is not positive. */
static napi_value choleskyCall(napi_env env, napi_callback_info info) {
  Call call = callOf(env, info, 3);
  const Kernels *kernels = kernelsOf(&call, 0);
  const uint64_t n = number(&call, 1, UINT32_MAX);
  double *a = matrix(&call, 2, n, n);
  if (!call.isRight) return wrongArguments(&call);
  const int64_t failed = kernels->choleskyFactor(n, a, &call.it->scratch);
  if (failed < 0) return noMemory(&call);
  napi_value result;
  return napi_create_int64(env, failed, &result) == napi_ok ? result : 0;
}

/** solve(variant, isTransposed, n, columns, l, b): b becomes the solution. */
static napi_value solveCall(napi_env env, napi_callback_info info) {
  Call call = callOf(env, info, 6);
  const Kernels *kernels = kernelsOf(&call, 0);
  const uint64_t isTransposed = number(&call, 1, 1);
  const uint64_t n = number(&call, 2, UINT32_MAX), m = number(&call, 3, UINT32_MAX);
  const double *l = matrix(&call, 4, n, n);
  double *b = matrix(&call, 5, n, m);
  if (!call.isRight || n == 0 || m == 0) return wrongArguments(&call);
  Scratch *scratch = &call.it->scratch;
  const int failed = isTransposed ? kernels->solveLowerTransposed(n, m, l, b, scratch) : kernels->solveLower(n, m, l, b, scratch);
  return failed ? noMemory(&call) : 0;
}

/** multiplyTransposed(variant, rows, columns, depth, a, b, c): c = a b'. */
static napi_value multiplyCall(napi_env env, napi_callback_info info) {
  Call call = callOf(env, info, 7);
  const Kernels *kernels = kernelsOf(&call, 0);
  const uint64_t rows = number(&call, 1, UINT32_MAX), columns = number(&call, 2, UINT32_MAX);
  const uint64_t depth = number(&call, 3, UINT32_MAX);
  const double *a = matrix(&call, 4, rows, depth), *b = matrix(&call, 5, columns, depth);
  double *c = matrix(&call, 6, rows, columns);
  if (!call.isRight) return wrongArguments(&call);
  return kernels->multiplyTransposed(rows, columns, depth, a, b, c, &call.it->scratch) ? noMemory(&call) : 0;
}

/** invertFactor(variant, isWhole, n, l, x): x, zeros at first, becomes L^-1 or (L L')^-1. */
static napi_value invertCall(napi_env env, napi_callback_info info) {
  Call call = callOf(env, info, 5);
  const Kernels *kernels = kernelsOf(&call, 0);
  const uint64_t isWhole = number(&call, 1, 1), n = number(&call, 2, UINT32_MAX);
  const double *l = matrix(&call, 3, n, n);
  double *x = matrix(&call, 4, n, n);
  if (!call.isRight || n == 0) return wrongArguments(&call);
  return kernels->invertFactor(n, (int)isWhole, l, x, &call.it->scratch) ? noMemory(&call) : 0;
}

/** v, the line's weight, the noise; 1 / l^2 and effects of `count` columns or groups. */
static PairKernel pairKernel(Call *call, size_t i, uint64_t count, double *noise) {
  const double *values = matrix(call, i, 3 + 2 * count, 1);
  if (!call->isRight) return (PairKernel){0};
  *noise = values[2];
  return (PairKernel){.v = values[0], .line = values[1], .inverse = values + 3, .effects = values + 3 + count};
}

/** pairCovariances(variant, isMatern, isSame, numbers, classes, parameters, n, xa, ka, m, xb, kb, to) */
static napi_value pairCovariancesCall(napi_env env, napi_callback_info info) {
  Call call = callOf(env, info, 13);
  const Kernels *kernels = kernelsOf(&call, 0);
  const uint64_t isMatern = number(&call, 1, 1), isSame = number(&call, 2, 1);
  const uint64_t c = number(&call, 3, INT32_MAX), G = number(&call, 4, INT32_MAX);
  double noise;
  PairKernel of = pairKernel(&call, 5, c + G, &noise);
  of.isMatern = (int)isMatern;
  of.numbers = c;
  of.classes = G;
  const uint64_t n = number(&call, 6, UINT32_MAX), m = number(&call, 9, UINT32_MAX);
  const PairRows a = {n, matrix(&call, 7, n, c), integers(&call, 8, n, G)};
  const PairRows b = {m, matrix(&call, 10, m, c), integers(&call, 11, m, G)};
  double *to = matrix(&call, 12, n, m);
  if (!call.isRight || (isSame && n != m)) return wrongArguments(&call);
  return kernels->pairCovariances(&of, a, b, (int)isSame, to, &call.it->scratch) ? noMemory(&call) : 0;
}

/** n rows, `groups` groups, and their table: apart and alike, groups x stride, product. */
static PairTable pairTable(Call *call, size_t i) {
  const uint64_t n = number(call, i, UINT32_MAX), groups = number(call, i + 1, INT32_MAX);
  const uint64_t stride = (n * (n + 1) / 2 + 15) / 8 * 8;
  return (PairTable){
    .n = n, .groups = groups, .stride = stride, .apart = matrix(call, i + 2, groups, stride),
    .alike = matrix(call, i + 3, groups, stride), .product = matrix(call, i + 4, 1, stride)
  };
}

/** pairValues(variant, isMatern, n, groups, apart, alike, product, parameters, r, q, k) */
static napi_value pairValuesCall(napi_env env, napi_callback_info info) {
  Call call = callOf(env, info, 11);
  const Kernels *kernels = kernelsOf(&call, 0);
  const uint64_t isMatern = number(&call, 1, 1);
  const PairTable table = pairTable(&call, 2);
  double noise;
  PairKernel of = pairKernel(&call, 7, table.groups, &noise);
  of.isMatern = (int)isMatern;
  double *r = matrix(&call, 8, 1, table.stride), *q = matrix(&call, 9, 1, table.stride);
  double *k = matrix(&call, 10, table.n, table.n);
  if (!call.isRight) return wrongArguments(&call);
  return kernels->pairValues(&of, &table, noise, r, q, k, &call.it->scratch) ? noMemory(&call) : 0;
}

/** pairSlopes(variant, isMatern, n, groups, apart, alike, product, alpha, inverted, r, q, sums) */
static napi_value pairSlopesCall(napi_env env, napi_callback_info info) {
  Call call = callOf(env, info, 12);
  const Kernels *kernels = kernelsOf(&call, 0);
  const uint64_t isMatern = number(&call, 1, 1);
  const PairTable table = pairTable(&call, 2);
  const double *alpha = matrix(&call, 7, table.n, 1), *inverted = matrix(&call, 8, table.n, table.n);
  const double *r = matrix(&call, 9, 1, table.stride), *q = matrix(&call, 10, 1, table.stride);
  double *sums = matrix(&call, 11, 3 + 2 * table.groups, 1);
  if (!call.isRight) return wrongArguments(&call);
  return kernels->pairSlopes((int)isMatern, &table, alpha, inverted, r, q, sums, &call.it->scratch) ? noMemory(&call) : 0;
}

static void dispose(napi_env env, void *data, void *hint) {
  (void)env;
  (void)hint;
  freeScratch(&((Instance *)data)->scratch);
  free(data);
}

static int set(napi_env env, napi_value exports, const char *name, napi_callback function) {
  napi_value value;
  return napi_create_function(env, name, NAPI_AUTO_LENGTH, function, 0, &value) == napi_ok &&
         napi_set_named_property(env, exports, name, value) == napi_ok;
}

NAPI_MODULE_INIT() {
  Instance *it = calloc(1, sizeof *it);
  if (!it) return 0;
  findVariants(it);
  if (napi_set_instance_data(env, it, dispose, 0) != napi_ok) {
    free(it);
    return 0;
  }
  napi_value variants, name, number;
  int isMade = napi_create_array(env, &variants) == napi_ok;
  for (uint32_t i = 0; i < it->count; i++) {
    isMade = isMade && napi_create_string_utf8(env, it->kernels[i]->name, NAPI_AUTO_LENGTH, &name) == napi_ok &&
             napi_set_element(env, variants, i, name) == napi_ok;
  }
  isMade = isMade && napi_set_named_property(env, exports, "variants", variants) == napi_ok &&
           napi_create_uint32(env, INTERFACE, &number) == napi_ok &&
           napi_set_named_property(env, exports, "interface", number) == napi_ok && set(env, exports, "run", runCall) &&
           set(env, exports, "addGroups", addGroupsCall) && set(env, exports, "choleskyFactor", choleskyCall) &&
           set(env, exports, "solve", solveCall) && set(env, exports, "multiplyTransposed", multiplyCall) &&
           set(env, exports, "invertFactor", invertCall) && set(env, exports, "pairCovariances", pairCovariancesCall) &&
           set(env, exports, "pairValues", pairValuesCall) && set(env, exports, "pairSlopes", pairSlopesCall);
  return isMade ? exports : 0;
}
