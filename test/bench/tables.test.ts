import { describe, expect, it } from 'vitest';
import { chiSquareTail, compareRanks, compareRows } from '../../src/bench/comparison.js';
import { paperTasks } from '../../src/bench/registry.js';
import { rowName, spreadOf, summarize } from '../../src/bench/summary.js';
import { formatTables } from '../../src/bench/tableFormats.js';
import { paperLayout, readPaperTables, resultTables, spreadText } from '../../src/bench/tables.js';
import { sampleRecord } from './sampleRecord.js';

const three = (best: number, median: number, worst: number) => [median, best, worst];
const records = [
  sampleRecord({ algorithm: 'nemo', seed: 1, scores: three(1, 0, -1) }),
  sampleRecord({ algorithm: 'nemo', seed: 0, scores: three(2, 1, -1) }),
  sampleRecord({ algorithm: 'forward', seed: 0, scores: three(1, 0.5, -1) }),
  sampleRecord({ algorithm: 'forward', seed: 1, scores: three(1, 0.5, -1) }),
  sampleRecord({ algorithm: 'forward', seed: 2, scores: three(-2, -2, -2) }),
];

describe('a summary', () => {
  it('has mean and population deviation over seeds, raw and normalised', () => {
    const [own] = summarize(records);
    expect(own).toMatchObject({
      task: 'branin-v1',
      algorithm: 'nemo',
      seeds: [0, 1],
      scores: { 100: [2, 1], 50: [1, 0] },
      raw: { 100: { mean: 1.5, deviation: 0.5 }, 50: { mean: 0.5, deviation: 0.5 } },
      normalized: { 100: { mean: 0.875, deviation: 0.125 } },
      secondsPerTrial: 2.5,
    });
    expect(spreadOf([3])).toEqual({ mean: 3, deviation: 0 });
  });

  it('has one order, whichever trial ended first', () => {
    const wanted = [
      ['superconductor-gbdt-v1', 'nemo', 'defaults'],
      ['superconductor-gbdt-v1', 'nemo', 'tuned'],
      ['superconductor-gbdt-v1', 'nemo', 'paper'],
      ['superconductor-gbdt-v1', 'nemo', 'rate 0.0005, 5 steps'],
      ['superconductor-gbdt-v1', 'nemo', 'rate 0.0005, 20 steps'],
      ['superconductor-gbdt-v1', 'nemo', 'rate 0.05'],
      ['superconductor-gbdt-v1', 'nemo', 'rate 0.05, 5 steps'],
      ['superconductor-gbdt-v1', 'ensemble', 'defaults'],
      ['superconductor-gbdt-v1', 'autofocus', 'defaults'],
      ['superconductor-gbdt-v1', 'mine-2', 'defaults'],
      ['superconductor-gbdt-v1', 'mine-10', 'defaults'],
      ['gfp-gp-v1', 'nemo', 'defaults'],
      ['dkitty-morphology-cpg-v1', 'nemo', 'defaults'],
      ['branin-v1', 'nemo', 'defaults'],
      ['my-task', 'nemo', 'defaults'],
    ] as const;
    const made = wanted.map(([task, algorithm, variant]) =>
      sampleRecord({ task, algorithm, variant, seed: 0, scores: [0] }),
    );
    for (const shift of [0, 4, 11]) {
      const mixed = made.map((_, i) => made[(i * 7 + shift) % made.length]!);
      expect(new Set(mixed).size).toBe(made.length);
      expect(summarize(mixed).map(({ task, algorithm, variant }) => [task, algorithm, variant])).toEqual(
        wanted,
      );
    }
  });

  it('names rows by their variant', () => {
    expect(rowName({ algorithm: 'nemo', variant: 'defaults' })).toBe('nemo');
    expect(rowName({ algorithm: 'nemo', variant: 'paper' })).toBe('nemo (paper)');
  });

  it('has the tasks of the paper in the order of its tables', async () => {
    expect(paperTasks).toEqual((await readPaperTables()).tasks);
  });
});

