/**
 * Weights that move the mass of the data to high scores without relying on single rows (Kumar & Levine 2020, §3.3). The
 * scores are cut into bins; a bin of share p and upper edge e is to have mass g proportional to exp(e / T) p / (p + s),
 * and its rows get g / p, at most `limit`.
 */
import { portableExp } from '../numeric/portable.js';
import { extent, quantile } from '../numeric/stats.js';

export interface ReweightingOptions {
  readonly bins: number;
  /** T, in the units of the scores; 'auto': the distance of the best score to the 90th percentile. */
  readonly temperature: number | 'auto';
  /** Greatest weight of a row. */
  readonly weightLimit: number;
}

/** s, a share of the rows: bins that hold fewer are trusted less. */
const SMOOTHING = 1e-3;
const LEAST_TEMPERATURE = 1e-3;

/** One weight per score; all 1 if the scores are all the same. */
export function scoreWeights(y: ArrayLike<number>, options: ReweightingOptions): Float64Array {
  const { bins, weightLimit } = options;
  const N = y.length;
  const { min, max } = extent(y);
  const width = (max - min) / bins;
  if (!(width > 0)) return new Float64Array(N).fill(1);
  const T =
    options.temperature === 'auto'
      ? Math.max(LEAST_TEMPERATURE, max - quantile(y, 0.9))
      : options.temperature;
  const binOf = (score: number) => Math.max(0, Math.min(bins - 1, Math.ceil((score - min) / width) - 1));
  const shares = new Float64Array(bins);
  for (let i = 0; i < N; i++) shares[binOf(y[i]!)]! += 1 / N;
  // over the highest edge: exp does not overflow
  const masses = shares.map((p, b) => portableExp(((b + 1 - bins) * width) / T) * (p / (p + SMOOTHING)));
  const total = masses.reduce((sum, g) => sum + g, 0);
  return Float64Array.from(y, (score) => {
    const b = binOf(score);
    return Math.min(weightLimit, masses[b]! / total / shares[b]!);
  });
}
