import { readFileSync } from 'node:fs';

export interface StepParameters {
  W1: number[][][];
  b1: number[][][];
  W2: number[][][];
  b2: number[][][];
  W3: number[][][];
  b3: number[][][];
}

/** Four NEMO iterations made with PyTorch in float64; its own `about` says how. */
export interface GoldenSteps {
  K: number;
  d: number;
  h: number;
  s: number;
  w: number;
  tau: number;
  modelRate: number;
  designRate: number;
  X: number[][];
  bins: number[];
  init: StepParameters;
  designs0: number[][];
  steps: {
    batch: number[];
    query: number[];
    mu: number[][];
    batchLoss: number[];
    queryLoss: number[];
    /** Recorded for the first step only. */
    grad?: StepParameters;
    designGrad: number[][];
    designs: number[][];
    params: StepParameters;
    targets: StepParameters;
  }[];
}

export const golden: GoldenSteps = JSON.parse(
  readFileSync(new URL('../golden/nemo-steps.json', import.meta.url), 'utf8'),
);

export const parameterNames = ['W1', 'b1', 'W2', 'b2', 'W3', 'b3'] as const;

export function flat(nested: readonly unknown[]): number[] {
  return nested.flat(Number.POSITIVE_INFINITY) as number[];
}
