// Batches as they are written: the rules are checked on candidates.csv, by code that shares nothing with the choice.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { design, readTable, toCandidatesCsv } from '../../src/index.js';
import { rootKey, Stream } from '../../src/numeric/index.js';
import { Workplace } from '../cli/smallRun.js';

/** temp in steps of 5, Pd and ligand with one decimal, a recipe of three, a solvent; two goals. */
function pastCsv(rows = 60): string {
  const stream = new Stream(rootKey(21));
  const lines = Array.from({ length: rows }, () => {
    const temp = 20 + 5 * stream.integer(15);
    const [pd, ligand] = [(0.5 + 4.5 * stream.uniform()).toFixed(1), (0.5 + 7 * stream.uniform()).toFixed(1)];
    const a = 0.1 + Math.round(50 * stream.uniform()) / 100;
    const b = Math.round(100 * (0.9 - a) * stream.uniform()) / 100;
    const solvent = ['water', 'dmf', 'thf'][stream.integer(3)]!;
    const y = 70 - ((temp - 70) / 15) ** 2 + 3 * Number(pd) - (Number(ligand) - 4) ** 2 + 9 * a;
    const price = 10 + 4 * Number(pd) + 1.5 * Number(ligand) + stream.uniform();
    const cells = [temp, pd, ligand, a.toFixed(2), b.toFixed(2), (1 - a - b).toFixed(2), solvent];
    return [...cells, (y + stream.uniform()).toFixed(1), price.toFixed(1)].join();
  });
  return `temp,Pd,ligand,fa,fb,fc,solvent,yield,price\n${lines.join('\n')}\n`;
}

const csv = pastCsv();
const bytes = (text: string) => new TextEncoder().encode(text);
const table = await readTable(bytes(csv), { name: 'past.csv' });
const quick = { effort: 'fast', options: { steps: 6 }, kernel: 'wasm' } as const;

type Row = Readonly<Record<string, string>>;
function rowsOf(text: string): Row[] {
  const [head, ...lines] = text.trimEnd().split('\n');
  const names = head!.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, j) => [names[j]!, cell])));
}

const settings = ['temp', 'Pd', 'ligand', 'fa', 'fb', 'fc', 'solvent'] as const;
const past = rowsOf(csv);
const range = (name: string) => {
  const values = past.map((row) => Number(row[name]));
  return Math.max(...values) - Math.min(...values);
};

/** What every batch has to keep, whatever was asked. */
function expectDoable(rows: readonly Row[]): void {
  const isSame = (a: Row, b: Row) => settings.every((name) => a[name] === b[name]);
  // 5 degrees, a twenty-fifth of the range or ten of the last digit, whichever is less
  const least = (name: string) =>
    name === 'temp' ? 5 : Math.min(range(name) / 25, name.startsWith('f') ? 0.1 : 1);
  const areApart = (a: Row, b: Row) =>
    a.solvent !== b.solvent ||
    settings.slice(0, -1).some((name) => Math.abs(Number(a[name]) - Number(b[name])) >= least(name) - 1e-9);
  for (const [i, row] of rows.entries()) {
    expect(Number(row.temp) % 5).toBe(0);
    expect(row.Pd).toMatch(/^\d\.\d$/);
    expect(row.fa).toMatch(/^\d\.\d\d$/);
    expect(Math.abs(Number(row.fa) + Number(row.fb) + Number(row.fc) - 1)).toBeLessThan(1e-9);
    expect(
      past.some((one) => isSame(one, row)),
      `row ${i + 1} is new`,
    ).toBe(false);
    for (const other of rows.slice(0, i))
      expect(areApart(row, other), JSON.stringify([row, other])).toBe(true);
  }
}

