/**
 * What a run promised of rows that were measured later. The rows come back in `candidates.csv`, with the goals filled in
 * and the predictions beside them; the columns of predictions are no columns of the table, and are kept here.
 */
import { columnCalled } from './cellText.js';
import { cellAt, type Table } from './table.js';

/** A prediction as a file has it. */
export interface WrittenForecast {
  readonly expected: number;
  readonly lo80: number;
  readonly hi80: number;
}

/** What was promised of one row. */
export interface WrittenPromise extends WrittenForecast {
  /** Row of the table, counted from 0. */
  readonly row: number;
  readonly trust?: string;
  /** What the promise is about, such as "max yield"; absent in files that do not say it. */
  readonly goal?: string;
  /** Each of several goals by itself, by column. */
  readonly goals?: Readonly<Record<string, WrittenForecast>>;
}

/** Rows of one file that were proposed by a run. */
export interface Round {
  readonly file: string;
  /** Its first row in the table, counted from 0. */
  readonly from: number;
  readonly promises: readonly WrittenPromise[];
}

/** The name of a column of predictions in a table that may have columns of that name itself. */
export function freeName(name: string, taken: { has(name: string): boolean }): string {
  let free = name;
  while (taken.has(free)) free = `nemokit_${free}`;
  return free;
}

/** The round that the rows of `added` are, below those of `table`; undefined where nothing was promised of them. */
export function roundOf(table: Table, added: Table): Round | undefined {
  const own = new Set(table.columns.map(({ name }) => name));
  /** The last of those that `freeName` may have given: others may be columns of a list. */
  const reading = (name: string) => {
    let found = own.has(name) ? undefined : columnCalled(added.columns, name);
    for (let next = `nemokit_${name}`; ; next = `nemokit_${next}`) {
      const column = columnCalled(added.columns, next);
      if (!column && !own.has(next)) return found;
      if (column && !own.has(next)) found = column;
    }
  };
  const forecasts = (prefix: string) => {
    const columns = ['expected', 'lo80', 'hi80'].map((name) => reading(`${prefix}${name}`));
    return (row: number): WrittenForecast | undefined => {
      const [expected, lo80, hi80] = columns.map((column) => column && cellAt(column, row));
      return typeof expected === 'number' && typeof lo80 === 'number' && typeof hi80 === 'number'
        ? { expected, lo80, hi80 }
        : undefined;
    };
  };
  const whole = forecasts('');
  const [trust, goal] = ['trust', 'goal'].map(reading);
  const single = table.columns.map(({ name }) => [name, forecasts(`${name}_`)] as const);
  const promises: WrittenPromise[] = [];
  for (let row = 0; row < added.rows; row++) {
    const forecast = whole(row);
    if (!forecast) continue;
    const goals = single.flatMap(([name, read]) => {
      const one = read(row);
      return one ? [[name, one] as const] : [];
    });
    const [label, about] = [trust, goal].map((column) => column && cellAt(column, row));
    promises.push({
      row: table.rows + row,
      ...forecast,
      ...(typeof label === 'string' && { trust: label }),
      ...(typeof about === 'string' && { goal: about }),
      ...(goals.length > 0 && { goals: Object.fromEntries(goals) }),
    });
  }
  return promises.length === 0 ? undefined : { file: added.name, from: table.rows, promises };
}
