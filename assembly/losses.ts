// Losses with their gradients, and the softmax over groups of columns.
import { exp4, expMinusAbs4, laneSum, log4, sigmoidFrom, softplusFrom, splat } from './vector';

/**
 * Discretised logistic head (NEMO, section 4.2): o_j = sigmoid((mu - j/K) / s), j = 0..K-1, against a label known to
 * lie in bins lo..hi: o_j should be 1 for j <= lo and 0 for j > hi; what lies between is not known and not trained.
 * loss = mean_j of the binary cross entropy, slope = d loss / d mu. `labels` rows x 2.
 */
export function thermometer(rows: i32, bins: i32, scale: f32, mu: usize, labels: usize, loss: usize, slope: usize): void {
  const inverse: f32 = <f32>1 / scale;
  const share: f32 = <f32>1 / <f32>bins;
  const lanes = f32x4(0, 1, 2, 3);
  const zero = splat(0);
  const one = splat(1);
  for (let r = 0; r < rows; r++) {
    const at = <usize>r << 2;
    const m = splat(load<f32>(mu + at));
    const lo = v128.load32_splat(labels + (at << 1));
    const hi = v128.load32_splat(labels + (at << 1), 4);
    let total = zero;
    let gradient = zero;
    for (let j = 0; j < bins; j += 4) {
      const index = f32x4.add(splat(<f32>j), lanes);
      const t = f32x4.mul(f32x4.sub(m, f32x4.mul(index, splat(share))), splat(inverse));
      const above = f32x4.le(index, lo);
      const counted = v128.and(v128.or(above, f32x4.gt(index, hi)), f32x4.lt(index, splat(<f32>bins)));
      const e = expMinusAbs4(t);
      // -log o = softplus(-t) where the label is 1, -log(1 - o) = softplus(t) where it is 0
      const signed = v128.xor(t, v128.and(above, i32x4.splat(0x80000000)));
      total = f32x4.add(total, v128.and(softplusFrom(signed, e), counted));
      gradient = f32x4.add(gradient, v128.and(f32x4.sub(sigmoidFrom(t, e), v128.and(one, above)), counted));
    }
    if (loss) store<f32>(loss + at, laneSum(total) * share);
    if (slope) store<f32>(slope + at, laneSum(gradient) * share * inverse);
  }
}

/** Each lane's neighbour in its pair: 1 0 3 2. */
// @ts-ignore: decorator
@inline function swapPairs(v: v128): v128 {
  return v128.shuffle<f32>(v, v, 1, 0, 3, 2);
}

/** Largest of `count` floats. */
function largest(count: i32, a: usize): f32 {
  let top = load<f32>(a);
  let i = 1;
  if (count >= 4) {
    let tops = v128.load(a);
    for (i = 4; i + 4 <= count; i += 4) tops = f32x4.max(tops, v128.load(a + (<usize>i << 2)));
    tops = f32x4.max(tops, v128.shuffle<f32>(tops, tops, 2, 3, 0, 1));
    tops = f32x4.max(tops, swapPairs(tops));
    top = f32x4.extract_lane(tops, 0);
  }
  for (; i < count; i++) top = max(top, load<f32>(a + (<usize>i << 2)));
  return top;
}

/** to = exp(a - top); returns the sum. */
function exponentials(count: i32, a: usize, top: f32, to: usize): f32 {
  let sum: f32 = 0;
  let i = 0;
  for (; i + 4 <= count; i += 4) {
    const e = exp4(f32x4.sub(v128.load(a + (<usize>i << 2)), splat(top)));
    v128.store(to + (<usize>i << 2), e);
    sum += laneSum(e);
  }
  for (; i < count; i++) {
    const e = f32x4.extract_lane(exp4(splat(load<f32>(a + (<usize>i << 2)) - top)), 0);
    store<f32>(to + (<usize>i << 2), e);
    sum += e;
  }
  return sum;
}

