import { describe, expect, it } from 'vitest';
import type { TrialSpec } from '../../src/bench/trial.js';
import { TrialTimes } from '../../src/bench/trialTimes.js';
import { TrialBoard } from '../../src/cli/benchRun.js';

const trials: TrialSpec[] = [0, 1, 2, 3].map((seed) => ({
  task: 'branin-v1',
  algorithm: 'nemo',
  variant: 'defaults',
  options: {},
  seed,
  curve: { every: 50, withScores: false },
}));

describe('the board of trials', () => {
  it('knows what is done, where, and how long the rest takes', () => {
    const times = new TrialTimes();
    const board = new TrialBoard(trials, times, null);
    const [a, b, c] = trials;
    expect([board.stage, board.done, board.remaining]).toEqual(['0 of 4 trials', 0, undefined]);
    expect(board.report(a!, { stage: 'open', done: 0, worker: 'node2-7' })).toBe(true);
    expect(board.report(b!, { stage: 'open', done: 0.25, worker: 'node1-9' })).toBe(true);
    expect(board.report(c!, { stage: 'search', done: 0.5, worker: 'node2-7' })).toBe(false);
    expect(board.workerLines()).toEqual([
      '  node1-9  1 trial: branin-v1 nemo seed 1 25 %',
      '  node2-7  2 trials: branin-v1 nemo seed 0 0 %, branin-v1 nemo seed 2 50 %',
    ]);
    expect(board.remaining).toBeUndefined();
    expect(board.workerOf(a!)).toBe('node2-7');
    board.end(a!);
    times.add({ ...a!, made: { seconds: 60 } as never });
    // three at once: 45 s and 30 s of two, 60 s of the one that waits
    expect(board.remaining).toBe(60);
    expect([board.stage, board.done]).toEqual(['1 of 4 trials', 1.75 / 4]);
  });

  it('has no lines of workers on one machine, and counts on its own number of trials at once', () => {
    const times = new TrialTimes();
    times.add({ ...trials[0]!, made: { seconds: 10 } as never });
    const board = new TrialBoard(trials, times, 2);
    board.report(trials[0]!, { stage: 'train', done: 0.5 });
    expect(board.workerLines()).toEqual([]);
    expect(board.remaining).toBe((5 + 30) / 2);
    for (const trial of trials) board.end(trial);
    expect([board.done, board.remaining]).toEqual([0.999, 0]);
  });
});
