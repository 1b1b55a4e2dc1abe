// Datasets that come with the package.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { examineFiles, filePath, openDataFolder, shippedFolder } from '../../src/data/dataFolder.js';
import { fetchDataset } from '../../src/data/fetchDataset.js';
import { datasetOf, datasets } from '../../src/tasks/datasets.js';

describe('a dataset that ships', () => {
  const id = 'hopper-controller';
  const spec = datasetOf(id);
  const file = spec.files[0]!;

  it('is read from the package, whatever the data folder is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'nemokit-'));
    expect(filePath(folder, id, file.name)).toBe(join(shippedFolder, id, file.name));
    expect(filePath(folder, 'gfp', 'a.csv')).toBe(join(folder, 'gfp', 'a.csv'));
    const bytes = await openDataFolder({ folder, caches: [] }).read(id, file.name);
    expect(bytes).toHaveLength(file.bytes);
    expect(await examineFiles(folder, [id])).toMatchObject([{ dataset: id, state: 'right' }]);
  });

  it('is there already when it is asked for', async () => {
    expect(await fetchDataset('/nowhere', spec)).toMatchObject([{ outcome: 'kept' }]);
  });

  it('is npm’s to repair, never written by nemokit', async () => {
    const damaged = { ...spec, files: [{ ...file, sha256: '0'.repeat(64) }] };
    const [fetched] = await fetchDataset('/nowhere', damaged, { from: '/elsewhere' });
    expect(fetched).toMatchObject({ outcome: 'byHand' });
    expect(fetched?.reason).toContain('It comes with nemokit; install nemokit again.');
  });

  it('is small enough, with the others', () => {
    const bytes = datasets.filter(({ ships }) => ships).flatMap(({ files }) => files.map((one) => one.bytes));
    expect(bytes).toHaveLength(3);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(30e6);
  });
});
