import type { TrialRecord } from '../../src/bench/records.js';

/** A made-up record of a trial on Branin; `scores` default to 128 numbers up to the seed. */
export function sampleRecord({
  task = 'branin-v1',
  algorithm = 'nemo',
  variant = 'defaults',
  options = {},
  seed,
  scores = Array.from({ length: 128 }, (_, i) => seed - i / 127),
}: Partial<Pick<TrialRecord, 'task' | 'algorithm' | 'variant' | 'options'>> & {
  readonly seed: number;
  readonly scores?: number[];
}): TrialRecord {
  return {
    recordVersion: 1,
    id: `${task} ${algorithm} ${variant} ${seed}`,
    task,
    algorithm,
    variant,
    options,
    seed,
    result: {
      step: 10,
      scores,
      distances: scores.map(() => 0.5),
      designsSha256: '00',
      visibleMax: -0.5,
      range: { worst: -2, best: 2 },
      curve: [{ iteration: 0, watched: { predictedBest: 1 } }],
    },
    made: {
      version: '0.1.0',
      commit: null,
      node: 'v20.19.0',
      kernel: 'wasm',
      threads: 1,
      processor: 'made up',
      cores: 2,
      memoryGB: 8,
      platform: 'linux',
      started: '2026-01-01T00:00:00.000Z',
      seconds: 2 + seed,
      cpuSeconds: 2,
      peakMemoryMB: 100,
    },
  };
}
