import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stateProblem } from '../../src/problem/stateProblem.js';
import { toDataset, toDesigns } from '../../src/problem/toDataset.js';
import { readTable } from '../../src/table/readTable.js';
import { TableError } from '../../src/table/table.js';
import { read } from '../table/reading.js';

const past = await read(
  `temp,catalyst,guide,yield
20,A,ACGT,1
30,B,ACGA,2
,A,TCGA,3
50,C,GCTA,>4
25,A,ACCA,5
35,B,TTGA,
`,
  { name: 'past.csv' },
);
const made = stateProblem(past, { goals: ['max yield'] });

/** The fault of turning a table into designs. */
async function refused(text: string): Promise<TableError> {
  const table = await read(text, { name: 'new.csv' });
  try {
    toDesigns(made, table);
  } catch (error) {
    if (error instanceof TableError) return error;
    throw error;
  }
  throw new Error('nothing was wrong');
}

describe('rows of another table as designs', () => {
  it('finds columns by name, fills what is empty, and lets values lie outside the bounds', async () => {
    const table = await read('note,guide,catalyst,temp\nx,ACGT,C,500\ny,TTTT,A,\n', { name: 'new.csv' });
    const { x, rows, notes } = toDesigns(made, table);
    const letters = (text: string) => [...text].map((letter) => 'ACGT'.indexOf(letter));
    // temp, temp (missing), catalyst, guide; 28 is the median 27.5 of 20, 30, 50, 25, rounded
    expect([...x]).toEqual([500, 0, 2, ...letters('ACGT'), 28, 1, 0, ...letters('TTTT')]);
    expect(rows).toEqual([0, 1]);
    expect(notes).toEqual(['"temp" has no value in 1 row: 28 is put there, and the model is told where']);
  });

  it('knows names and levels that were made safe for spreadsheets', async () => {
    const own = stateProblem(await read('-p,x,y\n=A,1,1\n+B,2,2\n=A,3,3\n'), { goals: ['max y'] });
    const table = await read(`'-p,x\n"'+B",5\n=A,6\n`, { name: 'new.csv' });
    expect([...toDesigns(own, table).x]).toEqual([1, 5, 0, 6]);
    const odd = await read(`-p,x\n"'=C",5\n`, { name: 'new.csv' });
    expect(() => toDesigns(own, odd)).toThrow('new.csv:2, column "-p": "=C" is no level');
  });

  it('knows the level 1.0 where a table reads 1', async () => {
    const mixed = await read('grade,y\n1.0,1\nB,2\n1.0,3\nB,4\n');
    const other = await read('grade\n1\n1\n');
    expect([...toDesigns(stateProblem(mixed, { goals: ['max y'] }), other).x]).toEqual([0, 0]);
  });

  it.each([
    [
      'catalyst,guide\nA,ACGT\n',
      'new.csv: has no column "temp", which every design sets; there are "catalyst", "guide"',
      undefined,
    ],
    [
      'temp,catalist,guide\n1,A,ACGT\n',
      'new.csv: has no column "catalyst", which every design sets; did you mean "catalist"?',
      undefined,
    ],
    [
      'temp,catalyst,guide\n20,A,ACGT\n20,D,ACGT\n',
      'new.csv:3, column "catalyst": "D" is no level that the problem knows; there are "A", "B", "C"; correct it, or leave the row out',
      3,
    ],
    [
      'temp,catalyst,guide\n20,A,ACGN\n',
      'new.csv:2, column "guide": "ACGN" has the letter "N", which the problem does not know; letters are ACGT; correct it, or leave the row out',
      2,
    ],
    [
      'temp,catalyst,guide\n20,A,ACG\n',
      'new.csv:2, column "guide": "ACG" has 3 letters where the problem has 4; correct it, or leave the row out',
      2,
    ],
    [
      'temp,catalyst,guide\n20,A,ACGT\nwarm,A,ACGT\n',
      'new.csv:3, column "temp": "warm" is text in a column of numbers; correct it, or list it as `missing` when reading',
      3,
    ],
    [
      'temp,catalyst,guide\n20,A,ACGT\n20,,ACGT\n',
      'new.csv:3, column "catalyst": is empty; fill it in, or leave the row out',
      3,
    ],
  ])('refuses %j', async (text, message, line) => {
    const error = await refused(text);
    expect(error.message).toBe(message);
    expect(error.place.line).toBe(line);
    expect(error.place.file).toBe('new.csv');
  });

  it('refuses an empty column where the problem has no filler', async () => {
    const error = await refused('temp,catalyst,guide\n20,,ACGT\n30,,ACGT\n');
    expect(error.place).toEqual({ file: 'new.csv', line: 2, column: 'catalyst' });
  });
});