describe('tables', () => {
  it('mark what is best or within its deviation, and say what was not run', () => {
    const more = [
      ...records,
      sampleRecord({ task: 'levy50-v1', algorithm: 'nemo', seed: 0, scores: [-700] }),
    ];
    const [best] = resultTables(summarize(more), { scale: 'raw' });
    expect(best!.head).toEqual(['', 'branin-v1', 'levy50-v1']);
    expect(
      best!.rows.map(({ cells }) => cells.map(({ text, isBest }) => (isBest ? `*${text}` : text))),
    ).toEqual([
      ['nemo', '*1.500 ± 0.500', '*-700.0'],
      ['forward', '0.0000 ± 1.4142', 'not run'],
      ['start', 'not run', 'not run'],
    ]);
    expect(best!.notes).toEqual([
      'mean ± standard deviation over seeds; 1 to 3 seeds',
      'no row without a model was run: nemokit bench run --algorithm nulls',
    ]);
  });

  it('mark cells whose options are not those of the row', () => {
    const wide = sampleRecord({ algorithm: 'forward', seed: 0, scores: [1], options: { hidden: [64, 64] } });
    const [cell] = summarize([wide]);
    expect(cell!.changed).toEqual(['hidden']);
    const named = summarize([
      { ...wide, variant: 'narrow' },
      { ...wide, algorithm: 'mine' },
    ]);
    expect(named.map(({ changed }) => changed)).toEqual([[], []]);
    const [best] = resultTables([cell!], { scale: 'raw' });
    expect(best!.rows[0]!.cells[1]!.text).toBe('1.000 *');
    expect(best!.notes[1]).toContain(
      "with a star: some options differ from the row's preset (see the records)",
    );
  });

  it('have about four digits, as in the paper', () => {
    expect(spreadText({ mean: 127, deviation: 7.292 })).toBe('127.0 ± 7.3');
    expect(spreadText({ mean: 3.359, deviation: 0.036 })).toBe('3.359 ± 0.036');
    expect(spreadText({ mean: 0.9756, deviation: 0.01 })).toBe('0.9756 ± 0.0100');
    expect(spreadText({ mean: 2130.1, deviation: 506.9 })).toBe('2130 ± 507');
  });

  it("are those of the paper, digit for digit, with its dashes and our 'not run'", async () => {
    const paper = await readPaperTables();
    for (const table of Object.values(paper.tables)) {
      const cells = Object.values(table.rows).flatMap((row) => paper.tasks.map((task) => row[task]));
      expect(cells).toHaveLength(42);
      expect(cells.filter((cell) => cell === null)).toHaveLength(5);
      expect(cells).not.toContain(undefined);
    }
    const ours = [
      sampleRecord({ task: 'superconductor-gbdt-v1', seed: 0, scores: three(110, 80, 1) }),
      sampleRecord({ task: 'superconductor-gbdt-v1', variant: 'paper', seed: 0, scores: three(9, 9, 9) }),
      sampleRecord({ task: 'molecule-activity-forest-v1', seed: 0, scores: three(9, 8, 7) }),
    ];
    const [materials, robots, medians] = paperLayout(summarize(ours), paper);
    const rowOf = (table: typeof materials, name: string) =>
      table!.rows.find(({ cells }) => cells[0]!.text === name)!.cells.map(({ text }) => text);
    expect(rowOf(materials, 'nemo')).toEqual([
      'nemo',
      '110.0',
      '127.0 ± 7.292',
      'not run',
      '3.359 ± 0.036',
      '9.000',
      '6.682 ± 0.209',
    ]);
    expect(rowOf(materials, 'nemo (paper)').slice(1, 4)).toEqual(['9.000', '', 'not run']);
    expect(rowOf(robots, 'gp-bo')).toEqual(['gp-bo', 'not run', '-', 'not run', '-', 'not run', '-']);
    expect(rowOf(medians, 'gp-bo').slice(1, 3)).toEqual(['not run', '72.42 ± 0.000']);
    expect(rowOf(materials, 'Dataset Max').slice(1, 3)).toEqual(['-0.5000', '73.90']);
    expect(materials!.notes.join()).toContain('MoleculeActivity is molecule-activity-forest-v1, a stand-in');
  });

  it('come in the formats people paste', () => {
    const table = {
      title: 'A & B',
      notes: ['50 % of <it>'],
      head: ['', 'task_1'],
      rows: [
        { cells: [{ text: 'a|b' }, { text: '1.0 ± 0.1', isBest: true }] },
        { isApart: true, cells: [{ text: 'max' }, { text: '1,5' }] },
      ],
    };
    expect(formatTables([table], 'md')).toBe(
      '### A & B\n\n|  | task_1 |\n| --- | ---: |\n| a\\|b | **1.0 ± 0.1** |\n| max | 1,5 |\n\n50 % of \\<it>\n',
    );
    const marked = { ...table, rows: [{ cells: [{ text: 'a' }, { text: '1.0 *', isBest: true }] }] };
    expect(formatTables([marked], 'md')).toContain('| a | **1.0 \\***');
    expect(formatTables([table], 'latex')).toContain(
      'a\\textbar{}b & \\textbf{1.0 $\\pm$ 0.1} \\\\\n\\hline\nmax & 1,5',
    );
    expect(formatTables([table], 'latex')).toContain('task\\_1');
    expect(formatTables([table], 'csv')).toBe('A & B,task_1\na|b,1.0 ± 0.1\nmax,"1,5"\n');
    expect(formatTables([table], 'html')).toContain('<td><strong>1.0 ± 0.1</strong></td>');
    expect(formatTables([table], 'html')).toContain('<caption>A &amp; B. 50 % of &lt;it&gt;</caption>');
  });
});

