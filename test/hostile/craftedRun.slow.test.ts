import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeState } from '../../src/runs/checkpoint.js';
import { readManifest } from '../../src/runs/manifest.js';
import { sha256Of } from '../../src/runs/runFiles.js';
import { called } from '../cli/called.js';
import { secondsSince } from '../processorTime.js';
import { CraftedRuns, expectRefusal } from './craftedRun.js';

const runs = new CraftedRuns();
beforeAll(() => runs.build());
afterAll(() => runs.remove());

const precious = 'a,b\n1,2\nthe last line has no end';

describe('a run folder with something else in the place of a file', () => {
  it('a link as events.jsonl: what it leads to is neither cut nor overwritten', async () => {
    const path = runs.stopped();
    const target = runs.outside('precious.csv');
    writeFileSync(target, precious);
    rmSync(join(path, 'events.jsonl'));
    symlinkSync(target, join(path, 'events.jsonl'));
    expectRefusal(await called('runs', 'resume', path, '--quiet'), 'resume');
    expect(readFileSync(target, 'utf8')).toBe(precious);
  });

  it('a file with a second name elsewhere: the other name keeps its contents', async () => {
    const path = runs.stopped();
    const target = runs.outside('hard.csv');
    writeFileSync(target, precious);
    rmSync(join(path, 'events.jsonl'));
    linkSync(target, join(path, 'events.jsonl'));
    await called('runs', 'resume', path, '--quiet');
    expect(readFileSync(target, 'utf8')).toBe(precious);
    expect(readFileSync(join(path, 'events.jsonl'), 'utf8')).toContain('"event":"done"');
  });

  const names = [
    'manifest.json',
    'problem.yaml',
    'data.parquet',
    'candidates.json',
    'model.json',
    'model.safetensors',
  ];
  it.each(names)('%s as a link, an endless device or a pipe is refused at once', async (name) => {
    for (const [what, put] of [
      ['link', (at: string) => symlinkSync(runs.rows, at)],
      ['/dev/zero', (at: string) => symlinkSync('/dev/zero', at)],
      ['pipe', (at: string) => spawnSync('mkfifo', [at])],
    ] as const) {
      const path = runs.copy();
      rmSync(join(path, name));
      put(join(path, name));
      expectRefusal(await called('explain', path), `explain, ${name} is a ${what}`);
      if (name.startsWith('model')) continue;
      expectRefusal(await called('reproduce', path, '--quiet'), `reproduce, ${name} is a ${what}`);
    }
  });

  it.each(['report.html', 'candidates.csv', 'checkpoint.bin', 'lock.json'])(
    '%s as a link is refused before a run goes on',
    async (name) => {
      const path = runs.stopped();
      const target = runs.outside('kept.txt');
      writeFileSync(target, precious);
      rmSync(join(path, name), { force: true });
      symlinkSync(target, join(path, name));
      expectRefusal(await called('runs', 'resume', path, '--quiet'), name);
      expect(readFileSync(target, 'utf8')).toBe(precious);
    },
  );

  it('a file of a terabyte that is all hole is not read', async () => {
    const path = runs.copy();
    truncateSync(join(path, 'candidates.json'), 2 ** 40);
    const started = process.cpuUsage();
    expectRefusal(await called('runs', 'show', path), 'show');
    expect(secondsSince(started)).toBeLessThan(5);
  });

  it('names of other folders in the manifest are refused', async () => {
    const path = runs.copy();
    runs.manifest(path, (manifest) => ({
      ...manifest,
      files: { ...(manifest.files as object), '../outside/precious.csv': { bytes: 1, sha256: sha256Of('') } },
    }));
    expectRefusal(await called('runs', 'show', path), 'show');
  });

  it('a list of runs names the one that is odd', async () => {
    const path = runs.copy();
    rmSync(join(path, 'manifest.json'));
    symlinkSync('/dev/zero', join(path, 'manifest.json'));
    const { code, stdout } = await called('runs', 'list', runs.folder);
    expect(code).toBe(0);
    expect(stdout).toMatch(/manifest\.json is a link, a pipe or a device/);
    rmSync(path, { recursive: true });
  });
});

