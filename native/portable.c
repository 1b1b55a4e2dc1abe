// The compiler's own vectors: NEON on ARM.
#include "vector_wide.h"
#include "variant.h"

const Kernels kernelsPortable = KERNELS("portable");
