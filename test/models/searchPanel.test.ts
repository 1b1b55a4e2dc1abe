import { beforeAll, expect, it } from 'vitest';
import { SearchPanel } from '../../src/models/searchPanel.js';
import { openEngine, rootKey, Stream } from '../../src/numeric/index.js';
import { openLinearAlgebra } from '../../src/numeric/linalg.js';
import { SearchSpace } from '../../src/search/searchSpace.js';

const d = 3;
const stream = new Stream(rootKey(11));
const x = Float64Array.from({ length: 120 * d }, () => 2 * stream.uniform() - 1);
const y = Float64Array.from(
  { length: 120 },
  (_, i) => x[i * d]! - x[i * d + 1]! ** 2 + 0.3 * stream.normal(),
);
const space = {
  columns: Array.from({ length: d }, () => ({ kind: 'continuous' as const, lower: -2, upper: 2 })),
};
let panel: SearchPanel;

beforeAll(async () => {
  const engine = await openEngine({ threads: 1 });
  const search = new SearchSpace({ x, y }, space, { box: null });
  panel = SearchPanel.fit(await openLinearAlgebra({ kernel: engine.kernel }), search, rootKey(1));
});

it('lets the process lower what trees expect, as far as it errs less, and never raise it', () => {
  const designs = Float64Array.from({ length: 40 * d }, (_, i) => 2 * Math.sin(i));
  const { smooth, trees } = panel.opinions(designs);
  const { mean, doubt, reach } = panel.read(designs);
  const { accuracy } = panel;
  const w = accuracy.trees.error ** 2 / (accuracy.trees.error ** 2 + accuracy.smooth.error ** 2);
  trees.forEach((t, i) => {
    expect(mean[i]).toBeCloseTo(t - w * Math.max(0, t - smooth.mean[i]!), 12);
  });
  expect(Math.min(...mean.map((m, i) => trees[i]! - m))).toBe(0);
  expect(doubt).toEqual(smooth.deviation);
  expect(reach).toEqual(smooth.mean);
});

it('takes the word of a process that is exact', async () => {
  const exact = y.map((_, i) => x[i * d]! - x[i * d + 1]! ** 2);
  const search = new SearchSpace({ x, y: exact }, space, { box: null });
  const judges = SearchPanel.fit(await openLinearAlgebra({ kernel: 'wasm' }), search, rootKey(1));
  expect(judges.accuracy.smooth.error).toBeLessThan(0.001);
  const designs = Float64Array.from({ length: 40 * d }, (_, i) => 2 * Math.sin(i));
  expect(judges.read(designs).mean).toEqual(judges.opinions(designs).smooth.mean);
});

it('judges rows by those that have not seen them', () => {
  const rows = Array.from({ length: 120 }, (_, i) => i);
  const error = ({ mean }: { mean: Float64Array }) =>
    mean.reduce((sum, m, i) => sum + (m - panel.scores[i]!) ** 2, 0) / rows.length;
  expect(error(panel.readRows(rows))).toBeGreaterThan(1.2 * error(panel.read(x)));
});

it('has other trees and the same process once redrawn', () => {
  const [before, after] = [panel.opinions(x), panel.redrawn(rootKey(2)).opinions(x)];
  expect(after.smooth).toEqual(before.smooth);
  expect(after.trees).not.toEqual(before.trees);
});
