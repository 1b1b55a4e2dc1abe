// The kernels for one set of instructions; a file that includes this has chosen its vectors and its name.
#include <string.h>
#include "kernels.h"
#include "opcodes.h"
#include "functions.h"
#include "elementwise.h"
#include "losses.h"
#include "matmul.h"
#include "outer.h"
#include "sparse.h"
#include "program.h"
#include "linalg.h"
#include "pairs.h"

#define KERNELS(label) \
  {.name = label, .run = run, .addGroups = addGroups, .choleskyFactor = choleskyFactor, .solveLower = solveLower, \
   .solveLowerTransposed = solveLowerTransposed, .multiplyTransposed = multiplyTransposed, \
   .invertFactor = invertFactor, .pairCovariances = pairCovariances, .pairValues = pairValues, .pairSlopes = pairSlopes}
