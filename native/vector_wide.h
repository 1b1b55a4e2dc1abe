// Sixteen floats as one vector of the compiler's: a register of AVX-512, four of NEON, or whatever the machine has. The
// same operations as vector_avx2.h, and the same bits.
#include <stdint.h>
#include <string.h>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

#ifdef __AVX512F__
/** Rows of a tile: AVX-512 has 32 registers. */
#define TILE_ROWS 12
#else
#define TILE_ROWS 6
#endif

typedef float w16 __attribute__((vector_size(64)));
typedef int32_t i16 __attribute__((vector_size(64)));
/** All bits of a lane set, or none. */
typedef i16 mask16;
typedef float v8 __attribute__((vector_size(32), aligned(4), may_alias));

INLINE w16 w_load(const float *p) { w16 x; memcpy(&x, p, 64); return x; }
INLINE void w_store(float *p, w16 x) { memcpy(p, &x, 64); }
INLINE w16 w_load2(const float *p, const float *q) {
#ifdef __AVX512F__
  __m512d low = _mm512_castpd256_pd512(_mm256_castps_pd(_mm256_loadu_ps(p)));
  return (w16)_mm512_insertf64x4(low, _mm256_castps_pd(_mm256_loadu_ps(q)), 1);
#else
  w16 x;
  memcpy(&x, p, 32);
  memcpy((char *)&x + 32, q, 32);
  return x;
#endif
}
INLINE void w_store2(float *p, float *q, w16 x) { memcpy(p, &x, 32); memcpy(q, (char *)&x + 32, 32); }
INLINE w16 w_splat(float x) { return (w16){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x}; }
INLINE w16 w_add(w16 x, w16 y) { return x + y; }
INLINE w16 w_sub(w16 x, w16 y) { return x - y; }
INLINE w16 w_mul(w16 x, w16 y) { return x * y; }
INLINE w16 w_div(w16 x, w16 y) { return x / y; }
/** x y + z with one rounding. */
INLINE w16 w_fma(w16 x, w16 y, w16 z) {
#ifdef __AVX512F__
  return (w16)_mm512_fmadd_ps((__m512)x, (__m512)y, (__m512)z);
#else
  w16 r;
  for (int i = 0; i < 16; i++) r[i] = __builtin_fmaf(x[i], y[i], z[i]);
  return r;
#endif
}
INLINE w16 w_sqrt(w16 x) {
#ifdef __AVX512F__
  return (w16)_mm512_sqrt_ps((__m512)x);
#else
  w16 r;
  for (int i = 0; i < 16; i++) r[i] = __builtin_sqrtf(x[i]);
  return r;
#endif
}
INLINE i16 i_bits(w16 x) { return (i16)x; }
INLINE w16 w_bits(i16 x) { return (w16)x; }
INLINE w16 w_from(i16 x) { return __builtin_convertvector(x, w16); }
INLINE i16 i_splat(int32_t x) { return (i16){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x}; }
// of unsigned numbers, which wrap round
typedef uint32_t u16 __attribute__((vector_size(64)));
INLINE i16 i_add(i16 x, i16 y) { return (i16)((u16)x + (u16)y); }
INLINE i16 i_sub(i16 x, i16 y) { return (i16)((u16)x - (u16)y); }
INLINE i16 i_and(i16 x, i16 y) { return x & y; }
INLINE i16 i_left23(i16 x) { return (i16)((u16)x << 23); }
INLINE i16 i_right23(i16 x) { return x >> 23; }

