import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyFlags, type ProblemFlags, readAsked } from '../../src/cli/problemOptions.js';
import { buildProgram } from '../../src/cli/program.js';
import { type ProblemSpec, stateProblem } from '../../src/problem/index.js';
import { decideFeasibility } from '../../src/space/index.js';

const folder = mkdtempSync(join(tmpdir(), 'nemokit-options-'));
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const rows = Array.from({ length: 24 }, (_, i) => {
  const a = (i % 5) / 10;
  const b = (i % 3) / 10;
  return [
    `r${i}`,
    20 + i,
    'AB'[i % 2],
    a * 100,
    b * 100,
    (1 - a - b) * 100,
    'xyz'[i % 3],
    i % 7,
    3 * i,
  ].join();
});
const past = file('past.csv', `id,melt temp,line,a,b,c,operator,speed,yield\n${rows.join('\n')}\n`);
file('list.csv', `melt temp,line,a,b,c,operator,speed\n30,A,20,20,60,x,1\n31,B,10,20,70,y,2\n`);
const { table } = await readAsked(past);
const apply = (options: ProblemFlags, words: ProblemSpec = { goals: ['max yield'] }) =>
  applyFlags(table, words, options);

describe('options of a problem', () => {
  it('are nothing where nothing is said', async () => {
    const read = await readAsked(past);
    expect(read.spec).toEqual({ goals: [] });
    expect(read).toMatchObject({ settings: {}, source: { file: 'past.csv' } });
  });

  it.each<[string, ProblemFlags, Partial<ProblemSpec>]>([
    ['--goal', { goal: ['min yield', 'keep speed <= 3'] }, { goals: ['min yield', 'keep speed <= 3'] }],
    ['--bounds', { bounds: ['speed=1..5'] }, { columns: { speed: { bounds: [1, 5] } } }],
    [
      '--bounds with a step and a name with a space',
      { bounds: ['melt temp=20..40 step 5'] },
      { columns: { 'melt temp': { bounds: [20, 40], step: 5 } } },
    ],
    ['--fix', { fix: ['line=B', 'speed=3'] }, { columns: { line: { fixed: 'B' }, speed: { fixed: 3 } } }],
    ['--fix in quotes', { fix: ['"line"="3"'] }, { columns: { line: { fixed: '3' } } }],
    ['--constraint', { constraint: ['a + b <= 50'] }, { constraints: ['a + b <= 50'] }],
    [
      '--at-most and --at-least',
      { atMost: ['2 of a,b,c'], atLeast: ['at least 1 of a, b'] },
      { constraints: ['at most 2 of a,b,c', 'at least 1 of a, b'] },
    ],
    ['--mixture', { mixture: ['a,b,c=100'] }, { mixtures: [{ columns: ['a', 'b', 'c'], sum: 100 }] }],
    [
      '--mixture, the sum from the data',
      { mixture: ['a,b,c'] },
      { mixtures: [{ columns: ['a', 'b', 'c'], sum: 100 }] },
    ],
    ['--mixture, without one', { mixture: ['a,speed'] }, { mixtures: [{ columns: ['a', 'speed'], sum: 1 }] }],
    [
      '--ignore and --context',
      { ignore: ['id, speed'], context: ['operator'] },
      { columns: { id: { role: 'ignore' }, speed: { role: 'ignore' }, operator: { role: 'context' } } },
    ],
    ['--type', { type: ['speed=category'] }, { columns: { speed: { type: 'category' } } }],
    [
      '--log and --no-log',
      {
        log: [
          { names: 'speed', on: true },
          { names: 'a,melt temp', on: false },
        ],
      },
      { columns: { speed: { log: true }, a: { log: false }, 'melt temp': { log: false } } },
    ],
  ])('%s', (_, options, expected) => {
    expect(apply(options)).toEqual({ goals: ['max yield'], ...expected });
  });

  it('make a problem whose designs obey them', async () => {
    const words = apply({
      bounds: ['speed=1..5'],
      fix: ['line=B'],
      mixture: ['a,b,c'],
      atMost: ['2 of a,b,c'],
      ignore: ['id'],
    });
    const made = stateProblem(table, words);
    const answer = await decideFeasibility(made.space);
    if (!answer.feasible) throw new Error(answer.conflict.join());
    const at = (name: string) => answer.example[made.columns.findIndex((column) => column.name === name)]!;
    expect(at('a') + at('b') + at('c')).toBeCloseTo(100, 6);
    expect([at('a'), at('b'), at('c')].filter((share) => share > 1e-9).length).toBeLessThanOrEqual(2);
    expect(at('speed')).toBeGreaterThanOrEqual(1);
  });
});

