import { describe, expect, it } from 'vitest';
import { cells, faultOf, read } from './reading.js';

describe('cells and lines', () => {
  it.each([
    ['commas', 'a,b,c\n1,x,2.5\n3,y,4.5\n'],
    ['semicolons', 'a;b;c\n1;x;2.5\n3;y;4.5\n'],
    ['tabs', 'a\tb\tc\n1\tx\t2.5\n3\ty\t4.5'],
    ['vertical bars', 'a|b|c\n1|x|2.5\n3|y|4.5\n'],
  ])('are separated by %s', async (name, text) => {
    const table = await read(text);
    expect(table.notes).toEqual([`Cells are separated by ${name}.`]);
    expect(table.columns.map((column) => [column.name, column.kind])).toEqual([
      ['a', 'number'],
      ['b', 'text'],
      ['c', 'number'],
    ]);
    expect(['a', 'b', 'c'].map((column) => cells(table, column))).toEqual([
      [1, 3],
      ['x', 'y'],
      [2.5, 4.5],
    ]);
    expect([...table.lines!]).toEqual([2, 3]);
  });

  it('may be one column', async () => {
    const table = await read('yield\n1\n2\n\n3\n');
    expect(cells(table, 'yield')).toEqual([1, 2, 3]);
    expect([...table.lines!]).toEqual([2, 3, 5]);
  });

  it('take the delimiter from sep= or from the option', async () => {
    expect(cells(await read('sep=|\na|b,c\n1|2\n'), 'b,c')).toEqual([2]);
    expect(cells(await read('a:b\n1:2\n', { delimiter: ':' }), 'b')).toEqual([2]);
  });

  it.each([
    ['\n', 'a,b\n1,2\n3,4'],
    ['\r\n', 'a,b\r\n1,2\r\n3,4\r\n'],
    ['\r', 'a,b\r1,2\r3,4\r'],
    ['mixed', 'a,b\r\n1,2\n3,4\r'],
  ])('end with %j', async (_, text) => {
    const table = await read(text);
    expect([cells(table, 'a'), cells(table, 'b')]).toEqual([
      [1, 3],
      [2, 4],
    ]);
    expect([...table.lines!]).toEqual([2, 3]);
  });

  it('keep delimiters, quotes and line ends inside quotes, and count their lines', async () => {
    const table = await read('a,b\n"x, y",1\n"two\r\nlines",2\n"said ""no""", 3\n');
    expect(cells(table, 'a')).toEqual(['x, y', 'two\nlines', 'said "no"']);
    expect([...table.lines!]).toEqual([2, 3, 5]);
  });

  it('find single quotes', async () => {
    const table = await read("a,b\n'x, y',1\n'z',2\n");
    expect(cells(table, 'a')).toEqual(['x, y', 'z']);
    expect(table.notes).toContain("Texts are quoted with '.");
    expect(cells(await read("a,b\n5'-ACG,1\n3'-T,2\n"), 'a')).toEqual(["5'-ACG", "3'-T"]);
  });

  it.each(['#', '%', '//'])('follow comments that begin with %s', async (mark) => {
    const table = await read(`${mark} made by hand\n${mark} a, b, c\n\na,b\n1,2\n`);
    expect(cells(table, 'b')).toEqual([2]);
    expect([...table.lines!]).toEqual([5]);
    expect(table.notes[0]).toBe('2 comment lines before the header skipped.');
  });

  it('leave out rows that say nothing', async () => {
    const table = await read('a,b\n1,2\n,\n3,4\n , \n');
    expect(cells(table, 'a')).toEqual([1, 3]);
    expect(table.notes).toContain('2 rows without any value left out.');
  });

  it('get their names from the option when there is no header', async () => {
    const table = await read('1,2\n3,4\n', { names: ['a', 'b'] });
    expect(cells(table, 'b')).toEqual([2, 4]);
    expect([...table.lines!]).toEqual([1, 2]);
  });
});

