import { describe, expect, it } from 'vitest';
import { listedRow } from '../../src/design/listedRow.js';
import { stateProblem } from '../../src/problem/index.js';
import { read } from '../table/reading.js';

describe('a design that was taken from a list', () => {
  it('brings its whole row back, and names others with the same settings', async () => {
    const table = await read('kind,dose,y\na,1,1\nb,2,2\na,3,3\nb,4,5\n');
    const list = await read(
      'number,name,kind,dose,price\nK-1,first,a,2,1.5\nK-2,second,b,3,\nK-3,third,a,2,9\n',
    );
    const problem = stateProblem(table, { goals: ['max y'] }, { choices: list });
    const d = problem.space.columns.length;
    const design = (row: number) => problem.space.choices!.slice(row * d, (row + 1) * d);
    expect(listedRow(problem, design(1))).toEqual({
      row: 2,
      cells: { number: 'K-2', name: 'second', kind: 'b', dose: 3 },
    });
    expect(listedRow(problem, design(2))).toEqual({
      row: 1,
      cells: { number: 'K-1', name: 'first', kind: 'a', dose: 2, price: 1.5 },
      same: [3],
    });
  });

  it('is not looked for where there is no list', async () => {
    const problem = stateProblem(await read('a,y\n1,1\n2,2\n'), { goals: ['max y'] });
    expect(listedRow(problem, Float64Array.of(1))).toBeUndefined();
  });
});
