import { createRequire } from 'node:module';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { presetOptions } from '../../../src/algorithm.js';
import { nemo } from '../../../src/algorithms/nemo.js';
import { openEngine, rootKey } from '../../../src/numeric/index.js';
import { openFingerprints } from '../../../src/problem/platform/rdkit.js';
import { stateProblem, toCells } from '../../../src/problem/stateProblem.js';
import { run } from '../../../src/run.js';
import { violations } from '../../../src/space/index.js';
import { readTable } from '../../../src/table/readTable.js';

const isInstalled = (() => {
  try {
    createRequire(import.meta.url).resolve('@rdkit/rdkit');
    return true;
  } catch {
    process.stdout.write('@rdkit/rdkit is not installed: fingerprints by RDKit are not tested\n');
    return false;
  }
})();

/** SMILES and boiling point in degrees Celsius, roughly. */
const boiling: readonly (readonly [string, number])[] = [
  ['CC', -89],
  ['CCC', -42],
  ['CCCC', -1],
  ['CCCCC', 36],
  ['CCCCCC', 69],
  ['CCCCCCC', 98],
  ['CC(C)C', -12],
  ['CC(C)CC', 28],
  ['CO', 65],
  ['CCO', 78],
  ['CCCO', 97],
  ['CC(C)O', 82],
  ['CCCCO', 118],
  ['CC(C)CO', 108],
  ['CC(=O)C', 56],
  ['CCC(=O)C', 80],
  ['CC=O', 20],
  ['CCC=O', 48],
  ['CC(=O)O', 118],
  ['CCC(=O)O', 141],
  ['COC(C)=O', 57],
  ['CCOC(C)=O', 77],
  ['CCOCC', 35],
  ['C1CCOC1', 66],
  ['C1CCCCC1', 81],
  ['c1ccccc1', 80],
  ['Cc1ccccc1', 111],
  ['c1ccncc1', 115],
  ['CC#N', 82],
  ['CCN', 17],
  ['CCCN', 48],
  ['ClCCl', 40],
];

describe('the way to RDKit', () => {
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'initRDKitModule');
    vi.doUnmock('@rdkit/rdkit');
    vi.resetModules();
  });

  it('is named where the package is missing', async () => {
    vi.doMock('@rdkit/rdkit', () => {
      throw new Error('Cannot find package');
    });
    const error: unknown = await openFingerprints().catch((e: unknown) => e);
    expect(error).toMatchObject({
      name: 'ArgumentError',
      message: 'RDKit is not installed; run npm install @rdkit/rdkit',
    });
  });

  it('leads over the script of a page, and leaves no molecule in memory', async () => {
    let alive = 0;
    let loads = 0;
    const molecule = (atoms: number) => ({
      is_valid: () => true,
      get_num_atoms: () => atoms,
      get_morgan_fp_as_uint8array: () => {
        if (atoms > 2) throw new Error('too large');
        return Uint8Array.of(0b101);
      },
      delete: () => alive--,
    });
    Object.assign(globalThis, {
      initRDKitModule: async () => {
        loads++;
        return { get_mol: (text: string) => (text === 'no' ? null : molecule(++alive && text.length)) };
      },
    });
    const fingerprints = await openFingerprints({ bits: 8 });
    expect([...fingerprints('CC')!]).toEqual([1, 0, 1, 0, 0, 0, 0, 0]);
    expect(fingerprints('no')).toBeNull();
    expect(() => fingerprints('CCC')).toThrow('too large');
    expect(alive).toBe(0);
    await openFingerprints({ bits: 8 });
    expect(loads).toBe(1);
  });

  it('says why RDKit did not start', async () => {
    Object.assign(globalThis, { initRDKitModule: () => Promise.reject(new Error('no such wasm\nat x')) });
    await expect(openFingerprints()).rejects.toThrow(/^RDKit could not be started: no such wasm$/);
  });
});

describe.skipIf(!isInstalled)('fingerprints by RDKit', () => {
  it('are those of Morgan, one number per bit', async () => {
    const fingerprints = await openFingerprints({ bits: 64 });
    // RDKit 2026.09.1, Mol.get_morgan_fp('{"radius":2,"nBits":64}')
    const ethanol = '0010000000000000100000000000001001000011000000000000000000000000';
    expect(fingerprints('CCO')!.join('')).toBe(ethanol);
    expect(fingerprints('OCC')!.join('')).toBe(ethanol);
    expect(fingerprints('c1ccccc1')!.join('')).not.toBe(ethanol);
    expect((await openFingerprints())('CCO')).toHaveLength(256);
    const atoms = await openFingerprints({ bits: 64, radius: 0 });
    // three kinds of atoms: CH3, CH2, OH
    expect(atoms('CCO')!.reduce((sum, bit) => sum + bit, 0)).toBe(3);
  });

  it.each(['', 'xyz', 'C1CC', 'C(C)(C)(C)(C)C', 'hello world', '{"rdkitjson":{}}', 'C\nC'])(
    'are null for %j',
    async (text) => {
      expect((await openFingerprints())(text)).toBeNull();
    },
  );

  it('refuse options that mean nothing', async () => {
    await expect(openFingerprints({ bits: 100 })).rejects.toThrow('multiple of 8');
    await expect(openFingerprints({ radius: -1 })).rejects.toThrow('radius is -1');
  });

  it('let NEMO choose among 32 molecules', async () => {
    const rows = boiling.map(([smiles, celsius], i) => {
      const salt = ((7 * i) % 11) / 10;
      return `${smiles},${salt},${(celsius + 20 * salt).toFixed(1)}`;
    });
    const text = `molecule,salt,score\n${rows.join('\n')}\n`;
    const table = await readTable(new TextEncoder().encode(text), { name: 'boiling.csv' });
    const made = stateProblem(table, { goals: ['max score'] }, { fingerprints: await openFingerprints() });
    expect(made.columns.map(({ kind }) => kind)).toEqual(['molecule', 'number']);
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const options = {
      ...presetOptions(nemo, 'lockstep'),
      bins: 8,
      batchSize: 16,
      pretrainSteps: 200,
      steps: 30,
    };
    const setup = { data: made.data, space: made.space, engine, options };
    const x = nemo.propose(await run(nemo, setup, rootKey(0)), setup);
    const d = made.space.columns.length;
    for (let i = 0; i < x.length; i += d) expect(violations(made.space, x.subarray(i, i + d))).toEqual([]);
    const cells = toCells(made, x);
    const known = new Map(boiling);
    for (const { molecule, salt } of cells) {
      expect(known.has(String(molecule))).toBe(true);
      expect(Number(salt)).toBeGreaterThanOrEqual(0);
      expect(Number(salt)).toBeLessThanOrEqual(1);
    }
    // the median of all molecules boils at 65 degrees
    const chosen = cells.map(({ molecule }) => known.get(String(molecule))!);
    expect(Math.min(...chosen)).toBeGreaterThan(65);
  });
});
