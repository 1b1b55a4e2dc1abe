import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/program.js';
import { version } from '../../src/version.js';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'nemokit-main-'));

function nemokit(args: readonly string[], env: Record<string, string> = {}, input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    timeout: 300_000,
    cwd: folder,
    input,
    env: { ...process.env, NO_COLOR: '1', NEMOKIT_KERNEL: '', NEMOKIT_THREADS: '', ...env },
  });
  return { status, stdout, stderr };
}

describe('nemokit', () => {
  it('knows its version', () => {
    const { version: packaged } = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    );
    expect(version).toBe(packaged);
    expect(nemokit(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('lists its commands', () => {
    const { status, stdout } = nemokit(['--help']);
    expect(status).toBe(0);
    expect(stdout).toContain('doctor');
  });

  it('answers a wrong command with the nearest right one and exit code 2', () => {
    const { status, stdout, stderr } = nemokit(['doktor']);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toBe("error: unknown command 'doktor'\n(Did you mean doctor?)\n");
  });
});

describe('nemokit doctor', () => {
  it('says kernel, SIMD and threads, and that they work', () => {
    const { status, stdout } = nemokit(['doctor', '--json'], {
      NEMOKIT_KERNEL: 'wasm',
      NEMOKIT_THREADS: '2',
    });
    expect(status).toBe(0);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      version,
      node: process.version,
      kernel: 'wasm',
      threads: 2,
      simd: true,
      isSound: true,
    });
    expect(report.error).toBeLessThan(1e-5);
    expect(report.gigaflopPerSecond).toBeGreaterThan(0.1);
  });

  it('takes native kernels without being asked, else relaxed SIMD, and says why', () => {
    const report = JSON.parse(nemokit(['doctor', '--json']).stdout);
    expect(report.kernel).toBe(report.native ? 'native' : report.relaxedSimd ? 'wasm-relaxed' : 'wasm');
    expect(report.kernelReason).toContain(report.native ?? 'no native kernels');
  });

  it('prints lines a person can read', () => {
    const { stdout } = nemokit(['doctor'], { NEMOKIT_KERNEL: 'reference' });
    expect(stdout).toContain('kernel   reference  set by NEMOKIT_KERNEL');
    expect(stdout).toContain('check    sound');
  });

  it('names a wrong setting, with exit code 2 and no stack', () => {
    const { status, stdout, stderr } = nemokit(['doctor'], { NEMOKIT_KERNEL: 'gpu' });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      'nemokit: NEMOKIT_KERNEL is "gpu"; expected one of auto, native, wasm, wasm-relaxed, reference\n',
    );
  });
});

const rows = Array.from({ length: 40 }, (_, i) => {
  const a = ((i * 7) % 10) / 20;
  return [20 + ((i * 13) % 50), 'AB'[i % 2], a, (1 - a).toFixed(2), 3 * i + (i % 4)].join();
});
const csv = ['temp,line,a,b,yield', ...rows].join('\n');
writeFileSync(join(folder, 'past.csv'), csv);

