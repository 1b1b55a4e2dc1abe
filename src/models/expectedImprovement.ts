/**
 * Expected improvement of a normal score over the best one (Mockus 1978; Jones et al. 1998), as its logarithm and its
 * slopes (Ament et al. 2023): EI itself is 0 in float64 where a search still needs to know which way is up.
 *
 *   EI = s h(z),  z = (mean - best) / s,  h(z) = phi(z) + z Phi(z)
 */
import { erfcx, normalLogPdf, portableExp, portableLog } from '../numeric/special.js';

export interface Improvement {
  /** log EI. */
  readonly log: number;
  /** Slopes of log EI. */
  readonly byMean: number;
  readonly bySd: number;
}

export function logExpectedImprovement(mean: number, sd: number, best: number): Improvement {
  const z = (mean - best) / sd;
  const mills = Math.sqrt(Math.PI / 2) * erfcx(-z / Math.SQRT2); // Phi(z) / phi(z)
  if (mills === Number.POSITIVE_INFINITY) {
    // z is above 37: h(z) = z to the last bit
    return { log: portableLog(mean - best), byMean: 1 / (mean - best), bySd: 0 };
  }
  const h = overDensity(z, mills);
  return {
    log: portableLog(sd) + normalLogPdf(z) + portableLog(h),
    byMean: mills / (sd * h),
    bySd: 1 / (sd * h),
  };
}

export function expectedImprovement(mean: number, sd: number, best: number): number {
  return portableExp(logExpectedImprovement(mean, sd, best).log);
}

/** From here on the difference 1 + z Phi / phi loses more digits than the series. */
const FAR = -40;

/** h(z) / phi(z) = 1 + z Phi(z) / phi(z). */
function overDensity(z: number, mills: number): number {
  if (z > FAR) return 1 + z * mills;
  const r = 1 / (z * z); // Abramowitz & Stegun 26.2.12
  return r * (1 - 3 * r * (1 - 5 * r * (1 - 7 * r * (1 - 9 * r * (1 - 11 * r)))));
}
