// Adam with averaged copies, one pass over memory (Kingma & Ba 2015, Alg. 1; eps outside the square root's
// bias correction, as PyTorch does).
import { flushTiny, loadTail, multiplyAdd, storeTail } from './vector';

/**
 * theta -= rate m / (sqrt(v) correction + eps), target = target + tau (theta - target).
 * `control`: rate / (1 - beta1^t), 1 / sqrt(1 - beta2^t), beta1, 1 - beta1, beta2, 1 - beta2, eps, tau; the differences
 * are made in float64, because 1 - 0.999 in float32 is off by 5e-5.
 */
export function updateStrip(
  count: i32,
  g: usize,
  theta: usize,
  m: usize,
  v: usize,
  target: usize,
  control: usize,
): void {
  const rate = v128.load32_splat(control);
  const correction = v128.load32_splat(control, 4);
  const beta1 = v128.load32_splat(control, 8);
  const rest1 = v128.load32_splat(control, 12);
  const beta2 = v128.load32_splat(control, 16);
  const rest2 = v128.load32_splat(control, 20);
  const eps = v128.load32_splat(control, 24);
  const tau = v128.load32_splat(control, 28);
  for (let i = 0; i < count; i += 4) {
    const left = count - i;
    const at = (<usize>i) << 2;
    const whole = left >= 4;
    const gradient = whole ? v128.load(g + at) : loadTail(g + at, left);
    let m1 = whole ? v128.load(m + at) : loadTail(m + at, left);
    let v1 = whole ? v128.load(v + at) : loadTail(v + at, left);
    let t1 = whole ? v128.load(theta + at) : loadTail(theta + at, left);
    m1 = flushTiny(multiplyAdd(m1, beta1, f32x4.mul(rest1, gradient)));
    v1 = flushTiny(multiplyAdd(v1, beta2, f32x4.mul(rest2, f32x4.mul(gradient, gradient))));
    const denominator = multiplyAdd(f32x4.sqrt(v1), correction, eps);
    t1 = f32x4.sub(t1, f32x4.mul(rate, f32x4.div(m1, denominator)));
    if (whole) {
      v128.store(m + at, m1);
      v128.store(v + at, v1);
      v128.store(theta + at, t1);
    } else {
      storeTail(m + at, m1, left);
      storeTail(v + at, v1, left);
      storeTail(theta + at, t1, left);
    }
    if (target) {
      const old = whole ? v128.load(target + at) : loadTail(target + at, left);
      const average = multiplyAdd(tau, f32x4.sub(t1, old), old);
      if (whole) v128.store(target + at, average);
      else storeTail(target + at, average, left);
    }
  }
}
