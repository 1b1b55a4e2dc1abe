import { foldKey, rootKey, Stream } from '../../src/numeric/index.js';
import type { Space, SpaceColumn } from '../../src/space/space.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export function streamOf(name: string, index = 0): Stream {
  return new Stream(foldKey(rootKey(4), `${name} ${index}`));
}

/** A space of 2 to 12 columns with constraints of every kind, drawn around a design that satisfies them all. */
export function feasibleSpace(stream: Stream): { space: Space; known: Float64Array } {
  const d = 2 + stream.integer(11);
  const columns: SpaceColumn[] = [];
  const known = new Float64Array(d);
  const isMixture = stream.boolean(0.5);
  for (let j = 0; j < d; j++) {
    const name = `c${j}`;
    const kind = stream.integer(8);
    if (kind === 0 && j > 0) {
      const classes = 2 + stream.integer(4);
      columns.push({ kind: 'categorical', name, classes });
      known[j] = stream.integer(classes);
    } else if (kind <= 3) {
      const step = [0.05, 0.1, 0.25, 1, 5][stream.integer(5)]!;
      const lower = stream.boolean(0.7) ? 0 : step * (stream.integer(20) - 10) + 0.37 * stream.integer(2);
      const count = 1 + stream.integer(20);
      const ragged = stream.boolean(0.3) ? 0.4 * step : 0;
      columns.push({ kind: 'continuous', name, lower, upper: lower + count * step + ragged, step });
      known[j] = lower + step * stream.integer(count + 1);
    } else {
      const size = 10 ** (stream.integer(5) - 2);
      const lower = stream.boolean(0.6) ? 0 : -size * stream.uniform();
      const upper = lower + size * (0.1 + stream.uniform());
      columns.push({ kind: 'continuous', name, lower, upper });
      known[j] = lower + (upper - lower) * stream.uniform();
    }
  }
  const numbers = columns.flatMap((column, j) => (column.kind === 'continuous' ? [j] : []));
  const space: Mutable<Space> = { columns };
  const some = (least: number) => {
    const count = Math.min(numbers.length, least + stream.integer(numbers.length));
    return Array.from(stream.choose(numbers.length, count), (i) => numbers[i]!).sort((a, b) => a - b);
  };

  const cardinality: NonNullable<Space['cardinality']>[number][] = [];
  for (let g = stream.integer(3); g > 0; g--) {
    const group = some(2);
    for (const j of group) {
      const column = columns[j]!;
      if (column.kind !== 'continuous' || column.lower > 0 || column.upper < 0) continue;
      const isOnGrid = !column.step || Math.abs(column.lower % column.step) < 1e-12;
      if (isOnGrid && stream.boolean(0.5) && cardinality.length === 0) known[j] = 0;
    }
    cardinality.push({ columns: group, atLeast: 0, atMost: 0, label: `group ${g}` });
  }
  space.cardinality = cardinality.map(({ columns: group, label }) => {
    const present = group.filter((j) => Math.abs(known[j]!) > 1e-3).length;
    const possible = group.filter((j) => known[j] !== 0).length;
    const atLeast = Math.max(0, present - stream.integer(3));
    return { columns: group, atLeast, atMost: possible + stream.integer(2), label };
  });

  const sum = (terms: readonly { column: number; weight: number }[]) =>
    terms.reduce((total, { column, weight }) => total + weight * known[column]!, 0);
  const linear: NonNullable<Space['linear']>[number][] = [];
  if (isMixture) {
    const terms = some(2).map((column) => ({ column, weight: 1 }));
    linear.push({ terms, relation: '=', bound: sum(terms), label: 'mixture' });
  }
  for (let i = stream.integer(4); i > 0; i--) {
    const terms = some(1).map((column) => ({ column, weight: Math.round(20 * stream.normal()) / 10 || 1 }));
    const relation = stream.boolean() ? '<=' : '>=';
    const slack = stream.boolean(0.5) ? 0 : stream.uniform();
    const bound = sum(terms) + (relation === '<=' ? slack : -slack);
    linear.push({ terms, relation, bound, label: `row ${i}` });
  }
  space.linear = linear;
  if (stream.boolean(0.4)) {
    const column = stream.integer(d);
    space.fixed = [{ column, value: known[column]!, label: `fixed ${column}` }];
  }
  const classes = columns.flatMap((column, j) => (column.kind === 'categorical' ? [j] : []));
  if (classes.length > 0) {
    space.forbidden = Array.from({ length: stream.integer(6) }, (_, i) => {
      const used = Array.from(
        stream.choose(classes.length, 1 + stream.integer(classes.length)),
        (k) => classes[k]!,
      );
      const terms = used.map((column) => ({ column, classes: listOf(columns[column]!, stream) }));
      // the known design keeps one class out of every combination
      const out = terms[stream.integer(terms.length)]!;
      out.classes = out.classes.filter((c) => c !== known[out.column]);
      return { terms, label: `forbidden ${i}` };
    });
  }
  return { space, known };
}

