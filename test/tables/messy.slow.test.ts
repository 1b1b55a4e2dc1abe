// Nothing is proposed that a person at the bench would laugh at: random messy tables, the written CSV read back by hand.
import { describe, expect, it } from 'vitest';
import { doableDesigns, followingCells } from '../../src/design/doableDesigns.js';
import { design, toCandidatesCsv } from '../../src/index.js';
import { rootKey, Stream } from '../../src/numeric/index.js';
import { type Problem, specFrom, stateFor, toCells } from '../../src/problem/index.js';
import { sample } from '../../src/space/index.js';
import { read } from '../table/reading.js';
import { type MessyTable, messyTable } from './messyTables.js';

type Record_ = Readonly<Record<string, string>>;

/** Cells of a CSV without quotes inside. */
function recordsOf(csv: string): Record_[] {
  const [head, ...lines] = csv
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  return lines.map((cells) => Object.fromEntries(head!.map((name, j) => [name, cells[j] ?? ''])));
}

/** What is wrong with a proposal: written from scratch, from what the table's maker knows. */
function faultsOf(messy: MessyTable, past: readonly Record_[], proposal: Record_): string[] {
  const faults: string[] = [];
  const value = (name: string) => Number(proposal[name]);
  for (const [name, { step, from, low, high }] of Object.entries(messy.numbers)) {
    if (proposal[name] === '' || !Number.isFinite(value(name))) faults.push(`${name} is ${proposal[name]}`);
    const steps = (value(name) - from) / step;
    if (Math.abs(steps - Math.round(steps)) > 1e-6)
      faults.push(`${name} is ${value(name)}, steps of ${step}`);
    if (value(name) < low - 1e-9 || value(name) > high + 1e-9) faults.push(`${name} is ${value(name)}`);
    if (proposal[name]!.replace(/^.*\./, '').length > 4) faults.push(`${name} has digits ${proposal[name]}`);
  }
  for (const [name, levels] of Object.entries(messy.texts))
    if (!levels.includes(proposal[name]!)) faults.push(`${name} is ${proposal[name]}`);
  for (const { columns, sum } of messy.sums) {
    const total = columns.reduce((partial, name) => partial + value(name), 0);
    if (Math.abs(total - sum) > 1e-9 * sum) faults.push(`${columns.join('+')} is ${total}`);
  }
  for (const { column, weights, constant, digit } of messy.relations) {
    const expected = Object.entries(weights).reduce((sum, [name, w]) => sum + w * value(name), constant);
    if (!(Math.abs(value(column) - expected) <= digit)) faults.push(`${column} is not ${expected}`);
  }
  for (const name of messy.unset) if (proposal[name] !== '') faults.push(`${name} is set`);
  const { constraint } = messy;
  if (constraint && value(constraint.columns[0]) + value(constraint.columns[1]) > constraint.most + 1e-9)
    faults.push(constraint.text);
  const isSame = (row: Record_) =>
    Object.keys(messy.numbers).every((name) => Math.abs(Number(row[name]) - value(name)) < 1e-9) &&
    Object.keys(messy.texts).every((name) => row[name] === proposal[name]);
  if (past.some(isSame)) faults.push('repeats a past row');
  return faults;
}

async function problemOf(messy: MessyTable): Promise<Problem> {
  const { goal, constraint } = messy;
  const question = { goal, ...(constraint && { constraints: [constraint.text] }) };
  return stateFor(await read(messy.csv), specFrom(question));
}

/** The proposals that the choice of a batch would have to choose from, as the CSV shows them. */
async function poolCsv(problem: Problem, seed: number): Promise<string> {
  const d = problem.space.columns.length;
  // past rows are in the pool: nothing but the check for repeats keeps them out
  const pool = [await sample(problem.space, new Stream(rootKey(seed)), 12), problem.data.x.slice(0, 10 * d)];
  const designs = await doableDesigns(problem, pool);
  const cells = designs.flatMap((row) => toCells(problem, row)).map((row) => followingCells(problem, row));
  const goals = problem.goals.map(({ column, label, kind }) => ({ column, label, kind }));
  const forecast = { expected: 0, lo80: 0, hi80: 0 };
  const candidates = cells.map((row, i) => ({
    ...forecast,
    row: i + 1,
    cells: row,
    trust: 'Guess' as const,
    reasons: [],
    gamma: 0,
    gammaPercentile: 0,
    novelty: 0,
    disagreement: 0,
    disagreementPercentile: 0,
    better: 0,
    nearest: { row: 1, value: 0, differences: [] },
    goals: [forecast],
  }));
  const columns = problem.tableColumns.map(({ name, type, role }) => ({ name, type, role, summary: '' }));
  return toCandidatesCsv({
    run: {
      version: '0',
      method: 'nemo',
      effort: 'fast',
      seed: 0,
      batch: 8,
      options: {},
      kernel: 'wasm',
      threads: 1,
      complete: true,
    },
    verdict: { level: 'likely', sentence: '', reasons: [] },
    candidates,
    goal: { labels: [], name: goals[0]!.column, direction: 'max', goals },
    data: { file: '', rows: 0, used: 0, noise: null, columns, findings: [], notes: [] },
  });
}

describe('proposals for messy tables', () => {
  it('repeat no row and leave no step, relation, range or constraint, in 300 tables', async () => {
    const wrong: string[] = [];
    let proposals = 0;
    for (let seed = 0; seed < 300; seed++) {
      const messy = messyTable(seed);
      const past = recordsOf(messy.csv);
      const written = recordsOf(await poolCsv(await problemOf(messy), seed));
      proposals += written.length;
      for (const proposal of written)
        for (const fault of faultsOf(messy, past, proposal)) wrong.push(`table ${seed}: ${fault}`);
    }
    expect(wrong).toEqual([]);
    expect(proposals).toBeGreaterThan(2400);
  });

  it.each(Array.from({ length: 12 }, (_, i) => 1000 + i))('hold in a whole run of table %i', async (seed) => {
    const messy = messyTable(seed);
    const { goal, constraint } = messy;
    const run = await design(await read(messy.csv), {
      goal,
      ...(constraint && { constraints: [constraint.text] }),
      effort: 'fast',
      options: { steps: 2 },
      batch: 4,
    });
    const written = recordsOf(toCandidatesCsv(run));
    expect(written).toHaveLength(4);
    const past = recordsOf(messy.csv);
    for (const proposal of written) expect(faultsOf(messy, past, proposal)).toEqual([]);
    for (const { expected, lo80, hi80 } of [
      ...run.candidates,
      ...run.profiles.flatMap(({ points }) => points),
    ]) {
      for (const value of [expected, lo80, hi80]) {
        expect(value).toBeGreaterThanOrEqual(messy.limits[0]);
        expect(value).toBeLessThanOrEqual(messy.limits[1]);
      }
    }
  });
});
