export interface NumberSummary {
  /** Values that are not missing. */
  readonly count: number;
  readonly distinct: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly isWhole: boolean;
  /** Each value is the one before it plus 1. */
  readonly isCounting: boolean;
  readonly isLogScale: boolean;
}

/** Skewness of x above which the tail to the right is called long; an exponential distribution has 2. */
const longTail = 1;

export function describeNumbers(values: Float64Array): NumberSummary {
  const filled = values.filter((value) => !Number.isNaN(value));
  let isCounting = filled.length > 1 && filled.length === values.length;
  for (let i = 1; i < filled.length && isCounting; i++) isCounting = filled[i] === filled[i - 1]! + 1;
  filled.sort();
  let distinct = filled.length > 0 ? 1 : 0;
  for (let i = 1; i < filled.length; i++) if (filled[i] !== filled[i - 1]) distinct++;
  const minimum = filled[0] ?? Number.NaN;
  const maximum = filled.at(-1) ?? Number.NaN;
  const isWide = minimum > 0 && maximum > 100 * minimum;
  const skew = isWide ? skewness(filled) : 0;
  return {
    count: filled.length,
    distinct,
    minimum,
    maximum,
    isWhole: filled.every(Number.isInteger),
    isCounting,
    isLogScale: isWide && skew > longTail && Math.abs(skewness(filled.map(Math.log))) < skew,
  };
}

/** m3 / m2^1.5 with central moments m2, m3; 0 where nothing varies. */
function skewness(values: Float64Array): number {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  let m2 = 0;
  let m3 = 0;
  for (const value of values) {
    const deviation = value - mean;
    m2 += deviation ** 2 / n;
    m3 += deviation ** 3 / n;
  }
  return m2 > 0 ? m3 / m2 ** 1.5 : 0;
}
