import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stateProblem } from '../../src/problem/index.js';
import { appendRows, cellAt, neutralise, readTable, type Table, TableError } from '../../src/table/index.js';

const read = (text: string, name = 'past.csv', columns: string[] = []) =>
  readTable(new TextEncoder().encode(text), { name, text: columns });

function cells({ columns }: Table, name: string): (number | string | null)[] {
  const column = columns.find((own) => own.name === name)!;
  const rows = column.kind === 'text' ? column.codes.length : column.values.length;
  return Array.from({ length: rows }, (_, row) => cellAt(column, row));
}

describe('rows added below a table', () => {
  it('find their columns by name; others are left out, absent ones are empty', async () => {
    const past = await read('temp,line,operator,yield\n20,A,Kim,3.5\n30,B,Lee,4.5\n');
    const added = await read('yield,line,temp,expected\n5.5,C,40,5.1\n,A,50,5.2\n', 'new.csv');
    const both = appendRows(past, added);
    expect([both.rows, both.name]).toEqual([4, 'past.csv']);
    expect(both.columns.map(({ name }) => name)).toEqual(['temp', 'line', 'operator', 'yield']);
    expect(cells(both, 'temp')).toEqual([20, 30, 40, 50]);
    expect(cells(both, 'line')).toEqual(['A', 'B', 'C', 'A']);
    expect(cells(both, 'operator')).toEqual(['Kim', 'Lee', null, null]);
    expect(cells(both, 'yield')).toEqual([3.5, 4.5, 5.5, null]);
    expect(both.notes.at(-1)).toBe('2 rows of new.csv are added below those of past.csv');
    expect(both.lines).toBeUndefined();
  });

  it('keep what is only known to be above or below a value', async () => {
    const past = await read('x,y\n1,<2\n2,3\n');
    const both = appendRows(past, await read('x,y\n3,4\n', 'new.csv'));
    expect(both.columns[1]).toMatchObject({
      values: Float64Array.of(2, 3, 4),
      censored: Int8Array.of(-1, 0, 0),
    });
    const later = appendRows(await read('x,y\n3,4\n'), past);
    expect(later.columns[1]).toMatchObject({ censored: Int8Array.of(0, -1, 0) });
    expect(later.notes.at(-1)).toBe('2 rows of past.csv are added below those of past.csv');
  });

  it('match texts and names that were made safe for spreadsheets with what they came from', async () => {
    const past = await read('-rate,-log p,y\n=A,1,2\n+B,2,3\nC,3,4\n');
    const both = appendRows(past, await read(`'-rate,'-log p,y\n"'+B",5,\n"'=A",6,\n"'@D",7,\n`, 'new.csv'));
    expect(cells(both, '-rate')).toEqual(['=A', '+B', 'C', '+B', '=A', "'@D"]);
    expect(cells(both, '-log p')).toEqual([1, 2, 3, 5, 6, 7]);
  });

  it('bring every level back, whatever it begins with', async () => {
    const level = fc.stringMatching(/^[=+@a-c-]{1,5}$/);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(level, { minLength: 2, maxLength: 8 }), async (levels) => {
        const rows = levels.map((text) => ({ text, y: 1 }));
        const safe = levels.map((text) => ({ text: neutralise(text), y: 1 }));
        const both = appendRows(
          await readTable(rows, { text: ['text'], missing: [] }),
          await readTable(safe, { text: ['text'], missing: [] }),
        );
        expect(cells(both, 'text')).toEqual([...levels, ...levels]);
      }),
    );
  });

  it('stay unused while their goal is empty, and the problem says so', async () => {
    const lines = Array.from({ length: 12 }, (_, i) => `${i},${'AB'[i % 2]},${i * i}`);
    const past = await read(['x,line,y', ...lines].join('\n'));
    const both = appendRows(past, await read('x,line,y,trust\n20,A,,Guess\n21,B,400,Guess\n', 'new.csv'));
    const made = stateProblem(both, { goals: ['max y'] });
    expect(made.data.y).toHaveLength(13);
    expect(made.rows.flat()).not.toContain(12);
    expect(made.rows.flat()).toContain(13);
    expect(made.notes.join('\n')).toMatch(/1 .*row/);
  });

  it.each([
    ['x,y\nhot,3\n', 'new.csv: "x" holds text, and in past.csv it holds numbers; correct one of them'],
    ['a,b\n1,2\n', 'new.csv has no column of past.csv; its rows cannot be added'],
  ])('are refused where they do not fit: %j', async (text, message) => {
    const past = await read('x,y\n1,2\n');
    const added = await read(text, 'new.csv');
    expect(() => appendRows(past, added)).toThrow(TableError);
    expect(() => appendRows(past, added)).toThrow(message);
  });
});
