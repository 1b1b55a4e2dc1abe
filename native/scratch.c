#include <stdlib.h>
#include "kernels.h"

void *scratchOf(Scratch *scratch, size_t size) {
  if (scratch->size >= size && scratch->bytes) return scratch->bytes;
  freeScratch(scratch);
  // aligned_alloc takes multiples of the alignment
  const size_t whole = (size + 63) & ~(size_t)63;
  if (whole < size) return 0;
  scratch->bytes = aligned_alloc(64, whole ? whole : 64);
  scratch->size = scratch->bytes ? whole : 0;
  return scratch->bytes;
}

void freeScratch(Scratch *scratch) {
  free(scratch->bytes);
  scratch->bytes = 0;
  scratch->size = 0;
}
