import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { version } from '../../src/version.js';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

function nemokit(args: readonly string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    timeout: 30_000,
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

  it('takes relaxed SIMD without being asked', () => {
    const report = JSON.parse(nemokit(['doctor', '--json']).stdout);
    expect(report.kernel).toBe(report.relaxedSimd ? 'wasm-relaxed' : 'wasm');
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
      'nemokit: NEMOKIT_KERNEL is "gpu"; expected one of auto, wasm, wasm-relaxed, reference\n',
    );
  });
});
