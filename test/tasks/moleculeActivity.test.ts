import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { median, quantile } from '../../src/numeric/index.js';
import { openFingerprints } from '../../src/problem/platform/rdkit.js';
import { violations } from '../../src/space/index.js';
import {
  moleculeActivity,
  moleculeActivityDefaults,
  nearestMolecules,
  openMoleculeActivity,
} from '../../src/tasks/moleculeActivity.js';
import type { DataSource } from '../../src/tasks/task.js';
import { chainSource, chainsCsv } from './moleculeFixture.js';

const d = 1024;
const small = { trees: 5, depth: 32, checksum: null };
const rows = chainsCsv(120)
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => ({ smiles: line.split(',')[0]!, y: Number(line.split(',')[1]) }));
const y = Float64Array.from(rows, (row) => row.y);

const open = (source: DataSource = chainSource(chainsCsv(120))) => openMoleculeActivity(source, small);
const designOf = (x: Float64Array, row: number) => x.slice(row * d, (row + 1) * d);

/** 1 - Σ (score - y)² / Σ (y - mean)² */
function explained(scores: Float64Array, truth: Float64Array): number {
  const mean = truth.reduce((sum, v) => sum + v, 0) / truth.length;
  const squares = (of: (i: number) => number) => truth.reduce((sum, _, i) => sum + of(i) ** 2, 0);
  return 1 - squares((i) => scores[i]! - truth[i]!) / squares((i) => truth[i]! - mean);
}

describe('molecule-activity-forest-v1', () => {
  it('says that it stands in for the task of the paper', () => {
    expect(moleculeActivity.id).toBe('molecule-activity-forest-v1');
    expect(moleculeActivity.title).toContain('stand-in');
    expect(moleculeActivity.summary).toContain('stands in');
    expect(moleculeActivity.paper).toBeNull();
    expect(moleculeActivityDefaults).toMatchObject({ trees: 500, depth: 32 });
  });

  it('shows the lower four fifths as bits', async () => {
    const { data, space, range } = await open();
    const visible = y.filter((v) => v <= quantile(y, 0.8));
    expect(data.y).toEqual(visible);
    expect(visible).toHaveLength(96);
    expect(data.x).toHaveLength(96 * d);
    expect(range).toEqual({ worst: Math.min(...y), best: Math.max(...y) });
    expect(space.columns).toHaveLength(d);
    expect(space.columns[7]).toEqual({ kind: 'categorical', name: 'bit 7', classes: 2 });
    for (let row = 0; row < 96; row++) expect(violations(space, designOf(data.x, row))).toEqual([]);
  });

  it('has boosting as second scorer, which is another model of the same molecules', async () => {
    const more = { ...small, trees: 100 }; // at a rate of 0.05, 100 trees leave 0.95^100 of a step
    const { data, score, secondScorers } = await openMoleculeActivity(chainSource(chainsCsv(120)), more);
    const second = await secondScorers!.boosting!(data.x);
    expect(second).not.toEqual(await score(data.x));
    expect(explained(second, data.y)).toBeGreaterThan(0.5);
    expect(await secondScorers!.boosting!(data.x)).toEqual(second);
    await expect(secondScorers!.boosting!(new Float64Array(d).fill(0.5))).rejects.toThrow('0.5 as bit 0');
  });

  it('scores measured molecules near what was measured', async () => {
    const { data, score } = await open();
    expect(explained(await score(data.x), data.y)).toBeGreaterThan(0.85);
  });

  it('is the same every time, kept or not', async () => {
    const source = chainSource(chainsCsv(120));
    const first = await open(source);
    const names = [...source.kept.keys()];
    const again = await open({ ...source, fingerprints: () => Promise.reject(new Error('not again')) });
    const anew = await open({ ...source, cached: (_name, make) => make(() => {}) });
    expect(names).toEqual([
      'molecule-activity-forest-v1-fingerprints',
      'molecule-activity-forest-v1-5-trees-of-depth-32',
    ]);
    const scores = await first.score(first.data.x);
    expect(await again.score(first.data.x)).toEqual(scores);
    expect(await anew.score(first.data.x)).toEqual(scores);
    expect(anew.data).toEqual(first.data);
  });

  it.each([
    [Number.NaN, 'design 1 has NaN as bit 3; expected 0 or 1'],
    [0.5, 'design 1 has 0.5 as bit 3; expected 0 or 1'],
    [-1, 'design 1 has -1 as bit 3; expected 0 or 1'],
    [2, 'design 1 has 2 as bit 3; expected 0 or 1'],
  ])('refuses %d as a bit', async (value, message) => {
    const { score, nearest } = await open();
    await expect(score(new Float64Array(2 * d).fill(value, d + 3, d + 4))).rejects.toThrow(message);
    expect(() => nearest(new Float64Array(d).fill(value, 3, 4), 1)).toThrow(/^design 0 has .* as bit 3/);
  });

  it('refuses designs of another length', async () => {
    const { score, nearest } = await open();
    await expect(score(new Float64Array(d + 1))).rejects.toThrow(
      'x has 1025 numbers, which are not whole designs of 1024 bits',
    );
    expect(() => nearest(new Float64Array(2 * d), 1)).toThrow('design has 2048 numbers; expected 1024 bits');
    expect(await score(new Float64Array(0))).toEqual(new Float64Array(0));
  });

  it('finds the molecules behind a design', async () => {
    const { data, nearest } = await open();
    const [first, second] = nearest(designOf(data.x, 5), 2);
    const row = rows.filter((own) => own.y <= quantile(y, 0.8))[5]!;
    expect(first).toEqual({ smiles: row.smiles, similarity: 1, y: row.y, isVisible: true });
    expect(second!.similarity).toBeLessThanOrEqual(1);
    const everything = nearest(designOf(data.x, 5), 120);
    expect(everything.filter(({ isVisible }) => !isVisible)).toHaveLength(24);
  });

  it('says what is missing without fingerprints', async () => {
    const { fingerprints: _, ...source } = chainSource(chainsCsv(20));
    await expect(open(source)).rejects.toThrow(
      'needs fingerprints of molecules; run npm install @rdkit/rdkit',
    );
  });

  it('refuses other molecules or fingerprints, and keeps nothing of them', async () => {
    const source = chainSource(chainsCsv(20));
    await expect(moleculeActivity.open(source)).rejects.toThrow(
      'molecule/CHEMBL234_Ki.smiles_y.csv or the fingerprints of its molecules are not those of molecule-activity-forest-v1',
    );
    expect(source.kept.size).toBe(0);
  });
});

