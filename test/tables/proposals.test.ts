// What becomes of past rows, lists, limits and relations on the way to a batch; nothing is trained here.
import { describe, expect, it } from 'vitest';
import { applyFlags } from '../../src/cli/problemOptions.js';
import { doableDesigns, followingCells, repeatsOf } from '../../src/design/doableDesigns.js';
import { verdictOf } from '../../src/judging/verdict.js';
import { rootKey, Stream } from '../../src/numeric/index.js';
import { type Question, specFrom, stateFor, toCells } from '../../src/problem/index.js';
import { goodFacts } from '../judging/verdictFacts.js';
import { read } from '../table/reading.js';
import { csvOf, on } from './roleTables.js';

/** Nine settings, measured three times by two operators. */
const lines = Array.from({ length: 27 }, (_, i) => [
  20 + 20 * (i % 3),
  Math.floor(i / 3) % 3,
  'ABC'[i % 9 < 3 ? 0 : i % 9 < 6 ? 1 : 2],
  i,
]);
const csv = (rows: readonly (readonly (string | number | undefined)[])[]) =>
  [
    'entry,temp,time,catalyst,operator,yield',
    ...rows.map(([t, h, c, i], k) => `${7 * k + 3},${t},${h},${c},${'uv'[k % 2]},${50 + Number(i)}`),
  ].join('\n');

const state = async (text: string, question: Question = {}) =>
  stateFor(await read(text), specFrom({ goal: 'max yield', ...question }), question);

describe('a repeat', () => {
  it('is a past row under another number and by another operator', async () => {
    const problem = await state(csv(lines));
    const isRepeat = repeatsOf(problem);
    const d = problem.space.columns.length;
    expect(problem.tableColumns.map(({ name, role }) => `${name} ${role}`)).toEqual([
      'entry left out',
      'temp design',
      'time design',
      'catalyst design',
      'operator context',
      'yield goal',
    ]);
    const first = problem.data.x.slice(0, d);
    expect(isRepeat(first)).toBe(true);
    const operator = problem.space.columns.findIndex(({ name }) => name === 'operator');
    expect(isRepeat(first.with(operator, 1 - first[operator]!))).toBe(true);
    expect(isRepeat(first.with(0, first[0]! + 0.4))).toBe(true);
    expect(isRepeat(first.with(0, first[0]! + 1))).toBe(false);
  });

  it('is never among the designs unless it is asked for', async () => {
    const past = await state(csv(lines));
    expect(await doableDesigns(past, [past.data.x])).toEqual([]);
    const again = await state(csv(lines), { allowRepeats: true });
    expect((await doableDesigns(again, [again.data.x])).length).toBeGreaterThan(0);
  });

  it('leaves a list without the rows that were measured', async () => {
    const text = csv(lines.slice(0, 20));
    const list = ['temp,time,catalyst', '20,0,A', '40,2,A', '60,2,B'].join('\n');
    const problem = await state(text, { choices: await read(list) });
    const designs = await doableDesigns(problem, [problem.space.choices!]);
    expect(designs.flatMap((row) => toCells(problem, row)).map(({ temp, time }) => [temp, time])).toEqual([
      [40, 2],
      [60, 2],
    ]);
  });
});

describe('a design', () => {
  it('lies on the steps of the table, with what follows from it', async () => {
    const text = csvOf(40, (_, s) => {
      const [a, b] = [on(s, 0.5, 9.5, 0.5), on(s, 0.1, 0.9, 0.001)];
      return { volume: a, conc: b, total: (a + 2 * b).toFixed(3), yield: (90 * s.uniform()).toFixed(1) };
    });
    const problem = await state(text);
    const [row] = await doableDesigns(problem, [Float64Array.of(3.26, 0.15299999)]);
    const [cells] = toCells(problem, row!);
    expect(followingCells(problem, cells!)).toEqual({ volume: 3.5, conc: 0.153, total: 3.806 });
    expect(problem.notes.join('\n')).toContain('total = volume + 2*conc in all 40 rows');
  });

  it('keeps the steps that somebody gave', async () => {
    const stream = new Stream(rootKey(3));
    const text = csvOf(30, () => ({
      temp: on(stream, 20, 90, 5),
      time: on(stream, 1, 9, 1),
      yield: on(stream, 1, 90, 1),
    }));
    const problem = await state(text, { columns: { temp: { bounds: [20, 90], step: 7 } } });
    const [row] = await doableDesigns(problem, [Float64Array.of(41, 3.3)]);
    expect(toCells(problem, row!)[0]).toEqual({ temp: 41, time: 3 });
  });
});

describe('limits', () => {
  it('that are reached promise nothing', () => {
    expect(verdictOf(goodFacts).level).toBe('likely');
    const reached = verdictOf({ ...goodFacts, ceiling: 100 });
    expect(reached.level).toBe('unclear');
    expect(reached.sentence).toContain('already at its limit (100)');
  });

  it('are typed as ranges with open ends', async () => {
    const table = await read(csv(lines));
    const said = (limits: string[]) => applyFlags(table, { goals: [] }, { limits }).limits;
    expect(said(['yield=0..100', 'temp=5..', 'time=..-1.5', 'catalyst=none'])).toEqual({
      yield: [0, 100],
      temp: [5, null],
      time: [null, -1.5],
      catalyst: [null, null],
    });
    expect(() => said(['yield=100..0'])).toThrow(/expected a range such as "yield=0..100"/);
    expect(
      applyFlags(table, { goals: [] }, { design: ['entry'], assume: false, allowRepeats: true }),
    ).toEqual({
      goals: [],
      columns: { entry: { role: 'design' } },
      allowRepeats: true,
      assume: false,
    });
  });
});
