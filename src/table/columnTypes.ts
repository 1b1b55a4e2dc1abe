import { nearestName } from '../nearestName.js';
import { portableLog } from '../numeric/portable.js';
import type { NumberColumn, Table, TableColumn, TextColumn } from './table.js';
import { tableFault } from './tableBuilder.js';
import {
  isDateNumber,
  isDateText,
  lookAtSequences,
  lookAtSmiles,
  orderOf,
  type SequenceLook,
} from './textKinds.js';

export const columnTypes = [
  'number',
  'integer',
  'category',
  'ordered',
  'boolean',
  'sequence',
  'smiles',
  'constant',
  'date',
  'identifier',
] as const;

/** What a column of a table is. */
export type ColumnType = (typeof columnTypes)[number];

export interface TypedColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Why, in a sentence. */
  readonly evidence: string;
  /** Dates and identifiers take no part in a model unless their type is overridden. */
  readonly isIgnored: boolean;
  /** A positive column over more than two decades with a long tail to the right is modelled by its logarithm. */
  readonly logScale: boolean;
  /** Cells without a value. */
  readonly missing: number;
  /** Different values. */
  readonly distinct: number;
  /** Of an ordered category: levels from lowest to highest. */
  readonly order?: readonly string[];
  readonly sequence?: SequenceLook;
}

/** A type, or a type with what can be switched about it. */
export type ColumnOverride =
  | ColumnType
  | { readonly type?: ColumnType; readonly logScale?: boolean; readonly order?: readonly string[] };

type Finding = Pick<TypedColumn, 'type' | 'evidence'> &
  Partial<Pick<TypedColumn, 'order' | 'sequence' | 'logScale'>>;

/** What each column is, from its values; `overrides` by name have the last word. */
export function inspect(
  table: Table,
  overrides: Readonly<Record<string, ColumnOverride>> = {},
): TypedColumn[] {
  checkOverrides(table, overrides);
  return table.columns.map((column, index) => {
    const override = Object.hasOwn(overrides, column.name) ? overrides[column.name] : undefined;
    const wanted = typeof override === 'string' ? { type: override } : override;
    const { counts, found } = column.kind === 'number' ? findNumber(column, index) : findText(column);
    const finding =
      wanted?.type !== undefined && wanted.type !== found.type
        ? overridden(table, column, wanted.type)
        : found;
    const order = wanted?.order ?? finding.order;
    if (wanted?.order) checkOrder(table, column, wanted.order);
    const type = wanted?.order && wanted.type === undefined ? 'ordered' : finding.type;
    return {
      name: column.name,
      type,
      evidence: finding.evidence,
      isIgnored: type === 'date' || type === 'identifier',
      logScale: wanted?.logScale ?? finding.logScale ?? false,
      ...counts,
      ...(order && { order }),
      ...(finding.sequence && { sequence: finding.sequence }),
    };
  });
}

interface Found {
  readonly counts: { readonly missing: number; readonly distinct: number };
  readonly found: Finding;
}

const identifierName =
  /(?:^|[\s_.-])(?:id|ids|idx|index|uuid|guid|key|nr|no|row|rownames?|serial|barcode)$|[a-z]I[Dd]$|^unnamed/i;

function findNumber(column: NumberColumn, index: number): Found {
  const { values } = column;
  const summary = describeNumbers(values);
  const { count, distinct, minimum, maximum, isWhole } = summary;
  const counts = { missing: values.length - count, distinct };
  return { counts, found: finding() };

  function finding(): Finding {
    if (count === 0) return { type: 'constant', evidence: 'No cell has a value.' };
    if (distinct === 1) return { type: 'constant', evidence: `Every value is ${minimum}.` };
    if (isWhole && distinct === 2 && minimum === 0 && maximum === 1)
      return { type: 'boolean', evidence: 'Every value is 0 or 1.' };
    if (isWhole && values.every((value) => Number.isNaN(value) || isDateNumber(value)))
      return { type: 'date', evidence: `Every value is a day such as ${minimum}; dates are left out.` };
    const isNamed = identifierName.test(column.name);
    if (isWhole && summary.isCounting && count >= 8 && (isNamed || index === 0))
      return { type: 'identifier', evidence: `Counts the rows, ${minimum} to ${maximum}; left out.` };
    if (isWhole && isNamed && distinct === count && count >= 8)
      return {
        type: 'identifier',
        evidence: `Every row has its own number, and the name says so; left out.`,
      };
    const range = `from ${minimum} to ${maximum}`;
    const logScale = summary.isLogScale;
    const tail = logScale ? ', over more than two decades with a long tail: logarithmic scale' : '';
    if (isWhole) return { type: 'integer', evidence: `Whole numbers ${range}${tail}.`, logScale };
    return { type: 'number', evidence: `Numbers ${range}${tail}.`, logScale };
  }
}