describe('numbers', () => {
  it('are read in every plain notation, spaces around them or not', async () => {
    const table = await read('a\n1.5e-3\n -2 \n+3\n.5\n4.\n\u22127\n');
    expect(cells(table, 'a')).toEqual([0.0015, -2, 3, 0.5, 4, -7]);
  });

  it.each([
    ['point, thousands', 'a|b\n1,234.5|x\n12|y\n1,234,567|z\n', [1234.5, 12, 1234567]],
    ['comma, thousands', 'a|b\n1.234,5|x\n12|y\n1.234.567|z\n', [1234.5, 12, 1234567]],
    ['comma', 'a;b\n1,5;x\n0,25;y\n', [1.5, 0.25]],
    ['comma by semicolons alone', 'a;b\n1,234;x\n2,345;y\n', [1.234, 2.345]],
    ['thousands where commas are quoted', 'a,b\n"1,234",x\n"2,345",y\n', [1234, 2345]],
    ['point with three digits', 'a;b\n1.234;x\n2.3;y\n', [1.234, 2.3]],
    ['comma with exponent', 'a;b\n1,5e3;x\n2;y\n', [1500, 2]],
  ])('have a decimal mark: %s', async (_, text, values) => {
    expect(cells(await read(text), 'a')).toEqual(values);
  });

  it('follow the decimal mark of other columns where both are possible, and the option above all', async () => {
    const text = 'a\tb\n1,234\t1,5\n2,345\t2,5\n';
    expect(cells(await read(text), 'a')).toEqual([1.234, 2.345]);
    expect((await read(text)).notes).toContain('Numbers have a decimal comma: 1,5 is one and a half.');
    expect(cells(await read('a|b\n1,234|x\n', { decimal: ',' }), 'a')).toEqual([1.234]);
    expect(cells(await read('a|b\n1,234|x\n', { decimal: '.' }), 'a')).toEqual([1234]);
  });

  it('may be in percent', async () => {
    const table = await read('a,b\n12%,5%\n3.5 %,6\n');
    expect(cells(table, 'a')).toEqual([12, 3.5]);
    expect(cells(table, 'b')).toEqual(['5%', '6']);
    expect(table.notes).toContain('Column "a" is in percent: 12% is read as 12.');
  });

  it('may have one unit, and no two', async () => {
    const table = await read('dose,b,c\n12 mg,3.5mL,5A\n3.50 mg,2 ml,6B\n');
    expect(table.columns[0]).toMatchObject({ unit: 'mg', decimals: 2, values: Float64Array.of(12, 3.5) });
    expect(table.columns[1]).toMatchObject({ unit: 'mL', decimals: 1, values: Float64Array.of(3.5, 2) });
    expect(cells(table, 'c')).toEqual(['5A', '6B']);
    const fault = await faultOf(read('v,b\n5 mL,1\n10 µL,2\n'));
    expect(fault.message).toBe(
      'a.csv:3, column "v": "10 µL" has another unit than "5 mL" (line 2); write the column in one unit, or keep its texts with --text v',
    );
    expect(cells(await read('v,b\n5 mL,1\n10 µL,2\n', { text: ['v'] }), 'v')).toEqual(['5 mL', '10 µL']);
  });

  it('with zeros in front are codes, hexadecimal ones text', async () => {
    const table = await read('a,b\n007,0x1F\n042,0x2F\n');
    expect(cells(table, 'a')).toEqual(['007', '042']);
    expect(cells(table, 'b')).toEqual(['0x1F', '0x2F']);
  });

  it('may be censored', async () => {
    const table = await read('a\n<0.5\n2\n> 100\n\n>=7\n\u22643\n');
    const column = table.columns[0]!;
    expect(cells(table, 'a')).toEqual([0.5, 2, 100, 7, 3]);
    expect(column.kind === 'number' && [...column.censored!]).toEqual([-1, 0, 1, 1, -1]);
    expect((await read('a\n1\n')).columns[0]).not.toHaveProperty('censored');
  });

  it('may be missing', async () => {
    const table = await read('a,b\n1,x\n,y\nNA,NA\nn/a,-\nNaN,\nnull,z\n-,w\n?,?\n');
    expect(cells(table, 'a')).toEqual([1, null, null, null, null, null, null, null]);
    expect(cells(table, 'b')).toEqual(['x', 'y', null, null, null, 'z', 'w', null]);
  });

  it('takes Na for sodium beside other elements, and for a missing cell elsewhere', async () => {
    const table = await read('salt,solvent,y\nNa,water,1\nK,Na,2\nLi,THF,Na\nNA,water,4\n');
    expect(table.columns.map((column) => (column.kind === 'text' ? column.levels : 'numbers'))).toEqual([
      ['K', 'Li', 'Na'],
      ['water', 'THF'],
      'numbers',
    ]);
    expect(table.columns[0]).toMatchObject({ codes: Int32Array.of(2, 0, 1, -1) });
  });

  it('are missing by a list of one’s own', async () => {
    const table = await read('a,b\n1,NA\n-999,x\nn.d.,y\n', { missing: ['-999', 'n.d.'] });
    expect(cells(table, 'a')).toEqual([1, null, null]);
    expect(cells(table, 'b')).toEqual(['NA', 'x', 'y']);
  });

  it('are missing where a run is said to have failed, among few rows too', async () => {
    const table = await read('a,yield\n1,51.2\n2,failed\n3,61\n4,Error\n5,70.4\n');
    expect(cells(table, 'yield')).toEqual([51.2, null, 61, null, 70.4]);
    expect(table.notes.join()).toContain('"failed" (line 3)');
    const texts = await read('a,outcome\n1,failed\n2,passed\n3,failed\n');
    expect(cells(texts, 'outcome')).toEqual(['failed', 'passed', 'failed']);
  });

  it('beside a few texts make a text column, and the note names the line', async () => {
    const rows = Array.from({ length: 20 }, (_, i) => (i === 7 ? 'leak' : `${i}.50`));
    const table = await read(`a\n${rows.join('\n')}\n`);
    expect(cells(table, 'a')).toEqual(rows);
    expect(table.notes.at(-1)).toBe(
      'Column "a" is text because of "leak" (line 9); 19 of 20 cells looked at are numbers. ' +
        'If that text means a missing value, give --missing leak.',
    );
  });

  it('beside a stray text among more than twenty are numbers, and the note names the line', async () => {
    const rows = Array.from({ length: 21 }, (_, i) => (i === 7 ? 'leak' : `${i}.50`));
    const table = await read(`a\n${rows.join('\n')}\n`);
    expect(cells(table, 'a')[7]).toBeNull();
    expect(cells(table, 'a')[8]).toBe(8.5);
    expect(table.notes.at(-1)).toBe(
      'Column "a": "leak" (line 9) is no number and read as missing; --missing leak says the same, --text a keeps the texts.',
    );
  });

  it('beside a text far down are read again, as numbers or as they were written', async () => {
    const rows = Array.from({ length: 6000 }, (_, i) => (i === 5000 ? 'leak' : `${i}.50`));
    const table = await read(`a,b\n${rows.map((cell) => `${cell},1`).join('\n')}\n`);
    expect(cells(table, 'a')).toEqual(rows.map((cell) => (cell === 'leak' ? null : Number(cell))));
    expect(table.notes.at(-1)).toMatch(/"leak" \(line 5002\) is no number and read as missing/);
    const many = rows.map((cell, i) => (i >= 5000 && i % 2 === 0 ? 'leak' : cell));
    const texts = await read(`a,b\n${many.map((cell) => `${cell},1`).join('\n')}\n`);
    expect(cells(texts, 'a')).toEqual(many);
    expect(texts.notes.at(-1)).toMatch(/"leak" \(line 5002\); 5500 of 6000 cells/);
  });

  it('stay text where the caller says so', async () => {
    expect(cells(await read('a\n1.50\n2\n', { text: ['a'] }), 'a')).toEqual(['1.50', '2']);
  });
});

