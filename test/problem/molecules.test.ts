import { describe, expect, it } from 'vitest';
import { presetOptions } from '../../src/algorithm.js';
import { nemo } from '../../src/algorithms/nemo.js';
import { openEngine, rootKey } from '../../src/numeric/index.js';
import type { Fingerprints } from '../../src/problem/molecules.js';
import type { ProblemSpec } from '../../src/problem/problemSpec.js';
import { type ProblemOptions, stateProblem, toCells } from '../../src/problem/stateProblem.js';
import { run } from '../../src/run.js';
import { sample, violations } from '../../src/space/index.js';
import { readTable } from '../../src/table/readTable.js';
import { streamOf } from '../space/randomSpaces.js';

const read = (text: string, name = 'runs.csv') => readTable(new TextEncoder().encode(text), { name });
/** No chemistry: which letters and marks occur. "?" makes no molecule. */
const marks = ['C', 'O', 'N', '=', '(', '1', 'Z'];
const letters: Fingerprints = (text) =>
  text.includes('?') ? null : Uint8Array.from(marks, (mark) => Number(text.includes(mark)));

const csv = `solvent,temp,yield
CCO,20,1
OCC,25,2
CC(=O)C,30,3
C1CC1,35,4
CCO,20,2
C=C,40,5
CCN,45,6
,50,4
`;
const table = await read(csv);
const make = (extras: ProblemOptions = { fingerprints: letters }, words: Omit<ProblemSpec, 'goals'> = {}) =>
  stateProblem(table, { goals: ['max yield'], ...words }, extras);

