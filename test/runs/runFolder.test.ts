import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WriteAll } from '../../src/runs/atomicFile.js';
import { readEvents } from '../../src/runs/events.js';
import { LockedError } from '../../src/runs/lock.js';
import { type Manifest, parseManifest, printManifest, readManifest } from '../../src/runs/manifest.js';
import { createRun, openRun, type RunResults, tidyDone } from '../../src/runs/runFolder.js';
import { defaultRunPath, listRuns, removeRun } from '../../src/runs/runsFolder.js';
import { version } from '../../src/version.js';
import { caught, DiskFull, request, temporaryFolder } from './runs.js';

const results: RunResults = {
  'candidates.csv': 'temp,yield\n20,\n',
  'candidates.json': '{}',
  'model.safetensors': Uint8Array.of(1, 2, 3),
  'model.json': '{}',
  'report.html': '<!doctype html>',
  'README.txt': 'A run of nemokit.',
};

const start = Date.UTC(2026, 10, 15, 12);

/** A clock that a test moves. */
function clock() {
  let time = start;
  return {
    now: () => time,
    pass: (seconds: number) => {
      time += seconds * 1000;
    },
  };
}

async function doneRun(path: string): Promise<void> {
  const run = await createRun(path, request);
  await run.saveState({ n: 1 });
  await run.finish('done', results);
  await run.close();
}

const namesIn = (path: string) => readdirSync(path).toSorted();
const textOf = (path: string, name: string) => readFileSync(join(path, name), 'utf8');

