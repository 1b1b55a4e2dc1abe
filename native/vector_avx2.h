// Sixteen floats in two AVX2 registers. The same operations as vector_wide.h, and the same bits: every one of them is
// exact or correctly rounded (IEEE 754), so the width of the registers never shows.
#include <immintrin.h>
#include <stdint.h>

#define INLINE static inline __attribute__((always_inline))

/** Rows of a tile: 12 sums, 2 columns of weights and a factor fill the 16 registers. */
#define TILE_ROWS 6

typedef struct { __m256 a, b; } w16;
/** All bits of a lane set, or none. */
typedef w16 mask16;
typedef struct { __m256i a, b; } i16;
typedef float v8 __attribute__((vector_size(32), aligned(4), may_alias));

INLINE w16 w_load2(const float *p, const float *q) { return (w16){_mm256_loadu_ps(p), _mm256_loadu_ps(q)}; }
INLINE w16 w_load(const float *p) { return w_load2(p, p + 8); }
INLINE void w_store2(float *p, float *q, w16 x) { _mm256_storeu_ps(p, x.a); _mm256_storeu_ps(q, x.b); }
INLINE void w_store(float *p, w16 x) { w_store2(p, p + 8, x); }
INLINE w16 w_splat(float x) { __m256 s = _mm256_set1_ps(x); return (w16){s, s}; }
INLINE w16 w_add(w16 x, w16 y) { return (w16){_mm256_add_ps(x.a, y.a), _mm256_add_ps(x.b, y.b)}; }
INLINE w16 w_sub(w16 x, w16 y) { return (w16){_mm256_sub_ps(x.a, y.a), _mm256_sub_ps(x.b, y.b)}; }
INLINE w16 w_mul(w16 x, w16 y) { return (w16){_mm256_mul_ps(x.a, y.a), _mm256_mul_ps(x.b, y.b)}; }
INLINE w16 w_div(w16 x, w16 y) { return (w16){_mm256_div_ps(x.a, y.a), _mm256_div_ps(x.b, y.b)}; }
/** x y + z with one rounding. */
INLINE w16 w_fma(w16 x, w16 y, w16 z) { return (w16){_mm256_fmadd_ps(x.a, y.a, z.a), _mm256_fmadd_ps(x.b, y.b, z.b)}; }
INLINE w16 w_sqrt(w16 x) { return (w16){_mm256_sqrt_ps(x.a), _mm256_sqrt_ps(x.b)}; }
/** The smaller, the larger of the two; the second where one is NaN. */
INLINE w16 w_min(w16 x, w16 y) { return (w16){_mm256_min_ps(x.a, y.a), _mm256_min_ps(x.b, y.b)}; }
INLINE w16 w_max(w16 x, w16 y) { return (w16){_mm256_max_ps(x.a, y.a), _mm256_max_ps(x.b, y.b)}; }
INLINE mask16 w_lt(w16 x, w16 y) { return (w16){_mm256_cmp_ps(x.a, y.a, _CMP_LT_OQ), _mm256_cmp_ps(x.b, y.b, _CMP_LT_OQ)}; }
INLINE mask16 w_le(w16 x, w16 y) { return (w16){_mm256_cmp_ps(x.a, y.a, _CMP_LE_OQ), _mm256_cmp_ps(x.b, y.b, _CMP_LE_OQ)}; }
INLINE mask16 m_and(mask16 x, mask16 y) { return (w16){_mm256_and_ps(x.a, y.a), _mm256_and_ps(x.b, y.b)}; }
INLINE mask16 m_or(mask16 x, mask16 y) { return (w16){_mm256_or_ps(x.a, y.a), _mm256_or_ps(x.b, y.b)}; }
/** x where the mask is set, 0 elsewhere; and the other way round. */
INLINE w16 w_where(mask16 m, w16 x) { return m_and(m, x); }
INLINE w16 w_except(mask16 m, w16 x) { return (w16){_mm256_andnot_ps(m.a, x.a), _mm256_andnot_ps(m.b, x.b)}; }
INLINE w16 w_select(mask16 m, w16 yes, w16 no) {
  return (w16){_mm256_blendv_ps(no.a, yes.a, m.a), _mm256_blendv_ps(no.b, yes.b, m.b)};
}
INLINE w16 w_xor(w16 x, w16 y) { return (w16){_mm256_xor_ps(x.a, y.a), _mm256_xor_ps(x.b, y.b)}; }
INLINE w16 w_signs(w16 x) { return m_and(x, w_splat(-0.0f)); }
INLINE w16 w_neg(w16 x) { return w_xor(x, w_splat(-0.0f)); }
INLINE w16 w_abs(w16 x) { return w_except(w_splat(-0.0f), x); }
INLINE w16 w_join(w16 x, w16 y) { return m_or(x, y); }