describe('nemokit check', () => {
  it('reads a file and standard input alike', () => {
    const { status, stdout, stderr } = nemokit(['check', 'past.csv']);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^past.csv {3}40 rows, 5 columns {3}commas, UTF-8, decimal point\n/);
    const piped = nemokit(['check', '-', '--json', '--goal', 'max yield'], {}, csv);
    expect(JSON.parse(piped.stdout)).toMatchObject({
      file: 'standard input',
      rows: 40,
      goals: ['max yield'],
      mixtures: [{ columns: ['a', 'b'], sum: 1 }],
    });
  });

  it.each([
    [['check', 'none.csv'], 2, 'nemokit: none.csv: there is no such file\n'],
    [['check', '.'], 2, 'nemokit: .: is a folder; give a file in it\n'],
    [['check', 'none.yaml'], 2, 'nemokit: none.yaml: there is no such file\n'],
    [
      ['check', 'past.csv', '--goal', 'max yeild'],
      2,
      'nemokit: goal: no column is called "yeild"; did you mean "yield"?\n\n    max yeild\n        ^\n',
    ],
    [['check', 'past.csv', '--gaol', 'x'], 2, "error: unknown option '--gaol'\n(Did you mean --goal?)\n"],
    [['check'], 2, "error: missing required argument 'table'\n"],
    [
      ['init', 'past.csv', '--add', 'past.csv'],
      2,
      'nemokit: --add: a problem file names one table; give --add to nemokit design later\n',
    ],
    [['init', '-'], 2, 'nemokit: standard input has no name to put into a problem file; give a file\n'],
  ])('%j ends with code %i and a message', (args, code, message) => {
    expect(nemokit(args)).toEqual({ status: code, stdout: '', stderr: message });
  });

  it('tells the line of a broken table', () => {
    const { status, stderr } = nemokit(['check', '-'], {}, 'a,b\n1,2\n3\n');
    expect(status).toBe(2);
    expect(stderr).toMatch(/^nemokit: standard input:3, column "b": 1 cell/);
  });

  it('ends with code 4 where demands exclude each other, 3 where rows are too few', () => {
    const bounds = ['--bounds', 'a=0.4..1', '--bounds', 'b=0.7..1', '--goal', 'max yield'];
    expect(nemokit(['check', 'past.csv', ...bounds]).status).toBe(4);
    expect(nemokit(['check', '-'], {}, 'x,z,y\n1,2,3\n2,1,4\n3,5,5\n4,1,5\n').status).toBe(3);
  });

  it('has colours if told so, and none if told so too', () => {
    const force = { NO_COLOR: '', FORCE_COLOR: '1' };
    expect(nemokit(['check', 'past.csv'], force).stdout).toContain('\u001b[1m');
    expect(nemokit(['check', 'past.csv', '--no-color'], force).stdout).not.toContain('\u001b');
    expect(nemokit(['check', 'past.csv'], { NO_COLOR: '', FORCE_COLOR: '' }).stdout).not.toContain('\u001b');
  });

  it('shows a stack only to those who ask', () => {
    expect(nemokit(['check', 'none.csv'], { NEMOKIT_DEBUG: '1' }).stderr).toMatch(/\n {4}at /);
  });

  it('ends quietly when nobody listens any more', () => {
    const command = `"${process.execPath}" "${main}" check past.csv --json | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', command], { cwd: folder, encoding: 'utf8' });
    expect([stdout, stderr]).toEqual(['{\n0\n', '']);
  });
});

describe('nemokit init', () => {
  it('writes a file once, and over it only by force', () => {
    const first = nemokit(['init', 'past.csv', '-o', 'p.yaml']);
    expect(first).toEqual({
      status: 0,
      stdout: '',
      stderr: 'Wrote p.yaml. Edit it, then:  nemokit design p.yaml\n',
    });
    expect(readFileSync(join(folder, 'p.yaml'), 'utf8')).toContain('\n  - [a, b]\n');
    writeFileSync(join(folder, 'p.yaml'), 'mine');
    expect(nemokit(['init', 'past.csv', '-o', 'p.yaml'])).toMatchObject({
      status: 2,
      stderr: 'nemokit: p.yaml exists already; --force replaces it, -o names another\n',
    });
    expect(readFileSync(join(folder, 'p.yaml'), 'utf8')).toBe('mine');
    expect(nemokit(['init', 'past.csv', '-o', 'p.yaml', '--force', '--goal', 'min yield']).status).toBe(0);
    expect(readFileSync(join(folder, 'p.yaml'), 'utf8')).toContain('- min yield\n');
    expect(nemokit(['check', 'p.yaml']).status).toBe(0);
    expect(nemokit(['init', 'past.csv', '-o', 'no/such/p.yaml'])).toMatchObject({
      status: 2,
      stderr: 'nemokit: no/such/p.yaml: there is no such file or folder\n',
    });
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
  });
});

describe('docs/cli.md', () => {
  const text = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8');

  it('has every command and every option', async () => {
    const parts = (await buildProgram()).commands.flatMap((command) =>
      command.commands.length > 0
        ? command.commands.map((part) => [`${command.name()} ${part.name()}`, part] as const)
        : [[command.name(), command] as const],
    );
    for (const [name, { options }] of parts) {
      expect(text).toContain(`nemokit ${name}`);
      for (const { long } of options) expect(text, long!).toContain(`${long}`);
    }
  });

  it('has no option that is not there', async () => {
    const known = (await buildProgram()).commands.flatMap((command) =>
      [command, ...command.commands].flatMap(({ options }) => options.map(({ long }) => long)),
    );
    const named = [...text.matchAll(/--[a-z][a-z-]+/g)].map(([flag]) => flag);
    const others = ['--help', '--no-color', '--version'];
    expect(named.filter((flag) => !known.includes(flag) && !others.includes(flag))).toEqual([]);
  });
});
