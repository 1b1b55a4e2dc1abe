/**
 * Colours for values: one ramp in OKLCH (B. Ottosson, 2020) whose lightness changes by the same amount with each step,
 * so that equal steps look equal, also without colour vision and in grey print. The best value stands out most from
 * the page: dark on light, light on dark.
 */
export type Scheme = 'light' | 'dark';

export const rampSteps = 8;

/** [lightness, chroma, hue in degrees] of the worst and the best value. */
const ends: Readonly<Record<Scheme, readonly [readonly number[], readonly number[]]>> = {
  light: [
    [0.93, 0.075, 115],
    [0.33, 0.085, 165],
  ],
  dark: [
    [0.34, 0.07, 170],
    [0.94, 0.1, 115],
  ],
};

/** Colour of step 0 (worst) to `rampSteps` - 1 (best), as #rrggbb. */
export function rampColour(step: number, scheme: Scheme): string {
  const t = step / (rampSteps - 1);
  const [worst, best] = ends[scheme];
  const [lightness = 0, chroma = 0, hue = 0] = worst.map((value, i) => value + t * (best[i]! - value));
  const angle = (hue * Math.PI) / 180;
  return toHex(lightness, chroma * Math.cos(angle), chroma * Math.sin(angle));
}

/** The step of a value between `worst` and `best`. */
export function rampStep(value: number, worst: number, best: number): number {
  const t = (value - worst) / (best - worst);
  return Number.isFinite(t) ? Math.min(rampSteps - 1, Math.max(0, Math.floor(t * rampSteps))) : 0;
}

/** OKLab to sRGB; the matrices are Ottosson's. */
function toHex(L: number, a: number, b: number): string {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const bytes = linear.map((x) => {
    const bounded = Math.min(1, Math.max(0, x));
    const encoded = bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded ** (1 / 2.4) - 0.055;
    return Math.round(255 * encoded)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${bytes.join('')}`;
}
