import { portableExp } from './special.js';

/**
 * tanh(x) from +, -, *, / alone, so that every engine returns the same bits; `Math.tanh` leaves the last bits open.
 * Near 0 Lambert's continued fraction, x / (1 + x² / (3 + x² / (5 + …))); the next term is below 1e-17.
 */
export function portableTanh(x: number): number {
  const size = Math.abs(x);
  if (size >= 0.5) {
    const tail = 2 / (portableExp(2 * size) + 1);
    return x < 0 ? tail - 1 : 1 - tail;
  }
  const square = x * x;
  let fraction = 15;
  for (let n = 13; n > 0; n -= 2) fraction = n + square / fraction;
  return x / fraction;
}