describe('contents whose checksum is right and that are wrong', () => {
  it.each([
    ['model.json', '{"modelVersion":1}'],
    ['model.json', 'null'],
    ['model.json', '[]'],
    ['model.json', '{'],
    ['candidates.json', '{"documentVersion":2}'],
    ['candidates.json', '{"documentVersion":1}'],
    ['candidates.json', '0'],
    ['model.safetensors', new Uint8Array(40)],
    ['data.parquet', 'PAR1 and nothing else PAR1'],
    ['problem.yaml', '- 1\n- 2\n'],
  ] as const)('%s %j is refused by every command that reads it', async (name, contents) => {
    const path = runs.copy();
    runs.forge(path, name, contents);
    const readers = runs.commands(path).filter(([first]) => first !== 'runs' || name === 'candidates.json');
    for (const args of readers) expectRefusal(await called(...args), args.join(' '));
  });

  it.each([
    ['plan.bins', 1e9],
    ['plan.judge.bins', 1e9],
    ['plan.hidden.0', 1e9],
    ['plan.folds', 1e9],
    ['plan.networksPerGroup', 1e9],
    ['plan.judge', null],
    ['judges.processes', []],
    ['judges.settings', ['a', 'b', 'c']],
    ['seed', 'x'],
  ] as const)('model.json with %s = %j is refused at once', async (key, value) => {
    const path = runs.copy();
    const model = JSON.parse(readFileSync(join(path, 'model.json'), 'utf8'));
    const keys = key.split('.');
    const last = keys.pop()!;
    keys.reduce((part, name) => part[name], model)[last] = value;
    runs.forge(path, 'model.json', JSON.stringify(model));
    const started = process.cpuUsage();
    const { code, stderr } = await called('score', path, runs.rows);
    expect(code, stderr).toBeGreaterThanOrEqual(2);
    expect(stderr).not.toMatch(/this is a bug/);
    expect(secondsSince(started)).toBeLessThan(10);
  });

  it('keys that a newer version added are no fault', async () => {
    const path = runs.copy();
    for (const name of ['model.json', 'candidates.json']) {
      const found = JSON.parse(readFileSync(join(path, name), 'utf8'));
      runs.forge(path, name, JSON.stringify({ ...found, later: { part: 1 } }));
    }
    for (const args of runs.commands(path))
      expect([0, 3], args.join(' ')).toContain((await called(...args)).code);
  });

  it.each([
    ['a number', 7],
    ['an empty object', {}],
    ['no validation', { validation: null, algorithm: null, pool: [], curves: [] }],
    [
      'a step that is far below zero',
      {
        validation: { step: -1e12 },
        processes: null,
        judges: null,
        climbed: 0,
        algorithm: null,
        pool: [],
        curves: [],
      },
    ],
    ['no step', { validation: {}, algorithm: { iteration: 0 }, pool: [], curves: [] }],
    [
      'a pool of text',
      {
        validation: { step: 0 },
        processes: null,
        judges: null,
        climbed: 0,
        algorithm: null,
        pool: ['x'],
        curves: [],
      },
    ],
    ['a map', { validation: new Map(), algorithm: null, pool: [], curves: [] }],
  ])('a saved state that is %s is refused, and kept', async (_, state) => {
    const path = runs.stopped();
    const { table, problem, method, options, seed, kernel } = await readManifest(path);
    const identity = {
      table: table.sha256,
      problem: problem.sha256,
      method,
      options: sha256Of(JSON.stringify(options)),
      seed: String(seed),
      kernel,
    };
    const file = join(path, 'checkpoint.bin');
    writeFileSync(file, encodeState(state, identity));
    const before = readFileSync(file);
    expectRefusal(await called('runs', 'resume', path, '--quiet'), 'resume');
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('a header of a saved state that is not one begins the run again, with a note', async () => {
    const path = runs.stopped();
    const head = Buffer.from('null');
    const length = Buffer.alloc(4);
    length.writeUInt32LE(head.length);
    writeFileSync(
      join(path, 'checkpoint.bin'),
      Buffer.concat([Buffer.from('NEMOKIT STATE\n'), length, head, serialize({})]),
    );
    const { code, stderr } = await called('runs', 'resume', path, '--quiet');
    expect([0, 3], stderr).toContain(code);
    expect(stderr).toMatch(/checkpoint\.bin is damaged.*begins again/);
  });

  it('nothing of all this is left behind', () => {
    const left = readdirSync(runs.folder).flatMap((name) =>
      name.startsWith('copy-')
        ? readdirSync(join(runs.folder, name)).filter((file) => file.endsWith('.tmp'))
        : [],
    );
    expect(left).toEqual([]);
    appendFileSync(join(runs.folder, 'past.csv'), '');
  });
});
