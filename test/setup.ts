import { expect } from 'vitest';

interface Closeness {
  /** Allowed relative difference, against the larger magnitude of the two. */
  readonly rtol: number;
  /** Allowed absolute difference. */
  readonly atol: number;
}

declare module 'vitest' {
  interface Matchers {
    /** Every element within `atol + rtol * max(|a|, |b|)`; NaN equals nothing, an infinity only itself. */
    toBeAllClose(expected: ArrayLike<number>, tolerance: Closeness): void;
  }
}

expect.extend({
  toBeAllClose(received: ArrayLike<number>, expected: ArrayLike<number>, { rtol, atol }: Closeness) {
    if (!(rtol >= 0 && atol >= 0)) throw new Error(`tolerances are >= 0, not rtol ${rtol}, atol ${atol}`);
    if (received.length !== expected.length) {
      return {
        pass: false,
        message: () => `length ${received.length} is not the expected length ${expected.length}`,
      };
    }
    let worst = -1;
    let worstRatio = 0;
    for (let i = 0; i < received.length; i++) {
      const a = received[i]!;
      const b = expected[i]!;
      if (a === b) continue;
      const allowed = atol + rtol * Math.max(Math.abs(a), Math.abs(b));
      const gap = Math.abs(a - b) / allowed;
      // NaN fails every comparison, and two different infinities are infinitely far apart.
      const ratio = Number.isNaN(gap) ? Number.POSITIVE_INFINITY : gap;
      if (ratio > worstRatio) {
        worstRatio = ratio;
        worst = i;
      }
    }
    const pass = worstRatio <= 1;
    return {
      pass,
      message: () =>
        worst < 0
          ? 'all elements are equal'
          : `worst at index ${worst}: received ${received[worst]}, expected ${expected[worst]}, ` +
            `${worstRatio.toPrecision(3)} times the tolerance (rtol ${rtol}, atol ${atol})`,
    };
  },
});
