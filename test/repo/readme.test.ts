import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(`${root}README.md`, 'utf8');
const code = readme.match(/```ts\n([\s\S]*?)```/)?.[1] ?? '';

describe('the quickstart of the README', () => {
  it('has fifteen lines at most', () => {
    const lines = code.trim().split('\n').length;
    expect(lines).toBeGreaterThan(5);
    expect(lines).toBeLessThanOrEqual(15);
  });

  it('goes from a table to eight designs with verdict, intervals and trust', () => {
    const { outputText } = ts.transpileModule(code, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
    });
    // within the package, so that 'nemokit' is this one
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '-e', outputText],
      {
        cwd: root,
        encoding: 'utf8',
        timeout: 60_000,
      },
    );
    expect([status, stderr]).toEqual([0, '']);
    const [verdict, ...designs] = stdout.trim().split('\n');
    expect(verdict).toMatch(/^The batch .*\. Best past run: 84\.0\.$/);
    expect(designs).toHaveLength(8);
    for (const line of designs) {
      expect(line).toMatch(
        /^\{ temp: \d+, ph: [\d.]+ \} [\d.]+ \(80 %: [\d.]+ to [\d.]+\) (Trusted|Stretch|Guess)$/,
      );
      const [temp, expected, low, high] = [/temp: (\d+)/, /\} ([\d.]+)/, /%: ([\d.]+)/, /to ([\d.]+)/].map(
        (pattern) => Number(line.match(pattern)![1]),
      ) as [number, number, number, number];
      expect(temp % 5).toBe(0);
      expect(temp).toBeLessThanOrEqual(90);
      expect(low).toBeLessThanOrEqual(expected);
      expect(expected).toBeLessThanOrEqual(high);
    }
    expect(new Set(designs).size).toBe(8);
  });
});
