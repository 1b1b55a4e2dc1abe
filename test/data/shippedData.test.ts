// Recorded designs of robots: in data/ of a clone, or in the package nemokit-robots.
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { examineFiles, filePath, openDataFolder } from '../../src/data/dataFolder.js';
import { fetchDataset } from '../../src/data/fetchDataset.js';
import { robotData } from '../../src/data/robotData.js';
import { datasetOf, datasets } from '../../src/tasks/datasets.js';

const clone = fileURLToPath(new URL('../../data', import.meta.url));

describe('a dataset that ships', () => {
  const id = 'hopper-controller';
  const spec = datasetOf(id);
  const file = spec.files[0]!;

  it('is read from the clone, whatever the data folder is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'nemokit-'));
    expect(filePath(folder, id, file.name)).toBe(join(clone, id, file.name));
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
    expect(fetched?.reason).toContain('npm install nemokit-robots');
  });

  it('is small enough, with the others', () => {
    const bytes = datasets.filter(({ ships }) => ships).flatMap(({ files }) => files.map((one) => one.bytes));
    expect(bytes).toHaveLength(3);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(30e6);
  });
});

describe('where they are looked for', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'nemokit-robots-')));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const installed = join(folder, 'node_modules', 'nemokit-robots');
  const id = 'ant-morphology';
  const here = [join(folder, 'here.js')];
  const nowhere = join(folder, 'nowhere');

  it('is the clone first, then the package, then nowhere', async () => {
    expect(robotData(nowhere, here)).toBe(nowhere);
    await mkdir(join(installed, 'data', id), { recursive: true });
    const manifest = { name: 'nemokit-robots', exports: { './package.json': './package.json' } };
    await writeFile(join(installed, 'package.json'), JSON.stringify(manifest));
    await cp(join(clone, id, 'designs.bin'), join(installed, 'data', id, 'designs.bin'));
    expect(robotData(nowhere, here)).toBe(join(installed, 'data'));
    expect(robotData(nowhere, [join(nowhere, 'here.js'), ...here])).toBe(join(installed, 'data'));
    expect(robotData(clone, here)).toBe(clone);
    expect(robotData()).toBe(clone);
  });

  it('gives the bytes of the package, and one line about what is missing', async () => {
    vi.resetModules();
    vi.doMock('../../src/data/robotData.js', async (original) => ({
      ...(await original<typeof import('../../src/data/robotData.js')>()),
      robotData: () => robotData(nowhere, here),
    }));
    const { openDataFolder } = await import('../../src/data/dataFolder.js');
    const source = openDataFolder({ folder, caches: [] });
    expect(await source.read(id, 'designs.bin')).toHaveLength(datasetOf(id).files[0]!.bytes);
    await rm(installed, { recursive: true });
    await expect(source.read(id, 'designs.bin')).rejects.toMatchObject({
      name: 'FileError',
      message:
        'ant-morphology/designs.bin is not there. It is in a package of its own: npm install nemokit-robots',
    });
    vi.doUnmock('../../src/data/robotData.js');
    vi.resetModules();
  });
});
