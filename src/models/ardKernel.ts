/**
 * A kernel for tables of experiments, of rows a and b with numbers x (standardised) and classes:
 *
 *   k(a, b) = 1 + v q(r^2) + sum_j a_j m_j(a, b) + w x_a.x_b / c
 *
 *   r^2 = sum_j d_j / l_j^2     d_j = (x_aj - x_bj)^2 for a number, 1 or 0 for classes that differ or not
 *   q(r^2) = (1 + r^2 / 16)^-8  rational quadratic, alpha = 8 (Rasmussen & Williams 2006, Eq. 4.19)
 *   m_j = 1 / (1 + d_j)         for a number; 1 or 0 for classes that are the same or not
 *
 * The first part is any smooth function of the columns that have short lengths l_j, the second a sum of effects of
 * single columns, the third a straight line. Which of them explains the rows is found by the likelihood; a column that
 * does not matter has a long l_j and a small a_j. The constant 1 is the unknown mean of scores of variance 1. All parts
 * are rational, so that the same bits come out everywhere, and quickly.
 */
import { portableExp } from '../numeric/portable.js';
import type { Encoding } from '../search/encoding.js';
import { toScale } from '../space/space.js';

/** Which columns of a space are numbers or classes, and which share parameters. */
export interface ArdShape {
  readonly numbers: readonly number[];
  readonly classes: readonly number[];
  /** Per column (numbers first): its group of parameters, from 0. */
  readonly groups: readonly number[];
  readonly groupCount: number;
}

/** Columns up to which each has a length and an effect of its own. */
const OWN = 100;

export function ardShape({ space }: Encoding): ArdShape {
  const places = space.columns.map((_, j) => j);
  const numbers = places.filter((j) => space.columns[j]!.kind === 'continuous');
  const classes = places.filter((j) => space.columns[j]!.kind === 'categorical');
  const all = numbers.length + classes.length;
  if (all <= OWN) return { numbers, classes, groups: places, groupCount: all };
  const both = numbers.length > 0 && classes.length > 0;
  const groups = [...numbers.map(() => 0), ...classes.map(() => (both ? 1 : 0))];
  return { numbers, classes, groups, groupCount: both ? 2 : 1 };
}

/** Rows as the kernel sees them. */
export interface ArdRows {
  readonly count: number;
  /** n x c. */
  readonly x: Float64Array;
  /** n x G, numbers of classes. */
  readonly k: Int32Array;
}

/** Designs (n x d) as rows. */
export function ardRows(
  { numbers, classes }: ArdShape,
  encoding: Encoding,
  designs: ArrayLike<number>,
): ArdRows {
  const { space, mean, scale } = encoding;
  const d = space.columns.length;
  const count = designs.length / d;
  const x = new Float64Array(count * numbers.length);
  const k = new Int32Array(count * classes.length);
  for (let i = 0, at = 0, to = 0; i < count; i++) {
    for (const j of numbers)
      x[at++] = (toScale(space.columns[j]!, designs[i * d + j]!) - mean[j]!) / scale[j]!;
    for (const j of classes) k[to++] = designs[i * d + j]!;
  }
  return { count, x, k };
}

export function takeArdRows(shape: ArdShape, { x, k }: ArdRows, rows: ArrayLike<number>): ArdRows {
  const [c, G] = [shape.numbers.length, shape.classes.length];
  const taken = {
    count: rows.length,
    x: new Float64Array(rows.length * c),
    k: new Int32Array(rows.length * G),
  };
  for (let i = 0; i < rows.length; i++) {
    taken.x.set(x.subarray(rows[i]! * c, (rows[i]! + 1) * c), i * c);
    taken.k.set(k.subarray(rows[i]! * G, (rows[i]! + 1) * G), i * G);
  }
  return taken;
}

/** Logarithms in the order v, l of every group, a of every group, w, noise. */
export interface ArdParameters {
  readonly v: number;
  /** 1 / l^2 and a, by column: numbers first. */
  readonly inverse: Float64Array;
  readonly effects: Float64Array;
  /** w / c. */
  readonly line: number;
  readonly noise: number;
}

export function ardParameters(shape: ArdShape, theta: ArrayLike<number>): ArdParameters {
  const { groups, groupCount: S, numbers } = shape;
  const shared = new Float64Array(S);
  for (const g of groups) shared[g]! += 1;
  return {
    v: portableExp(theta[0]!),
    inverse: Float64Array.from(groups, (g) => portableExp(-2 * theta[1 + g]!)),
    effects: Float64Array.from(groups, (g) => portableExp(theta[1 + S + g]!) / shared[g]!),
    line: portableExp(theta[1 + 2 * S]!) / Math.max(1, numbers.length),
    noise: portableExp(theta[2 + 2 * S]!),
  };
}

/** q of a squared distance. */
export function radial(r: number): number {
  const near = 1 / (1 + r / 16);
  const fourth = near * near * near * near;
  return fourth * fourth;
}

/** k(a, b) of all pairs, n x m. */
export function ardCovariances(
  shape: ArdShape,
  { v, inverse, effects, line }: ArdParameters,
  a: ArdRows,
  b: ArdRows,
): Float64Array {
  const [c, G] = [shape.numbers.length, shape.classes.length];
  const k = new Float64Array(a.count * b.count);
  // effects that are left out are too small to be counted
  const hasEffects = effects.some((effect) => effect > 2e-6);
  let allInverse = 0;
  for (let g = 0; g < G; g++) allInverse += inverse[c + g]!;
  const { x: xa, k: ka } = a;
  const { x: xb, k: kb } = b;
  for (let i = 0, to = 0; i < a.count; i++) {
    for (let j = 0; j < b.count; j++, to++) {
      let r = 0;
      let sum = 1;
      let product = 0;
      for (let u = 0, p = i * c, q = j * c; u < c; u++, p++, q++) {
        const from = xa[p]!;
        const apart = from - xb[q]!;
        const d = apart * apart;
        r += d * inverse[u]!;
        if (hasEffects) sum += effects[u]! / (1 + d);
        product += from * xb[q]!;
      }
      if (G > 0) {
        let same = 0;
        let apart = allInverse;
        for (let g = 0, p = i * G, q = j * G; g < G; g++, p++, q++) {
          if (ka[p] !== kb[q]) continue;
          same += effects[c + g]!;
          apart -= inverse[c + g]!;
        }
        sum += same;
        r += Math.max(0, apart);
      }
      k[to] = sum + v * radial(r) + line * product;
    }
  }
  return k;
}

/** k(a, a), row by row. */
export function ardVariances(
  shape: ArdShape,
  { v, effects, line }: ArdParameters,
  { count, x }: ArdRows,
): Float64Array {
  const c = shape.numbers.length;
  let constant = 1 + v;
  for (const effect of effects) constant += effect;
  return Float64Array.from({ length: count }, (_, i) => {
    let squares = 0;
    for (let p = i * c; p < (i + 1) * c; p++) squares += x[p]! * x[p]!;
    return constant + line * squares;
  });
}
