import { describe, expect, it } from 'vitest';
import { printRun } from '../../src/cli/printRun.js';
import { clock } from '../../src/cli/progress.js';
import { cut, textWidth } from '../../src/cli/textLayout.js';
import { columnFormat, typedNumber } from '../../src/report/index.js';
import { secondRound } from '../report/oddDocuments.js';
import { sampleCandidate, sampleRun } from './sampleRun.js';

const folder = 'runs/2026-11-15-yield-7f3a';
const print = (width: number, document = sampleRun(), color = false) =>
  printRun(document, { width, color, folder });

describe('a run on a terminal', () => {
  it('has verdict, best known, table, footnotes and what to do next', () => {
    expect(print(140, sampleRun({ candidates: [0, 7].map((i) => sampleCandidate(i)) }))).toBe(
      `Verdict  LIKELY BETTER. Three of eight designs are probably better than the best past row.
Goal     max yield
Best     yield 81.4 (row 188) → expected 86.2, 80 % range 82.0 to 90.1: 4.8 higher
         Measured again, the same settings differ by about ± 1.9 (standard deviation).
         · unseen rows were ranked well (rank correlation 0.81)

  #  temp  catalyst  frac_a  frac_b  frac_c  time_h  line  expected  80 % range  trust    closest past run, and what differs
  1  71.5  B           0.42    0.31    0.27       4  L1        86.2   82.0–90.1  Trusted  row 188 (81.4): temp +3.5, frac_a +0.02
  8  89.0  D           0.56    0.24    0.20       4  L1        84.0   72.8–91.4  Guess    row 48 (67.4): temp +21, frac_a +0.16, …

All 2 rows satisfy 3 constraints: frac_a + frac_b + frac_c = 1; temp in 20..95; line = L1.
None repeats a past run.
Row 8 is a guess: catalyst D was tried 3 times only.

Saved    runs/2026-11-15-yield-7f3a/ (candidates.csv, report.html)
Next     nemokit explain runs/2026-11-15-yield-7f3a --row 1
         or open runs/2026-11-15-yield-7f3a/report.html in a browser
`,
    );
  });

  it('says once what is the same in all rows, and gives what finds no room tables of its own', () => {
    const narrow = print(80);
    expect(narrow).toContain('  all rows: time_h 4, line L1\n');
    expect(narrow).toContain('  #  temp  catalyst');
    expect(narrow).toMatch(/\n\n {2}# {2}frac_b {2}frac_c\n/);
    for (const width of [60, 80, 170]) {
      expect(print(width)).not.toContain('not shown');
      for (const name of ['temp', 'catalyst', 'frac_a', 'frac_b', 'frac_c'])
        expect(
          print(width).match(new RegExp(`^ +# .*\\b${name}\\b`, 'm')),
          `${name}, ${width}`,
        ).not.toBeNull();
    }
  });

  it('drops what changes least of very many columns, and says so', () => {
    const many = Array.from({ length: 80 }, (_, j) => `setting_${j}`);
    const candidates = [0, 1].map((i) =>
      sampleCandidate(i, { cells: Object.fromEntries(many.map((name, j) => [name, (1 + i) * (1 + j)])) }),
    );
    expect(print(80, sampleRun({ candidates }))).toContain('not shown, because they change least: ');
    expect(print(80, sampleRun({ candidates }))).toContain('candidates.csv has all');
    expect(printRun(sampleRun({ candidates }), { width: 80, color: false })).toContain(
      'a wider terminal shows',
    );
  });

  it.each([40, 50, 60, 80, 100, 140, 200])('fits %i cells', (width) => {
    for (const color of [false, true])
      for (const line of print(width, sampleRun(), color).split('\n'))
        if (!/explain|report.html/.test(line)) expect(textWidth(line), line).toBeLessThanOrEqual(width);
  });

  it('colours trust by its word', () => {
    const text = print(140, sampleRun(), true);
    expect(text).toContain('\u001b[32mTrusted\u001b[39m');
    expect(text).toContain('\u001b[33mStretch\u001b[39m');
    expect(text).toContain('\u001b[31mGuess\u001b[39m');
  });

  it('speaks of lower values where less is better', () => {
    const goal = {
      ...sampleRun().goal,
      labels: ['min cost'],
      name: 'cost',
      direction: 'min' as const,
    };
    const bestKnown = { ...sampleRun().bestKnown, value: 90 };
    expect(print(100, sampleRun({ goal, bestKnown }))).toContain('cost 90.0 (row 188) → expected 86.2');
    expect(print(100, sampleRun({ goal, bestKnown }))).toContain('3.8 lower');
    expect(print(100, sampleRun({ goal }))).toContain('4.8 short of the best known');
  });

  it('shows each of several goals beside their desirability', () => {
    const goals = ['yield', 'cost'].map((column) => ({
      column,
      label: `max ${column}`,
      kind: 'max' as const,
    }));
    const candidates = [0, 1].map((i) =>
      sampleCandidate(i, {
        expected: 0.81 - i / 10,
        lo80: 0.5,
        hi80: 0.9,
        goals: [80.5 - i, 12 + i].map((expected) => ({ expected, lo80: expected - 1, hi80: expected + 1 })),
      }),
    );
    const goal = {
      labels: ['max yield', 'min cost'],
      name: 'desirability',
      direction: 'max' as const,
      goals,
    };
    const bestKnown = { ...sampleRun().bestKnown, value: 0.7 };
    const data = { ...sampleRun().data, noise: null };
    const lines = print(180, sampleRun({ goal, candidates, bestKnown, data })).split('\n');
    expect(lines.find((line) => line.includes('#'))).toMatch(
      /desirability {2}80 % range {2}trust +yield +cost {2}closest/,
    );
    expect(lines.find((line) => line.startsWith('  2'))).toContain(
      ' 0.71   0.50–0.90  Trusted  79.50 (78.50–80.50)  13.00 (12.00–14.00)  row',
    );
    // every width shows both goals
    for (const width of [40, 60, 80, 120]) {
      const text = print(width, sampleRun({ goal, candidates, bestKnown }));
      expect(text).toMatch(/^ +#.* yield/m);
      expect(text).toMatch(/ 13\.00/);
    }
    expect(lines).toContain(
      'Best     desirability 0.70 (row 188) → expected 0.81, 80 % range 0.50 to 0.90: 0.11 higher',
    );
    expect(print(80, sampleRun({ goal, candidates, bestKnown }))).toContain('desirability');
  });

  it('says what became of earlier promises, which values are means, and what a list says about its rows', () => {
    const text = print(120, secondRound(sampleRun()));
    expect(text).toContain(
      [
        'Promised 1 of 2 measured rows lies inside the 80 % range that was promised (50 %, over 2 rounds);',
        '         too few to judge by.',
        '         · On average they are 8.0 lower than expected: that much too good was promised.',
        '         · Of b.csv, 1 of 2 beat the best row of the time, 80.0.',
        '         · 2 promises of a.csv are about another goal than "max yield" and not compared.',
        '  row  expected  80 % range  measured',
        '  121      88.0   80.0–95.0      90.0  inside',
        '  122      88.0   80.0–95.0      70.0  outside, below',
      ].join('\n'),
    );
    expect(text).toContain('yield 81.4 (mean of 3 rows: 12, 40, 77; best single 90.0) → expected 86.2');
    expect(text.replace(/\s+/g, ' ')).toContain(
      'Row 91 has yield 99.0, but its settings were measured 2 times (also in row 93), with 70.0 on average: the mean counts.',
    );
    expect(text).toMatch(/#\s+name\s+price, EUR/);
    expect(text).toMatch(/1\s+no\. 0\s+12\.5/);
    expect(text).toContain('(mean of 3: 81.4)');
    // a gain that repeated measurements would hide
    const data = { ...sampleRun().data, noise: 6 };
    expect(print(140, sampleRun({ data })).replace(/\s+/g, ' ')).toContain(
      '4.8 higher, less than repeated measurements differ Measured again, the same settings differ by about ± 6 (',
    );
  });

  it('admits repeats, an end before time, and that there is nothing', () => {
    const candidate = sampleCandidate(0);
    const same = { ...candidate, nearest: { ...candidate.nearest, differences: [] } };
    expect(print(100, sampleRun({ candidates: [same, sampleCandidate(1)] }))).toContain(
      'Row 1 repeats settings that were measured before.',
    );
    const { run } = sampleRun();
    expect(print(100, sampleRun({ run: { ...run, complete: false } }))).toContain(
      'cut short by its time limit',
    );
    const none = print(
      100,
      sampleRun({
        candidates: [],
        verdict: { level: 'unsupported', sentence: '34 rows for 60 numbers.', reasons: [] },
      }),
    );
    expect(none).toContain('Verdict  NOT SUPPORTED. 34 rows for 60 numbers.');
    expect(none).toContain('yield 81.4 (row 188) stays the best known');
    expect(none).not.toContain('explain');
  });

  it('is not moved by control characters in cells', () => {
    const candidate = sampleCandidate(0, { cells: { 'a\u001b[2J': 'x\ny', b: 1 } });
    expect(print(80, sampleRun({ candidates: [candidate] }))).toMatch(/a·\[2J/);
    expect(print(80, sampleRun({ candidates: [candidate] }))).not.toContain('\u001b');
  });
});

describe('numbers', () => {
  it('have the digits they need', () => {
    expect([0, 3, -2.5, 1 / 3, 123456.789, 1e9, 1e-7, Number.NaN].map((value) => typedNumber(value))).toEqual(
      ['0', '3', '-2.5', '0.333', '123457', '1e9', '1e-7', '?'],
    );
    const together = (...values: number[]) => values.map((value) => typedNumber(value, columnFormat(values)));
    expect(together(71.5, 74, 89)).toEqual(['71.5', '74.0', '89.0']);
    expect(together(0.42, 0.1 + 0.2)).toEqual(['0.42', '0.30']);
    expect(together(100.001, 100.0023)).toEqual(['100.0010', '100.0023']);
    expect(together(1, 2, 3)).toEqual(['1', '2', '3']);
    expect(together(1 / 3, 2 / 3)).toEqual(['0.333', '0.667']);
    expect([0.4, 48, 725, 3725].map(clock)).toEqual(['0:00', '0:48', '12:05', '1:02:05']);
  });
});

describe('text', () => {
  it('is measured and cut in cells', () => {
    expect([
      textWidth('abc'),
      textWidth('温度'),
      textWidth('e\u0301'),
      textWidth('\u001b[31mx\u001b[39m'),
    ]).toEqual([3, 4, 1, 1]);
    expect([cut('temperature', 6), cut('温度計', 5), cut('ab', 2)]).toEqual(['tempe…', '温度…', 'ab']);
  });
});
