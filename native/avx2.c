// AVX2 and FMA: most x64 processors since 2013.
#include "vector_avx2.h"
#include "variant.h"

const Kernels kernelsAvx2 = KERNELS("avx2");
