import type { SheetExtent } from './sheetExtent.js';

const none: ReadonlySet<string> = new Set();

/** Cells of one sheet, by name or number from 1, that hold an error. None if the workbook does not tell its part. */
export function errorCells({ errors, index }: SheetExtent, sheet: string | number): ReadonlySet<string> {
  if (errors.size === 0) return none;
  const [path, book] = [...index].find(([name]) => name.endsWith('workbook.xml')) ?? ['', ''];
  const relations = [...index].find(([name]) => name.endsWith('.rels'))?.[1] ?? '';
  const sheets = [...book.matchAll(/<(?:\w+:)?sheet\s([^<>]*)>/g)].map(([, attributes]) => attributes!);
  const found =
    typeof sheet === 'number'
      ? sheets[sheet - 1]
      : sheets.find((attributes) => attribute(attributes, 'name') === sheet);
  const id = attribute(found ?? '', '\\w+:id');
  const relation = [...relations.matchAll(/<(?:\w+:)?Relationship\s([^<>]*)>/g)].find(
    ([, attributes]) => id !== undefined && attribute(attributes!, 'Id') === id,
  );
  const target = attribute(relation?.[1] ?? '', 'Target');
  if (target === undefined) return none;
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return errors.get(target.startsWith('/') ? target.slice(1) : folder + target) ?? none;
}

function attribute(text: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(text);
  const raw = value?.[1] ?? value?.[2];
  return raw
    ?.replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}

/** Number of the column, from 0, and of the row, from 1, of a cell such as B7. */
export function cellPlace(name: string): { readonly column: number; readonly row: number } {
  const letters = /^[A-Z]+/.exec(name)![0];
  let column = 0;
  for (const letter of letters) column = 26 * column + letter.charCodeAt(0) - 64;
  return { column: column - 1, row: Number(name.slice(letters.length)) };
}