describe('a column of molecules', () => {
  it('is left out without fingerprints, and a note says how to get it in', () => {
    const { columns, notes } = make({});
    expect(columns.map(({ name }) => name)).toEqual(['temp']);
    expect(notes.join('\n')).toMatch(/"solvent" is left out: .*npm install @rdkit\/rdkit/);
  });

  it('becomes the bits that vary, tied together by a list', () => {
    const { columns, space, data, notes } = make();
    // C is in all of them and Z in none
    expect(columns[0]).toMatchObject({
      kind: 'molecule',
      molecules: ['CCO', 'OCC', 'CC(=O)C', 'C1CC1', 'C=C', 'CCN'],
    });
    expect(space.columns.slice(0, 5).map(({ name }) => name)).toEqual(
      [1, 2, 3, 4, 5].map((bit) => `solvent bit ${bit}`),
    );
    // O N = ( 1, without OCC, which has the bits of CCO
    expect(space.listed).toEqual([
      {
        columns: [0, 1, 2, 3, 4],
        rows: Float64Array.from(
          [
            [1, 0, 0, 0, 0],
            [1, 0, 1, 1, 0],
            [0, 0, 0, 0, 1],
            [0, 0, 1, 0, 0],
            [0, 1, 0, 0, 0],
          ].flat(),
        ),
        label: 'solvent is one of 5 molecules',
      },
    ]);
    expect([...data.x.subarray(0, 7)]).toEqual([1, 0, 0, 0, 0, 0, 20]);
    expect(notes.join('\n')).toContain('5 bits of the fingerprints of 6 molecules');
    expect(notes.join('\n')).toContain('one to the model: "CCO" stands for "OCC"');
    expect(notes.join('\n')).toContain('"solvent" has no value in 1 rows: CCO is put there');
  });

  it('comes back as SMILES, the first of those with the same bits', () => {
    const made = make();
    expect(toCells(made, made.data.x).map(({ solvent }) => solvent)).toEqual([
      'CCO',
      'CCO',
      'CC(=O)C',
      'C1CC1',
      'C=C',
      'CCN',
      'CCO',
    ]);
    const none = Float64Array.from(made.data.x.subarray(0, 7)).fill(0, 0, 5);
    expect(() => toCells(made, none)).toThrow('"solvent" has bits that belong to none of its molecules');
  });

  it('is sampled from its list', async () => {
    const made = make();
    const x = await sample(made.space, streamOf('molecules'), 100);
    const seen = new Set(toCells(made, x).map(({ solvent }) => solvent));
    expect([...seen].sort()).toEqual(['C1CC1', 'C=C', 'CC(=O)C', 'CCN', 'CCO']);
  });

  it('is refused where a cell is no molecule, with its place', async () => {
    const broken = await read('solvent,yield\nCCO,1\nC(=O)C,2\nC?C,3\nC1CC1,4\n');
    const words = {
      goals: ['max yield'],
      columns: { solvent: { type: 'smiles' as const } },
    };
    const place = 'runs.csv:4, column "solvent": "C?C" is not a molecule';
    expect(() => stateProblem(broken, words, { fingerprints: letters })).toThrow(place);
    const list = await read('solvent,temp\nCCO,20\nC?,20\n', 'list.csv');
    expect(() => make({ fingerprints: letters, choices: list })).toThrow('list.csv:3, column "solvent"');
  });

  it('is left out where all molecules look the same', () => {
    const { columns, notes } = make({ fingerprints: () => Uint8Array.of(1, 0) });
    expect(columns.map(({ name }) => name)).toEqual(['temp']);
    expect(notes).toContain('"solvent" is left out: its molecules all have the same fingerprint');
    const odd: Fingerprints = (text) => new Uint8Array(text.length);
    expect(() => make({ fingerprints: odd })).toThrow('differ in length');
  });

  it('can be chosen from a list with molecules of its own', async () => {
    const choices = await read('temp,solvent\n22,NZ\n33,C=C\n', 'list.csv');
    const made = make({ fingerprints: letters, choices });
    expect(toCells(made, made.space.choices!)).toEqual([
      { solvent: 'NZ', temp: 22 },
      { solvent: 'C=C', temp: 33 },
    ]);
    const x = await sample(made.space, streamOf('choices'), 20);
    expect(new Set(toCells(made, x).map(({ solvent }) => solvent))).toEqual(new Set(['NZ', 'C=C']));
  });

  it('can be fixed or be a context: a list of one', () => {
    const bits = (words: Omit<ProblemSpec, 'goals'>) => make(undefined, words).space.listed![0]!;
    expect([...bits({ columns: { solvent: { fixed: 'CCN' } } }).rows]).toEqual([0, 1, 0, 0, 0]);
    expect([...bits({ columns: { solvent: { role: 'context' } } }).rows]).toEqual([1, 0, 0, 0, 0]);
    const both = bits({ columns: { solvent: { role: 'context', fixed: 'C1CC1' } } });
    expect([...both.rows]).toEqual([0, 0, 0, 0, 1]);
    expect(() => bits({ columns: { solvent: { fixed: 'CCX' } } })).toThrow('"solvent" cannot be "CCX"');
  });

  it('takes no bounds and no combinations', () => {
    expect(() => make(undefined, { columns: { solvent: { bounds: [0, 1] } } })).toThrow(
      '"solvent" is a molecule; bounds and steps are for numbers',
    );
    expect(() => make(undefined, { constraints: ['solvent in (CCO, CCN)'] })).toThrow(
      '"solvent" is a molecule; only categories can be combined this way',
    );
  });
});

describe('designs with molecules', () => {
  it('have molecules that were seen, with numbers in their bounds', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const made = make();
    const options = {
      ...presetOptions(nemo, 'lockstep'),
      bins: 4,
      batchSize: 4,
      pretrainSteps: 40,
      steps: 10,
    };
    const setup = { data: made.data, space: made.space, engine, options };
    const x = nemo.propose(await run(nemo, setup, rootKey(1)), setup);
    const d = made.space.columns.length;
    for (let i = 0; i < x.length; i += d) expect(violations(made.space, x.subarray(i, i + d))).toEqual([]);
    for (const { solvent, temp } of toCells(made, x)) {
      expect(csv).toContain(`\n${solvent},`);
      expect(Number(temp)).toBeGreaterThanOrEqual(20);
      expect(Number(temp)).toBeLessThanOrEqual(50);
    }
  });
});