describe('a run', () => {
  it('goes from created to done, with every file in the manifest', async () => {
    const path = join(temporaryFolder(), 'runs', 'a');
    const { now, pass } = clock();
    const run = await createRun(path, request, { now });
    expect(await readManifest(path)).toEqual(run.manifest);
    expect(namesIn(path)).toEqual([
      'data.parquet',
      'events.jsonl',
      'lock.json',
      'manifest.json',
      'problem.yaml',
    ]);
    pass(2);
    await run.log({ stage: 'training', fraction: 0.25, detail: 'training 1 of 4' }, { loss: 0.5 });
    await run.saveState({ n: 1 });
    pass(3);
    await run.log({ stage: 'training', fraction: 0.5, detail: 'training 2 of 4' }, null);
    pass(1);
    await run.log({ stage: 'search', fraction: 0.75, detail: 'searching' });
    await run.saveState({ n: 2 });
    expect(await run.finish('done', results)).toEqual([]);
    await run.close();
    await run.close();

    const manifest = await readManifest(path);
    const { inputs: _, ...asked } = request;
    expect(manifest).toMatchObject({
      ...asked,
      manifestVersion: 3,
      version,
      created: '2026-11-15T12:00:00.000Z',
      updated: '2026-11-15T12:00:06.000Z',
      status: 'done',
      node: process.version,
      timings: { training: 5, search: 1 },
    });
    const files = [...Object.keys(request.inputs), ...Object.keys(results), 'events.jsonl'].toSorted();
    expect(Object.keys(manifest.files).toSorted()).toEqual(files);
    expect(namesIn(path)).toEqual([...files, 'manifest.json'].toSorted());
    expect(manifest.files['model.safetensors']).toEqual({
      bytes: 3,
      // printf '\001\002\003' | sha256sum
      sha256: '039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81',
    });
    expect(manifest.problem.sha256).toBe(manifest.files['problem.yaml']!.sha256);
    expect(await readEvents(join(path, 'events.jsonl'))).toEqual([
      { time: '2026-11-15T12:00:00.000Z', event: 'created' },
      {
        time: '2026-11-15T12:00:02.000Z',
        stage: 'training',
        fraction: 0.25,
        detail: 'training 1 of 4',
        watched: { loss: 0.5 },
      },
      { time: '2026-11-15T12:00:05.000Z', stage: 'training', fraction: 0.5, detail: 'training 2 of 4' },
      { time: '2026-11-15T12:00:06.000Z', stage: 'search', fraction: 0.75, detail: 'searching' },
      { time: '2026-11-15T12:00:06.000Z', event: 'done' },
    ]);
  });

  it('is resumed from its state and its own copies of table and problem', async () => {
    const path = join(temporaryFolder(), 'a');
    const run = await createRun(path, request);
    await run.saveState({ x: Float64Array.of(-0, 1 / 3) });
    await run.interrupt();
    await run.close();
    expect((await readManifest(path)).status).toBe('interrupted');
    const again = await openRun(path);
    expect(await again.loadState({ kernel: 'wasm' })).toStrictEqual({ x: Float64Array.of(-0, 1 / 3) });
    expect((await again.read('problem.yaml')).toString()).toBe('version: 1\n');
    expect([...(await again.read('data.parquet'))]).toEqual([80, 65, 82, 49]);
    expect(again.notes).toEqual([]);
    expect((await caught(again.loadState({ kernel: 'reference' }))).message).toContain('another kernel');
    await again.close();
  });

  it('keeps its state when only part of the time was there, and says why it failed', async () => {
    const path = join(temporaryFolder(), 'a');
    const run = await createRun(path, request);
    await run.saveState({ n: 1 });
    await run.finish('partial', results);
    await run.fail(new TypeError('a bad thing'));
    await run.close();
    const { status, error } = await readManifest(path);
    expect([status, error]).toEqual(['failed', { name: 'TypeError', message: 'a bad thing' }]);
    const again = await openRun(path);
    expect(await again.loadState()).toEqual({ n: 1 });
    await again.finish('done', results);
    await again.close();
    expect(await readManifest(path)).not.toHaveProperty('error');
    expect(existsSync(join(path, 'checkpoint.bin'))).toBe(false);
  });

  it('refuses an input that was edited', async () => {
    const path = join(temporaryFolder(), 'a');
    await doneRun(path);
    appendFileSync(join(path, 'problem.yaml'), 'seed: 4\n');
    const run = await openRun(path);
    expect((await caught(run.read('problem.yaml'))).message).toBe(
      `${join(path, 'problem.yaml')} has changed since the run wrote it; start a new run with it, or put the old one back`,
    );
    await run.close();
  });

  it('has one writer', async () => {
    const path = join(temporaryFolder(), 'a');
    const run = await createRun(path, request);
    expect(await caught(openRun(path))).toBeInstanceOf(LockedError);
    expect(await caught(createRun(path, request))).toBeInstanceOf(LockedError);
    rmSync(join(path, 'lock.json'));
    expect((await caught(run.saveState(1))).message).toContain('nothing more is written here');
    await run.close();
    expect((await caught(createRun(path, request))).message).toBe(
      `${path} holds a run already; resume it, or choose another folder`,
    );
  });

  it('does not begin among the files of others', async () => {
    const folder = temporaryFolder();
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    await (await createRun(empty, request)).close();
    const taken = join(folder, 'taken');
    mkdirSync(taken);
    writeFileSync(join(taken, 'problem.yaml'), 'mine');
    expect((await caught(createRun(taken, request))).message).toBe(
      `${taken} is not empty: it holds problem.yaml; choose another folder`,
    );
    expect(namesIn(taken)).toEqual(['problem.yaml']);
    expect(textOf(taken, 'problem.yaml')).toBe('mine');
  });

  it('begins where one was killed before it had a manifest', async () => {
    const path = join(temporaryFolder(), 'a');
    await doneRun(path);
    const lock = {
      pid: 2_147_483_646,
      host: (await import('node:os')).hostname(),
      started: '2026',
      token: 'x',
    };
    for (const name of namesIn(path).filter((name) => !(name in request.inputs))) rmSync(join(path, name));
    writeFileSync(join(path, 'lock.json'), JSON.stringify(lock));
    const run = await createRun(path, request);
    expect(run.notes).toHaveLength(1);
    await run.close();
  });
});