describe('options over a problem file', () => {
  const words: ProblemSpec = {
    goals: ['max yield'],
    columns: { speed: { bounds: [0, 6], step: 2 }, line: { fixed: 'A' }, a: { log: true } },
    constraints: ['melt temp = 20..30'.replace('melt temp', '"melt temp"'), 'a + b <= 50'],
    mixtures: [{ columns: ['a', 'b'], sum: 1 }],
  };

  it('replace what it says about the same thing and leave the rest', () => {
    expect(
      apply(
        {
          goal: ['min yield'],
          bounds: ['speed=1..3', 'melt temp=25..40'],
          fix: ['line=B'],
          constraint: ['a >= 1'],
        },
        words,
      ),
    ).toEqual({
      goals: ['min yield'],
      columns: {
        speed: { bounds: [1, 3] },
        line: { fixed: 'B' },
        a: { log: true },
        'melt temp': { bounds: [25, 40] },
      },
      constraints: ['a + b <= 50', 'a >= 1'],
      mixtures: [{ columns: ['a', 'b'], sum: 1 }],
    });
    expect(words.columns!.speed).toEqual({ bounds: [0, 6], step: 2 });
  });

  it('are read from its folder', async () => {
    const yaml = file(
      'p.yaml',
      'version: 1\ndata: past.csv\ngoals: [max yield]\nchoices: list.csv\nbatch: 4\nseed: 3\n',
    );
    const read = await readAsked(yaml, { ignore: ['id'] });
    expect(read.spec).toEqual({ goals: ['max yield'], columns: { id: { role: 'ignore' } } });
    expect(read.choices?.rows).toBe(2);
    expect(read.settings).toEqual({ batch: 4, seed: 3 });
    expect(read.source?.file).toBe('past.csv');
    expect(read.choices?.name).toBe('list.csv');
    expect((await readAsked(yaml, { from: past })).choices?.rows).toBe(24);
  });
});

describe('mistakes', () => {
  it.each<[ProblemFlags, string]>([
    [{ goal: ['max yeild'] }, 'did you mean "yield"'],
    [{ goal: ['maxi yield'] }, 'expected "max"'],
    [{ bounds: ['sped=1..5'] }, '--bounds: no column is called "sped"; did you mean "speed"?'],
    [{ bounds: ['speed'] }, '--bounds "speed": expected a column and a value, such as "temp=20..90"'],
    [{ bounds: ['speed=5..1'] }, 'the lower end comes first'],
    [{ bounds: ['speed=5'] }, '--bounds "speed=5": expected a range, such as "temp=20..90"'],
    [{ bounds: ['speed=1..5', 'speed=2..3'] }, '--bounds speaks of "speed" twice; give it once'],
    [{ bounds: ['speed=1..5'], fix: ['speed=3'] }, '--bounds and --fix contradict each other about "speed"'],
    [
      { ignore: ['speed'], bounds: ['speed=1..3'] },
      '"speed" is ignored, so --bounds says nothing about designs',
    ],
    [
      { ignore: ['operator'], context: ['operator'] },
      '--ignore and --context contradict each other about "operator"',
    ],
    [
      {
        log: [
          { names: 'a', on: true },
          { names: 'a', on: false },
        ],
      },
      '--log and --no-log contradict each other',
    ],
    [{ fix: ['speed=1..5'] }, 'a range is for --bounds'],
    [{ fix: ['lime=B'] }, '--fix: no column is called "lime"; did you mean "line"?'],
    [{ ignore: ['ids'] }, '--ignore: no column is called "ids"; did you mean "id"?'],
    [{ ignore: [' , '] }, '--ignore needs the name of a column'],
    [{ type: ['speed=categry'] }, 'there is no column type "categry"; did you mean "category"?'],
    [{ mixture: ['a'] }, '--mixture "a": expected two columns at least'],
    [{ mixture: ['a,b=0'] }, 'expected a positive sum'],
    [{ atMost: ['three of a,b'] }, 'a whole number'],
    [{ atMost: ['5 of a,b'] }, '5 of 2 columns is not possible'],
  ])('%o', (options, message) => {
    expect(() => stateProblem(table, apply(options))).toThrow(message);
  });

  it('of files are told with their names', async () => {
    await expect(readAsked(join(folder, 'none.csv'))).rejects.toThrow('none.csv: there is no such file');
    await expect(readAsked(past, { from: join(folder, 'none.csv') })).rejects.toThrow('none.csv');
    await expect(readAsked('-', { from: '-' })).rejects.toThrow('standard input is the table already');
    await expect(readAsked(past, { delimiter: ';;' })).rejects.toThrow('delimiter is one character');
  });
});

it('arrive as they were typed', async () => {
  const program = await buildProgram();
  let seen: ProblemFlags = {};
  program.commands
    .find((command) => command.name() === 'check')!
    .action((_: string, options: ProblemFlags) => {
      seen = options;
    });
  const line =
    'check t.csv --goal max=1 --goal b --log x --no-log y --at-most 2 --ignore i --no-color --sheet 2';
  await program.parseAsync(['node', 'nemokit', ...line.split(' ')]);
  expect(seen).toEqual({
    assume: true,
    goal: ['max=1', 'b'],
    log: [
      { names: 'x', on: true },
      { names: 'y', on: false },
    ],
    atMost: ['2'],
    ignore: ['i'],
    sheet: '2',
  });
});
