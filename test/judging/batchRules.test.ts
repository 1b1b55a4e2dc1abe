// Tables whose steps, costs and rows to avoid are known; nothing is trained here.
import { describe, expect, it } from 'vitest';
import { apartIn } from '../../src/judging/apart.js';
import { BatchRules } from '../../src/judging/batchRules.js';
import { rootKey, Stream } from '../../src/numeric/index.js';
import { type Question, specFrom, stateFor } from '../../src/problem/index.js';
import { read } from '../table/reading.js';
import { csvOf, on } from '../tables/roleTables.js';

const stream = new Stream(rootKey(5));
const text = csvOf(40, (i) => ({
  temp: on(stream, 20, 90, 5),
  Pd: (0.5 + 4 * stream.uniform()).toFixed(1),
  ligand: (1 + 7 * stream.uniform()).toFixed(3),
  solvent: ['water', 'dmf', 'thf'][i % 3]!,
  yield: (90 * stream.uniform()).toFixed(1),
}));
const state = async (question: Question = {}) =>
  stateFor(await read(text), specFrom({ goal: 'max yield', ...question }), question);
const problem = await state();
const rulesOf = (asked: object) => BatchRules.of(problem, { batch: 3, ...asked });
const [base, other] = [Float64Array.of(50, 2, 4, 0), Float64Array.of(70, 3, 6, 1)];

describe('two rows', () => {
  it('are one where they differ by less than the table tells apart', () => {
    const apart = apartIn(problem);
    expect(apart(base, base.with(0, 55))).toBe(true);
    // Pd has one decimal and a range of 4: a twenty-fifth of it, 0.16, is more than the last digit
    expect(apart(base, base.with(1, 2.1))).toBe(false);
    expect(apart(base, base.with(1, 2.3))).toBe(true);
    // ligand has three decimals: ten of the last digit
    expect(apart(base, base.with(2, 4.009))).toBe(false);
    expect(apart(base, base.with(2, 4.011))).toBe(true);
    expect(apart(base, base.with(3, 2))).toBe(true);
  });

  it('of a list are two, however near', async () => {
    const list = 'temp,Pd,ligand,solvent\n50,2,4,water\n50,2,4.001,water\n';
    const listed = await state({ choices: await read(list) });
    const rows = listed.space.choices!;
    expect(apartIn(listed)(rows.slice(0, 4), rows.slice(4))).toBe(true);
  });
});

describe('a batch', () => {
  it('has few values of the columns that are shared', () => {
    const rules = rulesOf({ same: ['temp', '2 values of solvent'] });
    expect(rules.allows([base], base.with(1, 3))).toBe(true);
    expect(rules.allows([base], base.with(0, 55))).toBe(false);
    expect(rules.allows([base], base.with(3, 1))).toBe(true);
    expect(rules.allows([base, base.with(3, 1)], base.with(3, 2))).toBe(false);
    expect(rules.labels([base])).toEqual([
      'one value of temp in the batch',
      'at most 2 values of solvent in the batch',
    ]);
  });

  it('leaves enough of its budget for the rest', () => {
    // 4 each for base (2*2), 6 for other
    const rules = rulesOf({ cost: '2*Pd', budget: 13 });
    rules.expect([base, other]);
    expect(rules.total([base, other])).toBe(10);
    expect(rules.labels([base, other])).toEqual(['sum of 2*Pd at most 13 (it is 10)']);
    // other for 6 and two more for 4 each are 14
    expect(rules.allows([], other)).toBe(false);
    expect(rules.allows([], base)).toBe(true);
    const loose = rulesOf({ cost: '2*Pd', budget: 14 });
    loose.expect([base, other]);
    expect(loose.allows([], other)).toBe(true);
    // a budget that pays for two at most is spent on two
    const tight = rulesOf({ cost: '2*Pd', budget: 9 });
    tight.expect([base, other]);
    expect(tight.allows([], base)).toBe(true);
    expect(tight.allows([base], base.with(0, 90))).toBe(true);
    expect(tight.allows([base, base.with(0, 90)], base.with(0, 20))).toBe(false);
  });

  it('has nothing like what is avoided, and an empty cell stands for anything', async () => {
    const avoid = await read('solvent,temp,batch\nwater,50,x\ndmf,,y\nunheard-of,20,z\n', {
      text: ['solvent'],
    });
    const rules = rulesOf({ avoid });
    const solvent = (name: string) => {
      const column = problem.columns.find((one) => one.name === 'solvent');
      return column?.kind === 'category' ? column.levels.indexOf(name) : -1;
    };
    expect(rules.isWanted(base.with(3, solvent('water')))).toBe(false);
    expect(rules.isWanted(base.with(3, solvent('water')).with(0, 55))).toBe(true);
    expect(rules.isWanted(base.with(3, solvent('dmf')).with(0, 55))).toBe(false);
    expect(rules.isWanted(base.with(3, solvent('thf')))).toBe(true);
    const none = await read('batch\nx\n');
    expect(() => rulesOf({ avoid: none })).toThrow('a.csv has none of the columns that designs set');
  });
});

describe('a rule that says nothing sensible', () => {
  it.each([
    [{ same: ['tmep'] }, 'no column is called "tmep"; did you mean "temp"?'],
    [{ same: ['yield'] }, 'same: "yield" is a goal, so designs do not set it'],
    [{ same: ['temp', '2 values of temp'] }, 'same: "temp" is listed twice'],
    [{ same: ['0 values of temp'] }, 'expected one value at least'],
    [{ same: ['2 values of temp, Pd'] }, 'expected one column after "values of"'],
    [{ budget: 5 }, 'a budget needs a cost'],
    [{ cost: 'Pd', budget: -1 }, 'budget is -1; expected a positive number'],
    [{ cost: 'yield' }, 'cost: "yield" is a goal: it is not known before'],
    [{ cost: 'solvent' }, 'cost: "solvent" holds text'],
    [{ cost: '2*' }, 'expected a column name, a number or "("'],
    [{ cost: '3 + 4' }, 'no column is left in it'],
    [{ cost: 'Pt' }, 'no column is called "Pt"'],
  ])('%j', (asked, message) => {
    expect(() => rulesOf(asked)).toThrow(message);
  });
});

it('costs may be about what follows from a design, and what stands beside it in a list', async () => {
  const list = 'temp,Pd,ligand,solvent,price\n50,2,4,water,7.5\n60,2,4,water,9\n';
  const listed = await state({ choices: await read(list) });
  const rules = BatchRules.of(listed, { batch: 2, cost: 'price + 0.1*temp', budget: 30 });
  const rows = listed.space.choices!;
  expect(rules.cost!.of(rows.slice(0, 4))).toBeCloseTo(12.5, 12);
  expect(rules.cost!.of(rows.slice(4))).toBeCloseTo(15, 12);
});
