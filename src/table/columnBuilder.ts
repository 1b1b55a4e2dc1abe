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
import { quoted } from './quoted.js';
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

/** Texts among numbers are read as missing where they are fewer than this share of at least so many cells. */
const strayShare = 0.05;
const fewestForStray = 10;

/** A coded design has few rows. */
const mostDashes = 10_000;

/** A text that stands for no number among numbers. */
function isMissingNumber(text: string): boolean {
  return isWithoutNumber(text) || isBeyondUnknown(text);
}

/** Why numbers are codes, whose digits a double would lose: 007, or 9007199254740993. */
function codeReason(levels: readonly string[]): string | undefined {
  const width = levels[0]!.length;
  if (
    width > 1 &&
    levels.some((text) => /^0\d+$/.test(text)) &&
    levels.every((text) => text.length === width && /^\d+$/.test(text))
  )
    return `are codes of ${width} digits with zeros in front`;
  return levels.some((text) => /^\d{16,}$/.test(text) && BigInt(text) !== BigInt(Number(text)))
    ? 'have more digits than a number can keep'
    : undefined;
}

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
  /** Rows whose cell is "-", which is a level beside "+" and missing otherwise. */
  #dashes: number[] = [];
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
      if (trimmed === '-' && this.#dashes.length < mostDashes) this.#dashes.push(this.#rows);
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
    const cells = this.#levels.map((text) => readCell(text, this.#decimal));
    if (this.#isNumberColumn(cells)) this.#becomeNumber(cells);
    else this.#state = 'text';
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
      if (this.#levels.includes('+') && this.#levels.every((level) => /^[+0]$/.test(level))) {
        const code = this.#dashes.length > 0 ? this.#levels.push('-') - 1 : 0;
        for (const row of this.#dashes) codes[row] = code;
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

  #isNumberColumn(cells: readonly NumberCell[]): boolean {
    const counts = new Float64Array(cells.length);
    for (let row = 0; row < this.#codes.length; row++)
      if (this.#codes.at(row) >= 0) counts[this.#codes.at(row)]!++;
    const isNumber = ({ value, isInfinite }: NumberCell) => !Number.isNaN(value) || isInfinite;
    const levels = cells.map((cell, level) => ({ cell, level, text: this.#levels[level]! }));
    const numbers = levels.filter(({ cell }) => isNumber(cell));
    if (numbers.length === 0) return false;
    const odd = levels.filter(({ cell, text }) => !isNumber(cell) && !isMissingNumber(text));
    if (odd.length > 0) {
      const filled = counts.reduce((sum, count) => sum + count, 0);
      const oddCells = odd.reduce((sum, { level }) => sum + counts[level]!, 0);
      if (filled < fewestForStray || oddCells >= strayShare * filled) {
        if (oddCells <= filled / 3) this.#noteText(odd, filled - oddCells, filled);
        return false;
      }
    }
    const infinite = numbers.find(({ cell }) => cell.isInfinite);
    if (infinite) throw this.#infinite(infinite.text, this.#rowOf(infinite.level));
    if (!this.#hasOneUnit(numbers)) return false;
    const code = codeReason(numbers.map(({ text }) => text));
    if (code !== undefined) {
      this.notes.push(`Column "${this.name}" is text: its numbers ${code}.`);
      return false;
    }
    return true;
  }

  /** Sets the unit of the cells. Two known units are an error: nobody can tell what the column's numbers mean. */
  #hasOneUnit(
    numbers: readonly { readonly cell: NumberCell; readonly level: number; readonly text: string }[],
  ): boolean {
    const first = numbers.find(({ cell }) => cell.unit !== undefined);
    this.#cellUnit = first?.cell.unit;
    if (!first) return true;
    const unit = canonicalUnit(first.cell.unit!);
    const other = numbers.find(({ cell }) => cell.unit !== undefined && canonicalUnit(cell.unit) !== unit);
    if (other) {
      if (!numbers.every(({ cell }) => cell.unit !== undefined && isUnit(cell.unit))) return false;
      const row = this.#rowOf(other.level);
      throw this.context.fault(
        `${quoted(other.text)} has another unit than ${quoted(first.text)} (${this.context.place(this.#rowOf(first.level))}); ` +
          `write the column in one unit, or keep its texts with ${ColumnRemarks.textOption(this.name)}`,
        this.name,
        row,
      );
    }
    const bare = numbers.find(({ cell }) => cell.unit === undefined);
    if (!bare) {
      if (unit === '%') this.notes.push(`Column "${this.name}" is in percent: 12% is read as 12.`);
      return true;
    }
    if (unit === '%')
      this.notes.push(
        `Column "${this.name}" is text: some of its numbers have a percent sign and some have none.`,
      );
    return unit !== '%' && isUnit(first.cell.unit!);
  }

  #noteText(
    odd: readonly { readonly level: number; readonly text: string }[],
    numbers: number,
    filled: number,
  ): void {
    const [first] = odd;
    const texts = odd.slice(0, 5).map(({ text }) => text);
    this.notes.push(
      `Column "${this.name}" is text because of ${quoted(first!.text)} ` +
        `(${this.context.place(this.#rowOf(first!.level))}); ${numbers} of ${filled} cells looked at are numbers. ` +
        `If that text means a missing value, give ${ColumnRemarks.missingOption(texts)}.`,
    );
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
    return this.context.fault(
      `${quoted(text)} is not a finite number; correct the cell, or add ${quoted(text)} to \`missing\``,
      this.name,
      row,
    );
  }
}
