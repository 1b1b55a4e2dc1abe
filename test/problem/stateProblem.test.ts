import { describe, expect, it } from 'vitest';
import { stateProblem, toCells } from '../../src/problem/stateProblem.js';
import { readTable } from '../../src/table/readTable.js';

const csv = `run_id,temp,catalyst,a,b,line,yield
r1,20,A,0.2,0.8,L1,10
r2,30,B,0.5,0.5,L1,20
r3,30,B,0.5,0.5,L1,24
r4,,A,0.4,0.6,L1,15
r5,50,C,0.9,0.1,L1,
r6,60,C,1.0,0.0,L1,>40
r7,25,A,0.3,0.7,L1,12
r8,35,A,0.1,0.9,L1,18
r9,45,B,0.6,0.4,L1,30
r10,55,C,0.7,0.3,L1,33
r11,22,A,0.25,0.75,L1,11
r12,58,B,0.8,0.2,L1,35
`;
const table = await readTable(new TextEncoder().encode(csv), { name: 'runs.csv' });

describe('a problem made from a table', () => {
  const made = stateProblem(table, {
    goals: ['max yield'],
    mixtures: [{ columns: ['a', 'b'], sum: 1 }],
    constraints: ['temp = 20..90 step 5'],
  });

  it('has the columns a design can set, and says what was left out', () => {
    expect(made.columns.map(({ name, kind }) => `${name}: ${kind}`)).toEqual([
      'temp: integer',
      'temp (missing): category',
      'catalyst: category',
      'a: number',
      'b: number',
    ]);
    expect(made.notes.join('\n')).toContain('"line" is left out: it is the same in every row');
    expect(made.notes.join('\n')).toContain('"run_id" is left out');
    expect(made.notes.join('\n')).toContain('"temp" has no value in 1 rows');
  });

  it('pools repeated rows, leaves out those without a goal, keeps what is censored', () => {
    // r2 and r3 are the same settings, r5 has no yield
    expect(made.rows).toEqual([[0], [1, 2], [3], [5], [6], [7], [8], [9], [10], [11]]);
    expect([...made.data.y]).toEqual([10, 22, 15, 40, 12, 18, 30, 33, 11, 35]);
    expect([...made.data.censored!]).toEqual([0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    expect(made.noise).toBeCloseTo(Math.sqrt(8), 12);
  });

  it('imputes the median and tells the model where, but designs are never missing', () => {
    const d = made.space.columns.length;
    // medians of temp over rows with a goal: 20 30 30 60 25 35 45 55 22 58
    expect([...made.data.x.subarray(2 * d, 2 * d + 2)]).toEqual([33, 1]);
    expect(made.space.fixed).toEqual([{ column: 1, value: 0, label: 'temp (missing) = known' }]);
  });

  it('puts bounds, steps and mixtures into the space, in the words they were given', () => {
    expect(made.space.columns[0]).toMatchObject({ kind: 'continuous', lower: 20, upper: 90, step: 5 });
    expect(made.space.linear).toMatchObject([
      {
        terms: [
          { column: 3, weight: 1 },
          { column: 4, weight: 1 },
        ],
        relation: '=',
        bound: 1,
      },
    ]);
  });

  it('gives designs back as cells of the table', () => {
    const d = made.space.columns.length;
    expect(toCells(made, made.data.x.subarray(0, d))).toEqual([{ temp: 20, catalyst: 'A', a: 0.2, b: 0.8 }]);
  });

  it('shows a column of the user whose name only looks like one of ours', async () => {
    const text = 'dose (missing),y\nyes,1\nno,2\nyes,3\nno,5\nyes,2\nno,4\n';
    const odd = stateProblem(await readTable(new TextEncoder().encode(text)), { goals: ['max y'] });
    expect(Object.keys(toCells(odd, odd.data.x)[0]!)).toEqual(['dose (missing)']);
  });

  it('turns a minimised goal round, with what is censored', () => {
    const least = stateProblem(table, { goals: ['min yield'] });
    expect(least.data.y[3]).toBe(-40);
    expect(least.data.censored![3]).toBe(-1);
  });

  it('keeps a context column at its usual value and ignores what it is told to', () => {
    const other = stateProblem(table, {
      goals: ['max yield'],
      columns: { catalyst: { role: 'context' }, a: { role: 'ignore' }, temp: { fixed: 40 } },
    });
    expect(other.columns.map(({ name }) => name)).toEqual(['temp', 'temp (missing)', 'catalyst', 'b']);
    expect(other.space.fixed!.map(({ column, value }) => [column, value])).toEqual(
      expect.arrayContaining([
        [0, 40],
        [1, 0],
        [2, 0],
      ]),
    );
  });

  it('makes designs for another value of a context column where one is fixed', () => {
    const context = { catalyst: { role: 'context' } } as const;
    const usual = stateProblem(table, { goals: ['max yield'], columns: context });
    const at = (made: typeof usual) => made.space.fixed!.filter(({ column }) => column === 2);
    expect(at(usual)).toEqual([{ column: 2, value: 0, label: 'catalyst is context' }]);
    expect(usual.notes.join('\n')).toContain(
      '"catalyst" is context: designs are made for its usual value, A',
    );
    for (const words of [
      { columns: { catalyst: { role: 'context', fixed: 'C' } } },
      { columns: context, constraints: ['catalyst = C'] },
    ] as const) {
      const other = stateProblem(table, { goals: ['max yield'], ...words });
      expect(at(other)).toMatchObject([{ column: 2, value: 2 }]);
      expect(other.notes.join('\n')).not.toContain('usual value');
    }
  });

  it('chooses among the rows of a list', async () => {
    const read = (text: string) => readTable(new TextEncoder().encode(text), { name: 'list.csv' });
    const list = await read('catalyst,temp,b,a\nC,25,0.25,0.75\nA,80,0.5,0.5\n');
    const chosen = stateProblem(table, { goals: ['max yield'] }, { choices: list });
    expect(toCells(chosen, chosen.space.choices!)).toEqual([
      { temp: 25, catalyst: 'C', a: 0.75, b: 0.25 },
      { temp: 80, catalyst: 'A', a: 0.5, b: 0.5 },
    ]);
    const short = await read('temp,a,b\n25,0.5,0.5\n26,0.5,0.5\n');
    expect(() => stateProblem(table, { goals: ['max yield'] }, { choices: short })).toThrow(
      'list.csv has no column "catalyst"',
    );
    const holes = await read('catalyst,temp,a,b\nA,25,0.5,0.5\nB,26,,0.5\n');
    expect(() => stateProblem(table, { goals: ['max yield'] }, { choices: holes })).toThrow(
      'list.csv, line 3: "a" is empty',
    );
  });

  it('names what it does not know', () => {
    expect(() => stateProblem(table, { goals: ['max yeld'] })).toThrow('yield');
    expect(() => stateProblem(table, { goals: ['max yield'], columns: { tmp: { bounds: [1, 2] } } })).toThrow(
      'temp',
    );
  });
});
