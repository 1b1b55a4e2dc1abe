// Real tables, if they are there: in the folder that NEMOKIT_DATA names, or in ../shared/data beside the repository.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { inspect } from '../../src/table/columnTypes.js';
import { readTableFile } from '../../src/table/platform/node.js';
import { cells } from './reading.js';

const folder = process.env.NEMOKIT_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url));
const isThere = existsSync(join(folder, 'tables', 'concrete.csv'));
if (!isThere)
  process.stderr.write(`real tables skipped: no tables/concrete.csv in ${folder} (set NEMOKIT_DATA)\n`);

const open = (...parts: string[]) => readTableFile(join(folder, ...parts));

describe.skipIf(!isThere)('real tables', () => {
  it('concrete.csv', async () => {
    const table = await open('tables', 'concrete.csv');
    expect([table.rows, table.columns.length]).toEqual([1030, 9]);
    const types = inspect(table);
    expect(types.map(({ type }) => type)).toEqual([...Array(7).fill('number'), 'integer', 'number']);
    expect(types.filter(({ logScale }) => logScale).map(({ name }) => name)).toEqual(['Age']);
    expect(types.every(({ missing }) => missing === 0)).toBe(true);
    expect(cells(table, 'ConcreteCompressiveStrength').slice(0, 3)).toEqual([79.99, 61.89, 40.27]);
  });

  it('airfoil_self_noise.csv', async () => {
    const table = await open('tables', 'airfoil_self_noise.csv');
    expect([table.rows, table.columns.length]).toEqual([1503, 6]);
    expect(inspect(table).map(({ type }) => type)).toEqual(['integer', ...Array(5).fill('number')]);
    expect(cells(table, 'frequency_hz').slice(0, 3)).toEqual([800, 1000, 1250]);
  });

  it('superconductor/train.csv.gz', async () => {
    const table = await open('superconductor', 'train.csv.gz');
    expect([table.rows, table.columns.length]).toEqual([21263, 82]);
    expect(table.lines!.at(-1)).toBe(21264);
    const types = inspect(table);
    expect(types.every(({ type }) => type === 'number' || type === 'integer')).toBe(true);
    expect(types.find(({ name }) => name === 'number_of_elements')?.type).toBe('integer');
    expect(Math.max(...(cells(table, 'critical_temp') as number[]))).toBe(185);
  });

  it('tfbind8', async () => {
    const table = await open('tfbind8', 'tfbind8_SIX6_REF_R1.csv.gz');
    expect(table.rows).toBe(65792);
    const [seq, y] = inspect(table);
    expect(seq).toMatchObject({
      type: 'sequence',
      sequence: { kind: 'DNA', length: 8, alphabet: 'ACGT' },
      distinct: 65536,
    });
    expect(y).toMatchObject({ type: 'number', logScale: false });
  });

  it('molecules, proteins, formulas', async () => {
    const molecules = inspect(await open('molecule', 'Lipophilicity.smiles_y.csv'));
    expect(molecules.map(({ type }) => type)).toEqual(['smiles', 'number']);
    expect(inspect(await open('molecule', 'CHEMBL234_Ki.smiles_y.csv'))[0]!.type).toBe('smiles');
    expect(inspect(await open('gfp', 'gp_train.csv'))[0]).toMatchObject({
      type: 'sequence',
      sequence: { kind: 'protein', length: 237 },
    });
    const formulas = inspect(await open('superconductor', 'formula_tc.csv.gz'));
    expect(formulas.map(({ type }) => type)).toEqual(['identifier', 'identifier', 'number']);
  });
});