describe('a batch', () => {
  it('shares a temperature, keeps to its budget and has its tiers', async () => {
    const asked = {
      ...quick,
      goal: 'max yield',
      columns: { price: { role: 'ignore' } },
      same: ['temp', '2 values of solvent'],
      cost: '4*Pd + 1.5*ligand',
      budget: 75,
      tiers: [3, 2, 1],
    } as const;
    const run = await design(table, asked);
    const rows = rowsOf(toCandidatesCsv(run));
    expectDoable(rows);
    expect(rows).toHaveLength(6);
    expect(new Set(rows.map(({ temp }) => temp)).size).toBe(1);
    expect(new Set(rows.map(({ solvent }) => solvent)).size).toBeLessThanOrEqual(2);
    const costs = rows.map(({ Pd, ligand }) => 4 * Number(Pd) + 1.5 * Number(ligand));
    const total = costs.reduce((sum, cost) => sum + cost, 0);
    expect(total).toBeLessThanOrEqual(75);
    rows.forEach(({ cost }, i) => expect(Number(cost)).toBeCloseTo(costs[i]!, 4));
    expect(rows.map(({ pick }) => pick)).toEqual(['safe', 'safe', 'safe', 'balanced', 'balanced', 'bold']);
    const { same, cost, budget, tiers } = asked;
    expect(run.run.rules).toEqual({ same, cost, budget, tiers, total: expect.closeTo(total, 6) });
    expect(run.constraints).toContain('one value of temp in the batch');
  });

  it('holds what is kept and nothing like what is avoided', async () => {
    const keep = 'temp,Pd,ligand,fa,fb,fc,solvent\n55,2.05,4.2,0.30,0.30,0.40,water\n';
    const avoid = 'solvent\ndmf\n';
    const run = await design(table, {
      ...quick,
      goal: ['max yield', 'min price'],
      batch: 5,
      keep: await readTable(bytes(keep), { name: 'keep.csv' }),
      avoid: await readTable(bytes(avoid), { name: 'avoid.csv' }),
    });
    const rows = rowsOf(toCandidatesCsv(run));
    expect(rows).toHaveLength(5);
    const kept = rows.filter(({ pick }) => pick === 'kept');
    expect(kept.map((row) => settings.map((name) => row[name]).join())).toEqual([
      '55,2.05,4.2,0.30,0.30,0.40,water',
    ]);
    expectDoable(rows.filter(({ pick }) => pick !== 'kept'));
    expect(rows.some(({ solvent }) => solvent === 'dmf')).toBe(false);
    // every goal with its interval
    for (const row of rows)
      for (const goal of ['yield', 'price']) {
        const [low, expected, high] = ['lo80', 'expected', 'hi80'].map((part) =>
          Number(row[`${goal}_${part}`]),
        );
        expect(low!).toBeLessThanOrEqual(expected!);
        expect(expected!).toBeLessThanOrEqual(high!);
      }
  });

  it('spreads over a front where there are several goals, and not where nobody wants that', async () => {
    const asked = { ...quick, goal: ['max yield', 'min price'], batch: 6 };
    /** Area that a batch dominates, of yields and prices half way to the worse ends of their intervals. */
    const areaOf = async (front: boolean) => {
      const rows = rowsOf(toCandidatesCsv(await design(table, { ...asked, front })));
      expectDoable(rows);
      const cautious = rows.map((row) => [
        (Number(row.yield_expected) + Number(row.yield_lo80)) / 2,
        50 - (Number(row.price_expected) + Number(row.price_hi80)) / 2,
      ]);
      let [area, reached] = [0, 0];
      for (const [y, p] of cautious.toSorted((a, b) => b[1]! - a[1]!) as [number, number][]) {
        area += Math.max(0, y - reached) * p;
        reached = Math.max(reached, y);
      }
      return area;
    };
    expect(await areaOf(true)).toBeGreaterThan(await areaOf(false));
  });

  // how much it saves depends on the table; test/judging/simplify.test.ts shows that it does
  it('has no more changes where it is simplified', async () => {
    const asked = { ...quick, goal: 'max yield', columns: { price: { role: 'ignore' as const } } };
    const changes = async (simplify: boolean) => {
      const run = await design(table, { ...asked, simplify });
      expectDoable(rowsOf(toCandidatesCsv(run)));
      return run.candidates.reduce((sum, { nearest }) => sum + nearest.differences.length, 0);
    };
    expect(await changes(true)).toBeLessThanOrEqual(await changes(false));
  });

  it('of a table that is too small to model keeps to the same rules', async () => {
    const few = await readTable(bytes(csv.split('\n').slice(0, 8).join('\n')), { name: 'few.csv' });
    const run = await design(few, {
      goal: 'max yield',
      columns: { price: { role: 'ignore' } },
      batch: 5,
      same: ['2 values of temp'],
      cost: 'Pd',
      budget: 12,
      avoid: await readTable(bytes('solvent\nthf\n')),
    });
    const rows = rowsOf(toCandidatesCsv(run));
    expect(rows.length).toBe(5);
    expect(new Set(rows.map(({ temp }) => temp)).size).toBeLessThanOrEqual(2);
    expect(rows.reduce((sum, { Pd }) => sum + Number(Pd), 0)).toBeLessThanOrEqual(12 + 1e-9);
    expect(rows.some(({ solvent }) => solvent === 'thf')).toBe(false);
  });

  it.each([
    [{ tiers: [1, 1, 1], batch: 4 }, 'tiers of 1, 1, 1 designs are 3, and the batch has 4'],
    [{ tiers: [1, 1] }, 'expected three whole numbers'],
    [{ same: ['tmp'] }, 'no column is called "tmp"; did you mean "temp"?'],
  ])('that cannot be is refused: %j', async (asked, message) => {
    await expect(design(table, { ...quick, goal: 'max yield', ...asked })).rejects.toThrow(message);
  });

  it('that is to keep what breaks a constraint is refused, with the line', async () => {
    const keep = await readTable(
      bytes('temp,Pd,ligand,fa,fb,fc,solvent\n55,2,4,0.3,0.3,0.4,water\n55,2,4,0.3,0.3,0.5,thf\n'),
      {
        name: 'keep.csv',
      },
    );
    const columns = { price: { role: 'ignore' as const } };
    await expect(design(table, { ...quick, goal: 'max yield', columns, keep })).rejects.toThrow(
      /^keep\.csv, line 3: the design cannot be kept, for it breaks fa \+ fb \+ fc = 1/,
    );
  });
});

