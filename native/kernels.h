// What the addon and the tests call: the same functions once for each set of instructions that a processor may have.
#ifndef NEMOKIT_KERNELS_H
#define NEMOKIT_KERNELS_H
#include <stddef.h>
#include <stdint.h>

/** Room that a thread computes in, kept from call to call. */
typedef struct {
  void *bytes;
  size_t size;
} Scratch;

/** At least `size` bytes, aligned to 64; null where there is no memory. */
void *scratchOf(Scratch *scratch, size_t size);
void freeScratch(Scratch *scratch);

/** The memory of an engine. Nothing outside of it is read or written, whatever it holds. */
typedef struct {
  float *floats;
  /** Elements. */
  uint64_t count;
} Memory;

enum { DONE, OUT_OF_BOUNDS, BAD_INSTRUCTION, BAD_LABEL, NO_MEMORY };

/** What became of a program: DONE, or why it ended at which instruction. */
typedef struct {
  int reason;
  int instruction;
} Outcome;

/** Part of a run, as src/numeric/threads/share.js gives it out. `program`: in elements. */
typedef struct {
  uint64_t program;
  int32_t length, first, last, group, thread;
} Work;

/** Columns of numbers, columns of classes; what a pair's distance and its effects are weighed by, numbers first. */
typedef struct {
  int isMatern;
  size_t numbers, classes;
  double v, line;
  const double *inverse, *effects;
} PairKernel;

/** Rows as JavaScript has them: numbers count x c, classes count x G. */
typedef struct {
  size_t count;
  const double *x;
  const int32_t *k;
} PairRows;

/** What no parameter changes of the pairs i >= j of n rows, in the order of a lower triangle; `stride` elements for each of S groups. */
typedef struct {
  size_t n, groups, stride;
  const double *apart, *alike, *product;
} PairTable;

typedef struct {
  const char *name;
  Outcome (*run)(Memory memory, const Work *work, Scratch *scratch);
  /** to (count floats) = sum of `groups` blocks of `count` floats each, first to last. */
  Outcome (*addGroups)(Memory memory, uint64_t count, uint64_t groups, uint64_t from, uint64_t to);
  /** 0, or 1 + the first pivot that is not positive, or -1 without memory. */
  int64_t (*choleskyFactor)(size_t n, double *a, Scratch *scratch);
  /** 0, or -1 without memory. */
  int (*solveLower)(size_t n, size_t m, const double *l, double *b, Scratch *scratch);
  int (*solveLowerTransposed)(size_t n, size_t m, const double *l, double *b, Scratch *scratch);
  int (*multiplyTransposed)(
    size_t rows, size_t columns, size_t depth, const double *a, const double *b, double *c, Scratch *scratch
  );
  /** x, n x n and zeros at first, becomes L^-1, or with `isWhole` the inverse of L L'. */
  int (*invertFactor)(size_t n, int isWhole, const double *l, double *x, Scratch *scratch);
  int (*pairCovariances)(const PairKernel *of, PairRows a, PairRows b, int isSame, double *to, Scratch *scratch);
  int (*pairValues)(
    const PairKernel *of, const PairTable *table, double noise, double *r, double *q, double *k, Scratch *scratch
  );
  int (*pairSlopes)(
    int isMatern, const PairTable *table, const double *alpha, const double *inverted, const double *r, const double *q,
    double *sums, Scratch *scratch
  );
} Kernels;

#if defined(__x86_64__)
extern const Kernels kernelsAvx2, kernelsAvx512;
#endif
/** By the compiler's vectors; needs a processor with fused multiply-add to be quick. */
extern const Kernels kernelsPortable;
#endif
