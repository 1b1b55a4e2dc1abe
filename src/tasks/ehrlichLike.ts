/**
 * A sequence landscape with motifs, spacings and epistasis after S. Stanton et al. 2024, "Closed-Form Test Functions
 * for Biophysical Sequence Design Benchmarking" (Ehrlich functions), simplified: every sequence is feasible.
 * docs/tasks/ehrlich-like.md
 */
import type { Space } from '../space/space.js';
import { drawnTask } from './drawnTask.js';

const LENGTH = 32;
const LETTERS = 8;
const MOTIF_LENGTH = 4;
/** Motifs are no wider than this, so that all fit side by side. */
const WIDTH = 8;

export interface SpacedMotif {
  /** Letters by number. */
  readonly letters: readonly number[];
  /** Where each letter stands, counted from the first. */
  readonly offsets: readonly number[];
}

/** Drawn once by chance: letters that differ within a motif, gaps that keep it within `WIDTH`. */
export const ehrlichMotifs: readonly SpacedMotif[] = [
  { letters: [5, 2, 0, 6], offsets: [0, 2, 6, 7] },
  { letters: [6, 0, 4, 5], offsets: [0, 1, 2, 6] },
  { letters: [3, 4, 6, 5], offsets: [0, 3, 4, 7] },
  { letters: [3, 1, 5, 4], offsets: [0, 3, 5, 7] },
];

/** The largest share of the motif's letters that stand where they should, over all places for its first letter. */
function presence(x: Float64Array, { letters, offsets }: SpacedMotif): number {
  let most = 0;
  for (let start = 0; start + offsets[MOTIF_LENGTH - 1]! < LENGTH; start++) {
    let right = 0;
    for (let i = 0; i < MOTIF_LENGTH; i++) if (x[start + offsets[i]!] === letters[i]) right += 1;
    most = Math.max(most, right);
  }
  return most / MOTIF_LENGTH;
}

/** One of the designs that score 1: the motifs side by side, letter 0 between them. */
export function ehrlichOptimum(): Float64Array {
  const x = new Float64Array(LENGTH);
  ehrlichMotifs.forEach(({ letters, offsets }, m) => {
    letters.forEach((letter, i) => {
      x[m * WIDTH + offsets[i]!] = letter;
    });
  });
  return x;
}

const space: Space = {
  columns: Array.from({ length: LENGTH }, (_, j) => ({
    kind: 'categorical',
    name: `letter ${j + 1}`,
    classes: LETTERS,
  })),
};

export const ehrlichLikeTask = drawnTask({
  id: 'ehrlich-like-v1',
  title: 'Ehrlich-like',
  summary:
    'A design is a sequence of 32 letters out of 8. Its score is the product, over four spaced motifs, of the share of ' +
    'the motif that is present: 1 if all are complete, 0 if one is wholly absent.',
  isForTuning: false,
  source: 'ours, in the manner of the Ehrlich functions of S. Stanton et al. 2024, arXiv:2407.00236',
  space,
  formula: (x) => ehrlichMotifs.reduce((product, motif) => product * presence(x, motif), 1),
  rows: 10_000,
});
