import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

describe('the quickstart of the README', () => {
  it('runs as it stands and prints what 8 networks say of 2 rows', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const code = readme.match(/```js\n([\s\S]*?)```/)?.[1];
    expect(code).toBeDefined();
    expect(code!.trim().split('\n').length).toBeLessThanOrEqual(16);
    // within the package, so that 'nemokit/numeric' is this one
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code!], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      encoding: 'utf8',
      timeout: 30_000,
    });
    expect([status, stderr]).toEqual([0, '']);
    const numbers = stdout.match(/-?\d+\.\d+/g)!.map(Number);
    expect(numbers).toHaveLength(16);
    // bins 0 and 3 of 8 at x = 0 and 1, bins 3 and 6 at 1 and 2: between them at 0.5 and 1.5
    for (let k = 0; k < 8; k++) {
      expect(numbers[2 * k]!).toBeGreaterThan(0);
      expect(numbers[2 * k]!).toBeLessThan(0.5);
      expect(numbers[2 * k + 1]!).toBeGreaterThan(0.35);
      expect(numbers[2 * k + 1]!).toBeLessThan(0.9);
    }
  });
});
