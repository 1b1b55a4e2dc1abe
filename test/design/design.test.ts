// The library's main functions: the same document as the command writes, and files that lead back to the same run.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  check,
  design,
  explain,
  type Run,
  readTable,
  rehearse,
  renderReport,
  score,
  type Table,
  toCandidatesCsv,
} from '../../src/index.js';
import { readRun, readTableFile, writeRun } from '../../src/node.js';
import { Workplace } from '../cli/smallRun.js';
import { timeless } from './timeless.js';

const place = new Workplace();
const folder = mkdtempSync(join(tmpdir(), 'nemokit-design-'));
const asked = { goal: 'max yield', effort: 'fast', options: { steps: 6 }, batch: 3, kernel: 'wasm' } as const;
const flags = ['--goal', 'max yield', '--effort', 'fast', '--set', 'steps=6', '--batch', '3'];
const plain = { NEMOKIT_KERNEL: 'wasm' };
let table: Table;
let run: Run;

beforeAll(async () => {
  table = await readTableFile(join(place.folder, 'past.csv'));
  run = await design(table, asked);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('design', () => {
  it('gives what the command writes, digit for digit', () => {
    const { status } = place.nemokit(['design', 'past.csv', ...flags, '--quiet', '--out', 'run'], plain);
    expect(status).toBe(0);
    const read = (name: string) => readFileSync(join(place.folder, 'run', name), 'utf8');
    const document = JSON.parse(read('candidates.json'));
    expect(timeless(JSON.parse(JSON.stringify(run)))).toEqual(timeless(document));
    expect(toCandidatesCsv(run)).toBe(read('candidates.csv'));
    expect(run.candidates).toHaveLength(3);
    expect(run.verdict.sentence).toMatch(/\.$/);
    for (const { cells, lo80, expected, hi80 } of run.candidates) {
      expect(Number(cells.a) + Number(cells.b)).toBeCloseTo(1, 9);
      expect(lo80).toBeLessThanOrEqual(expected);
      expect(expected).toBeLessThanOrEqual(hi80);
    }
  });

  it('gives plain data that survives a message to another thread', () => {
    expect(structuredClone(run)).toEqual(run);
  });

  it.each([
    [{}, 'no goal is given; say what you want, such as "max yield"'],
    [{ goal: 'max yeild' }, 'yield'],
    [{ ...asked, batch: 0 }, 'batch is 0; expected a whole number from 1 to 10000'],
    [{ ...asked, seed: 0.5 }, 'seed is 0.5; expected a whole number >= 0'],
    [{ ...asked, method: 'nemu' }, 'no method is called "nemu"; did you mean "nemo"?'],
    [{ ...asked, effort: 'quick' as 'fast' }, 'no effort is called "quick"'],
    [{ ...asked, options: { stepz: 3 } }, 'stepz'],
    [{ ...asked, constraints: ['temp >= 100', 'temp <= 10'] }, 'temp'],
  ])('refuses %j', async (options, message) => {
    await expect(design(table, options)).rejects.toThrow(message);
  });
});

describe('a finished run', () => {
  it('scores other rows and explains its own as the commands do', async () => {
    await writeRun(join(place.folder, 'kept'), run);
    const scored = place.nemokit(['score', 'kept', 'past.csv', '--json']);
    const rows = await score(run, table);
    expect(rows.rows).toHaveLength(40);
    expect(JSON.parse(scored.stdout)).toMatchObject(JSON.parse(JSON.stringify(rows)));
    const why = await explain(run, { row: 2, nearest: 2 });
    const explained = place.nemokit(['explain', 'kept', '--row', '2', '--nearest', '2', '--json']);
    expect(JSON.parse(explained.stdout)).toMatchObject(JSON.parse(JSON.stringify(why)));
    await expect(explain(run, { row: 9 })).rejects.toThrow('there is no row 9: the run proposed 3 rows');
  });

  it('comes back from its folder as it was', async () => {
    const path = join(folder, 'kept');
    await writeRun(path, run);
    const back = await readRun(path);
    expect(timeless(back)).toEqual(JSON.parse(JSON.stringify(timeless(run))));
    expect(back.run.id).toBe('kept');
    expect(back.model).toEqual(run.model);
    expect(await score(back, table)).toEqual(await score(run, table));
    await expect(writeRun(path, run)).rejects.toThrow(/holds a run already/);
    expect(place.nemokit(['reproduce', path, '--quiet'], plain).stdout).toContain('the same bits');
  });

  it('has a report that says nothing of what it does not know', () => {
    const html = renderReport(run);
    expect(html).toContain(run.verdict.sentence);
    expect(html).not.toMatch(/undefined|Invalid|nemokit reproduce/);
  });
});

describe('check and rehearse', () => {
  it('say what the commands say, and what is wrong', async () => {
    const report = await check(table);
    const { stdout } = place.nemokit(['check', 'past.csv', '--json']);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(report)));
    expect(report.goals).toEqual(['max yield']);
    await expect(rehearse(table, { goal: 'max yield', top: 1 })).rejects.toThrow('top is 1');
  });

  it('read records as well as files', async () => {
    const file = join(folder, 'few.csv');
    writeFileSync(file, 'x,y\n1,2\n3,4\n');
    const records = await readTable([
      { x: 1, y: 2 },
      { x: 3, y: 4 },
    ]);
    const { columns } = await readTableFile(file);
    expect(records.columns).toEqual(columns);
  });
});
