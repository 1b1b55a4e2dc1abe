// A regression tree by the definition, slowly: every column, every place between two values, the error of both sides
// added up anew.

export interface PlainNode {
  readonly column: number;
  /** Threshold of a split, value of a leaf. */
  readonly number: number;
  readonly left?: PlainNode;
  readonly right?: PlainNode;
}

export interface PlainOptions {
  readonly depth: number;
  readonly minLeaf: number;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, v) => total + v, 0);

export function weightedMean(y: readonly number[], w: readonly number[]): number {
  return sum(y.map((v, i) => v * w[i]!)) / sum(w);
}

/** Σ w (y - mean)² */
export function squaredError(y: readonly number[], w: readonly number[]): number {
  const mean = weightedMean(y, w);
  return sum(y.map((v, i) => w[i]! * (v - mean) ** 2));
}

/** Weight times 2 p (1 - p), of labels 0 and 1. */
export function giniImpurity(labels: readonly number[], w: readonly number[]): number {
  const p = weightedMean(labels, w);
  return sum(w) * (1 - p * p - (1 - p) * (1 - p));
}

/** Ties, within rounding, go to the lowest column and there to the lowest threshold. */
export function plainTree(
  x: readonly (readonly number[])[],
  y: readonly number[],
  w: readonly number[],
  { depth, minLeaf }: PlainOptions,
  impurity = squaredError,
): PlainNode {
  const leaf: PlainNode = { column: -1, number: weightedMean(y, w) };
  if (depth === 0 || y.every((v) => v === y[0])) return leaf;
  const whole = impurity(y, w);
  let best: { column: number; low: number; high: number; error: number } | undefined;
  for (let column = 0; column < x[0]!.length; column++) {
    const values = [...new Set(x.map((row) => row[column]!))].sort((a, b) => a - b);
    for (let k = 0; k + 1 < values.length; k++) {
      const isLeft = x.map((row) => row[column]! <= values[k]!);
      const side = (wanted: boolean, numbers: readonly number[]) =>
        numbers.filter((_, i) => isLeft[i] === wanted);
      if (side(true, y).length < minLeaf || side(false, y).length < minLeaf) continue;
      const error = impurity(side(true, y), side(true, w)) + impurity(side(false, y), side(false, w));
      if (best && error > best.error - 1e-10 * whole) continue;
      best = { column, low: values[k]!, high: values[k + 1]!, error };
    }
  }
  if (!best) return leaf;
  const { column, low, high } = best;
  const part = (wanted: boolean) => {
    const kept = x.flatMap((row, i) => (row[column]! <= low === wanted ? [i] : []));
    const of = <T>(all: readonly T[]) => kept.map((i) => all[i]!);
    return plainTree(of(x), of(y), of(w), { depth: depth - 1, minLeaf }, impurity);
  };
  return { column, number: (low + high) / 2, left: part(true), right: part(false) };
}