const pairs: readonly (readonly [string, string])[] = [
  ['false', 'true'],
  ['no', 'yes'],
  ['n', 'y'],
  ['f', 't'],
  ['off', 'on'],
];

function findText({ levels, codes }: TextColumn): Found {
  const missing = codes.reduce((sum, code) => sum + (code < 0 ? 1 : 0), 0);
  const filled = codes.length - missing;
  return { counts: { missing, distinct: levels.length }, found: finding() };

  function finding(): Finding {
    const [first] = levels;
    if (first === undefined) return { type: 'constant', evidence: 'No cell has a value.' };
    if (levels.length === 1) return { type: 'constant', evidence: `Every cell is ${shown(first)}.` };
    const lower = new Set(levels.map((text) => text.toLowerCase()));
    const pair = pairs.find((texts) => lower.size === 2 && texts.every((text) => lower.has(text)));
    if (pair) return { type: 'boolean', evidence: `Every cell is ${pair[0]} or ${pair[1]}.` };
    if (levels.every(isDateText))
      return { type: 'date', evidence: `Every cell is a date such as ${shown(first)}; dates are left out.` };
    const sequence = lookAtSequences(levels);
    if (sequence) {
      const what = sequence.kind === 'sequence' ? 'sequence' : `${sequence.kind} sequence`;
      const evidence = `Every cell is a ${what} of length ${sequence.length} over ${sequence.alphabet}.`;
      return { type: 'sequence', evidence, sequence };
    }
    if (looksLikeSmiles(levels))
      return { type: 'smiles', evidence: `Cells such as ${shown(first)} are molecules in SMILES notation.` };
    const order = orderOf(levels);
    if (order) return { type: 'ordered', evidence: `Levels have an order: ${order.join(' < ')}.`, order };
    if ((levels.length === filled && filled >= 10) || levels.length > Math.max(50, filled / 2))
      return {
        type: 'identifier',
        evidence: `${levels.length} different texts in ${filled} rows name rows, not conditions; left out.`,
      };
    const some = levels.slice(0, 4).map(shown).join(', ');
    const dots = levels.length > 4 ? ', ...' : '';
    return { type: 'category', evidence: `${levels.length} different texts: ${some}${dots}.` };
  }
}

/** Every text is possible SMILES, and at least a third have structure that words do not have. */
function looksLikeSmiles(levels: readonly string[]): boolean {
  let structured = 0;
  for (const text of levels) {
    const { isValid, hasStructure } = lookAtSmiles(text);
    if (!isValid) return false;
    if (hasStructure) structured++;
  }
  return structured >= levels.length / 3;
}

function shown(text: string): string {
  return `"${text.length > 30 ? text.slice(0, 30) + '...' : text}"`;
}

function checkOverrides(table: Table, overrides: Readonly<Record<string, ColumnOverride>>): void {
  const names = table.columns.map(({ name }) => name);
  for (const [name, override] of Object.entries(overrides)) {
    if (!names.includes(name)) throw tableFault(table.name, `has no column "${name}"${meant(name, names)}`);
    const type = typeof override === 'string' ? override : override.type;
    if (type !== undefined && !columnTypes.includes(type))
      throw tableFault(
        table.name,
        `there is no column type "${type}"${meant(type, columnTypes)}; types are ${columnTypes.join(', ')}`,
        undefined,
        name,
      );
  }
}

function meant(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}