describe('faults', () => {
  it.each([
    ['too few cells', 'a,b,c\n1,2,3\n4,5\n', 3, 'c', /2 cells where the header has 3/],
    ['too many cells', 'a,b\n1,2\n3,4,5\n', 3, 'b', /3 cells where the header has 2/],
    ['a ragged line below a quoted one', 'a,b\n"x\ny",2\n3\n', 4, 'b', /1 cell where/],
    ['an unclosed quote', 'a,b\n1,2\n"x,3\n4,5\n', 3, undefined, /never closed/],
    ['text after a closing quote', 'a,b\n"x"y,3\n"z",1\n', 2, undefined, /after its closing quote/],
    ['two columns of one name', '# c\na,b,a\n1,2,3\n', 2, 'a', /columns 1 and 3 have the same name "a"/],
    ['a column without name', 'a,,c\n1,2,3\n', 1, undefined, /column 2 of 3 has no name/],
    ['an infinity', 'a,b\n1,2\n3,-inf\n', 3, 'b', /"-inf" is not a finite number/],
    ['a number beyond doubles', 'a\n1\n1e999\n', 3, 'a', /"1e999" is beyond the largest number/],
    ['a zero byte', 'a,b\n1,2\n\0,4\n', 3, undefined, /no text has/],
    ['no rows', 'a,b\n', undefined, undefined, /no row of data/],
    ['nothing', '', undefined, undefined, /is empty/],
    ['nothing but spaces', ' \n\n', undefined, undefined, /is empty/],
    ['nothing but comments', '# a\n# b\n', undefined, undefined, /nothing but comments/],
    [
      'a line without end',
      `a,b\n1,2\n${'x'.repeat(5e6)}`,
      3,
      undefined,
      /row of more than 4000000 characters/,
    ],
    ['a PDF', '%PDF-1.7\nxyz', undefined, undefined, /is a PDF/],
  ])('tell of %s where it is', async (_, text, line, column, message) => {
    const fault = await faultOf(read(text));
    expect(fault.message).toMatch(message);
    expect(fault.message.startsWith(line === undefined ? 'a.csv: ' : `a.csv:${line}`)).toBe(true);
    expect(fault.place).toEqual({ file: 'a.csv', ...(line && { line }), ...(column && { column }) });
    expect(fault.message).not.toContain('\n');
  });

  it('tell of an infinity below the sample', async () => {
    const rows = Array.from({ length: 4000 }, (_, i) => (i === 3000 ? 'Infinity' : i));
    const fault = await faultOf(read(`a\n${rows.join('\n')}\n`));
    expect(fault.place).toEqual({ file: 'a.csv', line: 3002, column: 'a' });
    const table = await read(`a\n${rows.join('\n')}\n`, { missing: ['infinity'] });
    expect(cells(table, 'a')[3000]).toBeNull();
  });

  it('of an option name the option', async () => {
    await expect(read('a\n1\n', { delimiter: '::' })).rejects.toThrow(/^delimiter is one character/);
    await expect(read('a\n1\n', { decimal: '·' as '.' })).rejects.toThrow(/^decimal is/);
    await expect(read('a\n1\n', { maxBytes: 0 })).rejects.toThrow(/^maxBytes is/);
  });
});

