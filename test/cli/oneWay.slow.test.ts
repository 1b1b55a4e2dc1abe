// Every command reads a table once, reads its goals once and states its problem once.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildProgram } from '../../src/cli/program.js';
import { smallTable } from './smallRun.js';

const counts = vi.hoisted(() => ({ opened: [] as string[], goals: 0, outlines: 0, spaces: 0 }));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const createReadStream: typeof fs.createReadStream = (path, options) => {
    counts.opened.push(String(path));
    return fs.createReadStream(path, options);
  };
  return { ...fs, createReadStream };
});
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>();
  const readFile = (...args: Parameters<typeof fs.readFile>) => {
    counts.opened.push(String(args[0]));
    return fs.readFile(...args);
  };
  const open = (...args: Parameters<typeof fs.open>) => {
    counts.opened.push(String(args[0]));
    return fs.open(...args);
  };
  return { ...fs, readFile, open };
});
vi.mock('../../src/problem/goals.js', async (original) => {
  const goals = await original<typeof import('../../src/problem/goals.js')>();
  const parseGoals: typeof goals.parseGoals = (...args) => {
    counts.goals++;
    return goals.parseGoals(...args);
  };
  return { ...goals, parseGoals };
});
vi.mock('../../src/problem/columnRoles.js', async (original) => {
  const roles = await original<typeof import('../../src/problem/columnRoles.js')>();
  const outlineProblem: typeof roles.outlineProblem = (...args) => {
    counts.outlines++;
    return roles.outlineProblem(...args);
  };
  return { ...roles, outlineProblem };
});
vi.mock('../../src/problem/buildSpace.js', async (original) => {
  const spaces = await original<typeof import('../../src/problem/buildSpace.js')>();
  const buildSpace: typeof spaces.buildSpace = (...args) => {
    counts.spaces++;
    return spaces.buildSpace(...args);
  };
  return { ...spaces, buildSpace };
});

const folder = mkdtempSync(join(tmpdir(), 'nemokit-once-'));
const table = join(folder, 'past.csv');
const [run, begun] = [join(folder, 'run'), join(folder, 'begun')];
const goal = ['--goal', 'max yield'];
const short = ['--effort', 'fast', '--set', 'steps=6', '--batch', '3', '--quiet'];
let printed = '';

beforeAll(() => {
  writeFileSync(table, smallTable());
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
});
afterEach(() => {
  process.exitCode = 0;
});
afterAll(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

async function nemokit(...args: readonly string[]): Promise<typeof counts & { printed: string }> {
  Object.assign(counts, { opened: [], goals: 0, outlines: 0, spaces: 0 });
  printed = '';
  const program = await buildProgram(args);
  await program.parseAsync([...args], { from: 'user' });
  return { ...counts, printed };
}

const once = { goals: 1, outlines: 1, spaces: 1 };
const timesOpened = (opened: readonly string[], path: string) =>
  opened.filter((name) => name === path).length;

describe('one way through', () => {
  it('design, and check shows the columns that it used', async () => {
    const design = await nemokit('design', table, ...goal, ...short, '--json', '--out', run);
    expect(design).toMatchObject(once);
    expect(timesOpened(design.opened, table)).toBe(1);
    const check = await nemokit('check', table, ...goal, '--json');
    expect(check).toMatchObject(once);
    expect(timesOpened(check.opened, table)).toBe(1);
    const columnsIn = (columns: readonly { name: string; type: string; role: string }[]) =>
      columns.map(({ name, type, role }) => ({ name, type, role }));
    const used = columnsIn(JSON.parse(design.printed).data.columns);
    expect(columnsIn(JSON.parse(check.printed).columns)).toEqual(used);
    expect(used.map(({ role }) => role)).toEqual(['design', 'design', 'design', 'design', 'goal']);
  });

  it('check of a table without a goal', async () => {
    expect(await nemokit('check', table)).toMatchObject(once);
  });

  it('rehearse', async () => {
    const { opened, ...rest } = await nemokit('rehearse', table, ...goal, '--json', '--quiet');
    expect(rest).toMatchObject(once);
    expect(timesOpened(opened, table)).toBe(1);
  });

  it.each([
    ['score', [run, table, '--json'], [table, join(run, 'data.parquet')]],
    ['explain', [run, '--json'], [join(run, 'data.parquet'), join(run, 'problem.yaml')]],
    ['reproduce', [run, '--json', '--quiet'], [join(run, 'data.parquet'), join(run, 'candidates.json')]],
  ])('%s', async (command, args, files) => {
    const { opened, ...rest } = await nemokit(command, ...args);
    expect(rest).toMatchObject(once);
    for (const file of files) expect([file, timesOpened(opened, file)]).toEqual([file, 1]);
    expect(timesOpened(opened, join(run, 'manifest.json'))).toBe(1);
  });

  it('runs resume', async () => {
    await nemokit('design', table, ...goal, ...short, '--time', '0.01s', '--out', begun);
    const { opened, ...rest } = await nemokit('runs', 'resume', begun, '--quiet');
    expect(rest).toMatchObject(once);
    expect(timesOpened(opened, join(begun, 'data.parquet'))).toBe(1);
  });

  it('a problem file', async () => {
    const file = join(folder, 'nemokit.yaml');
    writeFileSync(file, 'version: 1\ndata: past.csv\ngoals: [max yield]\n');
    const { opened, ...rest } = await nemokit('check', file, '--json');
    expect(rest).toMatchObject(once);
    for (const path of [file, table]) expect([path, timesOpened(opened, path)]).toEqual([path, 1]);
  });
});
