/**
 * A Lagrange multiplier alpha >= 0 of the constraint overestimation <= tau, kept as exp(log alpha). log alpha goes
 * down alpha (tau - overestimation) by Adam: up while the constraint is broken, down while there is room.
 */

export interface Multiplier {
  readonly logAlpha: number;
  readonly firstMoment: number;
  readonly secondMoment: number;
  /** Steps taken. */
  readonly step: number;
}

export interface MultiplierSettings {
  readonly tau: number;
  /** Adam's rate. */
  readonly alphaRate: number;
}

const [BETA1, BETA2, EPS] = [0.9, 0.999, 1e-8];

/** alpha stays between exp(-20) and exp(20): beyond, it says nothing more, and a loss in float32 would overflow. */
const MOST_LOG = 20;

export function startMultiplier(alpha: number): Multiplier {
  return { logAlpha: Math.log(alpha), firstMoment: 0, secondMoment: 0, step: 0 };
}

export function stepMultiplier(
  { logAlpha, firstMoment, secondMoment, step }: Multiplier,
  overestimation: number,
  { tau, alphaRate }: MultiplierSettings,
): Multiplier {
  // d / d log alpha of alpha (tau - overestimation)
  const slope = Math.exp(logAlpha) * (tau - overestimation);
  const t = step + 1;
  const m = BETA1 * firstMoment + (1 - BETA1) * slope;
  const v = BETA2 * secondMoment + (1 - BETA2) * slope * slope;
  const move = (alphaRate * (m / (1 - BETA1 ** t))) / (Math.sqrt(v / (1 - BETA2 ** t)) + EPS);
  const next = Math.max(-MOST_LOG, Math.min(MOST_LOG, logAlpha - move));
  return { logAlpha: next, firstMoment: m, secondMoment: v, step: t };
}
