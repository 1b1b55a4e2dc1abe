import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { fitEncoding } from '../../src/models/index.js';
import { violations } from '../../src/space/index.js';
import { superconductorComposition, superconductorGbdt } from '../../src/tasks/superconductor.js';
import { elementSymbols } from '../../src/tasks/superconductorFeatures.js';
import { madeUpCompounds, rows } from './madeUpCompounds.js';
import { memorySource } from './sources.js';

const oracle = { trees: 40, rate: 0.3, depth: 6 };

describe('superconductor tasks on made-up compounds', () => {
  it('show the rows up to the 80th percentile and keep the order', async () => {
    const task = await superconductorGbdt(oracle).open(memorySource(madeUpCompounds()));
    const hidden = rows - task.data.y.length;
    // Ties at the percentile are visible.
    expect(hidden).toBeLessThanOrEqual(0.2 * rows);
    expect(hidden).toBeGreaterThan(0.1 * rows);
    expect(Math.max(...task.data.y)).toBeLessThan(task.range.best);
    expect(Math.min(...task.data.y)).toBe(task.range.worst);
  });

  it('have bounds at the least and greatest visible feature', async () => {
    const { data, space } = await superconductorGbdt(oracle).open(memorySource(madeUpCompounds()));
    const values = data.x.filter((_, i) => i % 81 === 2);
    expect(space.columns[2]).toEqual({
      kind: 'continuous',
      name: 'wtd_mean_atomic_mass',
      lower: Math.min(...values),
      upper: Math.max(...values),
    });
  });

  it('standardise by the visible rows when a method encodes them', async () => {
    const { data, space } = await superconductorGbdt(oracle).open(memorySource(madeUpCompounds()));
    const { mean } = fitEncoding(data, space, { box: null });
    const values = data.x.filter((_, i) => i % 81 === 2);
    expect(mean[2]).toBeCloseTo(values.reduce((sum, v) => sum + v, 0) / values.length, 10);
  });

  it('score a composition as the oracle scores its features', async () => {
    const source = memorySource(madeUpCompounds());
    const features = await superconductorGbdt(oracle).open(source);
    const compositions = await superconductorComposition(oracle).open(source);
    expect(compositions.data.y).toEqual(features.data.y);
    const byFeatures = await features.score(features.data.x);
    expect(await compositions.score(compositions.data.x)).toEqual(byFeatures);
    let most = 0;
    byFeatures.forEach((score, i) => {
      most = Math.max(most, Math.abs(score - features.data.y[i]!));
    });
    // 40 trees at a rate of 0.3 leave 0.7^40 of a step, and rows that were not drawn; temperatures go up to 60 K.
    expect(most).toBeLessThan(6);
    expect(most).toBeGreaterThan(0);
  });

  it('fit the oracle once for both', async () => {
    const source = memorySource(madeUpCompounds());
    await superconductorGbdt(oracle).open(source);
    await superconductorComposition(oracle).open(source);
    expect((source.cached as unknown as { names: string[] }).names).toEqual([
      'superconductor-oracle-2-e06db7612189e73b-rate0.3-trees40-depth6-rows0.5-seed0',
    ]);
  });

  it('have a forest on all rows as second scorer, the same for both, which is another model', async () => {
    const source = memorySource(madeUpCompounds());
    const features = await superconductorGbdt(oracle).open(source);
    const compositions = await superconductorComposition(oracle).open(source);
    const byForest = await features.secondScorers!.forest!(features.data.x);
    expect(await compositions.secondScorers!.forest!(compositions.data.x)).toEqual(byForest);
    const own = await features.score(features.data.x);
    expect(byForest).not.toEqual(own);
    // both explain what was measured: of the variance the forest leaves less than a quarter
    const { y } = features.data;
    const mean = y.reduce((sum, v) => sum + v, 0) / y.length;
    const left = (scores: Float64Array) => scores.reduce((sum, v, i) => sum + (v - y[i]!) ** 2, 0);
    expect(left(byForest)).toBeLessThan(0.25 * left(new Float64Array(y.length).fill(mean)));
    await expect(features.secondScorers!.forest!(new Float64Array(80))).rejects.toThrow('80 numbers');
  });

  it('allow up to nine known elements that add up to one', async () => {
    const { space, score } = await superconductorComposition(oracle).open(memorySource(madeUpCompounds()));
    const design = (shares: Readonly<Record<string, number>>) =>
      Float64Array.from(elementSymbols, (symbol) => shares[symbol] ?? 0);
    expect(violations(space, design({ Cu: 0.25, O: 0.75 }))).toEqual([]);
    expect(violations(space, design({ Cu: 0.25, O: 0.5 }))).toEqual([
      'the shares of the elements add up to 1: the sum is 0.75',
    ]);
    await expect(score(design({ He: 1 }))).rejects.toThrow(
      'design 0 (counted from 0): He is in no measured compound',
    );
    await expect(score(design({ H: 2, O: -1 }))).rejects.toThrow(
      'design 0 (counted from 0): H in 0..1: it is 2',
    );
  });

  it('name the place of a fault in the files', async () => {
    const files = madeUpCompounds();
    const train = gunzipSync(files['superconductor/train.csv.gz']!).toString();
    const open = (changed: string) =>
      superconductorGbdt(oracle).open(
        memorySource({ ...files, 'superconductor/train.csv.gz': gzipSync(changed) }),
      );
    await expect(open(train.replace('mean_fie', 'mean_fee'))).rejects.toThrow(
      'column 11 is "mean_fee"; expected "mean_fie"',
    );
    const lines = train.split('\n');
    lines[3] = lines[3]!.replace(/^\d/, 'x');
    await expect(open(lines.join('\n'))).rejects.toThrow('train.csv.gz:4');
    const fewer = superconductorComposition(oracle).open(
      memorySource({
        ...files,
        'superconductor/train.csv.gz': gzipSync(train.split('\n').slice(0, -2).join('\n')),
      }),
    );
    await expect(fewer).rejects.toThrow('unique_m.csv.gz has not the 199 rows of train.csv.gz');
  });
});
