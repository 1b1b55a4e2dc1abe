/** Texts in files that people open in a spreadsheet, which would run some of them as formulas. */

/** What begins so may be run as a formula; apostrophes in front only count those put there by us. */
const formula = /^'*[=+\-@\t\r]/;
const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

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
