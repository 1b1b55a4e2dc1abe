/** How a text file separates its cells: by a mark such as a comma, or by runs of spaces. */
import Papa from 'papaparse';
import { cellParts, MissingTexts, parseNumber } from './cellText.js';

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
  readonly characters: number;
  readonly delimiter?: string;
}

/** `isEnd`: no more text will follow; otherwise an unfinished last line gives undefined. */
export function readPreamble(text: string, isEnd: boolean): Preamble | undefined {
  let start = 0;
  let lines = 0;
  let comments = 0;
  let delimiter: string | undefined;
  for (;;) {
    const newline = text.indexOf('\n', start);
    if (newline < 0 && !isEnd) return undefined;
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, Math.min(end, start + 1000));
    const separator = /^sep=(.)\s*$/.exec(line);
    if (separator) delimiter = separator[1]!;
    else if (/^\s*(?:#|%|\/\/)/.test(line)) comments++;
    else if (line.trim() !== '' || newline < 0)
      return { lines, comments, characters: start, ...(delimiter !== undefined && { delimiter }) };
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
 * The delimiter with which most lines have as many cells as the first; more cells decide a tie. A delimiter that is
 * not in the first line is none. Runs of spaces, where no other mark divides half of the lines as it divides the first.
 */
export function detectDelimiter(sample: string, quote: string): string {
  let best = ',';
  let bestScore = 0;
  let mostAlike = 0;
  for (const delimiter of singleDelimiters) {
    const parser = new Papa.Parser({ delimiter, quoteChar: quote, newline: '\n', preview: sampleLines });
    const rows = (parser.parse(sample, 0, false).data as string[][]).filter(
      (row) => row.length > 1 || row[0]?.trim() !== '',
    );
    const cells = rows[0]?.length ?? 0;
    if (cells < 2) continue;
    const alike = rows.filter((row) => row.length === cells).length / rows.length;
    mostAlike = Math.max(mostAlike, alike);
    // A header such as "yield, %;cost" has both marks; the lines below tell, and their agreement counts most.
    const score = alike * 1e6 + Math.min(cells, 1e5);
    if (score > bestScore) {
      best = delimiter;
      bestScore = score;
    }
  }
  return mostAlike < 0.5 && isSpaced(sample, quote) ? ' ' : best;
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
 * column of texts with spaces ("full name", "sample 1"), have neither.
 */
function isSpaced(sample: string, quote: string): boolean {
  const lines = sample
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, sampleLines);
  const [header, ...rows] = lines.map((line) => splitSpaced(line, quote));
  if (!header || header.length < 2 || rows.length === 0) return false;
  if (rows.some((row) => row.length !== header.length)) return false;
  const missing = new MissingTexts();
  const filled = rows.flat().filter((cell) => !missing.has(cell));
  const numbers = filled.filter(isNumber).length;
  if (numbers > filled.length / 2) return true;
  return numbers > 0 && numbers >= filled.length / 2 && lines.every((line) => /\S {2,}\S/.test(line));
}

function isNumber(text: string): boolean {
  const { body } = cellParts(text);
  return !Number.isNaN(parseNumber(body, '.')) || !Number.isNaN(parseNumber(body, ','));
}
