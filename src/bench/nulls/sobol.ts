/** A Sobol sequence in the box of the space, moved to where its constraints hold. */
import { foldKey } from '../../numeric/key.js';
import { rowOf } from '../../numeric/rows.js';
import { sobolPoints } from '../../numeric/sobol.js';
import { extent } from '../../numeric/stats.js';
import { batchSize, startFrom } from '../../options/searchOptions.js';
import { fromScale, projector, toScale } from '../../space/index.js';
import { nullAlgorithm } from './nullAlgorithm.js';

export const sobol = nullAlgorithm({
  id: 'sobol',
  options: { batchSize: batchSize('M, points of the sequence'), startFrom: startFrom('Has no effect') },
  async draw({ data, space, options }, key) {
    const d = space.columns.length;
    const N = data.y.length;
    const points = sobolPoints(d, options.batchSize, foldKey(key, 'sobol'));
    const { project } = await projector(space);
    const designs = new Float64Array(points.length);
    space.columns.forEach((column, j) => {
      if (column.kind === 'categorical') {
        for (let at = j; at < points.length; at += d) designs[at] = Math.floor(points[at]! * column.classes);
        return;
      }
      // a column without bounds is drawn where the data lie
      const seen = extent(Float64Array.from({ length: N }, (_, i) => data.x[i * d + j]!));
      const low = Number.isFinite(column.lower) ? column.lower : Math.min(seen.min, column.upper);
      const high = Number.isFinite(column.upper) ? column.upper : Math.max(seen.max, low);
      const from = toScale(column, low);
      const width = toScale(column, high) - from;
      for (let at = j; at < points.length; at += d)
        designs[at] = Math.max(low, Math.min(high, fromScale(column, from + width * points[at]!)));
    });
    for (let i = 0; i < options.batchSize; i++) designs.set(project(rowOf(designs, d, i).slice()), i * d);
    return designs;
  },
});
