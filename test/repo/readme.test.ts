import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

describe('the quickstart of the README', () => {
  it('runs as it stands and finds designs near the top that it never saw', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const code = readme.match(/```js\n([\s\S]*?)```/)?.[1];
    expect(code).toBeDefined();
    expect(code!.trim().split('\n').length).toBeLessThanOrEqual(16);
    // within the package, so that 'nemokit' is this one
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code!], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('gamma: Float64Array(8)');
    const truth = Number(stdout.match(/truth: (-?[\d.]+)/)![1]);
    expect(truth).toBeGreaterThan(-0.5);
  });
});