/** Softmax over each run of `group` numbers. */
export function softmax(count: i32, group: i32, a: usize, to: usize): void {
  if (group == 2) {
    const even = count & ~3;
    for (let i = 0; i < even; i += 4) {
      const v = v128.load(a + (<usize>i << 2));
      const e = exp4(f32x4.sub(v, f32x4.max(v, swapPairs(v))));
      v128.store(to + (<usize>i << 2), f32x4.div(e, f32x4.add(e, swapPairs(e))));
    }
    a += <usize>even << 2;
    to += <usize>even << 2;
    count -= even;
  }
  for (let from = 0; from < count; from += group) {
    const at = <usize>from << 2;
    const sum = exponentials(group, a + at, largest(group, a + at), to + at);
    let i = 0;
    for (; i + 4 <= group; i += 4) {
      const q = to + at + (<usize>i << 2);
      v128.store(q, f32x4.div(v128.load(q), splat(sum)));
    }
    for (; i < group; i++) {
      const q = to + at + (<usize>i << 2);
      store<f32>(q, load<f32>(q) / sum);
    }
  }
}

/** to = y (dy - sum over the group of y dy). */
export function softmaxBackward(count: i32, group: i32, y: usize, dy: usize, to: usize): void {
  if (group == 2) {
    const even = count & ~3;
    for (let i = 0; i < even; i += 4) {
      const at = <usize>i << 2;
      const p = v128.load(y + at);
      const slope = v128.load(dy + at);
      const product = f32x4.mul(p, slope);
      v128.store(to + at, f32x4.mul(p, f32x4.sub(slope, f32x4.add(product, swapPairs(product)))));
    }
    y += <usize>even << 2;
    dy += <usize>even << 2;
    to += <usize>even << 2;
    count -= even;
  }
  for (let from = 0; from < count; from += group) {
    let sum: f32 = 0;
    for (let i = 0; i < group; i++) {
      const at = <usize>(from + i) << 2;
      sum += load<f32>(y + at) * load<f32>(dy + at);
    }
    let i = 0;
    for (; i + 4 <= group; i += 4) {
      const at = <usize>(from + i) << 2;
      v128.store(to + at, f32x4.mul(v128.load(y + at), f32x4.sub(v128.load(dy + at), splat(sum))));
    }
    for (; i < group; i++) {
      const at = <usize>(from + i) << 2;
      store<f32>(to + at, load<f32>(y + at) * (load<f32>(dy + at) - sum));
    }
  }
}

/**
 * Cross entropy of softmax(a) with a label known to lie in classes lo..hi: loss = -log sum_{lo..hi} p,
 * slope = p - p restricted to lo..hi and normalised there. For lo = hi this is the usual softmax cross entropy.
 */
export function categorical(rows: i32, classes: i32, a: usize, labels: usize, loss: usize, slope: usize): void {
  for (let r = 0; r < rows; r++) {
    const lo = <i32>load<f32>(labels + (<usize>r << 3));
    const hi = <i32>load<f32>(labels + (<usize>r << 3), 4);
    const row = a + ((<usize>r * classes) << 2);
    const to = slope + ((<usize>r * classes) << 2);
    const top = largest(classes, row);
    const sum = exponentials(classes, row, top, to);
    const topInside = largest(hi - lo + 1, row + (<usize>lo << 2));
    // relative to the best class inside, so that a label the model finds impossible still has a finite loss
    let inside: f32 = 0;
    for (let j = lo; j <= hi; j++) inside += f32x4.extract_lane(exp4(splat(load<f32>(row + (<usize>j << 2)) - topInside)), 0);
    if (loss) {
      const logs = log4(loadPair(sum, inside));
      store<f32>(loss + (<usize>r << 2), f32x4.extract_lane(logs, 0) - f32x4.extract_lane(logs, 1) + (top - topInside));
    }
    for (let j = 0; j < classes; j++) {
      const q = to + (<usize>j << 2);
      let p = load<f32>(q) / sum;
      if (j >= lo && j <= hi) {
        p -= f32x4.extract_lane(exp4(splat(load<f32>(row + (<usize>j << 2)) - topInside)), 0) / inside;
      }
      store<f32>(q, p);
    }
  }
}

// @ts-ignore: decorator
@inline function loadPair(a: f32, b: f32): v128 {
  return f32x4.replace_lane(splat(a), 1, b);
}
