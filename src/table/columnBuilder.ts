import type { MissingTexts } from './cellText.js';
import {
  cellParts,
  type DecimalMark,
  decimalEvidence,
  isInfinityText,
  parseNumber,
  quickNumber,
  writtenDecimals,
  sharedUnit,
} from './cellText.js';
import { Growing } from './growing.js';
import type { TableColumn, TableError } from './table.js';

export interface ColumnContext {
  readonly missing: MissingTexts;
  /** The fault of a cell, with its line; rows count from 0. */
  fault(message: string, column: string, row: number): TableError;
  /** "line 12", or "row 3" where there are no lines. */
  place(row: number): string;
  /** Whether numbers that come as numbers show how many digits were written; those of Parquet do not. */
  readonly hasDecimals: boolean;
}

interface Cell {
  /** NaN if the text is no number. */
  readonly value: number;
  readonly censoring: -1 | 0 | 1;
  readonly isPercent: boolean;
  readonly isInfinite: boolean;
}

/** A `Map` holds at most 2^24 entries. */
const maximumLevels = 16_000_000;

/** Enough of a text for a message. */
export function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return `"${line.length > 40 ? line.slice(0, 40) + '...' : line}"`;
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
  #state: 'typed' | 'sample' | 'number' | 'text' | 'undecided';
  #rows = 0;
  #values = new Growing((n) => new Float64Array(n));
  #censored: Growing<Int8Array> | undefined;
  #codes = new Growing((n) => new Int32Array(n));
  #levels: string[] = [];
  #codeOf = new Map<string, number>();
  #decimal: DecimalMark = '.';
  #isPercent = false;
  #isQuick = false;
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
    const cells = this.#levels.map((text) => this.#cell(text));
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

  finish(): TableColumn {
    const { name } = this;
    if (this.#state === 'text')
      return { kind: 'text', name, levels: this.#levels, codes: this.#codes.take() };
    if (this.#state === 'sample')
      return { kind: 'number', name, values: new Float64Array(this.#rows).fill(Number.NaN) };
    const values = this.#values.take();
    const decimals = this.#decimals;
    return {
      kind: 'number',
      name,
      ...(this.context.hasDecimals && !Number.isNaN(decimals) && !this.#isEmpty && { decimals }),
      values,
      ...(this.#censored && { censored: this.#censored.take() }),
    };
  }

  #noteDecimals(text: string, mark: DecimalMark): void {
    this.#decimals = Math.max(this.#decimals, writtenDecimals(text, mark));
  }

  #cell(text: string): Cell {
    const { body, censoring, isPercent } = cellParts(text);
    const value = parseNumber(body, this.#decimal);
    if (!Number.isNaN(value)) this.#noteDecimals(body, this.#decimal);
    const isInfinite = isInfinityText(body) || Math.abs(value) === Number.POSITIVE_INFINITY;
    return { value, censoring, isPercent, isInfinite };
  }

  #isNumberColumn(cells: readonly Cell[]): boolean {
    const odd = cells.findIndex(({ value, isInfinite }) => Number.isNaN(value) && !isInfinite);
    if (odd >= 0) {
      this.#noteText(cells);
      return false;
    }
    const infinite = cells.findIndex(({ isInfinite }) => isInfinite);
    if (infinite >= 0) throw this.#infinite(this.#levels[infinite]!, this.#rowOf(infinite));
    const percents = cells.filter(({ isPercent }) => isPercent).length;
    if (percents > 0 && percents < cells.length) {
      this.notes.push(
        `Column "${this.name}" is text: some of its numbers have a percent sign and some have none.`,
      );
      return false;
    }
    const code = codeReason(this.#levels);
    if (code !== undefined) {
      this.notes.push(`Column "${this.name}" is text: its numbers ${code}.`);
      return false;
    }
    return true;
  }

  #noteText(cells: readonly Cell[]): void {
    const unit = sharedUnit(this.#levels, this.#decimal);
    if (unit !== undefined) {
      this.notes.push(
        `Column "${this.name}" is text because every cell ends in ${quoted(unit)}; ` +
          'remove the unit from the cells, or put it into the name, to have numbers.',
      );
      return;
    }
    let filled = 0;
    let odd = 0;
    let first = -1;
    for (let row = 0; row < this.#codes.length; row++) {
      const code = this.#codes.at(row);
      if (code < 0) continue;
      filled++;
      if (!Number.isNaN(cells[code]!.value)) continue;
      odd++;
      if (first < 0) first = row;
    }
    if (odd > filled / 5) return;
    this.notes.push(
      `Column "${this.name}" is text because of ${quoted(this.#levels[this.#codes.at(first)]!)} ` +
        `(${this.context.place(first)}); ${filled - odd} of ${filled} cells looked at are numbers. ` +
        'If that text means a missing value, add it to `missing`.',
    );
  }

  #becomeNumber(cells: readonly Cell[]): void {
    this.#state = 'number';
    this.#isPercent = cells[0]!.isPercent;
    this.#isQuick = this.#decimal === '.' && !this.#isPercent && !this.context.missing.hasNumbers;
    if (this.#isPercent) this.notes.push(`Column "${this.name}" is in percent: 12% is read as 12.`);
    for (let row = 0; row < this.#codes.length; row++) {
      const code = this.#codes.at(row);
      if (code < 0) this.#pushValue(Number.NaN, 0);
      else this.#pushValue(cells[code]!.value, cells[code]!.censoring);
    }
    this.#dropTexts();
  }

  /** Numbers that came as numbers, written out: their shortest decimal form reads back as the same double. */
  #becomeSample(): void {
    this.#state = 'sample';
    const values = this.#values;
    this.#values = new Growing((n) => new Float64Array(n));
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
    const { value, censoring, isPercent, isInfinite } = this.#cell(text);
    if (isInfinite) throw this.#infinite(text, this.#rows);
    if (!Number.isNaN(value) && isPercent === this.#isPercent) {
      this.#pushValue(value, censoring);
      return;
    }
    this.#state = 'undecided';
    this.#isQuick = false;
    this.#firstOddRow = this.#rows;
    this.#firstOddText = text;
    this.#values = new Growing((n) => new Float64Array(n));
    this.#censored = undefined;
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
