/** Tells rows of a table from what people write between and below them: sums, footnotes, the header once more. */
import { holdsNumber } from './numberCell.js';
import { quoted } from './quoted.js';

export interface SiftedRow<Payload> {
  /** Without spaces around them. */
  readonly cells: readonly string[];
  readonly line: number;
  readonly payload: Payload;
}

type Below = 'summary' | 'footnote';

const summaryWords = new Set(
  [
    'total|totals|grand total|subtotal|sum|summe|summen|gesamt|gesamtsumme|zwischensumme|summa|somme|suma|totale|σ|∑',
    'mean|means|mittelwert|mittelwerte|mittel|durchschnitt|average|averages|avg|avg.|moyenne|media|promedio|ø|⌀',
  ].flatMap((words) => words.split('|')),
);

/** Words that name levels of a column as well: a summary only behind a blank line or another summary. */
const furtherWords = new Set(
  'median|min|min.|max|max.|minimum|maximum|sd|s.d.|std|std.|stdev|std dev|std. dev.|standard deviation|standardabweichung|stabw|stabw.|rsd|cv|sem|n|count|anzahl'.split(
    '|',
  ),
);

const footnoteMark =
  /^(?:[*†‡§¹²³⁴]|\(?[a-d1-9]\)\s|(?:note|notes|nb|n\.b\.|remark|anmerkung|hinweis|bemerkung|legende|legend|source|quelle|nota|remarque|fußnote|footnote)\b)/i;

/** Texts of the first column that are remembered, to tell a level from a summary. */
const mostRemembered = 1000;

export class RowSifter<Payload> {
  readonly #headers: readonly (readonly string[])[];
  readonly #held: { readonly row: SiftedRow<Payload>; readonly kind: Below; readonly label: string }[] = [];
  readonly #labels = new Set<string>();
  readonly #repeated: number[] = [];
  readonly #comments: number[] = [];
  readonly #headings: number[] = [];
  #isAfterBlank = false;
  #beyond = 0;

  constructor(
    headers: readonly (readonly string[])[],
    private readonly width: number,
    /** Last line of the table, where the user says it; nothing below it is looked at, nothing above it is left out. */
    private readonly end: number | undefined,
    /** The first column holds numbers: a text alone in it is the heading of the rows below. */
    private readonly isFirstNumeric: boolean,
    /** Takes the rows of the table. */
    private readonly take: (row: SiftedRow<Payload>) => void,
  ) {
    this.#headers = headers.filter((cells) => cells.filter((cell) => cell !== '').length > 1);
  }

  blank(): void {
    this.#isAfterBlank = true;
  }

  /** Whether a row that begins with a number can only be one of the table. */
  get isQuiet(): boolean {
    return this.#held.length === 0 && this.end === undefined;
  }

