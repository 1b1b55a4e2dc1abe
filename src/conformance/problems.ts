/** Small problems for the checks of algorithms: plain ones, odd ones, and bad input that has to be refused. */
import { rootKey } from '../numeric/key.js';
import { portableSinPi } from '../numeric/portable.js';
import { Stream } from '../numeric/random.js';
import { rowOf } from '../numeric/rows.js';
import { quantile } from '../numeric/stats.js';
import type { Dataset, Space } from '../space/space.js';

export interface SmallProblem {
  readonly data: Dataset;
  readonly space: Space;
}

export interface OfflineProblem extends SmallProblem {
  /** True scores; not shown to the algorithm. */
  score(x: Float64Array): Float64Array;
}

/** Designs drawn uniformly in [-2, 2]^d; the best `hidden` of them are withheld. */
export function offlineProblem(
  d: number,
  rows: number,
  hidden: number,
  f: (x: Float64Array) => number,
  seed: number,
): OfflineProblem {
  const stream = new Stream(rootKey(seed));
  const designs = Array.from({ length: rows }, () =>
    Float64Array.from({ length: d }, () => 4 * stream.uniform() - 2),
  );
  const scores = designs.map(f);
  const cut = quantile(scores, 1 - hidden);
  const kept = designs.filter((_, i) => scores[i]! <= cut);
  return {
    data: { x: Float64Array.from(kept.flatMap((x) => [...x])), y: Float64Array.from(kept, f) },
    space: { columns: Array.from({ length: d }, () => ({ kind: 'continuous', lower: -2, upper: 2 })) },
    score: (x) => Float64Array.from({ length: x.length / d }, (_, i) => f(rowOf(x, d, i))),
  };
}

/** Three numbers, best at 0.5; the best fifth is hidden. */
export function bowlOf(rows: number): OfflineProblem {
  return offlineProblem(3, rows, 0.2, (x) => -x.reduce((sum, v) => sum + (v - 0.5) ** 2, 0), 1);
}

/** Shares that sum to 1, a class and a whole number. */
export function blendOf(rows: number): SmallProblem {
  return {
    data: {
      x: Float64Array.from(
        Array.from({ length: rows }, (_, i) => {
          const [a, b] = [(i % 7) / 14, (i % 5) / 10];
          return [a, b, 1 - a - b, i % 3, i % 11];
        }).flat(),
      ),
      y: Float64Array.from({ length: rows }, (_, i) => portableSinPi((i % 7) / Math.PI) + 0.1 * (i % 11)),
    },
    space: {
      columns: [
        ...Array.from({ length: 3 }, () => ({ kind: 'continuous', lower: 0, upper: 1 }) as const),
        { kind: 'categorical', classes: 3 },
        { kind: 'continuous', lower: 0, upper: 10, step: 1 },
      ],
      linear: [
        {
          terms: [0, 1, 2].map((column) => ({ column, weight: 1 })),
          relation: '=',
          bound: 1,
          label: 'sum is 1',
        },
      ],
    },
  };
}

/** Four numbers, best at 0.3: 5 minus the squared distance; the best three tenths are hidden. */
export function quadratic(): OfflineProblem {
  return offlineProblem(4, 300, 0.3, (x) => 5 - x.reduce((sum, v) => sum + (v - 0.3) ** 2, 0), 11);
}

const bowl = bowlOf(80);

/** Six letters of an alphabet of four. */
const letters: SmallProblem = {
  data: {
    x: Float64Array.from({ length: 40 * 6 }, (_, i) => (i * i + Math.floor(i / 7)) % 4),
    y: Float64Array.from({ length: 40 }, (_, i) => portableSinPi(i / Math.PI + 0.5)),
  },
  space: { columns: Array.from({ length: 6 }, () => ({ kind: 'categorical', classes: 4 }) as const) },
};

export const plainProblems = { bowl, blend: blendOf(40), letters } as const;

function drawn(rows: number, d: number, y: (i: number) => number): SmallProblem {
  const x = new Float64Array(rows * d);
  new Stream(rootKey(1)).fillUniform(x, -1, 1);
  return {
    data: { x, y: Float64Array.from({ length: rows }, (_, i) => y(i)) },
    space: { columns: Array.from({ length: d }, () => ({ kind: 'continuous', lower: -2, upper: 2 })) },
  };
}

const single = drawn(1, 3, () => 1);

export const oddProblems: Readonly<Record<string, SmallProblem>> = {
  'constant scores': drawn(30, 3, () => 7),
  'three rows': drawn(3, 2, (i) => i),
  'one column': drawn(25, 1, (i) => portableSinPi(i / Math.PI)),
  'one row thirty times': {
    data: {
      x: Float64Array.from({ length: 90 }, (_, i) => single.data.x[i % 3]!),
      y: Float64Array.from({ length: 30 }, (_, i) => i % 2),
    },
    space: single.space,
  },
  '2,000 columns': drawn(12, 2000, (i) => i % 5),
};

export interface BadInput {
  readonly problem: SmallProblem;
  /** On top of the others; only for algorithms that have them. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Part of what nemokit's own algorithms say about it. */
  readonly says: string;
}

const withData = (changes: Partial<Dataset>, problem: SmallProblem = bowl): SmallProblem => ({
  ...problem,
  data: { ...problem.data, ...changes },
});

const atLeastTen = {
  terms: [{ column: 0, weight: 1 }],
  relation: '>=',
  bound: 10,
  label: 'x >= 10',
} as const;

export const badInputs: Readonly<Record<string, BadInput>> = {
  'a score that is no number': {
    problem: withData({ y: bowl.data.y.with(3, Number.NaN) }),
    says: 'y[3] is NaN',
  },
  'a design that is infinite': {
    problem: withData({ x: bowl.data.x.with(4, Number.POSITIVE_INFINITY) }),
    says: 'x[4] is Infinity',
  },
  'too few numbers': {
    problem: withData({ x: bowl.data.x.slice(1) }),
    says: '64 scores and 3 columns make 192',
  },
  'data without rows': {
    problem: withData({ x: new Float64Array(0), y: new Float64Array(0) }),
    says: 'y has no scores',
  },
  'a space without columns': {
    problem: { ...bowl, space: { columns: [] } },
    says: 'the space has no columns',
  },
  'an unknown class': {
    problem: withData({ x: letters.data.x.with(0, 4) }, letters),
    says: 'column 0 has class 4; expected 0 to 3',
  },
  'marks of other rows': {
    problem: withData({ censored: new Int8Array(2) }),
    says: 'censored has length 2; expected 64',
  },
  'a space without designs': {
    problem: { ...bowl, space: { ...bowl.space, linear: [atLeastTen] } },
    says: 'x >= 10',
  },
  'a batch of no designs': {
    problem: bowl,
    options: { batchSize: 0 },
    says: 'batchSize is 0; expected a positive integer',
  },
  'two steps and a half': {
    problem: bowl,
    options: { steps: 2.5 },
    says: 'steps is 2.5; expected a positive integer',
  },
  'a layer of no width': {
    problem: bowl,
    options: { hidden: [0] },
    says: 'hidden is [0]; expected a list of positive integers',
  },
  'a box of 0.7': {
    problem: bowl,
    options: { box: 0.7 },
    says: 'box is 0.7; expected null or a number from 0 to below 0.5',
  },
};
