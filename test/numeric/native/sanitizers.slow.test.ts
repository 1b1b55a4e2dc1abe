import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { compile, compilerFlags, variantFlags, writeOpcodes } from '../../../scripts/buildNative.mjs';

const folder = mkdtempSync(join(tmpdir(), 'nemokit-sanitizers-'));
afterAll(() => rmSync(folder, { recursive: true }));

const sanitizers = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all', '-O1', '-g', '-Wno-psabi'];

/** Why there are no sanitizers here; null where there are. */
function missing(): string | null {
  return compile(['-shared', '-fPIC', ...sanitizers, '-x', 'c', '/dev/null', '-o', join(folder, 'probe.so')]);
}

const wrong = missing();

it.skipIf(wrong !== null)(
  `every native kernel stays inside its memory, at odd sizes and with nonsense${wrong ? ` (not here: ${wrong})` : ''}`,
  { timeout: 600_000 },
  () => {
    writeOpcodes(folder);
    const include = [`-I${folder}`, '-Inative'];
    const sources: [string, readonly string[]][] = [
      ['native/scratch.c', []],
      ['test/numeric/native/checkKernels.c', []],
      ...Object.entries(variantFlags[process.arch] ?? {}).map(
        ([name, flags]): [string, readonly string[]] => [`native/${name}.c`, flags],
      ),
    ];
    const objects = sources.map(([source, flags], i) => {
      const object = join(folder, `${i}.o`);
      expect(
        compile([...compilerFlags, ...sanitizers, ...flags, ...include, '-c', source, '-o', object]),
      ).toBe(null);
      return object;
    });
    const program = join(folder, 'check');
    expect(compile([...sanitizers, ...objects, '-o', program])).toBe(null);
    const { status, stdout, stderr } = spawnSync(program, ['60'], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    // all variants were run, and gave the same bits
    expect(stdout).toContain('portable\n');
  },
);
