/** Settings of a run from the shape of its data; what validation finds out comes later. */
import type { Effort } from '../problem/index.js';

export interface Plan {
  /** K, bins of a score, and the room above the best one, for the search. */
  readonly bins: number;
  readonly headroom: number;
  /**
   * The same for the networks that judge: proposals may lie as far above the best row as that lies above the worst, and
   * what no bin stands for cannot be in an interval.
   */
  readonly judge: { readonly bins: number; readonly headroom: number };
  readonly hidden: readonly number[];
  readonly minibatch: number;
  /** Adam's rate while networks learn the data. */
  readonly trainingRate: number;
  /** Steps of training after which networks are tried on rows they have not seen. */
  readonly tried: readonly number[];
  readonly folds: number;
  /** Share of the rows, the best ones, that one more group of networks never meets. */
  readonly hiddenTop: number;
  readonly networksPerGroup: number;
  /** Iterations of the search. */
  readonly steps: number;
  /** Size and length of each climb of the judges. */
  readonly climb: { readonly population: number; readonly generations: number };
}

const byEffort = {
  fast: { hidden: [32, 32], most: 1000, networksPerGroup: 2, steps: 75, bins: 20, climb: [64, 40] },
  balanced: { hidden: [48, 48], most: 1000, networksPerGroup: 2, steps: 100, bins: 20, climb: [96, 80] },
  thorough: { hidden: [128, 128], most: 8000, networksPerGroup: 4, steps: 300, bins: 40, climb: [192, 160] },
} as const;

const least = 125;

/** `rows`: distinct settings with a score. */
export function planFor(effort: Effort, rows: number): Plan {
  const { hidden, most, networksPerGroup, steps, bins, climb } = byEffort[effort];
  const tried: number[] = [];
  for (let count = least; count <= most; count *= 2) tried.push(count);
  return {
    // a bin without rows teaches nothing: about five rows to a bin where rows are few
    bins: Math.max(8, Math.min(bins, Math.floor(rows / 5))),
    headroom: 0.3,
    judge: { bins: 32, headroom: 1 },
    hidden,
    minibatch: 128,
    trainingRate: 3e-3,
    tried,
    folds: 4,
    hiddenTop: 0.2,
    networksPerGroup,
    steps,
    climb: { population: climb[0], generations: climb[1] },
  };
}
