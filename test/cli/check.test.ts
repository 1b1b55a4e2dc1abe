import { describe, expect, it } from 'vitest';
import { exitCodeOf, nextCommand } from '../../src/cli/check.js';
import { printCheck } from '../../src/cli/printCheck.js';
import { textWidth } from '../../src/cli/textLayout.js';
import { rootKey, Stream } from '../../src/numeric/index.js';
import { checkTable } from '../../src/problem/checkTable.js';
import { readTable } from '../../src/table/index.js';
import { read } from '../table/reading.js';

const stream = new Stream(rootKey(4));
const lines = Array.from({ length: 60 }, (_, i) => {
  const a = 0.1 + 0.4 * stream.uniform();
  const b = 0.1 + 0.3 * stream.uniform();
  const temp = 20 + stream.integer(70);
  const cells = [
    `B${100 + i}`,
    temp,
    i === 7 ? 'D' : 'ABC'[i % 3],
    a.toFixed(3),
    b.toFixed(3),
    (1 - a - b).toFixed(3),
  ];
  return [...cells, 'L1', i === 4 ? '' : (temp / 2 + 20 * a + stream.uniform()).toFixed(1)].join();
});
const repeated = lines[10]!.replace(/[^,]+$/, (y) => String(Number(y) + 2)).replace('B110', 'B900');
const head = 'batch_id,temp,catalyst,frac_a,frac_b,frac_c,line,yield';
const table = await read([head, ...lines, repeated].join('\n'), { name: 'past.csv' });

