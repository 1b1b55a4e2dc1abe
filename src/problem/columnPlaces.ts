// Where the columns of a table lie among the numbers of a design.

import { ArgumentError } from '../numeric/errors.js';
import type { DesignColumn } from './buildSpace.js';
import { shown, suggestion } from './tokens.js';

export function refuse(label: string, message: string): never {
  throw new ArgumentError('constraints', `constraint ${shown(label)}: ${message}`);
}

/** Numbers of the space that a column takes: a sequence one per position, a molecule one per bit, others one. */
export function width(column: DesignColumn): number {
  if (column.kind === 'molecule') return column.prints[0]!.length;
  return column.kind === 'sequence' ? column.length : 1;
}

/** Columns by name, with the place of their first number in a design. */
export class Places {
  private readonly places = new Map<string, { column: DesignColumn; start: number }>();

  constructor(columns: readonly DesignColumn[]) {
    let start = 0;
    for (const column of columns) {
      if (this.places.has(column.name))
        throw new ArgumentError('columns', `two columns are called ${shown(column.name)}`);
      this.places.set(column.name, { column, start });
      start += width(column);
    }
  }

  find(name: string, label: string): { column: DesignColumn; start: number } {
    const place = this.places.get(name);
    if (place) return place;
    return refuse(label, `no column is called ${shown(name)}${suggestion(name, [...this.places.keys()])}`);
  }

  number(name: string, label: string): number {
    const { column, start } = this.find(name, label);
    if (column.kind === 'number' || column.kind === 'integer') return start;
    return refuse(label, `${shown(name)} is a ${column.kind}; expected a column of numbers`);
  }

  category(name: string, label: string): { start: number; levels: readonly string[] } {
    const { column, start } = this.find(name, label);
    if (column.kind === 'category') return { start, levels: column.levels };
    const isText = column.kind === 'sequence' || column.kind === 'molecule';
    const what = isText ? column.kind : 'column of numbers';
    return refuse(label, `${shown(name)} is a ${what}; only categories can be combined this way`);
  }
}