INLINE mask16 w_lt(w16 x, w16 y) { return x < y; }
INLINE mask16 w_le(w16 x, w16 y) { return x <= y; }
INLINE mask16 m_and(mask16 x, mask16 y) { return x & y; }
INLINE mask16 m_or(mask16 x, mask16 y) { return x | y; }
/** x where the mask is set, 0 elsewhere; and the other way round. */
INLINE w16 w_where(mask16 m, w16 x) { return (w16)(m & (i16)x); }
INLINE w16 w_except(mask16 m, w16 x) { return (w16)(~m & (i16)x); }
INLINE w16 w_select(mask16 m, w16 yes, w16 no) { return (w16)((m & (i16)yes) | (~m & (i16)no)); }
/** The smaller, the larger of the two; the second where one is NaN. */
INLINE w16 w_min(w16 x, w16 y) { return w_select(w_lt(x, y), x, y); }
INLINE w16 w_max(w16 x, w16 y) { return w_select(w_lt(y, x), x, y); }
INLINE w16 w_xor(w16 x, w16 y) { return (w16)((i16)x ^ (i16)y); }
INLINE w16 w_signs(w16 x) { return (w16)((i16)x & i_splat(INT32_MIN)); }
INLINE w16 w_neg(w16 x) { return w_xor(x, w_splat(-0.0f)); }
INLINE w16 w_abs(w16 x) { return (w16)((i16)x & i_splat(INT32_MAX)); }
INLINE w16 w_join(w16 x, w16 y) { return (w16)((i16)x | (i16)y); }

INLINE v8 v8_fma(v8 x, v8 y, v8 z) {
#ifdef __AVX512F__
  return (v8)_mm256_fmadd_ps((__m256)x, (__m256)y, (__m256)z);
#else
  v8 r;
  for (int i = 0; i < 8; i++) r[i] = __builtin_fmaf(x[i], y[i], z[i]);
  return r;
#endif
}

/** A bit for each of 16 floats that is not zero, the first lowest. */
INLINE uint32_t w_nonzeros(w16 x) {
#ifdef __AVX512F__
  return _mm512_cmp_ps_mask((__m512)x, _mm512_setzero_ps(), _CMP_NEQ_UQ);
#else
  uint32_t set = 0;
  for (int i = 0; i < 16; i++) set |= (uint32_t)(x[i] != 0) << i;
  return set;
#endif
}

/** 8 x 8 floats with rows of 8, transposed. */
INLINE void transpose8(const float *from, float *to) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) to[8 * i + j] = from[8 * j + i];
}

/** Eight doubles. */
typedef double d8 __attribute__((vector_size(64)));
INLINE d8 d_load(const double *p) { d8 x; memcpy(&x, p, 64); return x; }
INLINE void d_store(double *p, d8 x) { memcpy(p, &x, 64); }
INLINE d8 d_splat(double x) { return (d8){x, x, x, x, x, x, x, x}; }
INLINE d8 d_add(d8 x, d8 y) { return x + y; }
INLINE d8 d_sub(d8 x, d8 y) { return x - y; }
INLINE d8 d_mul(d8 x, d8 y) { return x * y; }
INLINE d8 d_div(d8 x, d8 y) { return x / y; }
INLINE d8 d_fma(d8 x, d8 y, d8 z) {
#ifdef __AVX512F__
  return (d8)_mm512_fmadd_pd((__m512d)x, (__m512d)y, (__m512d)z);
#else
  d8 r;
  for (int i = 0; i < 8; i++) r[i] = __builtin_fma(x[i], y[i], z[i]);
  return r;
#endif
}
INLINE d8 d_sqrt(d8 x) {
#ifdef __AVX512F__
  return (d8)_mm512_sqrt_pd((__m512d)x);
#else
  d8 r;
  for (int i = 0; i < 8; i++) r[i] = __builtin_sqrt(x[i]);
  return r;
#endif
}
/** All bits of a lane set, or none. */
typedef int64_t mask8 __attribute__((vector_size(64)));
INLINE mask8 d_lt(d8 x, d8 y) { return x < y; }
INLINE mask8 d_eq(d8 x, d8 y) { return x == y; }
/** x where the mask is set, 0 elsewhere; and the other way round. */
INLINE d8 d_where(mask8 m, d8 x) { return (d8)(m & (mask8)x); }
INLINE d8 d_except(mask8 m, d8 x) { return (d8)(~m & (mask8)x); }
