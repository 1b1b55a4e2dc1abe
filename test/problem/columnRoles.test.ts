import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { columnSummaries } from '../../src/design/describe.js';
import { checkTable, type ProblemOptions, type ProblemSpec, stateProblem } from '../../src/problem/index.js';
import { readTable, type Table } from '../../src/table/index.js';
import { demoProcess, simulatedProblems } from '../../studies/simulated/index.mjs';
import { smallTable } from '../cli/smallRun.js';
import { read } from '../table/reading.js';

/** Every type and every part that a column can have. */
const lines = Array.from({ length: 40 }, (_, i) =>
  [
    `S${i + 10}`,
    `2024-03-${10 + (i % 20)}`,
    20 + ((7 * i) % 60),
    'ABC'[i % 3],
    ['ann', 'bob'][i % 2],
    (i % 5) / 10,
    (i % 4) / 10,
    (10 - (i % 5) - (i % 4)) / 10,
    'ACGT'[i % 4]! + 'ACGT'[(i >> 2) % 4] + 'ACGT'[(i >> 1) % 4] + 'GATT',
    ['CCO', 'CCN', 'CC(=O)O', 'c1ccccc1'][(3 * i) % 4],
    i % 9 === 0 ? '' : i % 7,
    'K1',
    i === 5 ? '' : i % 11 === 0 ? `<${i}` : 3 * i,
    40 - i,
  ].join(),
);
const head = 'sample_id,date,temp,line,operator,a,b,c,guide,solvent,pressure,plant,yield,cost';
const mixed = await read([head, ...lines].join('\n'), { name: 'mixed.csv' });
/** No chemistry: which letters occur. */
const letters = (text: string) => Uint8Array.from('CON=c', (letter) => Number(text.includes(letter)));

/** [name, table, what is asked, how it is stated] */
type Case = [string, Table, ProblemSpec, ProblemOptions?];

const examples = await Promise.all(
  [
    ['concrete', 'max expected'],
    ['airfoil', 'min expected'],
  ].map(async ([name, goal]): Promise<Case> => {
    const path = fileURLToPath(new URL(`../../docs/examples/${name}/candidates.csv`, import.meta.url));
    return [`docs/examples/${name}`, await readTable(readFileSync(path)), { goals: [goal!] }];
  }),
);
const processes = await Promise.all(
  [demoProcess, ...simulatedProblems].map(
    async ({ name, makeTable, words }): Promise<Case> => [name, await readTable(makeTable(0).rows), words],
  ),
);
const columns = { operator: { role: 'context' }, line: { fixed: 'B' }, cost: { role: 'ignore' } } as const;
const cases: Case[] = [
  ...examples,
  ...processes,
  ['a small table', await read(smallTable()), { goals: ['max yield'] }],
  ['every type', mixed, { goals: ['max yield'] }],
  ['every type, with molecules', mixed, { goals: ['max yield'] }, { fingerprints: letters }],
  ['every part', mixed, { goals: ['max yield', 'min cost'], columns: { ...columns, cost: {} } }],
  ['a fixed sequence', mixed, { goals: ['max yield'], columns: { guide: { fixed: 'ACGGATT' } } }],
  [
    'a constraint that fixes',
    mixed,
    { goals: ['max yield'], columns, constraints: ['temp = 30'] },
    { fingerprints: letters },
  ],
  ['molecules as a category', mixed, { goals: ['max yield'], columns: { solvent: { type: 'category' } } }],
];

describe('the columns that check shows', () => {
  it.each(cases)('are those of the run: %s', async (_, table, spec, options = {}) => {
    const run = columnSummaries(stateProblem(table, spec, { ...options, findMixtures: true }));
    const shown = (await checkTable(table, spec, options)).columns;
    expect(shown.map(({ name, type, role }) => ({ name, type, role }))).toEqual(
      run.map(({ name, type, role }) => ({ name, type, role })),
    );
  });

  it('have the part that was asked for, or a reason', async () => {
    const spec = { goals: ['max yield'], columns, constraints: ['temp = 30'] };
    const { tableColumns } = stateProblem(mixed, spec, { findMixtures: true });
    expect(tableColumns.map(({ name, role }) => `${name}: ${role}`)).toEqual([
      'sample_id: left out',
      'date: left out',
      'temp: fixed',
      'line: fixed',
      'operator: context',
      'a: design',
      'b: design',
      'c: design',
      'guide: design',
      'solvent: left out',
      'pressure: design',
      'plant: left out',
      'yield: goal',
      'cost: left out',
    ]);
    for (const { role, reason } of tableColumns) expect(reason !== '').toBe(role === 'left out');
  });
});
