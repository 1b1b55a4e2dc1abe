import { foldKey, rootKey } from '../numeric/key.js';
import { Stream } from '../numeric/random.js';
import { rowOf, takeRows } from '../numeric/rows.js';
import { argsort, extent } from '../numeric/stats.js';
import type { Space } from '../space/space.js';
import type { TaskDefinition } from './task.js';
import { requireDesigns } from './task.js';

/** A task whose score is a formula. Designs are drawn uniformly in its space, and the worst of them may be seen. */
export interface DrawnTask extends Omit<TaskDefinition, 'paper' | 'datasets' | 'provenance' | 'open'> {
  readonly space: Space;
  /** Where the formula is from. */
  readonly source: string;
  /** Score of one design (d). */
  readonly formula: (x: Float64Array) => number;
  /** Designs that are drawn. */
  readonly rows: number;
}

/** Of the drawn designs, the worst; of equal ones, those drawn first. */
const VISIBLE_SHARE = 0.4;

export function drawnTask({ space, formula, rows, source, ...description }: DrawnTask): TaskDefinition {
  const d = space.columns.length;
  const scores = (x: Float64Array) =>
    Float64Array.from({ length: x.length / d }, (_, i) => formula(rowOf(x, d, i)));
  return {
    ...description,
    paper: null,
    datasets: [],
    provenance: {
      data: `${rows} designs drawn uniformly, seed 0`,
      scorer: `the formula itself: ${source}`,
      labels: 'scored',
    },
    async open() {
      const stream = new Stream(foldKey(rootKey(0), description.id));
      const x = Float64Array.from({ length: rows * d }, (_, at) => {
        const column = space.columns[at % d]!;
        if (column.kind === 'categorical') return stream.integer(column.classes);
        return column.lower + (column.upper - column.lower) * stream.uniform();
      });
      const y = scores(x);
      const visible = argsort(y)
        .slice(0, Math.round(VISIBLE_SHARE * rows))
        .sort();
      const { min: worst, max: best } = extent(y);
      return {
        data: {
          x: takeRows(x, d, visible),
          y: Float64Array.from(visible, (row) => y[row]!),
        },
        space,
        async score(designs) {
          requireDesigns(space, designs);
          return scores(designs);
        },
        range: { worst, best },
      };
    },
  };
}