function listOf(column: SpaceColumn, stream: Stream): number[] {
  if (column.kind === 'continuous') return [];
  return Array.from({ length: column.classes }, (_, c) => c).filter(() => stream.boolean(0.6));
}

/**
 * A feasible space whose numbers, but for those of groups, are moved above 0 and put on a logarithmic scale of up to
 * six decades, and a list of three columns at the end.
 */
export function logSpace(stream: Stream): { space: Space; known: Float64Array } {
  const plain = feasibleSpace(stream);
  const { columns, linear = [], fixed = [], cardinality = [] } = plain.space;
  const counted = new Set(cardinality.flatMap((group) => group.columns));
  const shift = columns.map((column, j) => {
    if (column.kind === 'categorical' || counted.has(j) || stream.boolean(0.2)) return 0;
    return (column.upper - column.lower) * 10 ** -stream.integer(7) - column.lower;
  });
  const known = Float64Array.from([...plain.known.map((v, j) => v + shift[j]!), 0.5, 100, 0]);
  const logarithmic = columns.map((column, j): SpaceColumn => {
    if (column.kind === 'categorical' || shift[j] === 0) return column;
    const [lower, upper] = [column.lower + shift[j]!, column.upper + shift[j]!];
    return { ...column, lower, upper, scale: 'log' };
  });
  const d = columns.length;
  const space: Space = {
    ...plain.space,
    columns: [
      ...logarithmic,
      { kind: 'continuous', lower: 0, upper: 1 },
      { kind: 'continuous', lower: 0.01, upper: 1e4, scale: 'log' },
      { kind: 'continuous', lower: -5, upper: 5 },
    ],
    linear: linear.map((row) => ({
      ...row,
      bound: row.terms.reduce((sum, { column, weight }) => sum + weight * shift[column]!, row.bound),
    })),
    fixed: fixed.map((spec) => ({ ...spec, value: spec.value + shift[spec.column]! })),
    listed: [
      {
        columns: [d, d + 1, d + 2],
        rows: Float64Array.of(0.5, 100, 0, 0, 0.01, 5, 1, 1e4, -5),
        label: 'one of the shelf',
      },
    ],
  };
  return { space, known };
}

/** A design anywhere: often outside every bound. */
export function anyDesign(space: Space, stream: Stream): Float64Array {
  return Float64Array.from(space.columns, (column) => {
    if (column.kind === 'categorical') return stream.integer(column.classes);
    const width = Math.min(1e3, column.upper - column.lower);
    const lower = Math.max(-1e3, column.lower);
    return lower + width * (2 * stream.uniform() - 0.5);
  });
}

/**
 * A feasible space made hard on rounding: columns in units from 0.01 to 10,000, every row a second time at three
 * times its size, and an equality over all numbers.
 */
export function awkwardSpace(stream: Stream): { space: Space; known: Float64Array } {
  const plain = feasibleSpace(stream);
  const { columns, linear = [], fixed = [] } = plain.space;
  const unit = columns.map(({ kind }) => (kind === 'continuous' ? 10 ** (stream.integer(7) - 2) : 1));
  const known = plain.known.map((v, j) => v * unit[j]!);
  const rescaled = linear.map((row) => ({
    ...row,
    terms: row.terms.map(({ column, weight }) => ({ column, weight: weight / unit[column]! })),
  }));
  const tripled = rescaled.map(({ terms, bound, relation, label }) => ({
    terms: terms.map(({ column, weight }) => ({ column, weight: 3 * weight })),
    bound: 3 * bound,
    relation,
    label: `${label} again`,
  }));
  const terms = columns.flatMap(({ kind }, column) =>
    kind === 'continuous' ? [{ column, weight: Math.round(3 * stream.normal()) || 1 }] : [],
  );
  const total = terms.reduce((sum, { column, weight }) => sum + weight * known[column]!, 0);
  const space: Space = {
    ...plain.space,
    columns: columns.map((spec, j) => {
      if (spec.kind === 'categorical') return spec;
      const grid = spec.step ? { step: spec.step * unit[j]! } : {};
      return { ...spec, lower: spec.lower * unit[j]!, upper: spec.upper * unit[j]!, ...grid };
    }),
    linear: [...rescaled, ...tripled, { terms, relation: '=', bound: total, label: 'total' }],
    fixed: fixed.map((spec) => ({ ...spec, value: known[spec.column]! })),
  };
  return { space, known };
}
