/** Whether the texts of a column are numbers, and in which unit. */
import { ColumnRemarks } from './columnRemarks.js';
import { isBeyondUnknown, isWithoutNumber, type NumberCell } from './numberCell.js';
import { quoted } from './quoted.js';
import type { TableError } from './table.js';
import { canonicalUnit, isUnit } from './units.js';

/** Texts among numbers are read as missing where they are fewer than this share of at least so many cells. */
const strayShare = 0.05;
const fewestForStray = 10;

/** A text that stands for no number among numbers. */
export function isMissingNumber(text: string): boolean {
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

export function infinityMessage(text: string): string {
  const what = /\d/.test(text)
    ? 'is beyond the largest number that can be computed with, 1.8e308'
    : 'is not a finite number';
  return `${quoted(text)} ${what}; correct the cell, or add ${quoted(text)} to \`missing\``;
}

/** One of the different texts of a column. */
interface Level {
  readonly text: string;
  readonly cell: NumberCell;
  /** Cells with this text. */
  readonly count: number;
  readonly code: number;
}

interface ColumnOfLevels {
  readonly name: string;
  /** "line 12": where a text stands first. */
  place(code: number): string;
  fault(message: string, code: number): TableError;
}

interface NumberKind {
  readonly isNumber: boolean;
  /** Of the cells. */
  readonly unit: string | undefined;
  readonly notes: readonly string[];
}

/** Throws `TableError` about infinities and about two units in one column. */
export function decideNumbers(levels: readonly Level[], column: ColumnOfLevels): NumberKind {
  const asText = (...notes: string[]): NumberKind => ({ isNumber: false, unit: undefined, notes });
  const isNumber = ({ cell: { value, isInfinite } }: Level) => !Number.isNaN(value) || isInfinite;
  const numbers = levels.filter(isNumber);
  if (numbers.length === 0) return asText();
  const odd = levels.filter((level) => !isNumber(level) && !isMissingNumber(level.text));
  if (odd.length > 0) {
    const filled = levels.reduce((sum, { count }) => sum + count, 0);
    const oddCells = odd.reduce((sum, { count }) => sum + count, 0);
    if (filled < fewestForStray || oddCells >= strayShare * filled)
      return oddCells > filled / 3 ? asText() : asText(textNote(odd, filled - oddCells, filled, column));
  }
  const infinite = numbers.find(({ cell }) => cell.isInfinite);
  if (infinite) throw column.fault(infinityMessage(infinite.text), infinite.code);
  const kind = oneUnit(numbers, column);
  if (!kind.isNumber) return kind;
  const code = codeReason(numbers.map(({ text }) => text));
  return code === undefined ? kind : asText(`Column "${column.name}" is text: its numbers ${code}.`);
}

/** Two known units are an error: nobody can tell what the column's numbers mean. */
function oneUnit(numbers: readonly Level[], { name, place, fault }: ColumnOfLevels): NumberKind {
  const first = numbers.find(({ cell }) => cell.unit !== undefined);
  if (!first) return { isNumber: true, unit: undefined, notes: [] };
  const written = first.cell.unit!;
  const unit = canonicalUnit(written);
  const other = numbers.find(({ cell }) => cell.unit !== undefined && canonicalUnit(cell.unit) !== unit);
  if (other) {
    const areKnown = numbers.every(({ cell }) => cell.unit !== undefined && isUnit(cell.unit));
    if (!areKnown) return { isNumber: false, unit: undefined, notes: [] };
    throw fault(
      `${quoted(other.text)} has another unit than ${quoted(first.text)} (${place(first.code)}); ` +
        `write the column in one unit, or keep its texts with ${ColumnRemarks.textOption(name)}`,
      other.code,
    );
  }
  const hasBare = numbers.some(({ cell }) => cell.unit === undefined);
  if (unit !== '%') return { isNumber: !hasBare || isUnit(written), unit: written, notes: [] };
  const note = hasBare
    ? `Column "${name}" is text: some of its numbers have a percent sign and some have none.`
    : `Column "${name}" is in percent: 12% is read as 12.`;
  return { isNumber: !hasBare, unit: written, notes: [note] };
}

function textNote(
  odd: readonly Level[],
  numbers: number,
  filled: number,
  { name, place }: ColumnOfLevels,
): string {
  const texts = odd.slice(0, 5).map(({ text }) => text);
  return (
    `Column "${name}" is text because of ${quoted(odd[0]!.text)} (${place(odd[0]!.code)}); ` +
    `${numbers} of ${filled} cells looked at are numbers. ` +
    `If that text means a missing value, give ${ColumnRemarks.missingOption(texts)}.`
  );
}
