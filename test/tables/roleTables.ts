// Tables as people keep them, made by code, each with the reading that a person would make of it.
import { rootKey, Stream } from '../../src/numeric/index.js';
import { checkTable } from '../../src/problem/checkTable.js';
import type { ProblemSpec } from '../../src/problem/index.js';
import type { Table } from '../../src/table/index.js';
import { read } from '../table/reading.js';

export interface GalleryTable {
  readonly name: string;
  readonly csv: string;
  readonly spec: ProblemSpec;
  readonly reading: readonly string[];
}

type Cells = Readonly<Record<string, number | string>>;

/** A table of `rows` rows, each from its number and a stream of its own. */
export function csvOf(rows: number, make: (i: number, stream: Stream) => Cells, seed = 1): string {
  const stream = new Stream(rootKey(seed));
  const made = Array.from({ length: rows }, (_, i) => make(i, stream));
  const names = Object.keys(made[0]!);
  const quoted = (cell: number | string) => (/[",\n]/.test(String(cell)) ? `"${cell}"` : String(cell));
  return [
    names.map(quoted).join(),
    ...made.map((row) => names.map((name) => quoted(row[name]!)).join()),
  ].join('\n');
}

/** A value between two ends on a step. */
export function on(stream: Stream, low: number, high: number, step: number): number {
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9) + (step % 1 !== 0 ? 1 : 0));
  return Number((low + step * stream.integer(Math.round((high - low) / step) + 1)).toFixed(digits));
}

/** Shares of a whole, rounded one by one as people do. */
export function shares(stream: Stream, count: number, sum: number, decimals: number): number[] {
  const parts = Array.from({ length: count }, () => 0.1 + stream.uniform());
  const total = parts.reduce((a, b) => a + b, 0);
  return parts.map((part) => Number(((sum * part) / total).toFixed(decimals)));
}

/** All that `check` read, in words: a line per column, then recipes, relations and limits. */
export async function readingOf(csv: string, spec: ProblemSpec): Promise<string[]> {
  return readingOfTable(await read(csv, { name: 'past.csv' }), spec);
}

export async function readingOfTable(table: Table, spec: ProblemSpec): Promise<string[]> {
  const report = await checkTable(table, spec);
  const kinds = new Map(report.assumed.map(({ column, kind }) => [column, kind]));
  const columns = report.columns.map(({ name, type, role, step, assumed }) => {
    const kind = kinds.get(name) ?? (assumed ? 'follows' : '');
    const part = role === 'design' ? '' : ` ${role}${kind === '' ? '' : ` (${kind})`}`;
    return `${name}: ${type}${part}${step === undefined ? '' : ` step ${step}`}`;
  });
  const end = (value: number | null) => (value === null ? '' : String(value));
  return [
    ...columns,
    ...report.mixtures.map(
      (one) => `${one.columns.join(' + ')} = ${one.sum}${one.off ? `, ${one.off.length} off` : ''}`,
    ),
    ...report.relations.map(({ label }) => label),
    ...report.limits.map(({ column, lower, upper }) => `${column} in ${end(lower)}..${end(upper)}`),
  ];
}
