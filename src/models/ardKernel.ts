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
 * matter at all: it differs in what is likely of its lengths (ardFit.ts). A fourth has the first part alone as it is, and
 * hardly any expectation of its lengths: what one fits by maximum likelihood.
 *
 * numeric/pairKernel.ts computes it.
 */
import type { LinearAlgebra } from '../numeric/linalg.js';
import type { PairRows } from '../numeric/pairKernel.js';
import { portableExp } from '../numeric/portable.js';
import type { Encoding } from '../search/encoding.js';
import { toScale } from '../space/space.js';

/** With all parts of the kernel, or any smooth function and nothing else; one of few columns; or a very smooth one. */
export const ardForms = ['parts', 'smooth', 'sparse', 'plain'] as const;
export type ArdForm = (typeof ardForms)[number];

/** Whether q is the Matern kernel. */
export const isMatern = (form: ArdForm) => form === 'smooth' || form === 'sparse';

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
export type ArdRows = PairRows;

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

/** k(a, b) of all pairs, n x m. */
export function ardCovariances(
  linalg: LinearAlgebra,
  shape: ArdShape,
  { form, v, inverse, effects, line }: ArdParameters,
  a: ArdRows,
  b: ArdRows,
): Float64Array {
  const kernel = { isMatern: isMatern(form), v, inverse, effects, line };
  return linalg.pairCovariances(kernel, shape.numbers.length, a, b);
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
