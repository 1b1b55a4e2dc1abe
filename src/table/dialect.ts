import Papa from 'papaparse';
import { isSpaced } from './spaced.js';

/** How a text file separates its cells. */
export interface Dialect {
  readonly delimiter: string;
  readonly quote: string;
}

export const delimiterNames: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
  ' ': 'spaces',
};

const singleDelimiters: readonly string[] = [',', ';', '\t', '|'];

const sampleLines = 200;

/** Lines to leave out before the header: comments, blank ones, and the `sep=;` that Excel writes. */
export interface Preamble {
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
