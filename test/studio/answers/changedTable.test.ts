// Cells that are written over: the rest of the table is as it was.
import { describe, expect, it } from 'vitest';
import { changedName, changedTable } from '../../../src/studio/answers/changedTable.js';
import { tableRows } from '../../../src/studio/answers/index.js';
import { readTable } from '../../../src/table/readTable.js';

const csv = 'solvent,temp,yield\nethanol,20,<5\nwater,30,7\nethanol,40,9\n';
const read = () => readTable(new TextEncoder().encode(csv), { name: 'reactor.csv' });

describe('a changed table', () => {
  it('has the new cells, and its rows where they were', async () => {
    const table = await read();
    const changed = changedTable(table, [
      { row: 0, column: 2, value: 4 },
      { row: 1, column: 2, value: null },
      { row: 2, column: 0, value: 'toluene' },
      { row: 0, column: 0, value: null },
    ]);
    expect(tableRows(changed, 0, 10).rows).toEqual([
      [null, 20, 4],
      ['water', 30, null],
      ['toluene', 40, 9],
    ]);
    expect(tableRows(table, 0, 1).rows).toEqual([['ethanol', 20, '<5']]);
    expect(changed.name).toBe('reactor (changed).csv');
    expect(changed.notes.at(-1)).toBe('4 cells were changed in the studio');
    const again = changedTable(changed, [{ row: 0, column: 1, value: 21 }]);
    expect(again.notes.filter((note) => note.endsWith('in the studio'))).toEqual([
      '5 cells were changed in the studio',
    ]);
  });

  it('refuses a text among numbers, and cells that are not there', async () => {
    const table = await read();
    expect(() => changedTable(table, [{ row: 0, column: 1, value: 'warm' }])).toThrow(
      '"temp" holds numbers, and "warm" is none',
    );
    expect(() => changedTable(table, [{ row: 3, column: 1, value: 1 }])).toThrow('the table has no row 4');
    expect(() => changedTable(table, [{ row: 0, column: 3, value: 1 }])).toThrow('the table has no column 4');
  });

  it('has a name of its own, once', () => {
    expect(changedName('a.b.xlsx')).toBe('a.b (changed).csv');
    expect(changedName('pasted cells')).toBe('pasted cells (changed).csv');
    expect(changedName(changedName('a.csv'))).toBe('a (changed).csv');
  });

  it('has other units, which natural limits follow', async () => {
    const table = await read();
    const changed = changedTable(table, [
      { column: 2, unit: '%' },
      { column: 1, unit: 'K' },
    ]);
    expect(changed.columns.map(({ unit }) => unit)).toEqual([undefined, 'K', '%']);
    expect(changed.notes.slice(-2)).toEqual([
      'the unit of yield was set in the studio: %',
      'the unit of temp was set in the studio: K',
    ]);
    const again = changedTable(changed, [{ column: 1, unit: null }]);
    expect(again.columns[1]).not.toHaveProperty('unit');
    expect(again.notes.filter((note) => note.startsWith('the unit of temp'))).toEqual([
      'the unit of temp was set in the studio: none',
    ]);
    expect(() => changedTable(table, [{ column: 3, unit: 'K' }])).toThrow('no column 4');
    expect(() => changedTable(table, [{ column: 1, unit: '<b>12</b>' }])).toThrow('is no unit');
  });
});
