// Real processes, killed at any moment. They run the built package, as users do.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { rootKey, Stream } from '../../src/numeric/index.js';
import { readEvents } from '../../src/runs/events.js';
import { openRun } from '../../src/runs/runFolder.js';
import { request, temporaryFolder } from './runs.js';
import { type ToyState, toyWork } from './toyWork.js';

const script = fileURLToPath(new URL('./toyRun.js', import.meta.url));
const pieces = 2000;
/** Of one process: twenty of them do not get done, however late they are killed. */
const most = 90;

interface Settings {
  readonly path: string;
  readonly pause: number;
  /** Pieces after which it waits to be killed. */
  readonly most?: number;
  readonly isDeaf?: boolean;
}

class Child {
  readonly process: ChildProcess;
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
  stdout = '';
  stderr = '';

  constructor(settings: Settings) {
    const inputs = { 'problem.yaml': 'version: 1\n', 'data.parquet': 'PAR1' };
    const all = JSON.stringify({ ...settings, request: { ...request, inputs }, pieces });
    this.process = spawn(process.execPath, [script, all], { stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void this.process.kill('SIGKILL'));
    this.process.stdout?.on('data', (text) => {
      this.stdout += text;
    });
    this.process.stderr?.on('data', (text) => {
      this.stderr += text;
    });
    this.ended = new Promise((resolve) => {
      this.process.on('close', (code, signal) => resolve({ code, signal }));
    });
  }

  /** Until it has said `word`, or ended. */
  async says(word: string): Promise<void> {
    let isOver = false;
    this.ended.then(() => {
      isOver = true;
    });
    while (!this.stdout.includes(word) && !isOver) await setTimeout(1);
    expect(this.stdout + this.stderr).toContain(word);
  }
}

async function uninterrupted(): Promise<string> {
  const work = toyWork(pieces);
  let state = await work.start();
  while (!work.isDone(state)) state = await work.advance(state);
  return work.finish(state);
}

/** A folder that a process was killed in: how far it is, or null where it is no run yet. */
async function requireSound(path: string): Promise<number | null> {
  if (!existsSync(join(path, 'manifest.json'))) return null;
  const run = await openRun(path);
  const state = await run.loadState<ToyState>();
  const { status, files } = run.manifest;
  const torn = run.notes.filter((note) => !/lock of|last line was cut off/.test(note));
  expect(torn).toEqual([]);
  await run.close();
  expect(readdirSync(path).filter((name) => /tmp|lock/.test(name))).toEqual([]);
  if (status !== 'done') return state?.n ?? 0;
  for (const [name, { sha256 }] of Object.entries(files)) {
    // The line that says "resumed" has just been added.
    if (name === 'events.jsonl') continue;
    expect(
      createHash('sha256')
        .update(readFileSync(join(path, name)))
        .digest('hex'),
      name,
    ).toBe(sha256);
  }
  return pieces;
}

describe('a run', () => {
  it('killed at twenty moments and resumed gives the same bits', async () => {
    const path = join(temporaryFolder(), 'run');
    const stream = new Stream(rootKey(6));
    const reached: (number | null)[] = [];
    for (let kill = 0; kill < 20; kill++) {
      const child = new Child({ path, pause: 1, most });
      // In turns while it creates or opens the folder, and after it has saved a state.
      await child.says(kill % 2 === 0 ? 'loaded' : 'saved');
      await setTimeout(stream.uniform() * (kill % 2 === 0 ? 40 : 120));
      child.process.kill('SIGKILL');
      expect(await child.ended, child.stderr).toEqual({ code: null, signal: 'SIGKILL' });
      reached.push(await requireSound(path));
    }
    const numbers = reached.map((n) => n ?? -1);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size).toBeGreaterThanOrEqual(5);
    expect(numbers.at(-1)).toBeLessThan(pieces);
    const last = new Child({ path, pause: 0 });
    expect(await last.ended, last.stderr).toEqual({ code: 0, signal: null });
    expect(last.stdout).toContain(`opened at ${numbers.at(-1)}`);
    expect(await requireSound(path)).toBe(pieces);
    expect(readFileSync(join(path, 'candidates.csv'), 'utf8')).toBe(await uninterrupted());
    expect(readdirSync(path).filter((name) => name.includes('edited'))).toEqual([]);
    const events = await readEvents(join(path, 'events.jsonl'));
    expect(events.filter(({ event }) => event === 'done')).toHaveLength(1);
    expect(events.find(({ fraction }) => fraction === 1)?.detail).toBe(`piece ${pieces} of ${pieces}`);
  });

  it('killed while it writes its results is done or can be resumed', async () => {
    const path = join(temporaryFolder(), 'run');
    const stream = new Stream(rootKey(7));
    for (let kill = 0; kill < 4; kill++) {
      const child = new Child({ path, pause: 0 });
      await child.says('finishing');
      await setTimeout(stream.uniform() * 25);
      child.process.kill('SIGKILL');
      await child.ended;
      expect(await requireSound(path)).toBe(pieces);
      if (existsSync(join(path, 'candidates.csv')))
        expect(readFileSync(join(path, 'candidates.csv'), 'utf8')).toBe(await uninterrupted());
    }
    expect(readdirSync(path).filter((name) => name.includes('edited'))).toEqual([]);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('saves its state on %s', async (signal, exitCode) => {
    const path = join(temporaryFolder(), 'run');
    const child = new Child({ path, pause: 1, most });
    await child.says('opened');
    await setTimeout(60);
    child.process.kill(signal);
    expect(await child.ended, child.stderr).toEqual({ code: exitCode, signal: null });
    const events = await readEvents(join(path, 'events.jsonl'));
    expect(events.at(-1)).toMatchObject({ event: 'interrupted' });
    const run = await openRun(path);
    expect(run.manifest.status).toBe('interrupted');
    expect(run.notes).toEqual([]);
    // Not one piece is lost: the last line of progress is that of the saved state.
    const state = await run.loadState<ToyState>();
    expect(events.at(-2)).toMatchObject({ detail: `piece ${state?.n} of ${pieces}` });
    await run.close();
  });

  it('gives back its locks on a signal that nobody listens to', async () => {
    const path = join(temporaryFolder(), 'run');
    const child = new Child({ path, pause: 1, most, isDeaf: true });
    await child.says('opened');
    child.process.kill('SIGTERM');
    expect(await child.ended).toEqual({ code: null, signal: 'SIGTERM' });
    for (const folder of [path, `${path}-2`]) {
      expect(existsSync(join(folder, 'manifest.json'))).toBe(true);
      expect(existsSync(join(folder, 'lock.json'))).toBe(false);
    }
  });
});

describe('two processes in one folder', () => {
  it('are one too many', async () => {
    const path = join(temporaryFolder(), 'run');
    const children = [new Child({ path, pause: 1, most }), new Child({ path, pause: 1, most })];
    const loser = await Promise.race(
      children.map(async (child) => {
        await child.ended;
        return child;
      }),
    );
    const winner = children.find((child) => child !== loser)!;
    expect((await loser.ended).code).toBe(3);
    expect(loser.stderr).toMatch(new RegExp(`is in use: process ${winner.process.pid} on .* since 20`));
    winner.process.kill('SIGINT');
    expect((await winner.ended).code).toBe(130);
  });
});
