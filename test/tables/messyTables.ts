// Random tables as people keep them: ids, recipes, relations, steps, outcomes and remarks in any order.
import { rootKey, Stream } from '../../src/numeric/index.js';
import { on, shares } from './roleTables.js';

/** What holds in every row of a table, up to rounding, and has to hold in proposals. */
export interface MessyTable {
  readonly csv: string;
  readonly goal: string;
  /** Columns that a proposal sets, each number with its step and range. */
  readonly numbers: Readonly<Record<string, { step: number; from: number; low: number; high: number }>>;
  readonly texts: Readonly<Record<string, readonly string[]>>;
  readonly sums: readonly { readonly columns: readonly string[]; readonly sum: number }[];
  /** `column` = sum of weights x columns + constant, to the last digit. */
  readonly relations: readonly {
    readonly column: string;
    readonly weights: Readonly<Record<string, number>>;
    readonly constant: number;
    readonly digit: number;
  }[];
  /** Columns that nobody sets. */
  readonly unset: readonly string[];
  readonly limits: readonly [number, number];
  readonly constraint?: {
    readonly text: string;
    readonly columns: readonly [string, string];
    readonly most: number;
  };
}

type Row = Record<string, number | string>;

export function messyTable(seed: number): MessyTable {
  const stream = new Stream(rootKey(seed));
  const chance = (share: number) => stream.uniform() < share;
  const one = <T>(list: readonly T[]) => list[stream.integer(list.length)]!;
  const rows = 30 + stream.integer(40);
  const table: Row[] = Array.from({ length: rows }, () => ({}));
  const numbers: Record<string, MessyTable['numbers'][string]> = {};
  const texts: Record<string, readonly string[]> = {};
  const sums: MessyTable['sums'][number][] = [];
  const relations: MessyTable['relations'][number][] = [];
  const unset: string[] = [];
  const add = (name: string, make: (i: number, row: Row) => number | string) => {
    for (const [i, row] of table.entries()) row[name] = make(i, row);
  };
  const setting = (name: string, low: number, high: number, step: number) => {
    add(name, () => on(stream, low, high, step));
    const values = table.map((row) => Number(row[name]));
    numbers[name] = { step, from: low, low: Math.min(...values), high: Math.max(...values) };
  };
  if (chance(0.6)) {
    const name = one(['id', 'Lfd. Nr.', 'entry', 'essai', 'muestra', 'run']);
    const gap = 1 + stream.integer(4);
    add(name, (i) => 1 + gap * i);
    unset.push(name);
  }
  setting(one(['temp', 'Temperatur [°C]', 'température']), 20, 95, one([1, 5]));
  setting(one(['volume (mL)', 'Zugabe']), 0.5, 12, one([0.1, 0.5, 0.25]));
  if (chance(0.6)) setting(one(['conc', 'Konzentration']), 0.01, 0.6, 0.001);
  if (chance(0.5)) {
    const name = one(['catalyst', 'Lösungsmittel', 'solvant']);
    const levels = ['A', 'B', 'C'].slice(0, 2 + stream.integer(2));
    add(name, () => one(levels));
    texts[name] = [...new Set(table.map((row) => String(row[name])))];
  }
  if (chance(0.6)) {
    const [sum, decimals] = one([
      [1, 2],
      [100, 0],
      [100, 1],
      [1, 3],
    ] as const);
    const names = ['x_a', 'x_b', 'x_c', 'x_d'].slice(0, 3 + stream.integer(2));
    for (const row of table) {
      const parts = shares(stream, names.length, sum, decimals);
      names.forEach((name, k) => {
        row[name] = parts[k]!;
      });
    }
    for (const name of names) {
      const values = table.map((row) => Number(row[name]));
      const step = 10 ** -decimals;
      numbers[name] = { step, from: 0, low: Math.min(...values), high: Math.max(...values) };
    }
    sums.push({ columns: names, sum });
  }
  const [first, second] = Object.keys(numbers) as [string, string];
  if (chance(0.5)) {
    const weights = { [first]: one([1, 2]), [second]: one([1, 2, 3]) };
    const constant = one([0, 0, 273.15]);
    add('X2', (_, row) =>
      (weights[first]! * Number(row[first]) + weights[second]! * Number(row[second]) + constant).toFixed(2),
    );
    relations.push({ column: 'X2', weights, constant, digit: 0.01 });
  }
  if (chance(0.4)) {
    const name = one(['operator', 'Bediener', 'lote']);
    add(name, () => one(['u', 'v']));
  }
  const goal = one(['yield (%)', 'Ausbeute [%]', 'rendement']);
  add(goal, (_, row) => {
    const wave = Math.sin(Number(row[first]) / 20) + Math.cos(Number(row[second]));
    return Math.max(0, Math.min(100, 55 + 20 * wave + 4 * stream.normal())).toFixed(1);
  });
  if (chance(0.5)) {
    const name = one(['cost', 'Reinheit', 'impurity', 'coût']);
    add(name, () => (3 + stream.uniform()).toFixed(2));
    unset.push(name);
  }
  if (chance(0.5)) {
    const name = one(['Bemerkung', 'notes', 'observaciones']);
    add(name, () => one(['', 'ok', 'foam', 'cloudy']));
    unset.push(name);
  }
  const most = Math.round(0.8 * (numbers[first]!.high + numbers[second]!.high));
  const names = Object.keys(table[0]!);
  const quoted = (name: string) => `"${name}"`;
  return {
    csv: [names.join(), ...table.map((row) => names.map((name) => row[name]).join())].join('\n'),
    goal: `max ${quoted(goal)}`,
    numbers,
    texts,
    sums,
    relations,
    unset,
    limits: [0, 100],
    ...(chance(0.3) && {
      constraint: { text: `${quoted(first)} + ${quoted(second)} <= ${most}`, columns: [first, second], most },
    }),
  };
}
