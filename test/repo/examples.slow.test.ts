import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const runner = fileURLToPath(new URL('../../scripts/example.mjs', import.meta.url));

function example(...args: readonly string[]) {
  return spawnSync(process.execPath, [runner, ...args], { encoding: 'utf8', timeout: 300_000 });
}

describe('examples', () => {
  it('uncertainty-1d: NML opens up where there are no data, a bootstrap ensemble does not', () => {
    const folder = mkdtempSync(join(tmpdir(), 'nemokit-example-'));
    try {
      const { status, stderr } = example('uncertainty-1d', join(folder, 'figure.svg'));
      expect([status, stderr]).toEqual([0, '']);
      const svg = readFileSync(join(folder, 'figure.svg'), 'utf8');
      const entropies = [...svg.matchAll(/entropy: data ([\d.]+), gap ([\d.]+), outside ([\d.]+)/g)];
      const [nml, ensemble] = entropies.map(([, ...numbers]) => numbers.map(Number));
      expect(nml![0]!).toBeLessThan(0.45);
      expect(Math.min(nml![1]!, nml![2]!)).toBeGreaterThan(0.9);
      expect(Math.max(...ensemble!)).toBeLessThan(0.45);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('custom-problem: designs from a table keep its constraints and beat its best row', () => {
    const { status, stdout, stderr } = example('custom-problem');
    expect([status, stderr]).toEqual([0, '']);
    const best = Number(stdout.match(/Best past run: (\d+(?:\.\d+)?)\.$/m)![1]);
    const truths = [...stdout.matchAll(/truth ([\d.]+)$/gm)].map(([, v]) => Number(v));
    const rows = [...stdout.matchAll(/^([\d.]+) ([\d.]+) ([\d.]+) {2}(\d+) °C {2}[ABC] /gm)].map((row) =>
      row.slice(1).map(Number),
    );
    expect(rows).toHaveLength(8);
    for (const [a, b, c, temp] of rows as [number, number, number, number][]) {
      expect(a + b + c).toBeCloseTo(1, 9);
      expect(c).toBeLessThanOrEqual(0.6);
      expect(temp % 5).toBe(0);
    }
    expect(truths).toHaveLength(8);
    expect(truths.filter((v) => v > best).length).toBeGreaterThanOrEqual(6);
  });

  it('an unknown one is answered with those there are', () => {
    const { status, stderr } = example('nothing');
    expect(status).toBe(2);
    expect(stderr).toContain('uncertainty-1d');
  });
});
