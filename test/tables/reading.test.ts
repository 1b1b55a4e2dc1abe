import { describe, expect, it } from 'vitest';
import { parseProblemFile, writeProblemFile } from '../../src/problem/problemFile.js';
import { readTable } from '../../src/table/readTable.js';
import { cellAt, type TableColumn } from '../../src/table/table.js';
import { faultOf, utf8, workbook } from '../table/reading.js';
import { type ExpectedColumn, gallery } from './gallery.js';

function shown(column: TableColumn): ExpectedColumn {
  const { name, kind, unit } = column;
  const decimals = column.kind === 'number' ? column.decimals : undefined;
  return { name, kind, ...(unit !== undefined && { unit }), ...(decimals !== undefined && { decimals }) };
}

describe('tables of strangers', () => {
  it('are many', () => {
    expect(gallery.length).toBeGreaterThanOrEqual(45);
    expect(new Set(gallery.map(({ title }) => title)).size).toBe(gallery.length);
  });

  it.each(gallery)('$title', async (expected) => {
    const table = await readTable(expected.bytes, { name: 'past.csv', ...expected.options });
    const row = (i: number) => table.columns.map((column) => cellAt(column, i));
    const notes = table.notes.filter((note) => !note.startsWith('Cells are separated by'));
    expect({
      columns: table.columns.map(shown),
      rows: table.rows,
      first: row(0),
      last: row(table.rows - 1),
      dialect: table.dialect,
    }).toEqual({
      columns: expected.columns,
      rows: expected.rows,
      first: expected.first,
      last: expected.last,
      dialect: expected.dialect,
    });
    for (const part of expected.notes)
      expect(
        notes.filter((note) => note.includes(part)),
        `${part}\n${notes.join('\n')}`,
      ).toHaveLength(1);
    expect(notes).toHaveLength(expected.noteCount ?? expected.notes.length);
    for (const [name, marks] of Object.entries(expected.censored ?? {})) {
      const column = table.columns.find((other) => other.name === name);
      expect(column?.kind === 'number' && [...column.censored!]).toEqual(marks);
    }
  });
});

describe('tables that cannot be read right are errors that say what to do', () => {
  it.each([
    [
      'two units in a column',
      'v,b\n5 mL,1\n10 µL,2\n',
      3,
      'v',
      /"10 µL" has another unit than "5 mL" \(line 2\).*--text v/,
    ],
    ['a row cut short', 'a,b,c\n1,2,3\n4,5\n6,7,8\n', 3, 'c', /2 cells where the header has 3/],
    [
      'prose inside the table',
      'a,b,c\n1,2,3\nstopped for lunch\n6,7,8\n',
      3,
      'b',
      /1 cell where the header has 3/,
    ],
  ])('%s', async (_, text, line, column, message) => {
    const fault = await faultOf(readTable(utf8(text), { name: 'a.csv' }));
    expect(fault.message).toMatch(message);
    expect(fault.place).toEqual({ file: 'a.csv', line, column });
  });

  it('a problem file that says how to read, and one with a slip', () => {
    const file = (read: string) => `version: 1\ndata: a.csv\nread: ${read}\ngoals: [max y]\n`;
    const parsed = parseProblemFile(
      file('{decimal: ",", skip: 3, missing: [n.d.], unitsRow: false}'),
      'p.yaml',
    );
    expect(parsed.read).toEqual({ decimal: ',', skip: 3, missing: ['n.d.'], unitsRow: false });
    expect(parseProblemFile(writeProblemFile(parsed), 'p.yaml')).toEqual(parsed);
    expect(() => parseProblemFile(file('{skipp: 3}'), 'p.yaml')).toThrow(/unknown key "skipp".*"skip"/);
    expect(() => parseProblemFile(file('{skip: -1}'), 'p.yaml')).toThrow(/expected a whole number of lines/);
  });

  it('a sheet that is not there, with those that are', async () => {
    const bytes = workbook({ Deckblatt: [['x']], Daten: [['x'], [1]] });
    const fault = await faultOf(readTable(bytes, { name: 'w.xlsx', sheet: 'Data' }));
    expect(fault.message).toBe('w.xlsx: the workbook has no sheet "Data"; it has "Deckblatt", "Daten"');
  });
});
