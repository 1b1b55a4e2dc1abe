/**
 * How the mean of a process changes at rows of its own when one column takes the value of another row. Only the column's own
 * terms of the kernel (ardKernel.ts) are computed anew, so that all columns together cost little more than one:
 *
 *   k' - k = v (q(r^2 + (d' - d) / l^2) - q(r^2)) + a (m' - m) + w (x' - x) x_b
 */
import { effectOf, matern, radial } from '../numeric/pairKernel.js';
import { type ArdParameters, type ArdRows, type ArdShape, isMatern } from './ardKernel.js';

/** Of a process: its mean is the sum of alpha_b k(., b) over its rows b. */
export interface ShiftedProcess {
  readonly shape: ArdShape;
  readonly parameters: ArdParameters;
  readonly rows: ArdRows;
  readonly alpha: Float64Array;
}

/**
 * Columns (numbers first) x `at`: the mean at row at[i] with the column's value of row from[i], less the mean there.
 */
export function columnShifts(
  { shape, parameters, rows, alpha }: ShiftedProcess,
  at: readonly number[],
  from: readonly number[],
): Float64Array {
  const { v, inverse, effects, line, form } = parameters;
  const { count: n, x, k } = rows;
  const [c, G] = [shape.numbers.length, shape.classes.length];
  const q = isMatern(form) ? matern : radial;
  const columns = byColumn(x, n, c);
  const [far, near] = [new Float64Array(n), new Float64Array(n)];
  const shifts = new Float64Array((c + G) * at.length);
  for (let i = 0; i < at.length; i++) {
    const [here, there] = [at[i]!, from[i]!];
    far.fill(0);
    for (let u = 0; u < c; u++) {
      const own = x[here * c + u]!;
      for (let b = 0, p = u * n; b < n; b++, p++) far[b]! += (own - columns[p]!) ** 2 * inverse[u]!;
    }
    for (let g = 0; g < G; g++) {
      const own = k[here * G + g]!;
      for (let b = 0; b < n; b++) if (k[b * G + g] !== own) far[b]! += inverse[c + g]!;
    }
    for (let b = 0; b < n; b++) near[b] = q(far[b]!);
    for (let u = 0; u < c; u++) {
      const [own, other] = [x[here * c + u]!, x[there * c + u]!];
      const effect = effects[u]!;
      let shift = 0;
      for (let b = 0, p = u * n; b < n; b++, p++) {
        const to = columns[p]!;
        const [before, after] = [(own - to) ** 2, (other - to) ** 2];
        let change = v * (q(Math.max(0, far[b]! + (after - before) * inverse[u]!)) - near[b]!);
        if (effect > 0) change += effect * (effectOf(after) - effectOf(before));
        shift += alpha[b]! * (change + line * (other - own) * to);
      }
      shifts[u * at.length + i] = shift;
    }
    for (let g = 0; g < G; g++) {
      const [own, other] = [k[here * G + g]!, k[there * G + g]!];
      let shift = 0;
      for (let b = 0; own !== other && b < n; b++) {
        const to = k[b * G + g]!;
        const change = Number(to === own) - Number(to === other);
        if (change === 0) continue;
        const moved = q(Math.max(0, far[b]! + change * inverse[c + g]!)) - near[b]!;
        shift += alpha[b]! * (v * moved - effects[c + g]! * change);
      }
      shifts[(c + g) * at.length + i] = shift;
    }
  }
  return shifts;
}

function byColumn(x: Float64Array, n: number, c: number): Float64Array {
  const columns = new Float64Array(n * c);
  for (let b = 0, at = 0; b < n; b++) for (let u = 0; u < c; u++, at++) columns[u * n + b] = x[at]!;
  return columns;
}
