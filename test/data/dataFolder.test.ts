import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { cacheFolderPaths, dataFolderPath, openDataFolder } from '../../src/data/dataFolder.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nemokit-data-'));
});

describe('the place of the data folder', () => {
  it.each([
    ['what is asked for', { NEMOKIT_DATA: '/d', XDG_DATA_HOME: '/x' }, 'linux', '/d'],
    ['XDG', { XDG_DATA_HOME: '/x' }, 'linux', '/x/nemokit'],
    ['XDG, unless it is relative', { XDG_DATA_HOME: 'x' }, 'linux', '/h/.local/share/nemokit'],
    ['Linux', {}, 'linux', '/h/.local/share/nemokit'],
    ['macOS', {}, 'darwin', '/h/Library/Application Support/nemokit'],
    ['Windows', { LOCALAPPDATA: '/local' }, 'win32', '/local/nemokit'],
  ] as const)('%s', (_, env, platform, expected) => {
    expect(normalize(dataFolderPath(env, platform, '/h'))).toBe(normalize(expected));
  });

  it('has a cache inside, and another one where it may not be written', () => {
    const caches = (env: Record<string, string>) =>
      cacheFolderPaths('/d', env, 'linux', '/h').map((path) => path.replaceAll('\\', '/'));
    expect(caches({})).toEqual(['/d/cache', '/h/.cache/nemokit']);
    expect(caches({ XDG_CACHE_HOME: '/c' })).toEqual(['/d/cache', '/c/nemokit']);
    // a folder that was named may be somebody else's
    expect(caches({ NEMOKIT_DATA: '/d' })).toEqual(['/h/.cache/nemokit']);
    expect(caches({ NEMOKIT_CACHE: '/only' })).toEqual(['/only']);
  });
});

describe('reading a dataset', () => {
  it('says what to do about a file that is not there', async () => {
    const data = openDataFolder({ folder, caches: [] });
    await expect(data.read('gfp', 'amino_acid_genotypes_to_brightness.tsv')).rejects.toThrow(
      `${join(folder, 'gfp', 'amino_acid_genotypes_to_brightness.tsv')} is not there. Get it: nemokit data get gfp`,
    );
    await expect(data.read('superconductor', 'train.csv.gz')).rejects.toThrow(
      /train\.csv\.gz is not there\. .* Put it at .*superconductor\/train\.csv\.gz \(\d+ bytes, SHA-256 [0-9a-f]{64}\)\. If a folder of datasets is elsewhere: set NEMOKIT_DATA to it/,
    );
  });

  it('refuses another file under its name', async () => {
    mkdirSync(join(folder, 'tfbind8'));
    writeFileSync(join(folder, 'tfbind8', 'tfbind8_SIX6_REF_R1.csv.gz'), 'other');
    await expect(
      openDataFolder({ folder, caches: [] }).read('tfbind8', 'tfbind8_SIX6_REF_R1.csv.gz'),
    ).rejects.toThrow(
      /is not the file that this task was made for: it has 5 bytes and SHA-256 d9298a10.*Remove it, then: nemokit data get tfbind8/,
    );
  });

  it('knows no other datasets', async () => {
    await expect(openDataFolder({ folder }).read('gpf', 'x')).rejects.toThrow(/gpf/);
  });
});

describe('what is kept', () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i % 251);
  const counted = () => {
    const calls = { made: 0 };
    return {
      calls,
      make: async (report: (share: number) => void) => {
        calls.made++;
        report(0.5);
        return bytes;
      },
    };
  };

  it('is made once, also for two who ask at once, and read the next time', async () => {
    const { calls, make } = counted();
    const told: [string, number][] = [];
    const data = openDataFolder({
      folder,
      caches: [join(folder, 'cache')],
      onProgress: (name, share) => told.push([name, share]),
    });
    const [first, second] = await Promise.all([data.cached('thing-1', make), data.cached('thing-1', make)]);
    expect([first, second]).toEqual([bytes, bytes]);
    expect(calls.made).toBe(1);
    expect(told).toEqual([['thing-1', 0.5]]);
    const later = openDataFolder({ folder, caches: [join(folder, 'cache')] });
    expect(await later.cached('thing-1', make)).toEqual(bytes);
    expect(calls.made).toBe(1);
    expect(await later.cached('thing-2', make)).toEqual(bytes);
    expect(calls.made).toBe(2);
  });

  it.each([
    ['a changed byte', (file: Buffer) => Buffer.from(file.map((byte, i) => (i === 500 ? byte ^ 1 : byte)))],
    ['a changed checksum', (file: Buffer) => Buffer.from(file.map((byte, i) => (i === 3 ? byte ^ 1 : byte)))],
    ['a cut file', (file: Buffer) => file.subarray(0, 700)],
    ['an empty file', () => Buffer.alloc(0)],
  ])('is made anew after damage: %s', async (_, damage) => {
    const { calls, make } = counted();
    const cache = join(folder, 'cache');
    await openDataFolder({ folder, caches: [cache] }).cached('thing', make);
    const [name] = readdirSync(cache);
    const place = join(cache, name!);
    const good = readFileSync(place);
    writeFileSync(place, damage(good));
    expect(await openDataFolder({ folder, caches: [cache] }).cached('thing', make)).toEqual(bytes);
    expect(calls.made).toBe(2);
    expect(readFileSync(place).equals(good)).toBe(true);
    expect(readdirSync(cache)).toEqual([name]);
  });

  it('goes to the next place where the first cannot be written, and to none if none can', async () => {
    const { calls, make } = counted();
    const blocked = join(folder, 'file');
    writeFileSync(blocked, '');
    const second = join(folder, 'second');
    expect(await openDataFolder({ folder, caches: [blocked, second] }).cached('thing', make)).toEqual(bytes);
    expect(readdirSync(second)).toHaveLength(1);
    await openDataFolder({ folder, caches: [blocked, second] }).cached('thing', make);
    expect(calls.made).toBe(1);
    expect(await openDataFolder({ folder, caches: [blocked] }).cached('thing', make)).toEqual(bytes);
    expect(calls.made).toBe(2);
  });

  it('is found in any of the places', async () => {
    const { calls, make } = counted();
    const [a, b] = [join(folder, 'a'), join(folder, 'b')];
    await openDataFolder({ folder, caches: [a] }).cached('thing', make);
    mkdirSync(b);
    copyFileSync(join(a, 'thing'), join(b, 'thing'));
    rmSync(a, { recursive: true });
    await openDataFolder({ folder, caches: [a, b] }).cached('thing', make);
    expect(calls.made).toBe(1);
  });

  it('forgets what failed, and takes no name that leaves the folder', async () => {
    const { make } = counted();
    const data = openDataFolder({ folder, caches: [join(folder, 'cache')] });
    await expect(
      data.cached('thing', async () => {
        throw new Error('out of luck');
      }),
    ).rejects.toThrow('out of luck');
    expect(await data.cached('thing', make)).toEqual(bytes);
    expect(() => data.cached('../thing', make)).toThrow('"../thing" cannot be the name of a cached file');
  });
});
