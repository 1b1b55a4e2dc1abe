/** What the pool and its threads say to each other. */
export interface ToThread {
  readonly robot: string;
  readonly design: Float64Array;
}

export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'score'; readonly score: number }
  /** It will never be ready. */
  | { readonly kind: 'failed'; readonly why: string };
