/**
 * The 81 features of a compound (Hamidieh 2018, table 2): the number of its elements, and of each of 8 properties of
 * the elements ten summaries, of the elements alike and weighted by their shares.
 */
import { ArgumentError } from '../numeric/errors.js';
import { portableExp, portableLog } from '../numeric/portable.js';
import { extent } from '../numeric/stats.js';
import { tableFault } from '../table/tableBuilder.js';

export const elementProperties = [
  'atomic_mass',
  'fie',
  'atomic_radius',
  'Density',
  'ElectronAffinity',
  'FusionHeat',
  'ThermalConductivity',
  'Valence',
] as const;

const summaries = [
  'mean',
  'wtd_mean',
  'gmean',
  'wtd_gmean',
  'entropy',
  'wtd_entropy',
  'range',
  'wtd_range',
  'std',
  'wtd_std',
] as const;

/** As in the heading of train.csv. */
export const featureNames: readonly string[] = [
  'number_of_elements',
  ...elementProperties.flatMap((property) => summaries.map((summary) => `${summary}_${property}`)),
];

/** H to Rn by atomic number: the columns of unique_m.csv. */
export const elementSymbols: readonly string[] =
  'H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn'.split(
    ' ',
  );

/** Per element of `elementSymbols` its 8 properties, all above 0, or null where the table has none. */
export type ElementTable = readonly (readonly number[] | null)[];

/** Reads element_properties_recovered.csv: symbol and 8 properties a line, below a heading. */
export function readElementTable(bytes: Uint8Array, file: string): ElementTable {
  const [heading = '', ...lines] = new TextDecoder().decode(bytes).trimEnd().split(/\r?\n/);
  const expected = ['element', ...elementProperties].join(',');
  if (heading !== expected)
    throw tableFault(file, `the heading is "${heading.slice(0, 120)}"; expected "${expected}"`, 1);
  const known = new Map<string, readonly number[]>();
  lines.forEach((line, i) => {
    const [symbol = '', ...cells] = line.split(',');
    const values = cells.map(Number);
    // Geometric means need positive numbers.
    if (!elementSymbols.includes(symbol) || values.length !== 8 || !values.every((v) => v > 0 && v < 1e9))
      throw tableFault(file, `"${line}" is not an element and 8 positive numbers`, i + 2);
    known.set(symbol, values);
  });
  return elementSymbols.map((symbol) => known.get(symbol) ?? null);
}

/** Amounts up to this share of the whole count as none; the tolerance of a space's own zero. */
const absent = 1e-9;

/** Features of one compound, from amounts of the 86 elements in any unit. */
export function featuresOf(amounts: ArrayLike<number>, elements: ElementTable): Float64Array {
  let total = 0;
  for (let e = 0; e < elements.length; e++) total += amounts[e]!;
  if (!(total > 0 && total < Number.POSITIVE_INFINITY))
    throw new ArgumentError('amounts', `the amounts add up to ${total}; expected a number above 0`);
  const present: (readonly number[])[] = [];
  const shares: number[] = [];
  for (let e = 0; e < elements.length; e++) {
    const share = amounts[e]! / total;
    if (share < -absent) throw new ArgumentError('amounts', `${elementSymbols[e]} is ${amounts[e]}, below 0`);
    if (share <= absent) continue;
    const properties = elements[e];
    if (!properties)
      throw new ArgumentError(
        'amounts',
        `${elementSymbols[e]} is not in the table of elements; leave it out`,
      );
    present.push(properties);
    shares.push(share);
  }
  const features = new Float64Array(featureNames.length);
  features[0] = present.length;
  for (let k = 0; k < elementProperties.length; k++) {
    const t = present.map((properties) => properties[k]!);
    features.set(summarize(t, shares), 1 + k * summaries.length);
  }
  return features;
}

/** t: values of a property; p: shares. In the order of `summaries`. */
function summarize(t: readonly number[], p: readonly number[]): number[] {
  const n = t.length;
  const sum = (of: (i: number) => number) => t.reduce((all, _, i) => all + of(i), 0);
  const all = sum((i) => t[i]!);
  const mean = all / n;
  const weighted = sum((i) => p[i]! * t[i]!);
  const logs = t.map(portableLog);
  const parts = t.map((_, i) => p[i]! * t[i]!);
  return [
    mean,
    weighted,
    portableExp(sum((i) => logs[i]!) / n),
    portableExp(sum((i) => p[i]! * logs[i]!)),
    entropy(t.map((v) => v / all)),
    // A_i = p_i w_i / sum of p_j w_j with w_i = t_i / sum of t_j
    entropy(parts.map((v) => v / weighted)),
    widthOf(t),
    widthOf(parts),
    Math.sqrt(sum((i) => (t[i]! - mean) ** 2) / n),
    Math.sqrt(sum((i) => p[i]! * (t[i]! - weighted) ** 2)),
  ];
}

function widthOf(values: readonly number[]): number {
  const { min, max } = extent(values);
  return max - min;
}

function entropy(shares: readonly number[]): number {
  let sum = 0;
  for (const share of shares) sum -= share * portableLog(share);
  return sum;
}
