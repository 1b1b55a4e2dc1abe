// Problem files that contradict themselves, their table or sense: what nobody can do is refused in one message that names
// it, and nothing that is written is silently left out.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/exitCodes.js';
import { rootKey, Stream } from '../../src/numeric/index.js';
import { called } from '../cli/called.js';
import { expectNoSlip } from './craftedRun.js';

const folder = mkdtempSync(join(tmpdir(), 'nemokit-contradictions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(() => {
  const stream = new Stream(rootKey(5));
  const lines = Array.from({ length: 30 }, (_, i) => {
    const [a, b] = [stream.uniform(), stream.uniform()];
    return [a.toFixed(3), b.toFixed(3), 'ABC'[i % 3], (a + b / 2 + (i % 3) / 10).toFixed(3)].join();
  });
  writeFileSync(join(folder, 'fine.csv'), ['a,b,kind,y', ...lines].join('\n'));
});

let made = 0;
async function check(lines: string, goals = '[max y]') {
  const path = join(folder, `p${made++}.yaml`);
  writeFileSync(path, `version: 1\ndata: fine.csv\ngoals: ${goals}\n${lines}\n`);
  return called('check', path);
}

describe('what contradicts itself is refused by check, as design would', () => {
  it.each([
    ['constraints: ["a <= 0.5", "a >= 0.6"]', 4, ''],
    ['constraints: ["if kind = A then kind = B", "if kind = B then kind = A", "kind in (A, B)"]', 4, ''],
    ['mixtures: [{columns: [a, b], sum: 1}]\nconstraints: ["a >= 0.9", "b >= 0.9"]', 4, ''],
    ['constraints: ["a <= y"]', 2, '"y" is a goal, which designs do not set'],
    [
      'columns: {a: {role: ignore}}\nconstraints: ["a >= 0.6"]',
      2,
      '"a" is no setting of a design: it is ignored',
    ],
    ['mixtures: [[a, y]]', 2, 'mixture a + y: "y" is a goal, which designs do not set'],
    ['constraints: ["sqrt(-1)*a <= 3"]', 2, 'its numbers have no value'],
    [
      'limits: {y: [100, 200]}',
      2,
      'limits: "y" is said to be 100 to 200, and 30 of 30 measured values lie outside',
    ],
    ['limits: {z: [0, 1]}', 2, 'limits: no column is called "z"'],
    ['same: [a, a]', 2, 'same: "a" is listed twice'],
    ['same: [y]', 2, 'same: "y" is a goal'],
    ['budget: 3', 2, 'a budget needs a cost'],
    ['cost: y\nbudget: 3', 2, '"y" is a goal: it is not known before'],
    ['cost: kind\nbudget: 3', 2, '"kind" holds text'],
    ['tiers: [9, 9, 9]\nbatch: 3', 2, 'are 27, and the batch has 3'],
    ['tiers: [1e9, 1, 1]', 2, 'expected a whole number from 1 to 10000'],
    ['keep: fine.csv', 2, '30 designs are to be kept, and the batch has 8'],
    ['keep: fine.csv:2\navoid: fine.csv:2', 2, 'design 1 of those to be kept is like one to be avoided'],
    ['method: nmo', 2, 'no method is called "nmo"; did you mean "nemo"?'],
    ['options: {stesp: 3}', 2, 'stesp'],
  ])('%s', async (lines, exitCode, message) => {
    const { code, stdout, stderr } = await check(lines);
    expect([code, stdout === '' || code === 4]).toEqual([exitCode, true]);
    expect(stdout + stderr).toContain(message);
  });

  it('limits of a column that is no goal are said not to be used', async () => {
    const { code, stdout } = await check('limits: {a: [0, 1]}');
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'limits of a are not used: it is no goal, and bounds say where designs may lie',
    );
  });

  it('a goal that no row comes near supports nothing', async () => {
    const { code, stdout } = await check('', '["keep y in 100..200"]');
    expect(code).toBe(3);
    expect(stdout).toContain('same score');
  });
});