  /** A row that is not blank. */
  add(row: SiftedRow<Payload>): void {
    const { cells, line } = row;
    if (this.end !== undefined) {
      if (line > this.end) this.#beyond++;
      else this.take(row);
      return;
    }
    if (this.#headers.some((header) => isSame(header, cells))) {
      this.#repeated.push(line);
      return;
    }
    if (cells.length !== this.width && /^(?:#|\/\/)/.test(cells[0]!)) {
      this.#comments.push(line);
      return;
    }
    const label = cells.find((cell) => cell !== '')!;
    const kind = this.#kindOf(cells, label);
    if (kind) {
      this.#held.push({ row, kind, label });
      return;
    }
    if (this.isFirstNumeric && this.width >= 3 && this.#isHeading(cells, label)) {
      this.#headings.push(line);
      return;
    }
    this.#release();
    this.#isAfterBlank = false;
    if (this.#labels.size < mostRemembered) this.#labels.add(label.toLowerCase());
    this.take(row);
  }

  /** What was left out, in sentences. Call at the end. */
  finish(): string[] {
    const notes: string[] = [];
    const held = this.#held;
    const last = held.at(-1)?.row.line;
    if (held.length > 0) {
      const what = held.every(({ kind }) => kind === 'footnote') ? 'no rows of the table' : 'no experiments';
      const lines = held.map(({ row, label }) => `line ${row.line} (${quoted(label)})`);
      const shown = lines.length > 4 ? [...lines.slice(0, 3), `${lines.length - 3} more`] : lines;
      notes.push(`Left out below the table, as ${what}: ${shown.join(', ')}; --end ${last} keeps them.`);
    }
    if (this.#repeated.length > 0)
      notes.push(`The header comes again and is left out: ${lineList(this.#repeated)}.`);
    if (this.#headings.length > 0)
      notes.push(
        `Headings among the rows are left out: ${lineList(this.#headings)}; --end reads every row up to its line.`,
      );
    if (this.#comments.length > 0)
      notes.push(`Comments among the rows are left out: ${lineList(this.#comments)}.`);
    if (this.#beyond > 0)
      notes.push(
        `${this.#beyond} row${this.#beyond > 1 ? 's' : ''} below line ${this.end} left out, as --end says.`,
      );
    return notes;
  }

  #isHeading(cells: readonly string[], label: string): boolean {
    if (cells.length !== this.width || cells[0] !== label || !/\p{L}{2,}/u.test(label) || holdsNumber(label))
      return false;
    return cells.every((cell, j) => j === 0 || cell === '');
  }

  /** A row of the table follows: what was held back is of the table too. */
  #release(): void {
    for (const { row, label } of this.#held.splice(0)) {
      if (this.isFirstNumeric && this.width >= 3 && this.#isHeading(row.cells, label)) {
        this.#headings.push(row.line);
        continue;
      }
      this.#labels.add(label.toLowerCase());
      this.take(row);
    }
  }

  #kindOf(cells: readonly string[], label: string): Below | undefined {
    const filled = cells.reduce((count, cell) => count + (cell === '' ? 0 : 1), 0);
    const isLoose = this.#isAfterBlank || this.#held.length > 0;
    // no summary has a longer name, and the patterns take the square of the length
    const word = label
      .slice(0, 100)
      .replace(/\s*\([^()]*\)$/, '')
      .replace(/\s*[:=]$/, '')
      .toLowerCase();
    if (filled >= 2 && cells.length <= this.width && !this.#labels.has(label.toLowerCase())) {
      const isNamed = summaryWords.has(word) || (isLoose && furtherWords.has(word));
      if (isNamed && cells.some(holdsNumber)) return 'summary';
    }
    const isAlone = filled === 1 && cells[0] === label && this.width >= 3;
    if (isAlone && summaryWords.has(word) && !this.#labels.has(label.toLowerCase())) return 'summary';
    if (this.width < 2 || !/\p{L}{2,}/u.test(label) || holdsNumber(label)) return undefined;
    const isProse = /\s\S+\s/.test(label) || /:/.test(label);
    if (filled === 1 && cells[0] === label) {
      const isShort = cells.length < this.width;
      if (footnoteMark.test(label)) return 'footnote';
      if (isShort && (isLoose || /\s/.test(label))) return 'footnote';
      return this.width >= 3 && (isLoose || isProse) ? 'footnote' : undefined;
    }
    const isWordy = !cells.some(holdsNumber) && cells.length !== this.width;
    return isWordy && (footnoteMark.test(label) || (isLoose && isProse)) ? 'footnote' : undefined;
  }
}

/** Empty cells at the end aside. */
function isSame(a: readonly string[], b: readonly string[]): boolean {
  for (let j = 0; j < Math.max(a.length, b.length); j++) if ((a[j] ?? '') !== (b[j] ?? '')) return false;
  return true;
}

function lineList(lines: readonly number[]): string {
  const shown = lines.slice(0, 4).join(', ');
  const more = lines.length > 4 ? ` and ${lines.length - 4} more` : '';
  return `line${lines.length > 1 ? 's' : ''} ${shown}${more}`;
}
