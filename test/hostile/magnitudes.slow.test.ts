// Finite numbers that float64 holds and nobody can compute with: refused with a place and a remedy, or computed with.
import { describe, expect, it } from 'vitest';
import { design } from '../../src/design/design.js';
import { rootKey, Stream } from '../../src/numeric/index.js';
import { checkTable } from '../../src/problem/checkTable.js';
import { stateProblem } from '../../src/problem/stateProblem.js';
import { read } from '../table/reading.js';

/** Forty rows of a and b in 0..1, and y = a + b, each as `write` wants it. */
function rows(write: (a: number, b: number, i: number) => readonly (number | string)[]) {
  const stream = new Stream(rootKey(23));
  const lines = Array.from({ length: 40 }, (_, i) => write(stream.uniform(), stream.uniform(), i).join());
  return read(['a,b,y', ...lines].join('\n'), { name: 'past.csv' });
}
const goal = { goals: ['max y'] };

describe('numbers out of reach', () => {
  it.each([
    [
      'y around 1e15 that differs by its last digit',
      rows((a, b, i) => [a, b, 1e15 + 0.125 * (i % 3)]),
      'past.csv, column "y": values lie between 1000000000000000 and 1000000000000000.2: they differ by 0.25, and a number has only 16 digits; subtract 1000000000000000 from the column',
    ],
    [
      'y near 1e300',
      rows((a, b) => [a, b, 1e300 * (1 + a + b)]),
      /past\.csv:2, column "y": .*e\+300 is too large/,
    ],
    [
      'one y of 1e300',
      rows((a, b, i) => [a, b, i === 7 ? 1e300 : a + b]),
      /past\.csv:9, column "y": 1e\+300 is too/,
    ],
    ['x near 1e300', rows((a, b) => [1e300 * (1 + a), b, a + b]), /past\.csv:2, column "a": .* is too large/],
    [
      'x up to 1.7e308, either sign',
      rows((a, b, i) => [(i % 2 ? -1.7e308 : 1.7e308) * a, b, a + b]),
      /column "a"/,
    ],
    [
      'x without digits left',
      rows((a, b) => [1e-310 * (1 + a), b, a + b]),
      /column "a": all values .* smaller unit/,
    ],
    [
      'y without digits left',
      rows((a, b) => [a, b, 1e-310 * (a + b)]),
      /column "y": all values .* too close/,
    ],
  ])('are refused when a problem is stated: %s', async (_, table, message) => {
    const made = await table;
    expect(() => stateProblem(made, goal)).toThrow(message);
    await expect(checkTable(made, goal)).rejects.toThrow(message);
  });

  it('say nothing about columns that nobody looks at', async () => {
    const table = await rows((a, b) => [1e300 * (1 + a), b, a + b]);
    const { space } = stateProblem(table, { ...goal, columns: { a: { role: 'ignore' } } });
    expect(space.columns.map(({ name }) => name)).toEqual(['b']);
  });

  it.each([
    ['a = 1e300..1e301', 'constraint "a = 1e300..1e301": 1e+300 is too large to compute with'],
    [
      'a = 1e30..1e31',
      /past rows have "a" between 0\.\d+ and 0\.\d+, and designs would lie more than a million times/,
    ],
    ['a = 1e300', /1e\+300 is too large/],
    ['1e200*a + b <= 1', /1e\+200 is too large/],
    ['a = 0..1e19 step 1e-9', /too few digits for steps of 1e-9/],
  ])('are refused in constraints: %s', async (text, message) => {
    const table = await rows((a, b) => [a, b, a + b]);
    expect(() => stateProblem(table, { ...goal, constraints: [text] })).toThrow(message);
  });

  it('as bounds that mean "any" stay near enough to be told apart', async () => {
    const table = await rows((a, b) => [a, b, a + b]);
    const { space, notes } = stateProblem(table, { ...goal, constraints: ['a = -1e99..1e99'] });
    const [a] = space.columns;
    const spread = a!.kind === 'continuous' ? a!.upper - a!.lower : 0;
    // a million ranges on either side of a range of about 1
    expect(spread).toBeGreaterThan(1.9e6);
    expect(spread).toBeLessThan(2.1e6);
    expect(notes.join('\n')).toContain('designs keep "a" between');
  });
});

describe('numbers within reach', () => {
  it.each([
    ['y around 1e11', rows((a, b) => [a, b, 1e11 + a + b])],
    ['y and x of 1e-98', rows((a, b) => [1e-98 * a, b, 1e-98 * (a + b)])],
    ['x of 1e99', rows((a, b) => [1e99 * (a - 0.5), b, a + b])],
    ['x around 1e15', rows((a, b, i) => [1e15 + 0.125 * (i % 5), b, a + b])],
  ])('give designs: %s', async (_, table) => {
    const { candidates } = await design(await table, { goal: 'max y', batch: 2, effort: 'fast' });
    expect(candidates).toHaveLength(2);
    for (const { expected, lo80, hi80 } of candidates) {
      expect(Number.isFinite(expected)).toBe(true);
      expect(lo80).toBeLessThan(hi80);
    }
  });
});

describe('one number far away from all others', () => {
  it.each(['a', 'y'] as const)('is said, and its row is not used: 1e15 in %s', async (name) => {
    const table = await rows((a, b, i) => [
      name === 'a' && i === 7 ? 1e15 : a.toFixed(4),
      b.toFixed(4),
      name === 'y' && i === 7 ? 1e15 : (a + b).toFixed(4),
    ]);
    const problem = stateProblem(table, goal);
    expect(problem.data.y).toHaveLength(39);
    expect(problem.rows.flat()).not.toContain(7);
    const said = problem.notes.find((note) => note.includes('the row is not used'));
    expect(said).toContain(`${name} is 1000000000000000 in line 9, and between 0.`);
    const { findings } = await checkTable(table, goal);
    expect(findings).toContainEqual(
      expect.objectContaining({ kind: 'outliers', columns: [name], rows: [7], severity: 'warning' }),
    );
    // one value does not make a logarithmic scale of the others
    const [a] = problem.space.columns;
    expect(a).toMatchObject({ kind: 'continuous', name: 'a' });
    expect(a!.kind === 'continuous' && (a.scale ?? 'linear')).toBe('linear');
    expect(a!.kind === 'continuous' && a.upper).toBeLessThan(1);
  });

  it('is a row like others where columns span decades', async () => {
    const table = await rows((a, b) => [10 ** (12 * a - 6), b, a + b]);
    expect(stateProblem(table, goal).data.y).toHaveLength(40);
  });
});
