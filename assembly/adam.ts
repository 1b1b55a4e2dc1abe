// Adam with averaged copies, one pass over memory (Kingma & Ba 2015, Alg. 1; eps outside the square root's
// bias correction, as PyTorch does).
import { flushBelow, flushTiny, loadTail, multiplyAdd, stored, storeTail } from './vector';

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
  const sign = stored(21), bound = stored(22);
  const end = g + (<usize>(count & ~3) << 2);
  for (; g < end; g += 16) {
    const gradient = v128.load(g);
    const m1 = flushBelow(multiplyAdd(v128.load(m), beta1, f32x4.mul(rest1, gradient)), sign, bound);
    const square = f32x4.mul(rest2, f32x4.mul(gradient, gradient));
    const v1 = flushBelow(multiplyAdd(v128.load(v), beta2, square), sign, bound);
    const step = f32x4.mul(rate, f32x4.div(m1, multiplyAdd(f32x4.sqrt(v1), correction, eps)));
    v128.store(m, m1);
    v128.store(v, v1);
    const t1 = f32x4.sub(v128.load(theta), step);
    v128.store(theta, t1);
    m += 16; v += 16; theta += 16;
    if (target) {
      const old = v128.load(target);
      v128.store(target, multiplyAdd(tau, f32x4.sub(t1, old), old));
      target += 16;
    }
  }
  const left = count & 3;
  if (!left) return;
  const gradient = loadTail(g, left);
  const m1 = flushTiny(multiplyAdd(loadTail(m, left), beta1, f32x4.mul(rest1, gradient)));
  const square = f32x4.mul(rest2, f32x4.mul(gradient, gradient));
  const v1 = flushTiny(multiplyAdd(loadTail(v, left), beta2, square));
  const step = f32x4.mul(rate, f32x4.div(m1, multiplyAdd(f32x4.sqrt(v1), correction, eps)));
  const t1 = f32x4.sub(loadTail(theta, left), step);
  storeTail(m, m1, left);
  storeTail(v, v1, left);
  storeTail(theta, t1, left);
  if (target) {
    const old = loadTail(target, left);
    storeTail(target, multiplyAdd(tau, f32x4.sub(t1, old), old), left);
  }
}
