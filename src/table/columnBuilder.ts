import { type DecimalMark, type MissingTexts, quickNumber, writtenDecimals } from './cellText.js';
import { ColumnRemarks } from './columnRemarks.js';
import { Growing } from './growing.js';
import {
  decimalEvidence,
  isBeyondUnknown,
  isWithoutNumber,
  type NumberCell,
  readCell,
} from './numberCell.js';
import { decideNumbers, infinityMessage, isMissingNumber } from './numberKind.js';
import type { TableColumn, TableError } from './table.js';
import { canonicalUnit, isUnit } from './units.js';

export interface ColumnContext {
  readonly missing: MissingTexts;
  /** The fault of a cell, with its line; rows count from 0. */
  fault(message: string, column: string, row: number): TableError;
  /** "line 12", or "row 3" where there are no lines. */
  place(row: number): string;
  /** Whether numbers that come as numbers show how many digits were written; those of Parquet do not. */
  readonly hasDecimals: boolean;
}

/** A `Map` holds at most 2^24 entries. */
const maximumLevels = 16_000_000;

/**
 * Texts that stand for a missing cell, unless all other cells say that they are a level: "-" beside "+", and sodium beside
 * other elements.
 */
const doubtful: Readonly<Record<string, (levels: readonly string[]) => boolean>> = {
  '-': (levels) => levels.includes('+') && levels.every((level) => /^[+0]$/.test(level)),
  Na: (levels) => levels.length > 1 && levels.every((level) => elements.has(level)),
};
const elements = new Set(
  'H He Li Be B C N O F Ne Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Th U'.split(
    ' ',
  ),
);
/** Tables with such columns have few rows. */
const mostDoubtful = 10_000;

/**
 * One column while it is read. The first rows are kept as texts (`sample`); `decideKind` then decides between numbers and
 * text. A number column that then meets a text is `undecided`: what its earlier cells looked like is gone, and the
 * source has to be read again.
 */
export class ColumnBuilder {
  readonly notes: string[] = [];
  /** From the header, or from a line of units below it. */
  unit: string | undefined;
  /** Where the source tells what its numbers do not show. */
  knownDecimals: number | undefined;
  #state: 'typed' | 'sample' | 'number' | 'text' | 'undecided';
  #rows = 0;
  #values = new Growing((n) => new Float64Array(n));
  #censored: Growing<Int8Array> | undefined;
  #codes = new Growing((n) => new Int32Array(n));
  #levels: string[] = [];
  #codeOf = new Map<string, number>();
  #decimal: DecimalMark = '.';
  #cellUnit: string | undefined;
  #grouping: string | undefined;
  #remarks = new ColumnRemarks();
  #isQuick = false;
  /** Rows whose cell is doubtful, and its text. */
  #doubtful: { readonly row: number; readonly text: string }[] = [];
  #firstOddRow = -1;
  #firstOddText = '';
  #isEmpty = true;
  /** Most digits behind the decimal mark so far; NaN once a number had an exponent. */
  #decimals = 0;

  constructor(
    readonly name: string,
    private readonly context: ColumnContext,
    staysText: boolean,
  ) {
    this.#state = staysText ? 'text' : 'typed';
  }