function overridden(table: Table, column: TableColumn, type: ColumnType): Finding {
  const refuse = (reason: string) =>
    tableFault(table.name, `cannot be read as ${type}: ${reason}`, undefined, column.name);
  const evidence = 'As you said.';
  if (column.kind === 'text') {
    if (type === 'number' || type === 'integer')
      throw refuse(
        `it holds texts such as ${shown(column.levels[0] ?? '')}; correct them, or list them as \`missing\``,
      );
    if (type === 'boolean' && column.levels.length > 2)
      throw refuse(`it has ${column.levels.length} different texts`);
    if (type === 'constant' && column.levels.length > 1)
      throw refuse(`it has ${column.levels.length} different texts`);
    if (type === 'sequence') {
      const length = column.levels[0]?.length ?? 0;
      const other = column.levels.find((text) => text.length !== length);
      if (other !== undefined)
        throw refuse(`${shown(column.levels[0]!)} and ${shown(other)} have different lengths`);
      const alphabet = [...new Set(column.levels.flatMap((text) => [...text]))].sort().join('');
      const sequence = lookAtSequences(column.levels) ?? { kind: 'sequence' as const, length, alphabet };
      return { type, evidence, sequence };
    }
    return type === 'ordered'
      ? { type, evidence, order: orderOf(column.levels) ?? column.levels }
      : { type, evidence };
  }
  const { isWhole, distinct } = describeNumbers(column.values);
  if (type === 'sequence' || type === 'smiles')
    throw refuse('it holds numbers; read the file with the column under `text`');
  if (type === 'integer' && !isWhole) throw refuse('some values are no whole numbers');
  if (type === 'boolean' && distinct > 2) throw refuse(`it has ${distinct} different values`);
  if (type === 'constant' && distinct > 1) throw refuse(`it has ${distinct} different values`);
  return { type, evidence };
}

function checkOrder(table: Table, column: TableColumn, order: readonly string[]): void {
  if (column.kind === 'number')
    throw tableFault(table.name, 'holds numbers, which have their order already', undefined, column.name);
  for (const level of column.levels)
    if (!order.includes(level))
      throw tableFault(
        table.name,
        `the order leaves out ${shown(level)}${meant(level, order)}`,
        undefined,
        column.name,
      );
}

interface NumberSummary {
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

function describeNumbers(values: Float64Array): NumberSummary {
  const filled = values.filter((value) => !Number.isNaN(value));
  let isCounting = filled.length > 1 && filled.length === values.length;
  for (let i = 1; i < filled.length && isCounting; i++) isCounting = filled[i] === filled[i - 1]! + 1;
  filled.sort();
  let distinct = filled.length > 0 ? 1 : 0;
  for (let i = 1; i < filled.length; i++) if (filled[i] !== filled[i - 1]) distinct++;
  const minimum = filled[0] ?? Number.NaN;
  const maximum = filled.at(-1) ?? Number.NaN;
  return {
    count: filled.length,
    distinct,
    minimum,
    maximum,
    // beyond 2^53 every float64 is whole
    isWhole: filled.every(Number.isSafeInteger),
    isCounting,
    isLogScale: isLogarithmicSorted(filled),
  };
}

/** Whether numbers span decades in a way that their logarithms describe better. */
export function isLogarithmic(values: Float64Array): boolean {
  return isLogarithmicSorted(values.filter((value) => !Number.isNaN(value)).sort());
}

/** Two decades between one value and all others: it says nothing about how they lie. */
const ALONE = 100;

function isLogarithmicSorted(sorted: Float64Array): boolean {
  if (!(sorted[0]! > 0)) return false;
  let [first, end] = [0, sorted.length];
  if (end >= 10 && sorted[end - 1]! > ALONE * sorted[end - 2]!) end--;
  if (end >= 10 && sorted[1]! > ALONE * sorted[0]!) first++;
  const others = sorted.subarray(first, end);
  if (!(others.at(-1)! > 100 * others[0]!)) return false;
  const skew = skewness(others);
  return skew > longTail && Math.abs(skewness(others.map(portableLog))) < skew;
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
    m3 += (deviation * deviation * deviation) / n;
  }
  return m2 > 0 ? m3 / (m2 * Math.sqrt(m2)) : 0;
}
