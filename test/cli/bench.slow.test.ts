import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readRecords } from '../../src/bench/records.js';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const small = [
  '--set',
  'pretrainSteps=60',
  '--set',
  'steps=10',
  '--set',
  'hidden=16,16',
  '--set',
  'batchSize=16',
];
const folder = () => join(mkdtempSync(join(tmpdir(), 'nemokit-bench-')), 'out');

interface Running {
  readonly pid: number;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<{ status: number | null; stdout: string; stderr: string }>;
}

function bench(...args: readonly string[]): Running {
  const child = spawn(process.execPath, [main, 'bench', ...args], {
    env: { ...process.env, NO_COLOR: '1', NEMOKIT_THREADS: '' },
    timeout: 300_000,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return {
    pid: child.pid!,
    kill: (signal) => child.kill(signal),
    ended: new Promise((resolve) => child.on('close', (status) => resolve({ status, stdout, stderr }))),
  };
}

const lines = (out: string) => {
  const file = join(out, 'records.jsonl');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).length : 0;
};

/** What was computed, without where and when. */
async function results(out: string) {
  const { records, torn } = await readRecords(out);
  expect(torn).toEqual([]);
  return Object.fromEntries(records.map(({ id, seed, result }) => [id, { seed, result }]));
}

describe('nemokit bench', () => {
  it('goes on after Ctrl-C and after a kill with the missing trials only, to the same results', async () => {
    const run = (out: string, ...more: readonly string[]) =>
      bench(
        'run',
        '--task',
        'branin-v1',
        '--algorithm',
        'nemo',
        '--seeds',
        // more than a busy machine gets done before it is stopped twice
        '0-9',
        ...small,
        '--out',
        out,
        ...more,
      );
    const whole = folder();
    expect((await run(whole, '--quiet', '--jobs', '2').ended).status).toBe(0);
    expect(lines(whole)).toBe(10);

    const broken = folder();
    for (const [signal, status] of [
      ['SIGINT', 130],
      ['SIGKILL', null],
    ] as const) {
      const before = lines(broken);
      const running = run(broken, '--jobs', '1');
      while (lines(broken) === before) await new Promise((resolve) => setTimeout(resolve, 20));
      running.kill(signal);
      const ended = await running.ended;
      expect(ended.status, ended.stderr).toBe(status);
      if (signal === 'SIGINT') expect(ended.stderr).toContain('the same command runs the rest');
      expect(lines(broken)).toBeGreaterThan(before);
      expect(lines(broken)).toBeLessThan(10);
    }
    const before = lines(broken);
    const last = await run(broken, '--jobs', '1').ended;
    expect([last.status, last.stderr]).toEqual([0, expect.stringContaining(`${before} trial`)]);
    expect(lines(broken)).toBe(10);
    expect(await results(broken)).toEqual(await results(whole));

    const table = await bench('table', broken).ended;
    expect(table.stdout).toContain('nemo (pretrainSteps=60 steps=10 hidden=16,16 batchSize=16)');
    expect(table.stdout).toContain('10 seeds');
    const paper = await bench('table', broken, '--paper', '--format', 'md').ended;
    expect(paper.stdout).toContain('| nemo | not run | 127.0 ± 7.292 |');
  });

  it('takes plug-ins into the processes of the trials', async () => {
    const out = folder();
    const example = (name: string) => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
    const run = await bench(
      ...['run', '--plugin', example('plugin.mjs'), '--plugin', example('plugin-program')],
      ...['--task', 'sphere5-v1', '--algorithm', 'jitter,mix', '--seeds', '0-2', '--out', out, '--quiet'],
      ...['--jobs', '1'], // rows of the table stand in the order in which trials end
    ).ended;
    expect([run.status, run.stderr]).toEqual([0, '']);
    const table = await bench('table', out).ended;
    expect(table.stdout).toMatch(/jitter .*\n.*mix/);
    const compared = await bench('compare', out, '--against', 'mix').ended;
    expect(compared.stdout).toMatch(/jitter +sphere5-v1 .* of 3/);
  });

  it('says which plug-in ended the process, with its own exit code', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'nemokit-bench-')), 'leave.mjs');
    writeFileSync(path, 'process.exit(7)\n');
    const { status, stderr } = await bench(
      ...['run', '--plugin', path, '--task', 'branin-v1', '--algorithm', 'forward', '--out', folder()],
    ).ended;
    expect([status, stderr]).toEqual([
      2,
      `nemokit: ${path}: the module ended the process while it was loaded\n`,
    ]);
  });

  it('says what is wrong with what was asked', async () => {
    const cases = [
      [['run'], 2, 'say what to run'],
      [['run', '--task', 'brani', '--algorithm', 'nemo'], 2, 'there is no task "brani"'],
      [
        ['run', '--task', 'branin-v1', '--algorithm', 'nemo', '--set', 'stepz=1'],
        2,
        'nemo has no option "stepz"',
      ],
      [['run', '--task', 'branin-v1', '--algorithm', 'nemo', '--seeds', 'x'], 2, '"x" are no seeds'],
      [['table', '/nowhere'], 2, 'holds no results of a benchmark'],
    ] as const;
    for (const [args, status, words] of cases) {
      const ended = await bench(...args).ended;
      expect([ended.status, ended.stdout]).toEqual([status, '']);
      expect(ended.stderr).toContain(words);
    }
  });

  it('scores kept designs of some seeds again', async () => {
    const out = folder();
    await bench(
      ...['run', '--task', 'branin-v1', '--algorithm', 'start,random', '--seeds', '0-1'],
      ...['--designs', '--out', out, '--quiet'],
    ).ended;
    const some = await bench('rescore', out, '--scorer', 'own', '--task', 'branin-v1', '--seeds', '1').ended;
    expect([some.status, some.stdout]).toEqual([0, '']);
    expect(some.stderr).toContain('2 trials scored by own');
    const none = await bench('rescore', out, '--scorer', 'own', '--seeds', '7').ended;
    expect([none.status, none.stdout]).toEqual([2, '']);
    expect(none.stderr).toContain('has no trials of such tasks and seeds');
  });

  it('names a trial that failed, keeps the others, and exits with 5', async () => {
    const out = folder();
    const { status, stderr } = await bench(
      ...['run', '--task', 'branin-v1', '--algorithm', 'nemo', '--seeds', '0', ...small],
      ...['--set', 'pretrainRate=1e30', '--out', out, '--quiet'],
    ).ended;
    expect(status).toBe(5);
    expect(stderr).toContain('1 trial failed; the same command tries again:');
    expect(stderr).toContain('lower pretrainRate');
    expect(lines(out)).toBe(0);
  });

  it('refuses wrong options before a trial starts', async () => {
    const out = join(folder(), 'out');
    const { status, stderr } = await bench(
      ...[
        'run',
        '--task',
        'branin-v1',
        '--algorithm',
        'nemo',
        '--seeds',
        '0',
        '--set',
        'bins=0',
        '--out',
        out,
      ],
    ).ended;
    expect([status, stderr]).toEqual([
      2,
      'nemokit: --set "bins=0": nemo: bins is 0; expected a positive integer\n',
    ]);
    expect(existsSync(out)).toBe(false);
  });
});
