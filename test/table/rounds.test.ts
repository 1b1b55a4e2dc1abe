import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readProblem } from '../../src/problem/platform/node.js';
import { decodeTable, encodeTable } from '../../src/runs/tableParquet.js';
import { appendRows, readTable } from '../../src/table/index.js';
import { read } from './reading.js';

const past = 'temp;Ausbeute\n20;<1,5\n30;4,5\n40;6,0\n';
const measured =
  'temp;Ausbeute;expected;lo80;hi80;trust;goal\n50;7,1;7,5;6,0;9,0;Trusted;max Ausbeute\n60;;8,0;6,5;9,5;Guess;max Ausbeute\n70;3,0;;;;;\n';

describe('rows that a run proposed', () => {
  it('keep what was promised of them, measured or not; other rows have no promise', async () => {
    const both = appendRows(await read(past), await read(measured, { name: 'm.csv' }));
    expect(both.rounds).toEqual([
      {
        file: 'm.csv',
        from: 3,
        promises: [
          { row: 3, expected: 7.5, lo80: 6, hi80: 9, trust: 'Trusted', goal: 'max Ausbeute' },
          { row: 4, expected: 8, lo80: 6.5, hi80: 9.5, trust: 'Guess', goal: 'max Ausbeute' },
        ],
      },
    ]);
    const again = appendRows(both, await read(measured, { name: 'n.csv' }));
    expect(again.rounds!.map(({ file, from }) => [file, from])).toEqual([
      ['m.csv', 3],
      ['n.csv', 6],
    ]);
    expect(appendRows(both, await read('temp;Ausbeute\n1;2\n')).rounds).toEqual(both.rounds);
  });

  it('are told from columns of the table that have the same names', async () => {
    const table = await read('expected,y\n1,2\n2,3\n');
    const added = await read('expected,y,nemokit_expected,lo80,hi80\n3,4,3.9,3,5\n');
    expect(appendRows(table, added).rounds![0]!.promises).toEqual([
      { row: 2, expected: 3.9, lo80: 3, hi80: 5 },
    ]);
    expect(appendRows(table, await read('expected,y,lo80,hi80\n3,4,3,5\n')).rounds).toBeUndefined();
  });

  it('have the promise of each of several goals', async () => {
    const table = await read('x,y,z\n1,2,3\n2,3,4\n');
    const added = await read(
      'x,y,z,expected,lo80,hi80,y_expected,y_lo80,y_hi80,q_expected\n3,4,5,.5,.4,.6,4,3,5,9\n',
    );
    expect(appendRows(table, added).rounds![0]!.promises[0]!.goals).toEqual({
      y: { expected: 4, lo80: 3, hi80: 5 },
    });
  });

  it('come back from the table of a run, with its dialect and censored cells, also as a plain Parquet file', async () => {
    const both = appendRows(await read(past), await read(measured, { name: 'm.csv' }));
    const bytes = encodeTable(both);
    expect(await decodeTable(bytes)).toEqual(both);
    const plain = await readTable(bytes);
    expect(plain.rounds).toEqual(both.rounds);
    expect(plain.dialect).toEqual({ delimiter: ';', decimal: ',' });
    expect(plain.columns[1]).toMatchObject({ censored: Int8Array.of(-1, 0, 0, 0, 0, 0) });
  });

  it('are added by a problem file, before those of the command', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'nemokit-rounds-'));
    try {
      await writeFile(join(folder, 'past.csv'), past);
      await writeFile(join(folder, 'm.csv'), measured);
      await writeFile(
        join(folder, 'p.yaml'),
        'version: 1\ndata: past.csv\ngoals: [max Ausbeute]\nadd: [m.csv]\n',
      );
      const { table } = await readProblem(join(folder, 'p.yaml'), { add: [join(folder, 'm.csv')] });
      expect([table.rows, table.rounds!.map(({ from }) => from)]).toEqual([9, [3, 6]]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
