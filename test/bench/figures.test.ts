import { describe, expect, it } from 'vitest';
import { benchFigures, stabilityIndex } from '../../src/bench/figures.js';
import { sampleRecord } from './sampleRecord.js';

const withCurve = (record: ReturnType<typeof sampleRecord>, best: readonly number[]) => ({
  ...record,
  result: {
    ...record.result,
    curve: best.map((value, i) => ({
      iteration: 50 * i,
      watched: { predictedMedian: 1 },
      best: value,
      median: value - 1,
    })),
  },
});

describe('figures of a benchmark', () => {
  const records = ['branin-v1', 'levy50-v1'].flatMap((task) =>
    ['nemo', 'forward <b>'].flatMap((algorithm) =>
      [0, 1].map((seed) => withCurve(sampleRecord({ task, algorithm, seed }), [0, 1 + seed, 2])),
    ),
  );

  it('are those that the records have numbers for', () => {
    expect(benchFigures(records).map(([name]) => name)).toEqual([
      'curves-branin-v1.svg',
      'curves-levy50-v1.svg',
      'ranks-100.svg',
      'ranks-50.svg',
      'promises.svg',
      'distances.svg',
      'stability.svg',
      'cost.svg',
    ]);
    const plain = [sampleRecord({ seed: 0 })].map((record) => ({
      ...record,
      result: { ...record.result, curve: [{ iteration: 0, watched: {} }] },
    }));
    expect(benchFigures(plain).map(([name]) => name)).toEqual(['distances.svg', 'cost.svg']);
  });

  it('have no NaN, escape names, and are the same twice', () => {
    const drawn = benchFigures(records);
    for (const [name, svg] of drawn) {
      expect(svg, name).not.toMatch(/NaN|undefined|Infinity/);
      expect(svg, name).not.toContain('<b>');
      expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg"')).toBe(true);
    }
    expect(benchFigures(records)).toEqual(drawn);
    expect(drawn[0]![1]).toContain('nemo</text>');
  });

  it('say which search never reached what was visible', () => {
    const seen = sampleRecord({ seed: 0 });
    const below = seen.result.visibleMax - 1;
    const drawn = (best: readonly number[]) =>
      new Map(benchFigures([withCurve(seen, best)])).get('stability.svg')!;
    expect(drawn([below, below])).toContain('>none</text>');
    expect(drawn([below, below + 3])).not.toContain('>none</text>');
    // 2 above: zero line 2 below, (1 + 4) / (2 x 4)
    expect(drawn([below, below + 3])).toContain('>0.63</text>');
  });

  it('measure stability as SOO-Bench does', () => {
    // offline best 0, greatest 2: zero line at -2, reach 4
    expect(stabilityIndex([2, 2, 2], 0)).toBe(1);
    expect(stabilityIndex([0, 2, 0], 0)).toBeCloseTo((2 + 4 + 2) / 12, 12);
    expect(stabilityIndex([-5, 2, -5], 0)).toBeCloseTo(4 / 12, 12);
    // never better than the data: the zero line is 0.01 below them
    expect(stabilityIndex([-1, -1], 0)).toBeNull();
    expect(stabilityIndex([1], 0)).toBeNull();
  });
});
