import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { toCandidatesCsv } from '../../src/report/candidatesCsv.js';
import { neutralise, withoutApostrophe } from '../../src/table/cellText.js';
import { appendRows, readTable } from '../../src/table/index.js';
import { sampleCandidate, sampleRun } from '../cli/sampleRun.js';
import { cells } from '../table/reading.js';

const parse = (text: string) => Papa.parse<string[]>(text, { skipEmptyLines: true }).data;

describe('candidates as a table', () => {
  it('have the columns of the past, what is not set left empty, then what is expected', () => {
    const [head, first] = parse(toCandidatesCsv(sampleRun()));
    expect(head).toEqual([
      ...['batch_id', 'temp', 'catalyst', 'frac_a', 'frac_b', 'frac_c', 'time_h', 'line', 'yield'],
      ...['expected', 'lo80', 'hi80', 'trust', 'gamma', 'novelty', 'nearest_row', 'nearest_value'],
      ...['nearest_mean_of', 'goal'],
    ]);
    expect(first).toEqual([
      '',
      '71.5',
      'B',
      '0.42',
      '0.31',
      '0.27',
      '4',
      'L1',
      '',
      '86.2',
      '82',
      '90.1',
      'Trusted',
      '0.31',
      '30',
      '188',
      '81.4',
      '1',
      'max yield',
    ]);
  });

  it('have each of several goals, and keep names apart', () => {
    const goals = ['yield', 'cost'].map((column) => ({
      column,
      label: `max ${column}`,
      kind: 'max' as const,
    }));
    const prediction = { expected: 1, lo80: 0.5, hi80: 1 / 3 };
    const document = sampleRun({
      goal: { labels: [], name: 'desirability', direction: 'max', goals },
      candidates: [sampleCandidate(0, { goals: [prediction, prediction] })],
    });
    const [head, first] = parse(toCandidatesCsv(document, ['yield', 'expected', 'cost', 'cost_lo80']));
    expect(head!.slice(0, 5)).toEqual(['yield', 'expected', 'cost', 'cost_lo80', 'nemokit_expected']);
    expect(head!.slice(-7)).toEqual([
      'yield_expected',
      'yield_lo80',
      'yield_hi80',
      'cost_expected',
      'nemokit_cost_lo80',
      'cost_hi80',
      'goal',
    ]);
    expect(first!.slice(0, 5)).toEqual(['', '', '', '', '86.2']);
    expect(first!.at(-2)).toBe('0.333333');
  });

  it('have all columns of the list they were taken from, beside the settings and below their own names', () => {
    const listed = {
      row: 7,
      cells: { temp: 71.5, batch_id: 'K-7', expected: 'soon', 'price, EUR': 12.5, yield: 3 },
    };
    const document = sampleRun({ candidates: [sampleCandidate(0, { listed }), sampleCandidate(1)] });
    const [head, first, second] = parse(toCandidatesCsv(document));
    expect(head!.slice(8, 13)).toEqual(['yield', 'expected', 'price, EUR', 'nemokit_expected', 'lo80']);
    expect([first![0], first![1], ...first!.slice(8, 12)]).toEqual([
      'K-7',
      '71.5',
      '',
      'soon',
      '12.5',
      '86.2',
    ]);
    expect([second![0], ...second!.slice(9, 11)]).toEqual(['', '', '']);
  });

  it('say how many rows the nearest value is the mean of', () => {
    const nearest = { ...sampleCandidate(0).nearest, meanOf: { rows: [12, 40, 77], values: [1, 2, 3] } };
    const [head, first] = parse(
      toCandidatesCsv(sampleRun({ candidates: [sampleCandidate(0, { nearest })] })),
    );
    expect(first![head!.indexOf('nearest_mean_of')]).toBe('3');
  });

  it('can be filled in and appended to the past, by name', async () => {
    const text = toCandidatesCsv(sampleRun());
    const table = await readTable(new TextEncoder().encode(text), { name: 'candidates.csv' });
    expect(cells(table, 'temp').slice(0, 3)).toEqual([71.5, 74, 76.5]);
    expect(cells(table, 'catalyst').at(-1)).toBe('D');
    expect(cells(table, 'yield')).toEqual(new Array(8).fill(null));
  });
});