describe('columns without a name', () => {
  it('are the number of the row if they are the first', async () => {
    const table = await read(',a,b\n1,2,3\n2,5,6\n');
    expect(table.columns.map(({ name }) => name)).toEqual(['row', 'a', 'b']);
    expect(cells(table, 'row')).toEqual([1, 2]);
    expect(table.notes).toContain(
      'The first column has no name, as where programs write the number of the row; it is called "row".',
    );
  });

  it('get a name that is not taken', async () => {
    const table = await read('"",row,row_1\nx,2,3\n');
    expect(table.columns.map(({ name }) => name)).toEqual(['row_2', 'row', 'row_1']);
  });

  it('are left out where they have no value either', async () => {
    const table = await read('a,,b,\n1,,2,\n3,NA,4,\n');
    expect(table.columns.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(cells(table, 'b')).toEqual([2, 4]);
    expect(table.notes).toEqual([
      'Cells are separated by commas.',
      'Column 2 has neither a name nor a value, and is left out.',
      'Column 4 has neither a name nor a value, and is left out.',
    ]);
  });

  it('are an error as soon as they have one', async () => {
    const error = await faultOf(read(`a,,b\n${'1,,2\n'.repeat(3000)}3,x,4\n`));
    expect(error.message).toBe(
      'a.csv:1: column 2 of 3 has no name; write one into the header, or delete the column',
    );
    expect((await faultOf(read('a,b,\n1,2,\n3\n'))).message).toMatch(/^a\.csv:3, column "b": 1 cell where/);
  });
});
