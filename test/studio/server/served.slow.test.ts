// `nemokit studio` by HTTP alone: the command's bytes, and what becomes of runs when processes die.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ask } from '../../../src/studio/protocol/index.js';
import { smallTable, Workplace } from '../../cli/smallRun.js';
import { StudioClient } from './studioClient.js';

const place = new Workplace();
const runs = join(place.folder, 'runs');
/** Long enough to be stopped on the way, also where the test itself gets little of the machine. */
const ask: Ask = { goals: ['max yield'], effort: 'fast', batch: 3, options: { steps: 300 } };
const table = smallTable(24);
let studio: StudioClient;
let expected: Buffer;

beforeAll(async () => {
  writeFileSync(join(place.folder, 'past.csv'), table);
  const command = place.start([
    'design',
    'past.csv',
    ...['--goal', 'max yield', '--effort', 'fast', '--batch', '3', '--set', 'steps=300'],
    ...['--out', 'command', '--quiet'],
  ]);
  expect([(await command.ended).code, command.stderr]).toEqual([0, '']);
  expected = place.read('command', 'candidates.csv');
  studio = await StudioClient.start(place.folder);
});
afterAll(() => studio?.stop());

function lockOf(run: string): { pid: number } {
  return JSON.parse(readFileSync(join(runs, run, 'lock.json'), 'utf8'));
}

async function restart(signal: NodeJS.Signals): Promise<void> {
  await studio.stop(signal);
  studio = await StudioClient.start(place.folder);
}

describe('a run by HTTP', () => {
  let run: string;

  it('gives the bytes of the command line', async () => {
    const { answer } = await studio.upload('past.csv', table);
    expect([answer.rows, answer.columns.map(({ name }) => name).join()]).toEqual([24, 'temp,line,a,b,yield']);
    const { rows } = await studio.call('rows', answer.id, 1, 2);
    expect(rows.length).toBe(2);
    const stated = await studio.call('state', answer.id, ask);
    expect([stated.fault, stated.conflict]).toEqual([null, []]);
    const summary = await studio.call('startRun', answer.id, ask);
    run = summary.id;
    expect(['waiting', 'running']).toContain(summary.status);
    const done = await studio.becomes(run, 'done', 'failed');
    expect(done.status).toBe('done');
    const opened = await studio.call('openRun', run);
    expect(opened.document!.candidates.length).toBe(3);
    expect((await studio.file(run, 'files/candidates.csv')).equals(expected)).toBe(true);
    // a cell that a spreadsheet would run stays a text
    expect(expected.toString()).toContain(`"'-B"`);
    expect((await studio.file(run, 'files/report.html')).toString()).toContain('<!doctype html>');
  });

  it('is asked about other designs, as the command is', async () => {
    const [first] = (await studio.call('openRun', run)).document!.candidates;
    const { rows } = await studio.call('score', run, [first!.cells as Record<string, number | string>]);
    expect(rows[0]!.expected).toBeCloseTo(first!.expected, 9);
    const profile = await studio.call('profile', run, {
      cells: first!.cells as Record<string, number | string>,
      move: { column: 'a', value: 0.5 },
    });
    // along the recipe
    expect(Number(profile.design.cells.a) + Number(profile.design.cells.b)).toBeCloseTo(1, 6);
    expect((await studio.call('explain', run, 1)).explanation).toBeDefined();
    const refused = await studio.try('explain', [run, 99]);
    expect([refused.status, refused.answer]).toMatchObject([422, { name: 'ArgumentError' }]);
  });

  it('is saved as a ZIP file and added again', async () => {
    const zip = await studio.file(run, 'zip');
    const { status, answer } = await studio.upload('', Uint8Array.from(zip), {
      path: 'addRun',
      type: 'application/zip',
    });
    expect([status, answer.id, answer.status]).toEqual([200, `${run}-2`, 'done']);
    expect((await studio.file(answer.id, 'files/candidates.csv')).equals(expected)).toBe(true);
    await studio.call('deleteRun', answer.id);
    expect(existsSync(join(runs, answer.id))).toBe(false);
  });

  it('is not added where a part is missing, changed, or leads elsewhere', async () => {
    const parts = unzipSync(Uint8Array.from(await studio.file(run, 'zip')));
    const add = (files: Record<string, Uint8Array>) =>
      studio.upload('', Uint8Array.from(zipSync(files)), { path: 'addRun', type: 'application/zip' });
    const name = (file: string) => `${run}/${file}`;
    const edited = { ...parts, [name('problem.yaml')]: strToU8('version: 1\ngoals: [max cost]\n') };
    const { [name('data.parquet')]: _, ...partial } = parts;
    for (const [files, message] of [
      [edited, /problem.yaml has changed since the run wrote it/],
      [partial, /data.parquet cannot be read/],
      [{ 'a.txt': strToU8('a') }, /holds no run/],
      [{ ...parts, 'other/manifest.json': strToU8('{}') }, /holds several runs/],
      [{ ...parts, [name('manifest.json')]: strToU8('{"manifestVersion":3}') }, /checksum|damaged|changed/],
    ] as const) {
      const { status, answer } = await add(files);
      expect([status, answer.message]).toEqual([422, expect.stringMatching(message)]);
    }
    const escaping = {
      ...parts,
      [name('../../escaped.txt')]: strToU8('a'),
      [name('x/lock.json')]: strToU8('a'),
    };
    const { answer } = await add(escaping);
    expect(existsSync(join(place.folder, 'escaped.txt'))).toBe(false);
    expect(existsSync(join(runs, answer.id, 'x'))).toBe(false);
    await studio.call('deleteRun', answer.id);
    const noZip = await studio.upload('', 'PK no', { path: 'addRun', type: 'application/zip' });
    expect([noZip.status, noZip.answer.message]).toEqual([422, expect.stringContaining('not a ZIP file')]);
  });

  it('gives the table of the next round', async () => {
    const opened = await studio.call('addRound', run, [{ row: 1, values: { yield: 17 } }]);
    expect([opened.rows, opened.rounds]).toEqual([25, 1]);
    const { rows } = await studio.call('rows', opened.id, 24, 1);
    expect(rows[0]!.at(4)).toBe(17);
  });
});