describe('what is in a table', () => {
  it('is columns with roles, a recipe, a guess, repeats and a verdict', async () => {
    const report = await checkTable(table, { goals: [] });
    expect(report.columns.map(({ name, type, role }) => `${name} ${type} ${role}`)).toEqual([
      'batch_id identifier left out',
      'temp integer design',
      'catalyst category design',
      'frac_a number design',
      'frac_b number design',
      'frac_c number design',
      'line constant left out',
      'yield number goal?',
    ]);
    expect(report.columns[2]).toMatchObject({ note: 'D seen only once', distinct: 4, missing: 0 });
    expect(report.columns[7]).toMatchObject({ missing: 1 });
    expect(report.mixtures).toMatchObject([
      { columns: ['frac_a', 'frac_b', 'frac_c'], sum: 1, isGiven: false },
    ]);
    expect(report).toMatchObject({
      file: 'past.csv',
      rows: 61,
      goals: ['max yield'],
      isGuess: true,
      conflict: [],
    });
    // two values that differ by 2 have the standard deviation sqrt(2)
    expect(report.replicates).toEqual({ groups: 1, rows: 2, noise: expect.closeTo(Math.SQRT2, 9) });
    // temp, three fractions, and three numbers for four catalysts
    expect(report.support).toMatchObject({ level: 'good', rows: 59, numbers: 7 });
    expect(exitCodeOf(report)).toBe(0);
    expect(JSON.stringify(report)).not.toContain('NaN');
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  it('takes words for what they say', async () => {
    const report = await checkTable(table, {
      goals: ['min yield'],
      columns: { temp: { role: 'context' }, catalyst: { role: 'ignore' } },
      mixtures: [{ columns: ['frac_a', 'frac_b', 'frac_c'], sum: 100 }],
    });
    expect(report.columns.map(({ role }) => role)).toEqual([
      'left out',
      'context',
      'left out',
      'design',
      'design',
      'design',
      'left out',
      'goal',
    ]);
    expect(report.mixtures[0]).toMatchObject({ sum: 100, isGiven: true, rows: 61 });
    expect(report.mixtures[0]!.deviation).toBeCloseTo(99, 1);
    expect(report.conflict).toContain('frac_a + frac_b + frac_c = 100');
    expect(exitCodeOf(report)).toBe(4);
  });

  it('asks about columns that were not chosen, with what they explain', async () => {
    // two operators: one measures 10 more; within each the values are 0..4
    const body = Array.from(
      { length: 40 },
      (_, i) => `${i % 5},${i < 20 ? 'ann' : 'bob'},${(i % 5) + (i < 20 ? 0 : 10)}`,
    );
    const { contextHints } = await checkTable(await read(['x,operator,yield', ...body].join('\n')), {
      goals: [],
    });
    // within 80 / 38, total (80 + 40 * 25) / 39
    expect(contextHints).toEqual([
      { column: 'operator', explains: expect.closeTo(1 - 80 / 38 / (1080 / 39), 12) },
    ]);
  });

  it('is too little for many columns, with code 3', async () => {
    const few = await read([head, ...lines.slice(0, 9)].join('\n'));
    const report = await checkTable(few, { goals: ['max yield'] });
    expect(report.support?.level).toBe('none');
    expect(exitCodeOf(report)).toBe(3);
  });

  it.each([
    ['temp,yield,cost', ['max yield', 'min cost']],
    ['x1,x2,y', ['max y']],
    ['a,TensileStrength,b', ['max TensileStrength']],
    ['score (%),temp', ['max "score (%)"']],
    ['speed,width,height', ['max height']],
    ['q,temp', ['max q']],
  ])('has goals by name and place: %s', async (names, goals) => {
    const columns = names.split(',').length;
    const body = Array.from({ length: 12 }, (_, i) =>
      Array.from({ length: columns }, (_, j) => ((i * 7 + j * 3) % 11) + 0.5).join(),
    );
    const report = await checkTable(await read([names, ...body].join('\n')), { goals: [] });
    expect(report.goalCandidates.map(({ goal }) => goal)).toEqual(goals);
  });

  it('is a table without a goal where nothing is a number', async () => {
    const body = Array.from({ length: 12 }, (_, i) => `${'ab'[i % 2]},${'xyz'[i % 3]}`);
    const report = await checkTable(await read(['p,q', ...body].join('\n')), { goals: [] });
    expect(report).toMatchObject({ goals: [], support: null, findings: [] });
    expect(nextCommand('a b.csv', report, false, ['design'])).toBe(
      'nemokit check "a b.csv" --goal "max ..."',
    );
  });
});

describe('what is printed', async () => {
  const report = await checkTable(table, { goals: [] });
  const print = (width: number, color = false) =>
    printCheck(report, { width, color, next: nextCommand('past.csv', report, false, ['design']) });

  it('reads like this', () => {
    expect(print(100)).toBe(
      [
        'past.csv   61 rows, 8 columns   commas, UTF-8, decimal point',
        '',
        '  column    read as       range or levels  missing  note',
        '  batch_id  identifier    61 different              names rows, not conditions',
        `  temp      whole number  ${'21 to 89'.padEnd(15)}`.trimEnd(),
        '  catalyst  category      A B C D                   D seen only once',
      ].join('\n') + print(100).slice(print(100).indexOf('\n  frac_a')),
    );
    expect(print(100)).toContain(
      '  Recipe   frac_a + frac_b + frac_c = 1 (± 0.001 in 61 rows). It looks like a recipe',
    );
    expect(print(100)).toContain('  Goal     max yield: assumed (by its name). --goal decides.');
    expect(print(100)).toContain('uncertain by about ± 1.4 in yield: a gain');
    expect(print(100)).toContain('  Support  Good. 59 different settings for 7 numbers per design');
    expect(print(100)).toMatch(/\n\nNext {3}nemokit design past.csv --goal "max yield"\n$/);
  });

  it.each([40, 60, 80, 140])('fits %i cells, in colour or not', (width) => {
    for (const line of [...print(width).split('\n'), ...print(width, true).split('\n')])
      if (!line.includes('Next') && !line.includes('past.csv'))
        expect(textWidth(line), line).toBeLessThanOrEqual(width);
  });

  it('shows control characters of a hostile table as dots', async () => {
    const records = Array.from({ length: 12 }, (_, i) => ({
      'a\u001b[31m': `\u001b[2Jx${i % 3}`,
      yield: i,
    }));
    const hostile = await checkTable(await readTable(records), { goals: [] });
    const text = printCheck(hostile, { width: 80, color: false, next: 'x' });
    expect(text).not.toContain('\u001b');
    expect(text).toContain('a·[31m');
  });

  it('is cut where there are many columns, unless all are wanted', async () => {
    const names = [...Array.from({ length: 60 }, (_, j) => `x${j}`), 'yield'];
    const body = Array.from({ length: 9 }, () => names.map(() => stream.uniform().toFixed(3)).join());
    const wide = await checkTable(await read([names.join(), ...body].join('\n')), { goals: [] });
    const options = { width: 80, color: false, next: 'x' };
    expect(printCheck(wide, options)).toContain('and 35 columns more; --all shows them');
    expect(printCheck(wide, options)).toContain('goal?');
    expect(printCheck(wide, { ...options, all: true })).toContain('x59');
  });
});
