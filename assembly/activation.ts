// Functions of one number over a matrix, with an optional bias per column: value and slope in one pass.
import {
  ELU, EXP, IDENTITY, LEAKY_RELU, LOG, RECIPROCAL, RELU, SIGMOID, SOFTPLUS, SQRT, SQUARE, TANH,
} from '../src/numeric/kernels/opcodes';
import { softplusLayer } from './softplus';
import {
  exp4, expMinusAbs4, expm1Negative4, loadTail, log4, sigmoidFrom, softplusFrom, splat, storeTail, tanh4,
} from './vector';

let slopeOut: v128 = i32x4.splat(0);

/** f(z); leaves f'(z) in `slopeOut`. `alpha`: the leak of LEAKY_RELU, the floor of ELU. */
// @ts-ignore: decorator
@inline function evaluate(kind: i32, alpha: v128, z: v128): v128 {
  const one = splat(1);
  const zero = splat(0);
  switch (kind) {
    case SOFTPLUS: {
      const e = expMinusAbs4(z);
      slopeOut = sigmoidFrom(z, e);
      return softplusFrom(z, e);
    }
    case RELU: {
      const positive = f32x4.gt(z, zero);
      slopeOut = v128.and(one, positive);
      return v128.and(z, positive);
    }
    case LEAKY_RELU: {
      slopeOut = v128.bitselect(one, alpha, f32x4.gt(z, zero));
      return f32x4.mul(z, slopeOut);
    }
    case ELU: {
      const below = f32x4.mul(alpha, expm1Negative4(f32x4.min(z, zero)));
      const positive = f32x4.gt(z, zero);
      slopeOut = v128.bitselect(one, f32x4.add(below, alpha), positive);
      return v128.bitselect(z, below, positive);
    }
    case TANH: {
      const t = tanh4(z);
      slopeOut = f32x4.mul(f32x4.sub(one, t), f32x4.add(one, t));
      return t;
    }
    case SIGMOID: {
      const e = expMinusAbs4(z);
      const denominator = f32x4.add(one, e);
      slopeOut = f32x4.div(e, f32x4.mul(denominator, denominator));
      return sigmoidFrom(z, e);
    }
    case EXP: {
      const e = exp4(z);
      slopeOut = e;
      return e;
    }
    case LOG: {
      slopeOut = f32x4.div(one, z);
      return log4(z);
    }
    case SQUARE: {
      slopeOut = f32x4.add(z, z);
      return f32x4.mul(z, z);
    }
    case SQRT: {
      const root = f32x4.sqrt(z);
      slopeOut = f32x4.div(splat(0.5), root);
      return root;
    }
    case RECIPROCAL: {
      const inverse = f32x4.div(one, z);
      slopeOut = f32x4.neg(f32x4.mul(inverse, inverse));
      return inverse;
    }
    default: {
      slopeOut = one;
      return z;
    }
  }
}

/** value = f(z + bias), slope = f'(z + bias) where asked for; `value` may be `z` itself. */
export function activate(
  kind: i32, alpha: f32, rows: i32, columns: i32, z: usize, bias: usize, value: usize, slope: usize,
): void {
  const a = splat(alpha);
  if (!bias) {
    // without a bias the rows are one long row
    columns *= rows;
    rows = 1;
  }
  if (kind == SOFTPLUS && bias && slope && !(columns & 3)) {
    softplusLayer(rows, columns, z, bias, value, slope);
    return;
  }
  for (let r = 0; r < rows; r++) {
    for (let j = 0; j < columns; j += 4) {
      const at = <usize>j << 2;
      const left = columns - j;
      if (left >= 4) {
        let x = v128.load(z + at);
        if (bias) x = f32x4.add(x, v128.load(bias + at));
        v128.store(value + at, evaluate(kind, a, x));
        if (slope) v128.store(slope + at, slopeOut);
      } else {
        let x = loadTail(z + at, left);
        if (bias) x = f32x4.add(x, loadTail(bias + at, left));
        storeTail(value + at, evaluate(kind, a, x), left);
        if (slope) storeTail(slope + at, slopeOut, left);
      }
    }
    const step = <usize>columns << 2;
    z += step;
    value += step;
    if (slope) slope += step;
  }
}

/** f'' from f and f': all of these functions allow it. */
export function curvature(kind: i32, count: i32, value: usize, slope: usize, to: usize): void {
  for (let i = 0; i < count; i++) {
    const at = <usize>i << 2;
    const f = load<f32>(value + at);
    const s = load<f32>(slope + at);
    let c: f32 = 0;
    switch (kind) {
      case SOFTPLUS: c = s * (1 - s); break;
      case ELU: c = f < 0 ? s : 0; break;
      case TANH: c = -2 * f * s; break;
      case SIGMOID: c = s * (1 - 2 * f); break;
      case EXP: c = f; break;
      case LOG: c = -s * s; break;
      case SQUARE: c = 2; break;
      case SQRT: c = -2 * s * s * s; break;
      case RECIPROCAL: c = -2 * f * s; break;
      case IDENTITY: case RELU: case LEAKY_RELU: default: c = 0;
    }
    store<f32>(to + at, c);
  }
}
