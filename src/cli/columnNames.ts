/** Lists of column names as they are typed after an option. */
import { ArgumentError } from '../numeric/errors.js';
import { listedNames, shown, suggestion } from '../problem/tokens.js';

/** `name` if a column is called so; `flag` is what to call the option in the error. */
export function requireColumn(name: string, columns: readonly string[], flag: string): string {
  if (columns.includes(name)) return name;
  throw new ArgumentError(flag, `${flag}: no column is called ${shown(name)}${suggestion(name, columns)}`);
}

/** Commas separate names; a name with a comma stands in double quotes. Each has to be a column. */
export function splitNames(text: string, columns: readonly string[], flag: string): string[] {
  if (columns.includes(text)) return [text];
  const names = listedNames(text);
  if (names.length === 0)
    throw new ArgumentError(flag, `${flag} needs the name of a column, or several with commas between them`);
  return names.map((name) => requireColumn(name, columns, flag));
}

/** `name=value`, where the name may hold a "=" itself if a column is called so. */
export function splitAssignment(
  text: string,
  columns: readonly string[],
  flag: string,
  example: string,
): { readonly column: string; readonly value: string } {
  // no column has more of them in its name; each costs time in proportion to the text
  const places = [...text.matchAll(/=/g)].slice(0, 100).map(({ index }) => index);
  const unquoted = (name: string) => (/^".*"$/.test(name) ? name.slice(1, -1).replaceAll('""', '"') : name);
  const parts = places.map((at) => ({
    column: unquoted(text.slice(0, at).trim()),
    value: text.slice(at + 1).trim(),
  }));
  const [first] = parts;
  if (!first || first.column === '' || first.value === '')
    throw new ArgumentError(
      flag,
      `${flag} ${shown(text)}: expected a column and a value, such as ${example}`,
    );
  const fitting = parts.find(({ column, value }) => columns.includes(column) && value !== '');
  if (fitting) return fitting;
  requireColumn(first.column, columns, flag);
  return first;
}
