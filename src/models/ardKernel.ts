/**
 * A kernel for tables of experiments, of rows a and b with numbers x (standardised) and classes:
 *
 *   k(a, b) = 1 + v q(r^2) + sum_j a_j m_j(a, b) + w x_a.x_b / c
 *
 *   r^2 = sum_j d_j / l_j^2     d_j = (x_aj - x_bj)^2 for a number, 1 or 0 for classes that differ or not
 *   q(r^2) = (1 + r^2 / 16)^-8  rational quadratic, alpha = 8 (Rasmussen & Williams 2006, Eq. 4.19)
 *   m_j = q(d_j / 4)            for a number; 1 or 0 for classes that are the same or not
 *
 * The first part is any smooth function of the columns that have short lengths l_j, the second a sum of effects of
 * single columns, the third a straight line. Which of them explains the rows is found by the likelihood; a column that
 * does not matter has a long l_j and a small a_j. The constant 1 is the unknown mean of scores of variance 1.
 *
 * Another form has the first part alone, with the Matern kernel of nu = 5/2 (Eq. 4.17),
 *
 *   q(r^2) = (1 + t + t^2 / 3) exp(-t)     t = sqrt(5) r
 *
 * which is less smooth and expects less beyond the rows. A third one is the same, but expects that most columns do not
 * matter at all: it differs in what is likely of its lengths (ardFit.ts).
 */
import { portableExp } from '../numeric/portable.js';
import type { Encoding } from '../search/encoding.js';
import { toScale } from '../space/space.js';

/** With all parts of the kernel, or any smooth function and nothing else; or one of few columns. */
export const ardForms = ['parts', 'smooth', 'sparse'] as const;
export type ArdForm = (typeof ardForms)[number];

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
  readonly form: ArdForm;
  readonly v: number;
  /** 1 / l^2 and a, by column: numbers first. */
  readonly inverse: Float64Array;
  readonly effects: Float64Array;
  /** w / c. */
  readonly line: number;
  readonly noise: number;
}

/** An effect is left out below this, and below this share of the largest one. */
const LEFT_OUT = 2e-6;
const LEAST_SHARE = 1e-3;

export function ardParameters(shape: ArdShape, theta: ArrayLike<number>, form: ArdForm): ArdParameters {
  const { groups, groupCount: S, numbers } = shape;
  const shared = new Float64Array(S);
  for (const g of groups) shared[g]! += 1;
  const all = Float64Array.from(groups, (g) => portableExp(theta[1 + S + g]!) / shared[g]!);
  const least = Math.max(LEFT_OUT, LEAST_SHARE * all.reduce((most, effect) => Math.max(most, effect), 0));
  const effects = all.map((effect) => (effect > least ? effect : 0));
  return {
    form,
    v: portableExp(theta[0]!),
    inverse: Float64Array.from(groups, (g) => portableExp(-2 * theta[1 + g]!)),
    effects,
    line: portableExp(theta[1 + 2 * S]!) / Math.max(1, numbers.length),
    noise: portableExp(theta[2 + 2 * S]!),
  };
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

/** k(a, b) of all pairs, n x m. */
export function ardCovariances(
  shape: ArdShape,
  { form, v, inverse, effects, line }: ArdParameters,
  a: ArdRows,
  b: ArdRows,
): Float64Array {
  const [c, G] = [shape.numbers.length, shape.classes.length];
  const k = new Float64Array(a.count * b.count);
  const isParts = form === 'parts';
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
      k[to] = sum + v * (isParts ? radial(r) : matern(r)) + line * product;
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