/** Settings at the edge of sense; the end of each is documented, and design agrees with check. */
const settings = [
  'constraints: ["a <= 0.5", "a >= 0.6"]',
  'constraints: ["a = b", "b = a + 1"]',
  'constraints: ["a = 0.2..0.4", "a = 0.6..0.8"]',
  'constraints: ["if kind = A then kind = B"]',
  'constraints: ["if kind = A then kind != A"]',
  'constraints: ["if kind = A then kind = B","if kind = B then kind = A", "kind in (A, B)"]',
  'constraints: ["forbid kind in (A, B, C)"]',
  'constraints: ["a <= y"]',
  'constraints: ["y >= 3"]',
  'constraints: ["a/0 <= 3"]',
  'constraints: ["a/(b-b) <= 3"]',
  'constraints: ["0*a <= -1"]',
  'constraints: ["0 <= -1"]',
  'constraints: ["a^0 <= 1"]',
  'constraints: ["sqrt(-1)*a <= 3"]',
  'constraints: ["sqrt(a - 5) >= 0"]',
  'constraints: [""]',
  'constraints: "a <= 1"',
  'constraints: [a]',
  'constraints: [{a: 1}]',
  'constraints: [[a <= 1]]',
  'constraints: [3]',
  'constraints: null',
  'columns: {a: {bounds: [0.5, 0.5]}}',
  'columns: {a: {bounds: [1, 0]}}',
  'columns: {a: {step: 0}}',
  'columns: {a: {step: -1}}',
  'columns: {a: {step: 1e-300}}',
  'columns: {a: {step: 100}}',
  'columns: {a: {bounds: [0,1], step: 0.3}}\nconstraints: ["a = 0.5"]',
  'columns: {a: {fixed: 5}}',
  'columns: {a: {fixed: 0.5, bounds: [0.6, 0.9]}}',
  'columns: {a: {fixed: 0.5}}\nconstraints: ["a >= 0.6"]',
  'columns: {a: {role: ignore}}\nconstraints: ["a >= 0.6"]',
  'columns: {a: {role: ignore, fixed: 3}}',
  'columns: {a: {role: context, bounds: [0,1]}}',
  'columns: {a: {role: ignore}, b: {role: ignore}, kind: {role: ignore}}',
  'columns: {a: {fixed: 0.5}, b: {fixed: 0.5}, kind: {fixed: A}}',
  'columns: {y: {role: ignore}}',
  'columns: {y: {role: context}}',
  'columns: {y: {fixed: 3}}',
  'columns: {y: {log: true}}',
  'columns: {a: {log: true}}',
  'columns: {kind: {log: true}}',
  'columns: {kind: {levels: [A]}}',
  'columns: {kind: {levels: []}}',
  'columns: {kind: {levels: [A, A, B, C]}}',
  'columns: {kind: {type: ordered, levels: [C, A]}}',
  'columns: {kind: {levels: [A, B, C, D]}}',
  'columns: {kind: {type: number}}',
  'columns: {kind: {type: smiles}}',
  'columns: {kind: {type: sequence}}',
  'columns: {kind: {type: date}}',
  'columns: {a: {type: date}}',
  'columns: {a: {type: identifier}}',
  'columns: {a: {type: boolean}}',
  'columns: {a: {type: constant}}',
  'columns: {a: {type: category}}',
  'columns: {a: {type: ordered}}',
  'columns: {y: {type: category}}',
  'columns: {kind: {bounds: [0, 1]}}',
  'columns: {kind: {step: 1}}',
  'columns: {kind: {fixed: Z}}',
  'columns: {kind: {fixed: 1}}',
  'mixtures: [[a, b]]',
  'mixtures: [[a, b], [a, b]]',
  'mixtures: [[a, b], {columns: [a, b], sum: 3}]',
  'mixtures: [[a, a]]',
  'mixtures: [[a]]',
  'mixtures: [[a, kind]]',
  'mixtures: [[a, y]]',
  'mixtures: [{columns: [a, b], sum: 0}]',
  'mixtures: [{columns: [a, b], sum: -1}]',
  'mixtures: [{columns: [a, b], sum: 1e99}]',
  'mixtures: [{columns: [a, b], sum: 1}]\nconstraints: ["a >= 0.9","b >= 0.9"]',
  'limits: {y: [5, 1]}',
  'limits: {y: [100, 200]}',
  'limits: {a: [0,1]}',
  'limits: {y: [null, null]}',
  'limits: {y: 3}',
  'limits: {z: [0,1]}',
  'same: [a, a]',
  'same: [y]',
  'same: ["0 values of a"]',
  'same: ["99 values of a"]',
  'same: ["3 values of a"]\nbatch: 2',
  'same: [a, b, kind]\nbatch: 8',
  'cost: a',
  'budget: 3',
  'cost: y\nbudget: 3',
  'cost: "a/0"\nbudget: 3',
  'cost: "-a"\nbudget: 1',
  'cost: "a + 10"\nbudget: 3',
  'cost: kind\nbudget: 3',
  'tiers: [0,0,0]',
  'tiers: [1,1]',
  'tiers: [9,9,9]\nbatch: 3',
  'tiers: [-1,2,3]',
  'tiers: [1e9,1,1]',
  'keep: fine.csv',
  'keep: nothing.csv',
  'keep: fine.csv:0',
  'keep: fine.csv:99',
  'keep: fine.csv:5-2',
  'keep: "fine.csv:2,2,2"',
  'keep: fine.csv:1-1e9',
  'keep: .',
  'keep: p0.yaml',
  'avoid: fine.csv',
  'avoid: ""',
  'keep: fine.csv:2\navoid: fine.csv:2',
  'avoid: fine.csv:2-',
  'choices: fine.csv',
  'choices: nothing.csv',
  'choices: fine.csv\nconstraints: ["a >= 2"]',
  'choices: fine.csv\nmixtures: [[a, b]]',
  'choices: fine.csv\nkeep: fine.csv:2',
  'add: [fine.csv]',
  'add: fine.csv',
  'add: []',
  'add: [p0.yaml]',
  'add: [nothing.csv]',
  'add: [fine.csv, fine.csv]',
  'seed: -1',
  'seed: 1.5',
  'seed: 99999999999999999999',
  'effort: 3',
  'risk: huge',
  'method: nmo',
  'options: {}',
  'options: []',
  'front: 3',
  'read: {skip: 100}',
  'read: {skip: -1}',
  'read: {end: 1}',
  'read: {end: 0}',
  'read: {names: [a, a, b, c]}',
  'read: {names: [a]}',
  'read: {missing: ["0.5"]}',
  'read: {missing: [A, B, C]}',
  'read: {text: [a, b, kind, y]}',
  'read: {decimal: ";"}',
  'read: {delimiter: "."}',
  'read: {header: false}',
  'read: {sheet: 7}',
  'read: {quote: "ab"}',
  'read: {quote: ","}',
  'read: {encoding: utf-16le}',
  'read: {encoding: utf-32}',
] as const;
const goals = [
  '[]',
  '[max z]',
  '[max y, max y]',
  '[max y, min y]',
  '[max a]',
  '[max kind]',
  '[target y 1e400]',
  '[max y weight 0]',
  '["max y (weight -1)"]',
  '["max y (weight 1e300)"]',
  '["keep y in 5..1"]',
  '["keep y in 1..1"]',
  '[max y, max a, max b]',
  '[max y, max kind]',
  '"max y"',
  '[["max y"]]',
  '["max"]',
  '["y"]',
  '["max y over 3..1"]',
  '["max y over 1e99..1e100"]',
  '["target y 1000"]',
  '["keep y in 100..200"]',
] as const;
const ends: readonly number[] = [exitCodes.ok, exitCodes.usage, exitCodes.unsupported, exitCodes.infeasible];

describe('problem files at the edge of sense', () => {
  it(`${settings.length} settings and ${goals.length} goals end as documented`, async () => {
    const cases = [
      ...settings.map((lines) => [lines, undefined] as const),
      ...goals.map((text) => ['', text] as const),
    ];
    for (const [lines, goal] of cases) {
      const what = lines + (goal ?? '');
      const answer = await check(lines, goal);
      expect(ends, what).toContain(answer.code);
      expectNoSlip(answer, what);
      if (answer.code === exitCodes.usage)
        expect(answer.stderr.match(/^nemokit: \S/gm), `${what}: ${answer.stderr}`).toHaveLength(1);
    }
  });
});
