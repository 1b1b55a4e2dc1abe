import { expect, it } from 'vitest';
import { nemo } from '../../src/algorithms/index.js';
import { breed } from '../../src/models/judgedProposal.js';
import { SearchPanel } from '../../src/models/searchPanel.js';
import { openEngine, rootKey, Stream } from '../../src/numeric/index.js';
import { openLinearAlgebra } from '../../src/numeric/linalg.js';
import { rowOf } from '../../src/numeric/rows.js';
import { meet, noDesigns } from '../../src/search/metDesigns.js';
import { SearchSpace } from '../../src/search/searchSpace.js';

const d = 3;
const M = 16;

it('lets half of what judges choose be variants at most', async () => {
  const stream = new Stream(rootKey(11));
  const x = Float64Array.from({ length: 120 * d }, () => 2 * stream.uniform() - 1);
  const y = Float64Array.from(
    { length: 120 },
    (_, i) => x[i * d]! - x[i * d + 1]! ** 2 + 0.1 * stream.normal(),
  );
  const data = { x, y };
  const space = {
    columns: Array.from({ length: d }, () => ({ kind: 'continuous' as const, lower: -2, upper: 2 })),
  };
  const engine = await openEngine({ threads: 1 });
  const setup = { data, space, engine, options: { ...nemo.defaults, batchSize: M } };
  const search = new SearchSpace(data, space, { box: 0.01 });
  const panel = SearchPanel.fit(await openLinearAlgebra({ kernel: engine.kernel }), search, rootKey(1));
  const shares = { full: 0, much: 3 / 16, some: 9 / 32, little: 3 / 4 };
  const best = x.subarray(0, M * d);
  const met = meet(noDesigns, { x: best, ...panel.read(best) }, M);
  const known = new Set(Array.from({ length: M }, (_, i) => rowOf(best, d, i).join()));
  const all = await breed(setup, search, panel, rootKey(2), met);
  const isNew = all.mean.map((_, i) => Number(!known.has(rowOf(all.x, d, i).join())));
  const variants = isNew.reduce((sum, one) => sum + one, 0);
  // judges like variants better than rows drawn evenly, so that as many are chosen as may be
  expect(variants).toBe(Math.ceil((M * (1 - shares[panel.trust])) / 2));
});
