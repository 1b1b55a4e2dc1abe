// The command on a small table, as users run it: what several test files share.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { rootKey, Stream } from '../../src/numeric/index.js';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** Two kinds of numbers, a recipe, and a category whose levels a spreadsheet would run. */
export function smallTable(rows = 40): string {
  const stream = new Stream(rootKey(11));
  const lines = Array.from({ length: rows }, () => {
    const temp = 20 + Math.round(60 * stream.uniform());
    const a = Math.round(100 * stream.uniform()) / 100;
    const line = stream.uniform() < 0.5 ? '=A' : '-B';
    const y = 10 - ((temp - 55) / 15) ** 2 + 4 * a + (line === '-B' ? 1 : 0) + stream.uniform();
    return [temp, line, a, (1 - a).toFixed(2), y.toFixed(3)].join();
  });
  return `temp,line,a,b,yield\n${lines.join('\n')}\n`;
}

/** The least that is still a whole run. */
export const least = ['--goal', 'max yield', '--effort', 'fast', '--set', 'steps=6', '--batch', '3'];

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class Workplace {
  readonly folder = mkdtempSync(join(tmpdir(), 'nemokit-cli-'));
  readonly #children: ChildProcess[] = [];

  constructor() {
    writeFileSync(join(this.folder, 'past.csv'), smallTable());
    afterAll(() => {
      for (const child of this.#children) child.kill('SIGKILL');
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  nemokit(args: readonly string[], env: Record<string, string> = {}, input = '', cwd = this.folder): Ended {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
      encoding: 'utf8',
      // a busy machine takes its time
      timeout: 300_000,
      cwd,
      input,
      env: environment(env),
      maxBuffer: 1e8,
    });
    return { status, stdout, stderr };
  }

  /** Goes on while the test does. */
  start(args: readonly string[], env: Record<string, string> = {}): Started {
    const started = new Started(
      spawn(process.execPath, [main, ...args], {
        cwd: this.folder,
        env: environment(env),
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    this.#children.push(started.child);
    return started;
  }

  /** A line of bash, in which $NEMOKIT is the command. */
  shell(line: string): Ended {
    const { status, stdout, stderr } = spawnSync('bash', ['-c', line], {
      encoding: 'utf8',
      // a busy machine takes its time
      timeout: 300_000,
      cwd: this.folder,
      env: { ...environment({}), NEMOKIT: `${process.execPath} ${main}` },
    });
    return { status, stdout, stderr };
  }

  read(...path: string[]): Buffer {
    return readFileSync(join(this.folder, ...path));
  }

  json(...path: string[]) {
    return JSON.parse(this.read(...path).toString('utf8'));
  }
}

function environment(more: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, NO_COLOR: '1', NEMOKIT_KERNEL: '', NEMOKIT_THREADS: '1', ...more };
}

export class Started {
  stdout = '';
  stderr = '';
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
  #isOver = false;
  #wake = () => {};

  constructor(readonly child: ChildProcess) {
    child.stdout?.on('data', (text) => {
      this.stdout += text;
      this.#wake();
    });
    child.stderr?.on('data', (text) => {
      this.stderr += text;
      this.#wake();
    });
    this.ended = new Promise((resolve) => {
      child.on('close', (code, signal) => {
        this.#isOver = true;
        this.#wake();
        resolve({ code, signal });
      });
    });
  }

  /** Until what it has printed satisfies, or it ended. */
  async until(isEnough: (stdout: string) => boolean): Promise<void> {
    while (!isEnough(this.stdout) && !this.#isOver)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }

  /** Until `--jsonl` has told of this share of the run. */
  reaches(fraction: number): Promise<void> {
    return this.until((text) =>
      [...text.matchAll(/"fraction":([\d.e-]+)/g)].some(([, share]) => Number(share) >= fraction),
    );
  }
}
