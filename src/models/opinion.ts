/** What a judge thinks of designs: a normal distribution of the noiseless score, on the scale of the process (response.ts). */
export interface Opinion {
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
}
