/**
 * Covariances of pairs of rows a and b that hold numbers x and classes, term by term, as models/ardKernel.ts explains them:
 *
 *   k(a, b) = 1 + v q(r^2) + sum_j a_j m_j(a, b) + w x_a.x_b
 *
 * Compiled kernels give the same bits: none of these sums is taken in another order, and no multiply and add is fused.
 */

/** Rows: c numbers and G classes each. */
export interface PairRows {
  readonly count: number;
  /** n x c. */
  readonly x: Float64Array;
  /** n x G, numbers of classes. */
  readonly k: Int32Array;
}

export interface PairKernel {
  /** q: Matern of nu = 5/2, else rational quadratic. */
  readonly isMatern: boolean;
  readonly v: number;
  /** 1 / l^2 and a, by column: numbers first. */
  readonly inverse: Float64Array;
  readonly effects: Float64Array;
  /** w. */
  readonly line: number;
}

/** q of a squared distance, rational quadratic. */
export function radial(r: number): number {
  const near = 1 / (1 + r * 0.0625);
  const fourth = near * near * near * near;
  return fourth * fourth;
}

/** m of a squared distance. */
export function effectOf(d: number): number {
  return radial(d * 0.25);
}

/** Where the Matern kernel is 0 to the last digit of its sum with 1. */
const FAR = 40;

/**
 * q of a squared distance, Matern. exp(-t) = exp(-t / 256)^256, the power by eight squarings and exp by its series, whose
 * next term is below 1e-14: sums and products alone, as portableExp, for the one range that is needed, and faster.
 */
export function matern(r: number): number {
  const t = Math.sqrt(5 * r);
  if (t > FAR) return 0;
  const u = t * -0.00390625;
  let e = u * (1 / 362880) + 1 / 40320;
  e = u * e + 1 / 5040;
  e = u * e + 1 / 720;
  e = u * e + 1 / 120;
  e = u * e + 1 / 24;
  e = u * e + 1 / 6;
  e = u * e + 0.5;
  e = u * e + 1;
  e = u * e + 1;
  e *= e;
  e *= e;
  e *= e;
  e *= e;
  e *= e;
  e *= e;
  e *= e;
  e *= e;
  return (1 + t + t * t * (1 / 3)) * e;
}

/** k(a, b) of all pairs, n x m. `c`: how many columns are numbers. */
export function pairCovariances(
  { isMatern, v, inverse, effects, line }: PairKernel,
  c: number,
  a: PairRows,
  b: PairRows,
): Float64Array {
  const G = inverse.length - c;
  const k = new Float64Array(a.count * b.count);
  let allInverse = 0;
  for (let g = 0; g < G; g++) allInverse += inverse[c + g]!;
  const { x: xa, k: ka } = a;
  const { x: xb, k: kb } = b;
  for (let i = 0, to = 0; i < a.count; i++) {
    for (let j = 0; j < b.count; j++, to++) {
      let r = 0;
      let sum = 1;
      let product = 0;
      for (let u = 0, p = i * c, o = j * c; u < c; u++, p++, o++) {
        const from = xa[p]!;
        const apart = from - xb[o]!;
        const d = apart * apart;
        r += d * inverse[u]!;
        if (effects[u]! > 0) sum += effects[u]! * effectOf(d);
        product += from * xb[o]!;
      }
      if (G > 0) {
        let same = 0;
        let apart = allInverse;
        for (let g = 0, p = i * G, o = j * G; g < G; g++, p++, o++) {
          if (ka[p] !== kb[o]) continue;
          same += effects[c + g]!;
          apart -= inverse[c + g]!;
        }
        sum += same;
        r += Math.max(0, apart);
      }
      k[to] = sum + v * (isMatern ? matern(r) : radial(r)) + line * product;
    }
  }
  return k;
}

