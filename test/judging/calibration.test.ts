import { describe, expect, it } from 'vitest';
import { calibrated, fitCalibration } from '../../src/judging/calibration.js';
import { rootKey, Stream } from '../../src/numeric/index.js';

describe('calibration', () => {
  it('moves each end by the multiple that enough unseen values needed', () => {
    // intervals 0..1; the values lie 0, 0.1, ... 0.9 above the upper end
    const rises = Array.from({ length: 10 }, (_, i) => ({
      interval: { low: 0, high: 1 },
      measured: 1 + i / 10,
    }));
    const { below, above } = fitCalibration({ falls: [rises], rises: [rises] }, 0.1);
    // ceil(11 * 0.9) = 10th of 10
    expect(above).toBeCloseTo(0.9, 12);
    expect(below).toBe(0);
    const moved = calibrated({ below: 0.5, above }, { low: 2, high: 4 }, 3);
    expect(moved.low).toBeCloseTo(1, 12);
    expect(moved.high).toBeCloseTo(5.8, 12);
  });

  it('keeps what is expected inside, and takes the most demanding group', () => {
    expect(calibrated({ below: 0, above: 0 }, { low: 2, high: 4 }, 1)).toEqual({ low: 1, high: 4 });
    const at = (measured: number) => [{ interval: { low: 0, high: 1 }, measured }];
    expect(fitCalibration({ falls: [at(-1), at(-3)], rises: [[]] }, 0.1)).toEqual({ below: 3, above: 0 });
  });

  it('covers new values as often as it says', () => {
    const stream = new Stream(rootKey(5));
    const draw = (n: number) =>
      Array.from({ length: n }, () => {
        const width = 0.2 + stream.uniform();
        return { interval: { low: -width / 2, high: width / 2 }, measured: width * stream.normal() };
      });
    const seen = draw(400);
    const calibration = fitCalibration({ falls: [seen], rises: [seen] }, 0.1);
    const fresh = draw(20_000).filter(({ interval, measured }) => {
      const { low, high } = calibrated(calibration, interval, 0);
      return low <= measured && measured <= high;
    });
    // 80 % claimed; 400 values give it to about two in a hundred
    expect(fresh.length / 20_000).toBeGreaterThan(0.77);
    expect(fresh.length / 20_000).toBeLessThan(0.85);
  });
});