describe('a run goes on', () => {
  const begin = () => studio.design(table, 'past.csv', ask);

  it('after a pause', async () => {
    const run = await begin();
    await studio.reaches(run, 0.1);
    expect((await studio.call('pauseRun', run)).status).toBe('paused');
    expect(existsSync(join(runs, run, 'lock.json'))).toBe(false);
    const twice = await studio.try('pauseRun', [run]);
    expect(twice.status).toBe(409);
    // a paused run stays so when the studio is opened again
    await restart('SIGINT');
    expect(studio.left).toEqual([]);
    expect((await studio.call('openRun', run)).summary.status).toBe('paused');
    await studio.call('resumeRun', run);
    expect((await studio.becomes(run, 'done', 'failed')).status).toBe('done');
    expect((await studio.file(run, 'files/candidates.csv')).equals(expected)).toBe(true);
    expect((await studio.try('resumeRun', [run])).status).toBe(409);
  });

  it.each(['SIGINT', 'SIGKILL'] as const)(
    'when the studio was ended by %s and is opened again',
    async (signal) => {
      const run = await begin();
      let last = 0;
      await studio.watch(run, (event, id) => {
        last = id ?? last;
        return event.kind === 'progress' && event.progress.fraction >= 0.1;
      });
      expect(lockOf(run).pid).toBeGreaterThan(0);
      await studio.stop(signal);
      // the process of the run saves its state and ends, whoever killed its parent
      for (let wait = 0; wait < 1200 && existsSync(join(runs, run, 'lock.json')); wait++)
        await setTimeout(100);
      expect(place.json('runs', run, 'manifest.json').status).toBe('interrupted');
      studio = await StudioClient.start(place.folder);
      expect(studio.left).toEqual([run]);
      // a browser that comes back is told what it has not seen
      const events = await studio.watch(
        run,
        (event) => event.kind === 'status' && event.summary.status === 'done',
        last,
      );
      const told = events.flatMap((event) => (event.kind === 'progress' ? [event.progress.fraction] : []));
      expect(told.every((fraction) => fraction > 0.05)).toBe(true);
      expect(told.length).toBeGreaterThan(0);
      expect((await studio.file(run, 'files/candidates.csv')).equals(expected)).toBe(true);
    },
  );

  it('when its process was killed, and the server stays up', async () => {
    const run = await begin();
    await studio.reaches(run, 0.1);
    process.kill(lockOf(run).pid, 'SIGKILL');
    const failed = await studio.becomes(run, 'failed', 'done');
    expect([failed.status, failed.fault!.message]).toEqual([
      'failed',
      'the process of the run ended by SIGKILL; resume it to go on from its last saved state',
    ]);
    expect((await studio.call('about')).kind).toBe('server');
    await studio.call('resumeRun', run);
    expect((await studio.becomes(run, 'done', 'failed')).status).toBe('done');
    expect((await studio.file(run, 'files/candidates.csv')).equals(expected)).toBe(true);
  });

  it('no further when it is stopped, and keeps what it has', async () => {
    const run = await studio.design(table, 'past.csv', { ...ask, options: { steps: 600 } });
    // designs are collected at every sixth of the search
    const isFar = (detail: string) => Number(/\d+/.exec(detail)?.[0]) > 150;
    await studio.watch(
      run,
      (event) =>
        event.kind === 'progress' && event.progress.stage === 'search' && isFar(event.progress.detail),
    );
    const stopped = await studio.call('stopRun', run);
    expect(stopped.status).toBe('partial');
    expect((await studio.call('openRun', run)).document!.run.complete).toBe(false);
  });
});

