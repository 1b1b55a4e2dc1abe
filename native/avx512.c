// AVX-512: the same source as portable.c, compiled for registers of 64 bytes.
#include "vector_wide.h"
#include "variant.h"

const Kernels kernelsAvx512 = KERNELS("avx512");