  /** No cell had a value so far. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  get isUndecided(): boolean {
    return this.#state === 'undecided';
  }

  /** Where and with which text a number column turned out not to be one. */
  get odd(): { readonly row: number; readonly text: string } {
    return { row: this.#firstOddRow, text: this.#firstOddText };
  }

  addNumber(value: number): void {
    const { missing } = this.context;
    const mayBeMissing = missing.hasNumbers || !Number.isFinite(value);
    if (Number.isNaN(value) || (mayBeMissing && missing.has(String(value)))) {
      this.addMissing();
      return;
    }
    this.#isEmpty = false;
    if (this.#state !== 'typed') {
      this.addText(String(value));
      return;
    }
    if (!Number.isFinite(value)) throw this.#infinite(String(value), this.#rows);
    this.#rows++;
    this.#values.push(value);
    // Sums of a spreadsheet such as 0.30000000000000004 have 12 digits that mean something.
    if (!Number.isInteger(value)) this.#noteDecimals(String(Number(value.toPrecision(12))), '.');
  }

  addMissing(): void {
    this.#rows++;
    if (this.#state === 'sample' || this.#state === 'text') this.#codes.push(-1);
    else this.#pushValue(Number.NaN, 0);
  }

  addText(text: string): void {
    if (this.#isQuick) {
      const value = quickNumber(text);
      if (!Number.isNaN(value)) {
        this.#rows++;
        this.#pushValue(value, 0);
        this.#noteDecimals(text, '.');
        return;
      }
    }
    const trimmed = text.trim();
    if (this.context.missing.has(trimmed)) {
      if (Object.hasOwn(doubtful, trimmed) && this.#doubtful.length < mostDoubtful)
        this.#doubtful.push({ row: this.#rows, text: trimmed });
      this.addMissing();
      return;
    }
    this.#isEmpty = false;
    if (this.#state === 'typed') this.#becomeSample();
    if (this.#state === 'sample' || this.#state === 'text') this.#pushLevel(trimmed);
    else if (this.#state === 'number') this.#pushNumberText(trimmed);
    this.#rows++;
  }

  decimalEvidence(): DecimalMark | 'both' | undefined {
    return this.#state === 'sample' ? decimalEvidence(this.#levels) : undefined;
  }

  /** Decides what the cells so far are. Without any, nothing is decided. `ambiguous` is the mark where they allow both. */
  decideKind(ambiguous: DecimalMark, isForced: boolean): void {
    if (this.#state !== 'sample' || this.#levels.length === 0) return;
    const evidence = isForced ? undefined : decimalEvidence(this.#levels);
    this.#decimal = evidence === '.' || evidence === ',' ? evidence : ambiguous;
    if (this.#decimal === '.' && !this.context.missing.hasNumbers && this.#arePlainNumbers()) return;
    const cells = this.#levels.map((text) => readCell(text, this.#decimal));
    const counts = new Float64Array(cells.length);
    for (let row = 0; row < this.#codes.length; row++)
      if (this.#codes.at(row) >= 0) counts[this.#codes.at(row)]!++;
    const levels = cells.map((cell, i) => ({ cell, text: this.#levels[i]!, count: counts[i]!, code: i }));
    const { isNumber, unit, notes } = decideNumbers(levels, {
      name: this.name,
      place: (code) => this.context.place(this.#rowOf(code)),
      fault: (message, code) => this.context.fault(message, this.name, this.#rowOf(code)),
    });
    for (const note of notes) this.notes.push(note);
    this.#cellUnit = unit;
    if (isNumber) this.#becomeNumber(cells);
    else this.#state = 'text';
  }

  /** Most columns hold plain numbers and nothing else: then there is nothing to weigh, and this is all. */
  #arePlainNumbers(): boolean {
    const values = new Float64Array(this.#levels.length);
    for (const [code, text] of this.#levels.entries()) {
      // a zero in front, or many digits, may be a code
      if (
        (text.length >= 16 && !text.includes('.')) ||
        (text.charCodeAt(0) === 48 && text.charCodeAt(1) >= 48)
      )
        return false;
      values[code] = quickNumber(text);
      if (Number.isNaN(values[code]!)) return false;
    }
    this.#state = 'number';
    this.#isQuick = true;
    for (const text of this.#levels) this.#noteDecimals(text, '.');
    for (let row = 0; row < this.#codes.length; row++) {
      const code = this.#codes.at(row);
      this.#pushValue(code < 0 ? Number.NaN : values[code]!, 0);
    }
    this.#dropTexts();
    return true;
  }

  /** The decimal mark of a column of numbers. */
  get decimal(): DecimalMark | undefined {
    return this.#state === 'number' ? this.#decimal : undefined;
  }

  /** The decimal mark where some cell shows it. */
  get writtenDecimal(): DecimalMark | undefined {
    return this.#decimals === 0 ? undefined : this.decimal;
  }

  /** What stands between thousands, as far as seen. */
  get grouping(): string | undefined {
    return this.#state === 'number' ? this.#grouping : undefined;
  }

  finish(): TableColumn {
    const unit = (this.#state === 'number' ? this.#cellUnit : undefined) ?? this.unit;
    const shared = { name: this.name, ...(unit !== undefined && { unit }) };
    if (this.#state === 'text') {
      const codes = this.#codes.take();
      for (const [text, isLevel] of Object.entries(doubtful)) {
        const cells = this.#doubtful.filter((cell) => cell.text === text);
        if (cells.length === 0 || !isLevel(this.#levels)) continue;
        const code = this.#levels.push(text) - 1;
        for (const { row } of cells) codes[row] = code;
      }
      return { kind: 'text', ...shared, levels: this.#levels, codes };
    }
    if (this.#state === 'sample')
      return { kind: 'number', ...shared, values: new Float64Array(this.#rows).fill(Number.NaN) };
    for (const note of this.#remarks.sentences(this.name, unit, this.context.place)) this.notes.push(note);
    const isShown = this.context.hasDecimals && !Number.isNaN(this.#decimals) && !this.#isEmpty;
    const decimals = this.knownDecimals ?? (isShown ? this.#decimals : undefined);
    return {
      kind: 'number',
      ...shared,
      ...(decimals !== undefined && { decimals }),
      values: this.#values.take(),
      ...(this.#censored && { censored: this.#censored.take() }),
    };
  }

  #noteDecimals(text: string, mark: DecimalMark): void {
    this.#decimals = Math.max(this.#decimals, writtenDecimals(text, mark));
  }

  #becomeNumber(cells: readonly NumberCell[]): void {
    this.#state = 'number';
    this.#isQuick = this.#decimal === '.' && this.#cellUnit === undefined && !this.context.missing.hasNumbers;
    for (let row = 0; row < this.#codes.length; row++) {
      const code = this.#codes.at(row);
      if (code < 0) this.#pushValue(Number.NaN, 0);
      else this.#pushCell(cells[code]!, this.#levels[code]!, row);
    }
    this.#dropTexts();
  }

  #pushCell(cell: NumberCell, text: string, row: number): void {
    this.#pushValue(cell.value, Number.isNaN(cell.value) ? 0 : cell.censoring);
    if (Number.isNaN(cell.value)) {
      this.#remarks.add(
        isWithoutNumber(text) ? 'missing' : isBeyondUnknown(text) ? 'limit' : 'stray',
        text,
        row,
      );
      return;
    }
    this.#decimals = Math.max(this.#decimals, cell.decimals);
    this.#grouping ??= cell.grouping;
    this.#remarks.addCell(cell, text, row);
    if (this.#cellUnit !== undefined && cell.unit === undefined) this.#remarks.add('bare', text, row);
  }

  /** Numbers that came as numbers, written out: their shortest decimal form reads back as the same double. */
  #becomeSample(): void {
    this.#state = 'sample';
    const values = this.#values;
    this.#values = new Growing((n) => new Float64Array(n));
    this.#decimals = 0;
    for (let row = 0; row < values.length; row++) {
      const value = values.at(row);
      if (Number.isNaN(value)) this.#codes.push(-1);
      else this.#pushLevel(String(value));
    }
  }

  #dropTexts(): void {
    this.#codes = new Growing((n) => new Int32Array(n));
    this.#levels = [];
    this.#codeOf = new Map();
  }

  #pushNumberText(text: string): void {
    const cell = readCell(text, this.#decimal);
    if (cell.isInfinite) throw this.#infinite(text, this.#rows);
    const isKnown = Number.isNaN(cell.value) ? isMissingNumber(text) : this.#hasItsUnit(cell);
    if (isKnown) {
      this.#pushCell(cell, text, this.#rows);
      return;
    }
    this.#state = 'undecided';
    this.#isQuick = false;
    this.#firstOddRow = this.#rows;
    this.#firstOddText = text;
    this.#values = new Growing((n) => new Float64Array(n));
    this.#censored = undefined;
  }

  #hasItsUnit({ unit }: NumberCell): boolean {
    const own = this.#cellUnit;
    if (unit === undefined) return own === undefined || (own !== '%' && isUnit(own));
    return own !== undefined && canonicalUnit(unit) === canonicalUnit(own);
  }

  #pushValue(value: number, censoring: -1 | 0 | 1): void {
    if (this.#state === 'undecided') return;
    if (censoring !== 0 && !this.#censored) {
      this.#censored = new Growing((n) => new Int8Array(n));
      for (let row = 0; row < this.#values.length; row++) this.#censored.push(0);
    }
    this.#values.push(value);
    this.#censored?.push(censoring);
  }

  #pushLevel(text: string): void {
    let code = this.#codeOf.get(text);
    if (code === undefined) {
      code = this.#levels.length;
      if (code === maximumLevels)
        throw this.context.fault(
          `more than ${maximumLevels} different texts; leave the column out of the file`,
          this.name,
          this.#rows,
        );
      // A copy: a slice of the chunk it was read in would keep the whole chunk in memory.
      const copy = (' ' + text).slice(1);
      this.#levels.push(copy);
      this.#codeOf.set(copy, code);
    }
    this.#codes.push(code);
  }

  #rowOf(level: number): number {
    let row = 0;
    while (this.#codes.at(row) !== level) row++;
    return row;
  }

  #infinite(text: string, row: number): TableError {
    return this.context.fault(infinityMessage(text), this.name, row);
  }
}
