/** The words in which a problem is put: what was measured, and where designs may lie. Higher scores are better. */

/** A number between two bounds (which may be infinite), or one of `classes` things numbered from 0. */
export type SpaceColumn =
  | { readonly kind: 'continuous'; readonly lower: number; readonly upper: number }
  | { readonly kind: 'categorical'; readonly classes: number };

/** Where designs may lie, column by column. */
export interface Space {
  readonly columns: readonly SpaceColumn[];
}

/** Designs and their scores. */
export interface Dataset {
  /** N x d, row-major; a class is its number. */
  readonly x: Float64Array;
  /** N. */
  readonly y: Float64Array;
}
