import { describe, expect, it } from 'vitest';
import { type ProblemSpec, stateProblem } from '../../src/problem/index.js';
import { readTable } from '../../src/table/readTable.js';

const read = (text: string) => readTable(new TextEncoder().encode(text), { name: 'runs.csv' });
// doses over five decades with a long tail, temperatures over less than one
const doses = [0.01, 0.02, 0.05, 0.1, 0.3, 0.7, 1, 2, 5, 12, 90, 1000];
const csv = `dose,temp,yield\n${doses.map((dose, i) => `${dose},${20 + i},${i % 5}`).join('\n')}\n`;
const table = await read(csv);
const make = (words: Omit<ProblemSpec, 'goals'> = {}) =>
  stateProblem(table, { goals: ['max yield'], ...words });

describe('a column over decades', () => {
  it('is modelled as its logarithm, and a note says how to switch that off', () => {
    const { space, notes } = make();
    expect(space.columns).toMatchObject([
      { name: 'dose', lower: 0.01, upper: 1000, scale: 'log' },
      { name: 'temp', lower: 20, upper: 31 },
    ]);
    expect(space.columns[1]).not.toHaveProperty('scale');
    expect(notes).toContain('"dose" is modelled as its logarithm; "log: false" switches that off');
    expect(notes.filter((note) => note.includes('logarithm'))).toHaveLength(1);
  });

  it('is plain with log: false, and another one logarithmic with log: true', () => {
    const { space, notes } = make({ columns: { dose: { log: false }, temp: { log: true } } });
    expect(space.columns[0]).not.toHaveProperty('scale');
    expect(space.columns[1]).toMatchObject({ scale: 'log', lower: 20, step: 1 });
    expect(notes.join()).not.toContain('"dose" is modelled');
  });

  it.each<[string, Omit<ProblemSpec, 'goals'>]>([
    ['bounds', { columns: { dose: { bounds: [0, 10] } } }],
    ['a constraint', { constraints: ['dose = 0..10'] }],
    ['a fixed value', { columns: { dose: { fixed: 0 } } }],
    ['a group', { columns: { dose: { bounds: [0, 10] } }, constraints: ['at most 1 of dose, temp'] }],
  ])('stays as it is where %s lets designs be 0', (_, words) => {
    const { space, notes } = make(words);
    expect(space.columns[0]).not.toHaveProperty('scale');
    expect(notes).toContain(
      '"dose" is modelled as it is, not as its logarithm: designs may go down to 0, and only numbers above 0 have one',
    );
  });

  it('cannot be asked for where a value has no logarithm', async () => {
    const zero = await read('dose,yield\n1,1\n2,2\n0,3\n4,5\n');
    const words = { goals: ['max yield'], columns: { dose: { log: true } } };
    expect(() => stateProblem(zero, words)).toThrow('runs.csv:4, column "dose": 0 has no logarithm');
    const texts = await read('dose,yield\na,1\nb,2\na,3\nb,5\n');
    expect(() => stateProblem(texts, words)).toThrow(
      '"dose" is of type category; "log: true" is for numbers',
    );
  });
});
