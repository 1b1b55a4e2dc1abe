/** 1, -1/3!, 1/5!, ... -1/23!: for |t| <= pi/2 the next term of the series of sin t is below 1e-19. */
const coefficients = Float64Array.from({ length: 12 }, (_, n) => {
  let factorial = 1;
  for (let k = 2; k <= 2 * n + 1; k++) factorial *= k;
  return (n % 2 === 0 ? 1 : -1) / factorial;
});

/**
 * sin(pi x) from +, -, *, / alone, so that every engine returns the same bits; `Math.sin` leaves the last bits open.
 * Exactly 0 at whole numbers. cos(pi x) is sinPi(x + 1/2).
 */
export function portableSinPi(x: number): number {
  if (!Number.isFinite(x)) return Number.NaN;
  const whole = Math.round(x);
  const t = Math.PI * (x - whole);
  const z = t * t;
  let sum = 0;
  for (let n = coefficients.length - 1; n >= 0; n--) sum = sum * z + coefficients[n]!;
  return whole % 2 === 0 ? t * sum : -t * sum;
}
