import type { Space } from '../../src/space/space.js';

/**
 * The nearest point of a box cut by rows: for every choice of columns at a bound and rows that hold with equality,
 * the nearest point of that affine set; the feasible one with the least distance. Slow and literal.
 */
export function nearestByEnumeration(space: Space, target: Float64Array, scale: Float64Array): Float64Array {
  const d = target.length;
  const rows = space.linear!;
  const bound = (j: number, side: number) => {
    const column = space.columns[j]!;
    return column.kind === 'continuous' ? (side === 1 ? column.lower : column.upper) : 0;
  };
  let best: Float64Array | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (let sides = 0; sides < 3 ** d; sides++) {
    for (let chosen = 0; chosen < 2 ** rows.length; chosen++) {
      const equations: { a: number[]; b: number }[] = [];
      for (let j = 0, rest = sides; j < d; j++, rest = Math.floor(rest / 3)) {
        if (rest % 3 === 0) continue;
        equations.push({ a: Array.from({ length: d }, (_, i) => Number(i === j)), b: bound(j, rest % 3) });
      }
      rows.forEach(({ terms, bound: b }, i) => {
        if (!(chosen & (1 << i))) return;
        const a = new Array<number>(d).fill(0);
        for (const { column, weight } of terms) a[column]! += weight;
        equations.push({ a, b });
      });
      const x = equations.length <= d ? nearestOfEquations(equations, target, scale) : null;
      if (!x || !isInside(space, x)) continue;
      const distance = x.reduce((sum, v, j) => sum + ((v - target[j]!) / scale[j]!) ** 2, 0);
      if (distance < least) [best, least] = [x, distance];
    }
  }
  return best!;
}

function isInside(space: Space, x: Float64Array): boolean {
  const inBox = space.columns.every(
    (column, j) =>
      column.kind === 'continuous' && x[j]! >= column.lower - 1e-9 && x[j]! <= column.upper + 1e-9,
  );
  return (
    inBox &&
    space.linear!.every(({ terms, relation, bound }) => {
      const sum = terms.reduce((total, { column, weight }) => total + weight * x[column]!, 0);
      return (relation === '>=' || sum <= bound + 1e-9) && (relation === '<=' || sum >= bound - 1e-9);
    })
  );
}

/** Stationarity and the equations as one linear system: [2 / s^2, A'; A, 0] [x; l] = [2 t / s^2; b]. */
function nearestOfEquations(
  equations: readonly { a: number[]; b: number }[],
  target: Float64Array,
  scale: Float64Array,
): Float64Array | null {
  const d = target.length;
  const n = d + equations.length;
  const system = Array.from({ length: n }, () => new Float64Array(n + 1));
  for (let j = 0; j < d; j++) {
    system[j]![j] = 2 / scale[j]! ** 2;
    system[j]![n] = (2 * target[j]!) / scale[j]! ** 2;
  }
  equations.forEach(({ a, b }, i) => {
    a.forEach((v, j) => {
      system[d + i]![j] = v;
      system[j]![d + i] = v;
    });
    system[d + i]![n] = b;
  });
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k; i < n; i++) if (Math.abs(system[i]![k]!) > Math.abs(system[pivot]![k]!)) pivot = i;
    if (Math.abs(system[pivot]![k]!) < 1e-11) return null;
    [system[k], system[pivot]] = [system[pivot]!, system[k]!];
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const factor = system[i]![k]! / system[k]![k]!;
      for (let c = k; c <= n; c++) system[i]![c]! -= factor * system[k]![c]!;
    }
  }
  return Float64Array.from({ length: d }, (_, j) => system[j]![n]! / system[j]![j]!);
}

/** Held, Wolfe and Crowder (1974): x = max(v - theta, 0), theta from the sorted sums. */
export function simplexByFormula(v: Float64Array): Float64Array {
  const sorted = v.toSorted().reverse();
  let sum = 0;
  let theta = 0;
  sorted.forEach((value, i) => {
    sum += value;
    if (value > (sum - 1) / (i + 1)) theta = (sum - 1) / (i + 1);
  });
  return v.map((value) => Math.max(value - theta, 0));
}
