import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitSpaced } from '../../src/table/dialect.js';
import { readTable } from '../../src/table/readTable.js';
import { cells, faultOf, read, utf8 } from './reading.js';

const names = ({ columns }: { columns: readonly { name: string }[] }) => columns.map(({ name }) => name);

describe('cells divided by runs of spaces', () => {
  it('are read, whatever the runs, with quoted texts', async () => {
    const table = await read(
      'freq   angle  "chord length"   kind\n 800  0.0 0.3048 "plain air"\n1000\t 1.5   NA   wet  \n\n1250 2 0.1 "say ""x"""\n',
    );
    expect(names(table)).toEqual(['freq', 'angle', 'chord length', 'kind']);
    expect(cells(table, 'freq')).toEqual([800, 1000, 1250]);
    expect(cells(table, 'chord length')).toEqual([0.3048, null, 0.1]);
    expect(cells(table, 'kind')).toEqual(['plain air', 'wet', 'say "x"']);
    expect([...table.lines!]).toEqual([2, 3, 5]);
    expect(table.notes[0]).toBe('Cells are separated by spaces.');
  });

  it('may have aligned columns half of which are texts, decimal commas, and no header', async () => {
    expect(names(await read('name   value\nred      1.5\nblue    20\n'))).toEqual(['name', 'value']);
    expect(cells(await read('a b\n1,5 2,25\n3 4\n'), 'b')).toEqual([2.25, 4]);
    const table = await read('800 0 0.3\n1000 0 0.4\n', { names: ['f', 'a', 'c'] });
    expect(cells(table, 'c')).toEqual([0.3, 0.4]);
  });

  it('are read in pieces as in one', async () => {
    const text = `a  b c\n${Array.from({ length: 3000 }, (_, i) => ` ${i}   ${i / 4} "x y"\n`).join('')}`;
    async function* pieces() {
      for (let at = 0; at < text.length; at += 1000) yield utf8(text.slice(at, at + 1000));
    }
    const table = await readTable(pieces(), { name: 'a.csv' });
    expect(table).toEqual(await read(text));
    expect(table.rows).toBe(3000);
    expect(cells(table, 'b').at(-1)).toBe(2999 / 4);
  });

  it('that are ragged are told by line', async () => {
    const rows = '1 2\n'.repeat(300);
    const error = await faultOf(read(`a b\n${rows}3\n`));
    expect(error.message).toMatch(/^a\.csv:302, column "b": 1 cell where the header has 2/);
  });

  it('are taken so where the reader says', async () => {
    expect(cells(await read('x y\nred car\nblue bus\n', { delimiter: ' ' }), 'y')).toEqual(['car', 'bus']);
  });

  it('come back as they were written', () => {
    const text = fc.string({ minLength: 1 }).filter((own) => !/[\r\n]/.test(own));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), fc.nat(4), (texts, gap) => {
        const line = texts.map((own) => `"${own.replaceAll('"', '""')}"`).join(' '.repeat(gap + 1));
        expect(splitSpaced(line, '"')).toEqual(texts);
      }),
    );
  });
});

describe('ordinary texts are no columns divided by spaces', () => {
  it.each([
    ['a column of names', 'full name\nJohn Smith\nJane Doe\n'],
    ['a column of counted words', 'sample name\nrun 1\nrun 2\nrun 3\n'],
    ['a column of times', 'time stamp\n2024-01-01 10:00\n2024-01-02 11:00\n'],
    ['a column of amounts', 'flow rate\n12 mg\n13 mg\n'],
    ['prose', 'It was the best\nof times it was\nthe worst of times\n'],
    ['prose with numbers', 'We ran 3 tests\non 12 May at\nnoon with 4 people\n'],
    ['a column of numbers', 'yield\n1\n2\n'],
  ])('%s', async (_, text) => {
    const table = await read(text);
    expect(table.columns).toHaveLength(1);
    expect(table.notes[0]).toBe('Cells are separated by commas.');
  });

  it('nor are files with another delimiter', async () => {
    expect(names(await read('flow rate,max temp\n1 2,3 4\n5 6,7 8\n'))).toEqual(['flow rate', 'max temp']);
    expect(names(await read('a ;b \n1 ;2 \n3 ;4 \n'))).toEqual(['a', 'b']);
    expect(names(await read('a b\tc d\n1 2\t3 4\n'))).toEqual(['a b', 'c d']);
  });
});