describe('a run that was killed after it was done', () => {
  const dead = JSON.stringify({
    pid: 2_147_483_646,
    host: hostname(),
    started: new Date(start).toISOString(),
    token: 'other',
  });

  async function killed(): Promise<string> {
    const path = join(temporaryFolder(), 'a');
    await doneRun(path);
    for (const name of ['checkpoint.bin', 'checkpoint.previous.bin', '.x.nemokit-2147483646-1.tmp'])
      writeFileSync(join(path, name), 'state');
    writeFileSync(join(path, 'lock.json'), dead);
    return path;
  }

  it('leaves no lock, state or temporary file once it is asked for', async () => {
    const path = await killed();
    const events = textOf(path, 'events.jsonl');
    await tidyDone(path);
    expect(namesIn(path).filter((name) => /lock|checkpoint|tmp/.test(name))).toEqual([]);
    expect(textOf(path, 'events.jsonl')).toBe(events);
    expect(namesIn(path)).toContain('candidates.csv');
  });

  it('is left alone while somebody works in it', async () => {
    const path = await killed();
    const owner = { ...JSON.parse(dead), pid: process.ppid };
    writeFileSync(join(path, 'lock.json'), JSON.stringify(owner));
    await tidyDone(path);
    expect(namesIn(path)).toContain('checkpoint.bin');
    expect(JSON.parse(textOf(path, 'lock.json'))).toEqual(owner);
  });
});

describe('events.jsonl', () => {
  it('loses a torn last line, and nothing else', async () => {
    const path = join(temporaryFolder(), 'a');
    const run = await createRun(path, request);
    await run.log({ stage: 'training', fraction: 0.5, detail: 'half' });
    await run.close();
    const events = join(path, 'events.jsonl');
    const whole = readFileSync(events, 'utf8');
    appendFileSync(events, '{"time":"2026-11-15T12:0');
    expect(await readEvents(events)).toHaveLength(2);
    const again = await openRun(path);
    await again.close();
    expect(again.notes).toEqual([`${events}: the last line was cut off, and is removed`]);
    const text = readFileSync(events, 'utf8');
    expect(text.startsWith(whole)).toBe(true);
    expect(
      text
        .slice(whole.length)
        .split('\n')
        .map((line) => line && JSON.parse(line).event),
    ).toEqual(['resumed', '']);
  });
});

describe('a file that was edited', () => {
  it('is kept, each time under a new name', async () => {
    const path = join(temporaryFolder(), 'a');
    await doneRun(path);
    for (const n of [1, 2]) {
      writeFileSync(join(path, 'candidates.csv'), `temp,yield\n20,0.${n}\n`);
      const run = await openRun(path);
      expect(await run.finish('done', results)).toEqual([`candidates.edited-${n}.csv`]);
      expect(run.notes).toEqual([
        `${join(path, 'candidates.csv')} was edited; your version is kept as candidates.edited-${n}.csv`,
      ]);
      await run.close();
      expect(textOf(path, 'candidates.csv')).toBe(results['candidates.csv']);
    }
    expect([1, 2].map((n) => textOf(path, `candidates.edited-${n}.csv`))).toEqual([
      'temp,yield\n20,0.1\n',
      'temp,yield\n20,0.2\n',
    ]);
    expect((await readManifest(path)).status).toBe('done');
  });

  it('is one that the run has not written, not one it was killed while writing', async () => {
    const path = join(temporaryFolder(), 'a');
    let left = Number.POSITIVE_INFINITY;
    const write: WriteAll = async (file, data) => {
      if (--left < 0) throw new DiskFull();
      await file.writeFile(data);
    };
    const run = await createRun(path, request, { write });
    await run.saveState({ n: 1 });
    // The manifest that says what comes, candidates.csv and candidates.json.
    left = 3;
    expect(await caught(run.finish('done', results))).toMatchObject({ code: 'ENOSPC' });
    await run.close();
    expect((await readManifest(path)).status).toBe('running');
    expect((await listRuns(join(path, '..')))[0]).toMatchObject({ status: 'interrupted' });
    const again = await openRun(path);
    expect(await again.loadState()).toEqual({ n: 1 });
    const later: RunResults = { ...results, 'candidates.csv': 'temp,yield\n21,\n' };
    expect(await again.finish('done', later)).toEqual([]);
    expect(again.manifest).not.toHaveProperty('pending');
    await again.close();
  });
});

