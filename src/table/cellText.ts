/** Texts of cells: numbers as people write them, missing values, and texts that a spreadsheet would run as formulas. */

export type DecimalMark = '.' | ',';

const numberWith: Readonly<Record<DecimalMark, { readonly plain: RegExp; readonly grouped: RegExp }>> = {
  '.': {
    plain: /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/,
    grouped: /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/,
  },
  ',': {
    plain: /^[+-]?(?:\d+(?:,\d*)?|,\d+)(?:[eE][+-]?\d+)?$/,
    grouped: /^[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d*)?$/,
  },
};

/** 1 234,5 and 1'234.5: what stands between thousands is no decimal mark. */
const spacedGroups = /^[+-]?\d{1,3}(?:['’ \u00a0\u2009\u202f]\d{3})+(?:[.,]\d*)?$/;

/** NaN if `text` is no number with this decimal mark; infinite if it is too large for a double. */
export function parseNumber(text: string, decimal: DecimalMark): number {
  const { plain, grouped } = numberWith[decimal];
  const signed = text.startsWith('\u2212') ? '-' + text.slice(1) : text;
  const ascii = spacedGroups.test(signed) ? signed.replaceAll(/['’ \u00a0\u2009\u202f]/g, '') : signed;
  if (decimal === '.') {
    if (plain.test(ascii)) return Number(ascii);
    return grouped.test(ascii) ? Number(ascii.replaceAll(',', '')) : Number.NaN;
  }
  if (plain.test(ascii)) return Number(ascii.replace(',', '.'));
  return grouped.test(ascii) ? Number(ascii.replaceAll('.', '').replace(',', '.')) : Number.NaN;
}

/**
 * The number of a cell in plain notation (-12.5e-3), NaN for everything that needs a closer look: spaces in front,
 * signs, thousands, missing values. `Number` would also take 0x1F, 0b1, 0o7, Infinity and the empty text.
 */
export function quickNumber(text: string): number {
  const first = text.charCodeAt(0);
  if (!(first >= 45 && first <= 57) || first === 47) return Number.NaN; // - . 0 ... 9
  const second = text.charCodeAt(1);
  if (second > 57 && second !== 69 && second !== 101) return Number.NaN; // only e and E may follow a first digit
  const value = Number(text);
  return Number.isFinite(value) ? value : Number.NaN;
}

/** Digits behind the decimal mark of a number, 3 for "0.150"; NaN where an exponent moves the mark. */
export function writtenDecimals(text: string, decimal: DecimalMark): number {
  const mark = decimal.charCodeAt(0);
  let end = text.length - 1;
  while (text.charCodeAt(end) <= 32) end--;
  // from behind: one look at each digit, where searching for mark and exponent would take three
  for (let at = end; at >= 0; at--) {
    const code = text.charCodeAt(at);
    if (code === mark) return end - at;
    if (code === 69 || code === 101) return Number.NaN; // E e
  }
  return 0;
}

export function isInfinityText(text: string): boolean {
  return /^[+-]?(?:inf|infinity|\u221e)$/i.test(text);
}

/** Texts that stand for a missing cell unless `missing` says otherwise; case does not matter. */
export const defaultMissing: readonly string[] = ['', 'NA', 'N/A', 'NaN', 'null', '-', '?'];

export class MissingTexts {
  readonly #texts: ReadonlySet<string>;
  /** Some of them read as numbers (-999), so that no number may be taken without looking here first. */
  readonly hasNumbers: boolean;

  constructor(texts: readonly string[] = defaultMissing) {
    this.#texts = new Set(['', ...texts.map((text) => text.trim().toLowerCase())]);
    this.hasNumbers = texts.some((text) => text.trim() !== '' && !Number.isNaN(Number(text)));
  }

  /** `text` has no spaces around it. */
  has(text: string): boolean {
    return text === '' || this.#texts.has(text) || this.#texts.has(text.toLowerCase());
  }
}

/** What begins so may be run as a formula; apostrophes in front only count those put there by us. */
const formula = /^'*[=+\-@\t\r]/;
const plainNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** A text that no spreadsheet takes for a formula: an apostrophe is put in front of one that could be. */
export function neutralise(text: string): string {
  return formula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}

/** The text before it was neutralised. */
export function withoutApostrophe(text: string): string {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text;
}

/** The place in `known` of a text that may have been neutralised; -1 where there is none. */
export function knownPlace(known: readonly string[], text: string): number {
  const place = known.indexOf(text);
  return place >= 0 ? place : known.indexOf(withoutApostrophe(text));
}

/** Finds a column by its name, which may have been neutralised. */
export function columnCalled<Column extends { readonly name: string }>(
  columns: readonly Column[],
  name: string,
): Column | undefined {
  return (
    columns.find((column) => column.name === name) ??
    columns.find((column) => withoutApostrophe(column.name) === name)
  );
}