/** What no parameter changes, for the pairs i >= j of n rows in the order of a lower triangle. */
export interface PairTable {
  readonly n: number;
  readonly groups: number;
  /** Sum of d_j over the columns of a group, and mean of m_j: groups x `tableStride(n)`. */
  readonly apart: Float64Array;
  readonly alike: Float64Array;
  /** x_a.x_b, `tableStride(n)`. */
  readonly product: Float64Array;
}

/** Elements of a row of a table: its pairs, and room to read eight at a time. */
export function tableStride(n: number): number {
  return Math.floor(((n * (n + 1)) / 2 + 15) / 8) * 8;
}

/** r^2 and q of all pairs of a table, and the covariances with noise on the diagonal: the lower triangle of k, n x n. */
export interface PairValues {
  readonly r: Float64Array;
  readonly q: Float64Array;
  readonly k: Float64Array;
}

/** `inverse` and `effects` of the kernel are by group. */
export function pairValues(
  { isMatern, v, inverse, effects, line }: PairKernel,
  noise: number,
  { n, groups, apart, alike, product }: PairTable,
): PairValues {
  const stride = tableStride(n);
  const size = (n * (n + 1)) / 2;
  const [r, near, q] = [new Float64Array(stride), new Float64Array(stride), new Float64Array(stride)];
  for (let g = 0; g < groups; g++) {
    const scale = inverse[g]!;
    const effect = effects[g]!;
    for (let at = 0, from = g * stride; at < size; at++, from++) {
      r[at]! += scale * apart[from]!;
      near[at]! += effect * alike[from]!;
    }
  }
  const k = new Float64Array(n * n);
  for (let i = 0, at = 0; i < n; i++) {
    for (let j = 0; j <= i; j++, at++) {
      q[at] = isMatern ? matern(r[at]!) : radial(r[at]!);
      k[i * n + j] = 1 + near[at]! + v * q[at]! + line * product[at]!;
    }
    k[i * n + i]! += noise;
  }
  return { r, q, k };
}

/**
 * Sums over all pairs of A = alpha alpha' - K^-1 (`inverted`, of which the lower triangle is read), halved on the diagonal:
 * of A q, A x_a.x_b and the diagonal of A; then of A dq/dr^2 d for each group, and of A m for each group.
 */
export function pairSlopes(
  isMatern: boolean,
  { n, groups, apart, alike, product }: PairTable,
  { r, q }: Pick<PairValues, 'r' | 'q'>,
  alpha: Float64Array,
  inverted: Float64Array,
): Float64Array {
  const stride = tableStride(n);
  const size = (n * (n + 1)) / 2;
  const sums = new Float64Array(3 + 2 * groups);
  const half = new Float64Array(size);
  const byRadius = new Float64Array(size);
  let [byV, byLine, byNoise] = [0, 0, 0];
  for (let i = 0, at = 0; i < n; i++) {
    for (let j = 0; j <= i; j++, at++) {
      const a = (alpha[i]! * alpha[j]! - inverted[i * n + j]!) * (i === j ? 0.5 : 1);
      half[at] = a;
      byV += a * q[at]!;
      byLine += a * product[at]!;
      // dq/dr^2 = -1/2 (1 + r^2/16)^-9, or -5/6 (1 + t) exp(-t) with exp(-t) = q / (1 + t + t^2/3)
      if (!isMatern) byRadius[at] = (-0.5 * a * q[at]!) / (1 + r[at]! / 16);
      else {
        const t = Math.sqrt(5 * r[at]!);
        byRadius[at] = ((-5 / 6) * a * (1 + t) * q[at]!) / (1 + t + (t * t) / 3);
      }
      if (i === j) byNoise += a;
    }
  }
  sums.set([byV, byLine, byNoise]);
  for (let g = 0; g < groups; g++) {
    let byFar = 0;
    let byNear = 0;
    for (let at = 0, from = g * stride; at < size; at++, from++) {
      byFar += byRadius[at]! * apart[from]!;
      byNear += half[at]! * alike[from]!;
    }
    sums[3 + g] = byFar;
    sums[3 + groups + g] = byNear;
  }
  return sums;
}