describe('comparisons', () => {
  it('pair trials by seed', () => {
    const cells = summarize(records);
    const [pair] = compareRows(cells, 'nemo', 'forward', '100');
    expect(pair).toMatchObject({ task: 'branin-v1', pairs: 2, mean: 0.5, low: 0, high: 1, wins: 1.5 });
    const [back] = compareRows(cells, 'forward', 'nemo', '100');
    expect(back).toMatchObject({ mean: -0.5, low: -1, high: 0, wins: 0.5 });
    expect(compareRows(cells, 'nemo', 'mins', '100')).toEqual([]);
  });

  it('have intervals that hold the mean of many draws about as often as they say', () => {
    const seeds = Array.from({ length: 30 }, (_, i) => i);
    const noise = (i: number) => Math.sin(i * 12.9898) * 2;
    const many = seeds.flatMap((seed) => [
      sampleRecord({ algorithm: 'nemo', seed, scores: [1 + noise(seed)] }),
      sampleRecord({ algorithm: 'forward', seed, scores: [0] }),
    ]);
    const [pair] = compareRows(summarize(many), 'nemo', 'forward', '50');
    const values = seeds.map((seed) => 1 + noise(seed));
    const { mean, deviation } = spreadOf(values);
    // the normal interval, 1.96 deviations of the mean to either side
    expect(pair!.mean).toBeCloseTo(mean, 12);
    expect(pair!.high - pair!.low).toBeCloseTo((2 * 1.96 * deviation) / Math.sqrt(30), 1);
  });

  it('rank rows over tasks as Demšar does', () => {
    // Demšar 2006, section 3.2.2: ranks of four classifiers on 14 data sets, 3.143, 2.000, 2.893, 1.964; chi² 9.28
    expect(chiSquareTail(9.28, 3)).toBeCloseTo(0.0258, 4);
    expect(chiSquareTail(0, 3)).toBe(1);
    expect(chiSquareTail(3.841, 1)).toBeCloseTo(0.05, 4);
    expect(chiSquareTail(18.307, 10)).toBeCloseTo(0.05, 4);
    const tasks = Array.from({ length: 14 }, (_, t) => `task ${t}`);
    const cells = summarize(
      tasks.flatMap((task) =>
        ['a', 'b', 'c', 'd'].map((algorithm, i) => sampleRecord({ task, algorithm, seed: 0, scores: [-i] })),
      ),
    );
    const ranks = compareRanks(cells, '100')!;
    expect(ranks.rows).toEqual([
      { name: 'a', rank: 1 },
      { name: 'b', rank: 2 },
      { name: 'c', rank: 3 },
      { name: 'd', rank: 4 },
    ]);
    expect(ranks.criticalDifference).toBeCloseTo(2.569 * Math.sqrt((4 * 5) / (6 * 14)), 12);
    expect(ranks.chance).toBeLessThan(1e-8);
    expect(compareRanks(summarize(records), '100')).toBeNull();
  });
});
