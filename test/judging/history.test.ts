import { describe, expect, it } from 'vitest';
import { historyOf } from '../../src/judging/history.js';
import { bestSingle, replicatesAt } from '../../src/judging/replicates.js';
import { stateProblem } from '../../src/problem/index.js';
import { appendRows } from '../../src/table/index.js';
import { read } from '../table/reading.js';

const past = 'x,y,z\n1,10,1\n2,20,2\n3,30,3\n4,40,4\n5,50,5\n';
const added = (rows: string[], columns = 'x,y,z,expected,lo80,hi80,trust,goal') =>
  read(`${[columns, ...rows].join('\n')}\n`, { name: 'm.csv' });

async function historyFor(goals: string[], rows: string[], columns?: string) {
  const table = appendRows(await read(past), await added(rows, columns));
  return historyOf(stateProblem(table, { goals }))!;
}

describe('how promises turned out', () => {
  it('counts rows inside, over-promise and rows that beat the best of the time', async () => {
    const history = await historyFor(
      ['max y'],
      ['6,55,1,60,52,70,Trusted,max y', '7,40,1,60,50,70,Stretch,max y', '8,,1,60,50,70,Guess,max y'],
    );
    expect(history).toEqual({
      rounds: [
        {
          file: 'm.csv',
          promised: 3,
          aboutOthers: 0,
          bestBefore: 50,
          beaten: 1,
          rows: [
            {
              row: 6,
              expected: 60,
              lo80: 52,
              hi80: 70,
              trust: 'Trusted',
              measured: 55,
              isInside: true,
              goals: [],
            },
            {
              row: 7,
              expected: 60,
              lo80: 50,
              hi80: 70,
              trust: 'Stretch',
              measured: 40,
              isInside: false,
              goals: [],
            },
          ],
        },
      ],
      measured: 2,
      inside: 1,
      // (60 - 55 + 60 - 40) / 2
      overPromise: 12.5,
    });
  });

  it('knows that lower is better for min', async () => {
    const history = await historyFor(['min y'], ['6,5,1,7,4,9,Trusted,min y']);
    expect(history).toMatchObject({ overPromise: -2, inside: 1, rounds: [{ bestBefore: 10, beaten: 1 }] });
  });

  it('does not compare promises about another goal', async () => {
    const history = await historyFor(['min z'], ['6,5,1,7,4,9,Trusted,max y']);
    expect(history).toMatchObject({ measured: 0, overPromise: null, rounds: [{ aboutOthers: 1, rows: [] }] });
  });

  it('takes "<5" for outside only where all of it is', async () => {
    const history = await historyFor(
      ['max y'],
      ['6,<5,1,9,7,11,Trusted,max y', '7,<8,1,9,7,11,Trusted,max y', '8,>9,1,5,4,6,Trusted,max y'],
    );
    expect(history.rounds[0]!.rows.map(({ isInside }) => isInside)).toEqual([false, true, false]);
  });

  it('is absent where nothing was proposed', async () => {
    expect(historyOf(stateProblem(await read(past), { goals: ['max y'] }))).toBeNull();
  });
});

describe('scales of desirability', () => {
  it('stay those of the first rows when measured candidates are added, and a note says so', async () => {
    const goals = ['max y', 'min z'];
    const alone = stateProblem(await read(past), { goals });
    const history = await historyFor(
      goals,
      ['6,500,1,.9,.8,1,400,300,600'],
      'x,y,z,expected,lo80,hi80,y_expected,y_lo80,y_hi80',
    );
    const table = appendRows(await read(past), await added(['6,500,1,.9,.8,1,T,max y; min z']));
    const problem = stateProblem(table, { goals });
    expect(problem.rule).toEqual(alone.rule);
    expect(problem.notes.join('\n')).toMatch(/stay those of the first 5 rows.*"max y over 12\.\.66"/);
    expect(history.rounds[0]!.rows[0]!.goals).toEqual([
      { column: 'y', expected: 400, lo80: 300, hi80: 600, measured: 500, isInside: true },
    ]);
    // rows that nobody proposed move the scale, as before
    const plain = appendRows(await read(past), await read('x,y,z\n6,500,1\n'));
    expect(stateProblem(plain, { goals }).rule).not.toEqual(alone.rule);
  });
});

describe('settings that were measured again', () => {
  it('are named with all their rows; a better single row is known', async () => {
    const problem = stateProblem(await read('x,y\n1,500\n2,1244\n3,900\n2,430\n2,840\n'), {
      goals: ['max y'],
    });
    const [two, three] = [1, 2];
    expect(replicatesAt(problem, two)).toEqual({ rows: [2, 4, 5], values: [1244, 430, 840] });
    expect(replicatesAt(problem, three)).toBeUndefined();
    expect(problem.data.y[two]).toBe(838);
    expect(bestSingle(problem, three)).toEqual({ row: 2, value: 1244, mean: 838, rows: [2, 4, 5] });
  });
});