describe('candidates in the dialect of the table', () => {
  const lines = (text: string) => text.trimEnd().split('\n');
  const past = (text: string) => readTable(new TextEncoder().encode(text), { name: 'past.csv' });
  const cellsOf = [
    { level: 'a;b', n: 0.15, k: 20 },
    { level: 'c,d', n: 0.152999998, k: 20.5 },
    { level: 'e', n: -0.0001, k: -1 },
  ];
  const candidates = cellsOf.map((own, i) => sampleCandidate(i, { cells: own }));

  it.each([
    [
      'semicolons and commas',
      'level;n;k;yield\nx;0,150;1;2,5\ny;0,25;2;3,5\n',
      ['"a;b";0,150;20;', '"c,d";0,152999998;20,5;', 'e;-0,0001;-1;'],
    ],
    [
      'tabs and commas',
      'level\tn\tk\tyield\nx\t0,150\t1\t2,5\ny\t0,25\t2\t3,5\n',
      ['"a;b"\t0,150\t20\t', '"c,d"\t0,152999998\t20,5\t', 'e\t-0,0001\t-1\t'],
    ],
    [
      'commas and points',
      'level,n,k,yield\nx,0.150,1,2.5\ny,0.25,2,3.5\n',
      ['"a;b",0.150,20,', '"c,d",0.152999998,20.5,', 'e,-0.0001,-1,'],
    ],
    [
      'spaces',
      'level n k yield\nx 0,150 1 2,5\ny 0,25 2 3,5\n',
      ['"a;b";0,150;20;', '"c,d";0,152999998;20,5;', 'e;-0,0001;-1;'],
    ],
  ])('are written with %s, with the digits of the column, and read back', async (_, text, expected) => {
    const table = await past(text);
    const csv = toCandidatesCsv(sampleRun({ candidates }), table);
    expect(
      lines(csv)
        .slice(1)
        .map((line, i) => line.slice(0, expected[i]!.length)),
    ).toEqual(expected);
    const back = await readTable(new TextEncoder().encode(csv), { name: 'candidates.csv' });
    expect(cells(back, 'n')).toEqual(cellsOf.map(({ n }) => n));
    expect(cells(back, 'k')).toEqual(cellsOf.map(({ k }) => k));
    expect(cells(back, 'level')).toEqual(cellsOf.map(({ level }) => level));
    expect(cells(back, 'expected')[0]).toBe(86.2);
    const both = appendRows(table, back);
    expect(both.rows).toBe(5);
    expect(both.dialect).toEqual(table.dialect);
    expect(both.columns.map(({ name }) => name)).toEqual(['level', 'n', 'k', 'yield']);
  });

  it('come from the table of a run of the library', async () => {
    const table = await past('n;k;yield\n0,150;1;2,5\n0,25;2;3,5\n');
    const csv = toCandidatesCsv({ ...sampleRun({ candidates }), asked: { table } });
    expect(lines(csv)[1]).toMatch(/^0,150;20;;86,2;/);
  });
});

describe('texts that a spreadsheet would run', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['+A1', "'+A1"],
    ['-x', "'-x"],
    ['\tx', "'\tx"],
    ['\rx', "'\rx"],
    ['-5', '-5'],
    ['+1.5e-3', '+1.5e-3'],
    ['-.5', '-.5'],
    ['-5x', "'-5x"],
    ["'=x", "''=x"],
    ["it's", "it's"],
    ["'quoted'", "'quoted'"],
    ['', ''],
  ])('%j becomes %j', (text, expected) => {
    expect(neutralise(text)).toBe(expected);
    expect(withoutApostrophe(expected)).toBe(text);
  });

  const hostile = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', "'", '"', ',', ';', ' ', 'a', '1', '|'),
    }),
  );

  it('come back as they were, and none begins with a formula', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 5 }), (texts) => {
        const candidates = texts.map((text, i) => sampleCandidate(i, { cells: { level: text, n: -1.5 } }));
        const csv = toCandidatesCsv(sampleRun({ candidates }), ['level', 'n', 'yield']);
        const { data, errors } = Papa.parse<string[]>(csv, {
          delimiter: ',',
          newline: '\n',
          skipEmptyLines: false,
        });
        expect(errors).toEqual([]);
        const rows = data.slice(1, -1);
        expect(rows.map(([level]) => withoutApostrophe(level!))).toEqual(texts);
        for (const [level, n] of rows) {
          expect(/^[=+\-@\t\r]/.test(level!) && Number.isNaN(Number(level))).toBe(false);
          expect(n).toBe('-1.5');
        }
      }),
      { numRuns: 500 },
    );
  });

  it('are understood by our own reader', async () => {
    const texts = ["=a'", '+b,c', '-d "e"', '@f;g', "'=h", 'plain', "o'k", 'i|j'];
    const candidates = texts.map((text, i) => sampleCandidate(i, { cells: { level: text, n: i } }));
    const csv = toCandidatesCsv(sampleRun({ candidates }), ['level', 'n']);
    const table = await readTable(new TextEncoder().encode(csv));
    expect(cells(table, 'level').map((text) => withoutApostrophe(String(text)))).toEqual(texts);
    expect(cells(table, 'n')).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });
});
