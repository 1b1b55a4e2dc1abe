/** How a text file separates its cells: by a mark such as a comma, or by runs of spaces. */
import Papa from 'papaparse';
import { MissingTexts } from './cellText.js';
import { holdsNumber } from './numberCell.js';

export const delimiterNames: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
  ' ': 'spaces',
};

const singleDelimiters: readonly string[] = [',', ';', '\t', '|'];

/** Lines from which the delimiter is found. */
const sampleLines = 200;

/** Lines to leave out before the header: comments, blank ones, and the `sep=;` that Excel writes. */
interface Preamble {
  readonly lines: number;
  readonly comments: number;
  /** The last comment, without its mark. */
  readonly comment?: string;
  readonly characters: number;
  readonly delimiter?: string;
}

/**
 * `isEnd`: no more text will follow; otherwise an unfinished last line gives undefined. `skip` lines are left out, whatever
 * they are.
 */
export function readPreamble(text: string, isEnd: boolean, skip = 0): Preamble | undefined {
  let start = 0;
  let lines = 0;
  let comments = 0;
  let comment: string | undefined;
  let delimiter: string | undefined;
  for (;;) {
    const newline = text.indexOf('\n', start);
    if (newline < 0 && !isEnd) return undefined;
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, Math.min(end, start + 1000));
    const separator = /^sep=(.)\s*$/.exec(line);
    if (separator) delimiter = separator[1]!;
    else if (lines < skip && newline >= 0) comment = undefined;
    else if (/^\s*(?:#|%|\/\/)/.test(line)) {
      comments++;
      comment = line.replace(/^\s*(?:#+|%+|\/\/)\s*/, '');
    } else if (line.trim() !== '' || newline < 0)
      return {
        lines,
        comments,
        characters: start,
        ...(comment !== undefined && { comment }),
        ...(delimiter !== undefined && { delimiter }),
      };
    lines++;
    start = end + 1;
  }
}

export function detectQuote(sample: string): string {
  if (sample.includes('"')) return '"';
  const cell = /(?:^|[,;\t|\n])'[^'\n]*'(?=[,;\t|\n]|$)/;
  const opened = sample.match(/(?:^|[,;\t|\n])'/g)?.length ?? 0;
  const closed = sample.match(/'(?=[,;\t|\n]|$)/g)?.length ?? 0;
  return cell.test(sample) && closed >= opened ? "'" : '"';
}

/**
 * The delimiter with which most lines have as many cells as the first; more cells decide a tie. Where that is no clear
 * majority, as below lines of prose: the one with which most lines have one number of cells, whatever the first has.
 * Runs of spaces, where no other mark divides half of the lines.
 */
export function detectDelimiter(sample: string, quote: string): string {
  let best = { delimiter: ',', score: 0, alike: 0 };
  let usual = best;
  for (const delimiter of singleDelimiters) {
    const parser = new Papa.Parser({ delimiter, quoteChar: quote, newline: '\n', preview: sampleLines });
    const rows = (parser.parse(sample, 0, false).data as string[][]).filter(
      (row) => row.length > 1 || row[0]?.trim() !== '',
    );
    const counts = new Map<number, number>();
    for (const { length } of rows) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
    // A header such as "yield, %;cost" has both marks; the lines below tell, and their agreement counts most.
    const rated = (cells: number) => {
      const alike = (counts.get(cells) ?? 0) / rows.length;
      return { delimiter, alike, score: alike * 1e6 + Math.min(cells, 1e5) };
    };
    for (const [cells, count] of counts)
      if (count > 1 && rated(cells).score > usual.score) usual = rated(cells);
    const cells = rows[0]?.length ?? 0;
    if (cells > 1 && rated(cells).score > best.score) best = rated(cells);
  }
  // Aligned columns, one of which follows a tab: every line has a gap of spaces, and more cells by them.
  if (best.delimiter === '\t' && isAligned(sample) && isSpaced(sample, quote, false)) return ' ';
  if (best.alike >= 0.8 || (best.alike >= 0.5 && usual.alike < 0.8)) return best.delimiter;
  if (isSpaced(sample, quote, false)) return ' ';
  if (usual.alike >= 0.5) return isDecimalColumn(sample) ? ';' : usual.delimiter;
  return isSpaced(sample, quote, true) ? ' ' : best.delimiter;
}

function isAligned(sample: string): boolean {
  const lines = sample.split('\n').filter((line) => line.trim() !== '');
  return lines.every((line) => /\S {2,}\S/.test(line));
}

/** One column of numbers with a decimal comma, which then divides no cells. */
function isDecimalColumn(sample: string): boolean {
  const [header = '', ...rows] = sample.split('\n').filter((line) => line.trim() !== '');
  return !header.includes(',') && rows.every((row) => /^\s*[+-]?\d+(?:,\d+)?\s*$/.test(row));
}

/** Cells of one line, separated by runs of spaces as instruments and Fortran write it. A quoted cell may hold spaces, and quotes written twice. */
export function splitSpaced(line: string, quote: string): string[] {
  const q = quote.replace(/[\\^$.*+?()[\]{}|]/, '\\$&');
  const cell = new RegExp(`${q}((?:[^${q}]|${q}${q})*)${q}(?=\\s|$)|\\S+`, 'g');
  const cells = Array.from(line.matchAll(cell), ([whole, inner]) =>
    inner === undefined ? whole : inner.replaceAll(quote + quote, quote),
  );
  return cells.length > 0 ? cells : [''];
}

/** Takes the place of Papa.Parser: whole lines from `input`, and how far they reached. */
export class SpacedParser {
  constructor(private readonly quote: string) {}

  parse(input: string, _: number, ignoreLastRow: boolean) {
    const data: string[][] = [];
    let cursor = 0;
    for (let end = input.indexOf('\n'); end >= 0; end = input.indexOf('\n', cursor)) {
      data.push(splitSpaced(input.slice(cursor, end), this.quote));
      cursor = end + 1;
    }
    if (!ignoreLastRow && cursor < input.length) {
      data.push(splitSpaced(input.slice(cursor), this.quote));
      cursor = input.length;
    }
    return { data, errors: [], meta: { cursor } };
  }
}

/**
 * Whether every line has as many cells as the first, two at least, and below it more than half of the cells are
 * numbers; half are enough where every line has a gap of two spaces, as aligned columns have. Prose, and a single
 * column of texts with spaces ("full name", "sample 1"), have neither. Lines of prose may stand above.
 */
function isSpaced(sample: string, quote: string, mayHaveProse: boolean): boolean {
  const lines = sample
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, sampleLines);
  const split = lines.map((line) => splitSpaced(line, quote));
  const [header, ...rows] = split.slice(mayHaveProse ? proseLines(split) : 0);
  if (!header || header.length < 2 || rows.length === 0) return false;
  if (rows.some((row) => row.length !== header.length)) return false;
  const missing = new MissingTexts();
  const filled = rows.flat().filter((cell) => !missing.has(cell));
  const numbers = filled.filter(holdsNumber).length;
  if (numbers > filled.length / 2) return true;
  return numbers > 0 && numbers >= filled.length / 2 && lines.every((line) => /\S {2,}\S/.test(line));
}

/** Lines of prose above three lines or more that all have as many cells as the last. */
function proseLines(lines: readonly (readonly string[])[]): number {
  const cells = lines.at(-1)?.length ?? 0;
  const first = lines.findLastIndex((line) => line.length !== cells) + 1;
  return first <= 20 && lines.length - first >= 3 ? first : 0;
}
