/** Text whose cells are separated by runs of spaces, as instruments and Fortran write it. */
import { MissingTexts } from './missing.js';
import { cellParts, parseNumber } from './numberText.js';

const sampleLines = 200;

/** Cells of one line. A quoted cell may hold spaces, and quotes written twice. */
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
export function isSpaced(sample: string, quote: string): boolean {
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
