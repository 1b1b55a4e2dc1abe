/** Steps of designs uphill: plain gradient ascent, or Adam with moments for each parameter. */

/** Designs and Adam's moments, M x P each; the moments stay 0 in plain ascent. */
export interface AscentState {
  readonly designs: Float64Array;
  readonly firstMoment: Float64Array;
  readonly secondMoment: Float64Array;
}

export interface AscentSettings {
  readonly ascent: 'adam' | 'plain';
  /** P, of each parameter: Adam's; in plain ascent a step is rate times sqrt(P) times the gradient (Trabucco et al. 2022). */
  readonly rates: Float64Array;
}

const [BETA1, BETA2, EPS] = [0.9, 0.999, 1e-8];

export function startAscent(designs: Float64Array): AscentState {
  return {
    designs: designs.slice(),
    firstMoment: new Float64Array(designs.length),
    secondMoment: new Float64Array(designs.length),
  };
}

/** Step number `t`, from 1, in place. */
export function ascend(
  { designs, firstMoment, secondMoment }: AscentState,
  gradient: ArrayLike<number>,
  t: number,
  { ascent, rates }: AscentSettings,
): void {
  const P = rates.length;
  if (ascent === 'plain') {
    const root = Math.sqrt(P);
    for (let i = 0; i < designs.length; i++) designs[i]! += rates[i % P]! * root * gradient[i]!;
    return;
  }
  // Kingma & Ba 2015, Alg. 1
  for (let i = 0; i < designs.length; i++) {
    const g = gradient[i]!;
    const m = BETA1 * firstMoment[i]! + (1 - BETA1) * g;
    const v = BETA2 * secondMoment[i]! + (1 - BETA2) * g * g;
    firstMoment[i] = m;
    secondMoment[i] = v;
    designs[i]! += (rates[i % P]! * (m / (1 - BETA1 ** t))) / (Math.sqrt(v / (1 - BETA2 ** t)) + EPS);
  }
}

/** Root mean square distance of each design from where it began, in standard deviations of the columns. */
export function distances(designs: ArrayLike<number>, start: ArrayLike<number>, P: number): Float64Array {
  return Float64Array.from({ length: designs.length / P }, (_, m) => {
    let sum = 0;
    for (let i = m * P; i < (m + 1) * P; i++) sum += (designs[i]! - start[i]!) ** 2;
    return Math.sqrt(sum / P);
  });
}
