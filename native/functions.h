// Exponential, logarithm and the stable forms built on them: the formulas of assembly/vector.ts, step by step, so that both
// give the same bits where the WebAssembly engine fuses multiply and add.

/** The first `left` floats at p, zeros behind them. */
INLINE w16 w_part(const float *p, size_t left) {
  if (left >= 16) return w_load(p);
  float some[16] = {0};
  memcpy(some, p, left * sizeof(float));
  return w_load(some);
}

INLINE void w_put(float *p, w16 x, size_t left) {
  if (left >= 16) {
    w_store(p, x);
    return;
  }
  float some[16];
  w_store(some, x);
  memcpy(p, some, left * sizeof(float));
}

/** exp(x) for -87 <= x <= 88.37: x = n ln 2 + r, a polynomial of degree 7 in r, then n added to the exponent. */
INLINE w16 expWithin(w16 x) {
  const w16 round = w_splat(12582912.0f);
  const w16 shifted = w_fma(x, w_splat(1.44269504f), round);
  const w16 n = w_sub(shifted, round);
  w16 r = w_sub(x, w_mul(n, w_splat(0.693359375f)));
  r = w_sub(r, w_mul(n, w_splat(-2.1219444e-4f)));
  w16 p = w_fma(r, w_splat(1.9875691e-4f), w_splat(1.3981999e-3f));
  p = w_fma(p, r, w_splat(8.3334519e-3f));
  p = w_fma(p, r, w_splat(4.1665796e-2f));
  p = w_fma(p, r, w_splat(1.6666665e-1f));
  p = w_fma(p, r, w_splat(0.5f));
  p = w_add(w_fma(w_mul(r, r), p, r), w_splat(1));
  return w_bits(i_add(i_bits(p), i_left23(i_bits(shifted))));
}

/** exp(x); 0 below -87, exp(88.37) above 88.37. */
INLINE w16 w_exp(w16 x) {
  const w16 low = w_splat(-87);
  return w_where(w_le(low, x), expWithin(w_max(w_min(x, w_splat(88.37f)), low)));
}

/** exp(-|x|), and 0 where |x| > 40. */
INLINE w16 expMinusAbs(w16 x) {
  const w16 low = w_splat(-40);
  const w16 y = w_neg(w_abs(x));
  return w_where(w_le(low, y), expWithin(w_max(y, low)));
}

/** 2 atanh(u) for |u| <= 1/3. */
INLINE w16 atanhTwice(w16 u) {
  const w16 w = w_mul(u, u);
  w16 p = w_fma(w, w_splat(0.15384615f), w_splat(0.18181818f));
  p = w_fma(p, w, w_splat(0.22222222f));
  p = w_fma(p, w, w_splat(0.28571429f));
  p = w_fma(p, w, w_splat(0.4f));
  p = w_fma(p, w, w_splat(0.66666667f));
  return w_fma(w_mul(u, w), p, w_add(u, u));
}

/** log(1 + t) for 0 <= t <= 1. */
INLINE w16 w_log1p(w16 t) { return atanhTwice(w_div(t, w_add(t, w_splat(2)))); }

/** log(x) for x > 0 and normal. */
INLINE w16 w_log(w16 x) {
  const i16 half = i_splat(0x3f3504f3); // bits of sqrt(1/2)
  const i16 biased = i_sub(i_bits(x), half);
  const w16 e = w_from(i_right23(biased));
  const w16 m = w_bits(i_add(i_and(biased, i_splat(0x007fffff)), half));
  const w16 one = w_splat(1);
  const w16 series = atanhTwice(w_div(w_sub(m, one), w_add(m, one)));
  return w_fma(e, w_splat(0.6931472f), series);
}

/** exp(x) - 1 for x <= 0. */
INLINE w16 expm1Negative(w16 x) {
  const w16 one = w_splat(1);
  w16 p = w_fma(x, w_splat(0.125f), one);
  p = w_fma(w_mul(x, w_splat(0.14285714f)), p, one);
  p = w_fma(w_mul(x, w_splat(0.16666667f)), p, one);
  p = w_fma(w_mul(x, w_splat(0.2f)), p, one);
  p = w_fma(w_mul(x, w_splat(0.25f)), p, one);
  p = w_fma(w_mul(x, w_splat(0.33333333f)), p, one);
  p = w_fma(w_mul(x, w_splat(0.5f)), p, one);
  return w_select(w_lt(w_splat(-0.5f), x), w_mul(x, p), w_sub(w_exp(x), one));
}

INLINE w16 w_tanh(w16 x) {
  const w16 w = w_mul(x, x);
  w16 p = w_fma(w, w_splat(-5.7049887e-3f), w_splat(2.0639088e-2f));
  p = w_fma(p, w, w_splat(-5.3739715e-2f));
  p = w_fma(p, w, w_splat(1.3331442e-1f));
  p = w_fma(p, w, w_splat(-3.3333282e-1f));
  const w16 near = w_fma(w_mul(p, w), x, x);
  const w16 one = w_splat(1);
  const w16 e = w_exp(w_mul(w_abs(x), w_splat(-2)));
  const w16 magnitude = w_div(w_sub(one, e), w_add(one, e));
  const w16 far = w_join(magnitude, w_signs(x));
  return w_select(w_lt(w_abs(x), w_splat(0.625f)), near, far);
}

/** softplus(x), given e = exp(-|x|). */
INLINE w16 softplusFrom(w16 x, w16 e) { return w_add(w_max(w_splat(0), x), w_log1p(e)); }

/** 1 / (1 + exp(-x)), given e = exp(-|x|). */
INLINE w16 sigmoidFrom(w16 x, w16 e) {
  const w16 one = w_splat(1);
  return w_div(w_select(w_le(w_splat(0), x), one, e), w_add(one, e));
}

/** x with magnitudes below 1e-30 set to 0. NaN stays NaN. */
INLINE w16 flushTiny(w16 x) { return w_except(w_lt(w_abs(x), w_splat(1e-30f)), x); }

/** Four floats added as WebAssembly's four lanes are. */
INLINE float laneSum(const float *v) { return v[0] + v[1] + (v[2] + v[3]); }