describe('a full disk', () => {
  it.each([0, 1, 2])('leaves nothing of a run that could not begin (%i files written)', async (count) => {
    const folder = temporaryFolder();
    const path = join(folder, 'a');
    let left = count;
    const write: WriteAll = async (file, data) => {
      await file.write(data.subarray(0, data.length / 2));
      if (--left < 0) throw new DiskFull();
    };
    const error = await caught(createRun(path, request, { write }));
    expect(error).toMatchObject({ name: 'FileError', code: 'ENOSPC' });
    expect(error.message).toContain('the disk is full');
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a folder that cannot be written', () => {
  // Permissions do not hold for root, who runs the tests in containers; a path below a file holds for everybody.
  it('is named', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    const path = join(folder, 'file', 'a');
    expect((await caught(createRun(path, request))).message).toBe(
      `${path} cannot be written: part of this path is a file, not a folder; check the path`,
    );
  });
});

describe('a manifest', () => {
  const good = async (): Promise<Manifest> => {
    const path = join(temporaryFolder(), 'a');
    await doneRun(path);
    return readManifest(path);
  };

  it('of a newer nemokit is refused', async () => {
    const text = JSON.stringify({ ...(await good()), manifestVersion: 4, version: '3.1.0' });
    expect(() => parseManifest(text, 'runs/a')).toThrow(
      `runs/a was made by nemokit 3.1.0, this is ${version}: update nemokit`,
    );
  });

  it('of version 1, which called the effort a preset, is read', async () => {
    const { effort, ...rest } = await good();
    const older = { ...rest, manifestVersion: 1, preset: effort };
    expect(parseManifest(JSON.stringify(older), 'runs/a')).toEqual({ ...rest, effort });
  });

  it('of another nemokit with the same version of the manifest is read', async () => {
    const manifest = { ...(await good()), version: '0.0.9' };
    expect(parseManifest(printManifest(manifest), 'runs/a')).toEqual(manifest);
  });

  it.each<[string, (manifest: Manifest) => unknown, string]>([
    ['is not JSON', () => undefined, 'is damaged: it is not JSON'],
    [
      'is somebody else’s',
      () => ({ name: 'app', version: '1' }),
      "is not a run folder: its manifest.json is not one of nemokit's",
    ],
    ['is no object', () => null, 'is not a run folder'],
    ['lacks a field', ({ seed: _, ...rest }) => rest, 'is damaged: seed: expected number'],
    ['has a wrong field', (all) => ({ ...all, status: 'lost' }), 'is damaged: status: Invalid option'],
  ])('that %s is refused', async (_, change, words) => {
    const changed = change(await good());
    const text = changed === undefined ? '{"manifestVersion"' : printManifest(changed as Manifest);
    expect(() => parseManifest(text, 'a')).toThrow(words);
  });

  it('that was changed by hand is refused: its checksum is wrong', async () => {
    const text = printManifest(await good());
    for (const other of [text.replace('"seed": ', '"seed": 1'), text.replace('"checksum"', '"checksun"')])
      expect(() => parseManifest(other, 'a')).toThrow('its checksum is wrong');
  });

  it('that is missing means: no run folder', async () => {
    const folder = temporaryFolder();
    expect((await caught(openRun(folder))).message).toBe(
      `${folder} is not a run folder: it has no manifest.json`,
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('listRuns', () => {
  it('lists runs, strangers and damaged folders', async () => {
    const folder = temporaryFolder();
    const paths = ['a', 'b', 'c', 'd', 'e'].map((name) => join(folder, name));
    const [a, b, c, d] = paths as [string, string, string, string, string];
    await doneRun(a);
    const running = await createRun(b, request);
    await (await createRun(c, request)).close();
    await doneRun(d);
    rmSync(join(d, 'report.html'));
    mkdirSync(join(folder, 'e'));
    writeFileSync(join(folder, 'f'), '');
    symlinkSync(a, join(folder, 'g'), 'junction'); // what Windows lets everybody make
    await doneRun(join(folder, 'h'));
    writeFileSync(join(folder, 'h', 'manifest.json'), '{');
    const list = await listRuns(folder);
    await running.close();
    expect(list.map(({ name, status, problem }) => [name, status, problem])).toEqual([
      ['a', 'done', undefined],
      ['b', 'running', undefined],
      ['c', 'interrupted', undefined],
      ['d', 'done', `${d}: report.html missing`],
      ['e', undefined, `${join(folder, 'e')} is not a run folder: it has no manifest.json`],
      ['f', undefined, `${join(folder, 'f')} is a file, not a run folder`],
      ['g', undefined, `${join(folder, 'g')} is a link, which is not followed, not a run folder`],
      ['h', undefined, expect.stringContaining('manifest.json is damaged: it is not JSON')],
    ]);
    expect(list[0]!.manifest?.goal).toBe('max yield');
  });

  it('is empty where there is no folder', async () => {
    expect(await listRuns(join(temporaryFolder(), 'runs'))).toEqual([]);
  });
});

describe('removeRun', () => {
  it('removes a run', async () => {
    const folder = temporaryFolder();
    await doneRun(join(folder, 'a'));
    writeFileSync(join(folder, 'a', '.candidates.csv.nemokit-2147483646-1.tmp'), '');
    await removeRun(join(folder, 'a'));
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each<[string, (path: string) => void, string]>([
    ['a stranger', (path) => writeFileSync(join(path, 'notes.txt'), ''), 'did not write: notes.txt.'],
    ['a folder', (path) => mkdirSync(join(path, 'plots')), 'did not write: plots.'],
    ['a link of a known name', (path) => relink(path), 'did not write: report.html.'],
    [
      'a kept edit',
      (path) => writeFileSync(join(path, 'candidates.edited-1.csv'), ''),
      'candidates.edited-1.csv.',
    ],
    ['an edit', (path) => appendFileSync(join(path, 'candidates.csv'), '1'), 'were edited: candidates.csv.'],
    ['no manifest', (path) => rmSync(join(path, 'manifest.json')), 'is not a run folder'],
  ])('refuses %s, and removes nothing', async (_, change, words) => {
    const path = join(temporaryFolder(), 'a');
    await doneRun(path);
    change(path);
    const before = namesIn(path);
    const error = await caught(removeRun(path));
    expect(error.name).toBe('FileError');
    expect(error.message).toContain(words);
    expect(namesIn(path)).toEqual(before);
  });

  function relink(path: string): void {
    rmSync(join(path, 'report.html'));
    symlinkSync(join(path, '..'), join(path, 'report.html'), 'junction');
  }

  it('refuses links, files, nothing and a run that goes on', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a');
    const run = await createRun(path, request);
    symlinkSync(path, join(folder, 'link'), 'junction');
    expect((await caught(removeRun(join(folder, 'link')))).message).toContain('is a link, not a run folder');
    expect((await caught(removeRun(join(path, 'problem.yaml')))).message).toContain('is a file');
    expect((await caught(removeRun(join(folder, 'x')))).message).toContain('there is no such file or folder');
    expect(await caught(removeRun(path))).toBeInstanceOf(LockedError);
    await run.close();
    await removeRun(path);
    expect(readdirSync(folder)).toEqual(['link']);
  });
});

describe('defaultRunPath', () => {
  const name = { date: new Date(2026, 10, 5), dataHash: 'ab', seed: 3 };

  it('says day and goal, and counts on when taken', async () => {
    const folder = temporaryFolder();
    const path = await defaultRunPath(folder, { ...name, goal: 'yield' });
    expect(path.slice(folder.length + 1)).toMatch(/^2026-11-05-yield-[0-9a-f]{4}$/);
    for (const expected of [path, `${path}-2`, `${path}-3`]) {
      const free = await defaultRunPath(folder, { ...name, goal: 'yield' });
      expect(free).toBe(expected);
      mkdirSync(free);
    }
    const other = await defaultRunPath(folder, { ...name, goal: 'yield', seed: 4 });
    expect(other.slice(0, -4)).toBe(path.slice(0, -4));
    expect(other).not.toBe(path);
  });

  it.each([
    ['Größe (in %) / Tag', 'grosse-in-tag'],
    ['../../etc', 'etc'],
    ['粘度', 'run'],
    ['', 'run'],
    ['a very long name of a column that goes on', 'a-very-long-name-of-a-co'],
  ])('makes a name of %j', async (goal, slug) => {
    const path = await defaultRunPath('runs', { ...name, goal });
    expect(path).toMatch(new RegExp(`^runs/2026-11-05-${slug}-[0-9a-f]{4}$`));
  });
});