describe('several runs', () => {
  it('are computed two at a time, the others wait', async () => {
    const begun = await Promise.all(
      [1, 2, 3].map((seed) => studio.design(table, 'past.csv', { ...ask, seed })),
    );
    expect(new Set(begun).size).toBe(3);
    const listed = await studio.call('listRuns');
    const states = begun.map((run) => listed.find(({ id }) => id === run)!.status).toSorted();
    expect(states).toEqual(['running', 'running', 'waiting']);
    const waiting = listed.find(({ status }) => status === 'waiting')!.id;
    expect((await studio.try('deleteRun', [waiting])).status).toBe(409);
    expect((await studio.call('pauseRun', waiting)).status).toBe('paused');
    for (const run of begun)
      if (run !== waiting) expect(['paused', 'done']).toContain((await studio.call('pauseRun', run)).status);
  });
});

describe('what is refused', () => {
  it.each([
    ['an empty file', '', 422],
    ['no table', '%PDF-1.4\n\0\u0001', 422],
    [
      '5,000 columns',
      `${Array.from({ length: 5000 }, (_, i) => `c${i}`).join()}\n${'1,'.repeat(4999)}1\n`,
      200,
    ],
  ])('%s is answered, and the server goes on', async (_, text, status) => {
    const answered = await studio.upload('odd.csv', text);
    expect([answered.status, answered.answer.message]).toEqual([
      status,
      status === 200 ? undefined : expect.stringContaining('odd.csv'),
    ]);
    expect((await studio.call('about')).kind).toBe('server');
  });

  it('a table over the limit, before it is sent', async () => {
    const { status, answer } = await studio.upload('big.csv', new Uint8Array(200e6));
    expect([status, answer.message]).toEqual([
      413,
      '191 MB were sent, and at most 128 MB are taken; for larger tables use "nemokit design" in a terminal',
    ]);
  });

  it('a question that cannot be answered, before there is a folder', async () => {
    const { answer } = await studio.upload('past.csv', table);
    const count = (await studio.call('listRuns')).length;
    for (const [wrong, name] of [
      [{ goals: ['max nothing'] }, 'ExpressionError'],
      [{ goals: [] }, 'ArgumentError'],
      [{ ...ask, constraints: ['temp >= 90', 'temp <= 10'] }, 'InfeasibleError'],
      [{ ...ask, options: { stepz: 1 } }, 'ArgumentError'],
      [{ ...ask, method: '__proto__' }, 'ArgumentError'],
    ] as const) {
      const refused = await studio.try('startRun', [answer.id, wrong]);
      expect([refused.status, refused.answer]).toMatchObject([422, { name }]);
    }
    expect((await studio.call('listRuns')).length).toBe(count);
    expect((await studio.try('table', ['t-unknown'])).status).toBe(404);
    expect((await studio.try('openRun', ['../command'])).status).toBe(404);
    expect((await studio.try('openRun', ['..'])).status).toBe(404);
    expect((await studio.try('table', ['run:../command'])).status).toBe(404);
    expect((await studio.try('openBench', ['../..'])).status).toBe(404);
  });
});