describe('rows of another table as data', () => {
  it('scores by the rule of the problem and leaves out what is not measured', async () => {
    const table = await read(
      'yield,temp,catalyst,guide\n<7,20,A,ACGT\n,20,nowhere,ACGT\n9,30,A,ACGT\n8,30,A,ACGT\n',
    );
    const { data, rows, notes } = toDataset(made, table);
    expect(rows).toEqual([0, 2, 3]);
    expect([...data.y]).toEqual([7, 9, 8]);
    expect([...data.censored!]).toEqual([-1, 0, 0]);
    expect(data.x.length).toBe(3 * made.space.columns.length);
    expect(notes).toEqual(['1 of 4 rows is not used: a goal is missing']);
  });

  it('keeps the desirabilities of the problem, whatever the new values are', async () => {
    const two = stateProblem(past, { goals: ['max yield over 0..10', 'min temp over 0..100'] });
    const table = await read('yield,temp,catalyst,guide\n4,36,A,ACGT\n');
    // sqrt(0.4 * 0.64)
    expect(toDataset(two, table).data.y[0]).toBeCloseTo(Math.sqrt(0.4 * 0.64), 12);
  });

  it('needs the goal', async () => {
    const table = await read('temp,catalyst,guide\n20,A,ACGT\n');
    expect(() => toDataset(made, table)).toThrow('no column is called "yield"');
  });

  it('is the data of the problem, row by row before pooling, for its own table', async () => {
    const cell = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 5, nil: null });
    const row = fc.record({
      n: cell(fc.integer({ min: -3, max: 3 }).map((v) => v / 2)),
      whole: cell(fc.integer({ min: 0, max: 4 })),
      word: cell(fc.constantFrom('red', 'green', 'blue')),
      flag: fc.constantFrom('yes', 'no'),
      guide: cell(fc.constantFrom('ACGT', 'ACGA', 'TCGA', 'GCTA', 'TTTA')),
      y: cell(fc.integer({ min: 0, max: 9 })),
      z: fc.integer({ min: 0, max: 3 }),
    });
    const goals = fc.constantFrom(['max y'], ['min y'], ['max y over 0..9', 'keep z in 1..2']);
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 6, maxLength: 30 }), goals, async (records, words) => {
        const table = await readTable(records);
        let own: ReturnType<typeof stateProblem>;
        try {
          own = stateProblem(table, { goals: words });
        } catch {
          // No goal measured, or nothing left to set: no problem to compare with.
          return;
        }
        compared++;
        const { data, rows } = toDataset(own, table);
        const d = own.space.columns.length;
        expect(rows).toEqual(own.rows.flat().sort((a, b) => a - b));
        for (const [i, group] of own.rows.entries()) {
          const places = group.map((r) => rows.indexOf(r));
          for (const at of places)
            expect(data.x.subarray(at * d, (at + 1) * d)).toEqual(own.data.x.subarray(i * d, (i + 1) * d));
          const total = places.reduce((sum, at) => sum + data.y[at]!, 0);
          expect(own.data.y[i]).toBeCloseTo(total / group.length, 12);
        }
      }),
      { numRuns: 200 },
    );
    expect(compared).toBeGreaterThan(150);
  });
});
