import { describe, expect, it } from 'vitest';
import { drive } from '../../src/design/drive.js';

interface Count {
  readonly n: number;
}

/** Counts to `end`; every piece takes a second of the clock. */
function counting(end: number) {
  let time = 0;
  const work = {
    start: async (): Promise<Count> => ({ n: 0 }),
    advance: async ({ n }: Count): Promise<Count> => {
      time += 1000;
      return { n: n + 1 };
    },
    isDone: ({ n }: Count) => n >= end,
  };
  const saved: number[] = [];
  const seen: number[] = [];
  const options = {
    now: () => time,
    onState: ({ n }: Count) => void saved.push(n),
    onPiece: ({ n }: Count) => void seen.push(n),
  };
  return { work, options, saved, seen };
}

describe('drive', () => {
  it('saves every three seconds and at the end', async () => {
    const { work, options, saved, seen } = counting(8);
    expect(await drive(work, options)).toEqual({ state: { n: 8 }, outcome: 'done' });
    expect(saved).toEqual([3, 6, 8]);
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('does not save a state twice', async () => {
    const { work, options, saved } = counting(6);
    await drive(work, { ...options, deadline: 3000 });
    expect(saved).toEqual([3]);
    const from = { n: 6 };
    expect(await drive(work, { ...options, from })).toEqual({ state: from, outcome: 'done' });
    expect(saved).toEqual([3]);
  });

  it('stops at the deadline, and goes on from there', async () => {
    const { work, options, saved } = counting(8);
    const first = await drive(work, { ...options, deadline: 4500, every: 1e9 });
    expect(first).toEqual({ state: { n: 5 }, outcome: 'timeLimit' });
    expect(saved).toEqual([5]);
    expect(await drive(work, { ...options, from: first.state })).toEqual({
      state: { n: 8 },
      outcome: 'done',
    });
  });

  it('stops between pieces when aborted, also by a timer', async () => {
    const { work, options, saved } = counting(Number.POSITIVE_INFINITY);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    const { state, outcome } = await drive(work, { ...options, signal: controller.signal });
    expect(outcome).toBe('interrupted');
    expect(saved.at(-1)).toBe(state.n);
  });

  it('is done rather than interrupted or late', async () => {
    const { work, options } = counting(0);
    const { outcome } = await drive(work, { ...options, signal: AbortSignal.abort(), deadline: -1 });
    expect(outcome).toBe('done');
  });

  it('saves the last good state when the work fails', async () => {
    const { work, options, saved } = counting(9);
    const failing = {
      ...work,
      advance: (state: Count) =>
        state.n === 5 ? Promise.reject(new Error('out of memory')) : work.advance(state),
    };
    await expect(drive(failing, options)).rejects.toThrow('out of memory');
    expect(saved).toEqual([3, 5]);
  });

  it('stops when a state cannot be saved', async () => {
    const { work, options, seen } = counting(9);
    const onState = async () => {
      throw new Error('disk full');
    };
    await expect(drive(work, { ...options, onState })).rejects.toThrow('disk full');
    expect(seen.at(-1)).toBe(3);
  });
});