const folder = process.env.NEMOKIT_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url));
const missing = (() => {
  const file = join('molecule', 'CHEMBL234_Ki.smiles_y.csv');
  if (!existsSync(join(folder, file))) return `no ${file} in ${folder} (set NEMOKIT_DATA)`;
  try {
    createRequire(import.meta.url).resolve('@rdkit/rdkit');
    return undefined;
  } catch {
    return '@rdkit/rdkit is not installed';
  }
})();
if (missing) process.stderr.write(`molecules of ChEMBL skipped: ${missing}\n`);

describe.skipIf(missing !== undefined)('molecule-activity-forest-v1 of ChEMBL', () => {
  const source: DataSource = {
    read: async (dataset, file) => readFileSync(join(folder, dataset, file)),
    cached: (_name, make) => make(() => {}),
    fingerprints: openFingerprints,
  };

  it('is as documented, with the first five of its trees', async () => {
    const { data, range, score, nearest } = await openMoleculeActivity(source, {
      ...moleculeActivityDefaults,
      trees: 5,
    });
    expect(data.y).toHaveLength(2930);
    expect(Math.max(...data.y)).toBe(8.522878745280337);
    expect(range).toEqual({ worst: 4.138149093660504, best: 10.698970004336019 });
    const scores = await score(data.x);
    expect(explained(scores, data.y)).toBeGreaterThan(0.8);
    // Trees are the same bits on every machine; another number here means another version of the task.
    expect([scores[0], scores[1], median(scores)]).toEqual([
      6.542737588954251, 7.174038930988317, 7.227834425327302,
    ]);
    // The first molecule of the file: a tropane ether of bis(4-fluorophenyl)methanol.
    expect(nearest(designOf(data.x, 0), 1)).toEqual([
      {
        smiles: 'CN1C2CCC1CC(OC(c1ccc(F)cc1)c1ccc(F)cc1)C2',
        similarity: 1,
        y: 6.838631997765025,
        isVisible: true,
      },
    ]);
  });
});

// biome-ignore format: one molecule a line
const prints = Uint8Array.of(
  1, 1, 0, 0, 0,
  1, 1, 1, 1, 0,
  0, 0, 0, 0, 1,
  1, 1, 1, 0, 0,
  0, 0, 0, 0, 0,
);

describe('the nearest molecules', () => {
  it('are ordered by the Tanimoto similarity', () => {
    // bits 0, 1, 2: both / either is 2/3, 3/4, 0/4, 3/3, 0/3
    expect(nearestMolecules(prints, [1, 1, 1, 0, 0], 5)).toEqual([
      { row: 3, similarity: 1 },
      { row: 1, similarity: 3 / 4 },
      { row: 0, similarity: 2 / 3 },
      { row: 2, similarity: 0 },
      { row: 4, similarity: 0 },
    ]);
    // bits 0, 3, 4: 1/4, 2/5, 1/3, 1/5, 0/3
    expect(nearestMolecules(prints, Float64Array.of(1, 0, 0, 1, 1), 3)).toEqual([
      { row: 1, similarity: 2 / 5 },
      { row: 2, similarity: 1 / 3 },
      { row: 0, similarity: 1 / 4 },
    ]);
  });

  it('of a design without bits are those without bits', () => {
    expect(nearestMolecules(prints, [0, 0, 0, 0, 0], 2)).toEqual([
      { row: 4, similarity: 1 },
      { row: 0, similarity: 0 },
    ]);
  });

  it('are all molecules if more are asked for', () => {
    expect(nearestMolecules(prints, [1, 0, 0, 0, 0], 99)).toHaveLength(5);
  });

  it('of a molecule begin with itself, or one with the same bits', () => {
    const bit = fc.integer({ min: 0, max: 1 });
    fc.assert(
      fc.property(
        fc.array(fc.array(bit, { minLength: 6, maxLength: 6 }), { minLength: 1, maxLength: 20 }),
        (rows) => {
          rows.forEach((row, i) => {
            const [first, ...others] = nearestMolecules(Uint8Array.from(rows.flat()), row, rows.length);
            expect(first!.similarity).toBe(1);
            expect(rows[first!.row]).toEqual(row);
            expect(first!.row).toBeLessThanOrEqual(i);
            let last = 1;
            for (const { similarity } of others) {
              expect(similarity).toBeLessThanOrEqual(last);
              last = similarity;
            }
          });
        },
      ),
      { seed: 1, numRuns: 50 },
    );
  });

  it('refuse bits of another number, and a count that is none', () => {
    expect(() => nearestMolecules(prints, [1, 0, 0], 1)).toThrow(
      'prints has 25 bits, which are not molecules of 3',
    );
    expect(() => nearestMolecules(prints, [1, 0, 0, 0, 0], 0)).toThrow('k is 0; expected a positive integer');
  });
});
