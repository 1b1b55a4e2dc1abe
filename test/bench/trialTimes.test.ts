import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jobsFor } from '../../src/bench/localTrials.js';
import { TrialTimes } from '../../src/bench/trialTimes.js';

const named = (task: string, algorithm: string, variant = 'defaults') => ({ task, algorithm, variant });
const took = (seconds: number) => ({ made: { seconds } as never });

describe('times of trials', () => {
  it('are those of the nearest kin', () => {
    const times = new TrialTimes();
    expect(times.of(named('a', 'nemo'))).toBeUndefined();
    times.add({ ...named('a', 'nemo'), ...took(10) });
    times.add({ ...named('a', 'nemo'), ...took(20) });
    times.add({ ...named('a', 'nemo', 'paper'), ...took(90) });
    times.add({ ...named('b', 'forward'), ...took(4) });
    expect(times.of(named('a', 'nemo'))).toBe(15);
    expect(times.of(named('a', 'nemo', 'paper'))).toBe(90);
    expect(times.of(named('a', 'nemo', 'other'))).toBe(40);
    expect(times.of(named('b', 'forward'))).toBe(4);
    expect(times.of(named('c', 'nemo'))).toBe(31);
  });

  it('add up to what is left: no less than the work shared out, nor than the longest trial', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 8 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
        fc.integer({ min: 1, max: 8 }),
        (seconds, shares, lanes) => {
          const times = new TrialTimes();
          seconds.forEach((own, i) => {
            times.add({ ...named(`t${i}`, 'nemo'), ...took(own) });
          });
          const running = shares
            .slice(0, seconds.length)
            .map((share, i) => [named(`t${i}`, 'nemo'), share] as const);
          const waiting = seconds
            .slice(running.length)
            .map((_, i) => named(`t${i + running.length}`, 'nemo'));
          const left = seconds.map((own, i) => own * (1 - (running[i]?.[1] ?? 0)));
          const remaining = times.remaining(waiting, running, lanes)!;
          const sum = left.reduce((total, own) => total + own, 0);
          expect(remaining).toBeCloseTo(Math.max(sum / lanes, ...left), 9);
          expect(times.remaining(waiting, running, lanes + 1)!).toBeLessThanOrEqual(remaining);
        },
      ),
      { seed: 1 },
    );
  });
});

describe('trials at once', () => {
  const GB = 2 ** 30;
  it.each([
    [8, 64 * GB, 8],
    [8, 6 * GB, 4],
    [8, 1 * GB, 1],
    [1, 64 * GB, 1],
  ])('on %i cores with %i bytes free are %i', (cores, free, jobs) => {
    expect(jobsFor(cores, free)).toBe(jobs);
  });

  it('fit this machine', () => {
    expect(jobsFor()).toBeGreaterThanOrEqual(1);
    expect(jobsFor(1000)).toBeLessThan(1000);
  });
});