INLINE i16 i_bits(w16 x) { return (i16){_mm256_castps_si256(x.a), _mm256_castps_si256(x.b)}; }
INLINE w16 w_bits(i16 x) { return (w16){_mm256_castsi256_ps(x.a), _mm256_castsi256_ps(x.b)}; }
INLINE w16 w_from(i16 x) { return (w16){_mm256_cvtepi32_ps(x.a), _mm256_cvtepi32_ps(x.b)}; }
INLINE i16 i_splat(int32_t x) { __m256i s = _mm256_set1_epi32(x); return (i16){s, s}; }
INLINE i16 i_add(i16 x, i16 y) { return (i16){_mm256_add_epi32(x.a, y.a), _mm256_add_epi32(x.b, y.b)}; }
INLINE i16 i_sub(i16 x, i16 y) { return (i16){_mm256_sub_epi32(x.a, y.a), _mm256_sub_epi32(x.b, y.b)}; }
INLINE i16 i_and(i16 x, i16 y) { return (i16){_mm256_and_si256(x.a, y.a), _mm256_and_si256(x.b, y.b)}; }
INLINE i16 i_left23(i16 x) { return (i16){_mm256_slli_epi32(x.a, 23), _mm256_slli_epi32(x.b, 23)}; }
INLINE i16 i_right23(i16 x) { return (i16){_mm256_srai_epi32(x.a, 23), _mm256_srai_epi32(x.b, 23)}; }

INLINE v8 v8_fma(v8 x, v8 y, v8 z) { return (v8)_mm256_fmadd_ps((__m256)x, (__m256)y, (__m256)z); }

/** A bit for each of 16 floats that is not zero, the first lowest. */
INLINE uint32_t w_nonzeros(w16 x) {
  const __m256 zero = _mm256_setzero_ps();
  const uint32_t low = (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(x.a, zero, _CMP_NEQ_UQ));
  return low | (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(x.b, zero, _CMP_NEQ_UQ)) << 8;
}

/** 8 x 8 floats with rows of 8, transposed. */
INLINE void transpose8(const float *from, float *to) {
  __m256 r[8], s[8];
  for (int i = 0; i < 8; i++) r[i] = _mm256_loadu_ps(from + 8 * i);
  for (int i = 0; i < 8; i += 2) {
    s[i] = _mm256_unpacklo_ps(r[i], r[i + 1]);
    s[i + 1] = _mm256_unpackhi_ps(r[i], r[i + 1]);
  }
  for (int i = 0; i < 8; i += 4) {
    r[i] = _mm256_shuffle_ps(s[i], s[i + 2], 0x44);
    r[i + 1] = _mm256_shuffle_ps(s[i], s[i + 2], 0xee);
    r[i + 2] = _mm256_shuffle_ps(s[i + 1], s[i + 3], 0x44);
    r[i + 3] = _mm256_shuffle_ps(s[i + 1], s[i + 3], 0xee);
  }
  for (int i = 0; i < 4; i++) {
    _mm256_storeu_ps(to + 8 * i, _mm256_permute2f128_ps(r[i], r[i + 4], 0x20));
    _mm256_storeu_ps(to + 8 * (i + 4), _mm256_permute2f128_ps(r[i], r[i + 4], 0x31));
  }
}

/** Eight doubles. */
typedef struct { __m256d a, b; } d8;
INLINE d8 d_load(const double *p) { return (d8){_mm256_loadu_pd(p), _mm256_loadu_pd(p + 4)}; }
INLINE void d_store(double *p, d8 x) { _mm256_storeu_pd(p, x.a); _mm256_storeu_pd(p + 4, x.b); }
INLINE d8 d_splat(double x) { __m256d s = _mm256_set1_pd(x); return (d8){s, s}; }
INLINE d8 d_add(d8 x, d8 y) { return (d8){_mm256_add_pd(x.a, y.a), _mm256_add_pd(x.b, y.b)}; }
INLINE d8 d_sub(d8 x, d8 y) { return (d8){_mm256_sub_pd(x.a, y.a), _mm256_sub_pd(x.b, y.b)}; }
INLINE d8 d_mul(d8 x, d8 y) { return (d8){_mm256_mul_pd(x.a, y.a), _mm256_mul_pd(x.b, y.b)}; }
INLINE d8 d_div(d8 x, d8 y) { return (d8){_mm256_div_pd(x.a, y.a), _mm256_div_pd(x.b, y.b)}; }
INLINE d8 d_fma(d8 x, d8 y, d8 z) { return (d8){_mm256_fmadd_pd(x.a, y.a, z.a), _mm256_fmadd_pd(x.b, y.b, z.b)}; }
INLINE d8 d_sqrt(d8 x) { return (d8){_mm256_sqrt_pd(x.a), _mm256_sqrt_pd(x.b)}; }
/** All bits of a lane set, or none. */
typedef d8 mask8;
INLINE mask8 d_lt(d8 x, d8 y) { return (d8){_mm256_cmp_pd(x.a, y.a, _CMP_LT_OQ), _mm256_cmp_pd(x.b, y.b, _CMP_LT_OQ)}; }
INLINE mask8 d_eq(d8 x, d8 y) { return (d8){_mm256_cmp_pd(x.a, y.a, _CMP_EQ_OQ), _mm256_cmp_pd(x.b, y.b, _CMP_EQ_OQ)}; }
/** x where the mask is set, 0 elsewhere; and the other way round. */
INLINE d8 d_where(mask8 m, d8 x) { return (d8){_mm256_and_pd(m.a, x.a), _mm256_and_pd(m.b, x.b)}; }
INLINE d8 d_except(mask8 m, d8 x) { return (d8){_mm256_andnot_pd(m.a, x.a), _mm256_andnot_pd(m.b, x.b)}; }