describe('the command', () => {
  const place = new Workplace();
  const write = (name: string, text: string) => writeFileSync(join(place.folder, name), text);

  it('takes the same from a problem file, and repeats and resumes it', () => {
    write('lab.csv', csv);
    write('keep.csv', 'temp,Pd,ligand,fa,fb,fc,solvent\n55,2,4,0.3,0.3,0.4,water\n60,3,4,0.3,0.3,0.4,thf\n');
    write('avoid.csv', 'solvent\ndmf\n');
    const file = [
      'version: 1',
      'data: lab.csv',
      'goals: [max yield]',
      'columns: { price: { role: ignore } }',
      'tiers: [1, 1, 1]',
      'same: [2 values of temp]',
      'cost: 4*Pd',
      'budget: 60',
      'keep: keep.csv',
      'avoid: avoid.csv',
      'effort: fast',
      'options: { steps: 6 }',
    ];
    write('nemokit.yaml', `${file.join('\n')}\n`);
    const first = place.nemokit(['design', 'nemokit.yaml', '--quiet', '--out', 'run']);
    expect(first.status, first.stderr).toBe(0);
    const rows = rowsOf(readFileSync(join(place.folder, 'run', 'candidates.csv'), 'utf8'));
    expect(rows.map(({ pick }) => pick)).toEqual(['kept', 'kept', 'safe', 'balanced', 'bold']);
    expect(new Set(rows.map(({ temp }) => temp))).toEqual(new Set(['55', '60']));
    expect(rows.reduce((sum, { Pd }) => sum + 4 * Number(Pd), 0)).toBeLessThanOrEqual(60 + 1e-9);
    expect(rows.slice(2).some(({ solvent }) => solvent === 'dmf')).toBe(false);
    expectDoable(rows.slice(2));

    const flags = ['--goal', 'max yield', '--ignore', 'price', '--effort', 'fast', '--set', 'steps=6'];
    const batch = ['--tiers', '1,1,1', '--same', '2 values of temp', '--cost', '4*Pd', '--budget', '60'];
    const rest = ['--keep', 'keep.csv', '--avoid', 'avoid.csv', '--quiet', '--out', 'flags'];
    const second = place.nemokit(['design', 'lab.csv', ...flags, ...batch, ...rest]);
    expect(second.status, second.stderr).toBe(0);
    const text = (run: string) => readFileSync(join(place.folder, run, 'candidates.csv'), 'utf8');
    expect(text('flags')).toBe(text('run'));

    const again = place.nemokit(['reproduce', 'run']);
    expect(again.stdout + again.stderr).toContain('the same bits');
    write('avoid.csv', 'solvent,temp\ndmf,70\n');
    const other = place.nemokit(['design', 'nemokit.yaml', '--resume', '--out', 'run']);
    expect(other.status).toBe(2);
    expect(other.stderr).toContain('another table or other constraints');
  });

  it('takes rows of another table or run, and says which it cannot', () => {
    write('lab.csv', csv);
    const flags = ['--goal', 'max yield', '--ignore', 'price', '--effort', 'fast', '--set', 'steps=6'];
    const keep = ['--keep', 'run:1,2', '--batch', '3', '--quiet', '--out', 'next'];
    const { status, stderr } = place.nemokit(['design', 'lab.csv', ...flags, ...keep]);
    expect(status, stderr).toBe(0);
    const rows = rowsOf(readFileSync(join(place.folder, 'next', 'candidates.csv'), 'utf8'));
    expect(rows.filter(({ pick }) => pick === 'kept')).toHaveLength(2);
    const wrong = place.nemokit(['design', 'lab.csv', ...flags, '--keep', 'run:9']);
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toContain('"9" is no row of candidates.csv, which has 5');
    expect(place.nemokit(['design', 'lab.csv', ...flags, '--tiers', '4,3']).stderr).toContain(
      'expected three whole numbers, such as "4,3,1"',
    );
  });
});
