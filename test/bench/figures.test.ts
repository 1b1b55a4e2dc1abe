import { describe, expect, it } from 'vitest';
import { benchFigures, stabilityIndex } from '../../src/bench/figures.js';
import { withSecondScorers } from '../../src/bench/rescore.js';
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

  it('show how far second scorers agree by distance, and what NML does along the search', () => {
    const own = [0, 1].map((seed) => ({ ...sampleRecord({ seed, scores: [3, 1] }), id: `nemo-${seed}` }));
    const watched = own.map((record) => ({
      ...record,
      result: {
        ...record.result,
        curve: [0, 50].map((iteration) => ({
          iteration,
          watched: { spread: 0.1, gamma: 0.2, trackingError: 0.3 },
        })),
      },
    }));
    const matched = {
      ...sampleRecord({ algorithm: 'noise', variant: 'matched', seed: 0, scores: [2, 2] }),
      id: 'noise-0',
    };
    const rescored = ['nemo-0', 'nemo-1', 'noise-0'].map((id) => ({
      rescoredVersion: 1 as const,
      id,
      task: 'branin-v1',
      scorer: 'other',
      scores: [2.5, 2],
      made: { version: '0', started: '', cpuSeconds: 0 },
    }));
    const drawn = new Map(benchFigures(withSecondScorers([...watched, matched], rescored)));
    const agreement = drawn.get('agreement.svg')!;
    // two designs of the first seed of the one row, and its dot in the legend; noise that matches a row is no row
    expect(agreement.match(/<circle/g)).toHaveLength(3);
    expect(agreement).toContain('branin-v1 by other');
    const metrics = drawn.get('metrics-branin-v1.svg')!;
    for (const title of ['spread of the networks', 'Γ by the targets', 'amortised against last layer'])
      expect(metrics).toContain(title);
  });

  it('rank rows without a model in grey, in a panel as high as the rows need', () => {
    const tasks = ['branin-v1', 'levy50-v1'];
    const heightOf = (names: readonly string[]) => {
      const all = tasks.flatMap((task) =>
        [...names, 'start'].map((algorithm) => sampleRecord({ task, algorithm, seed: 0 })),
      );
      const svg = new Map(benchFigures(all)).get('ranks-100.svg')!;
      expect(svg.match(/fill="#999"/g)).toHaveLength(1);
      expect(svg).toContain('Grey: rows without a model.');
      return Number(/height="(\d+)"/.exec(svg)![1]);
    };
    const few = heightOf(['nemo', 'forward']);
    expect(heightOf(Array.from({ length: 18 }, (_, i) => `row${i}`))).toBeGreaterThanOrEqual(few + 15 * 16);
  });

  it('have the rows they show in their legend, and the nulls as levels beside curves', () => {
    const start = sampleRecord({ algorithm: 'start', seed: 0, options: { startFrom: 'best' } });
    const still = sampleRecord({ algorithm: 'forward', seed: 0 }); // without scores along its search
    const drawn = new Map(benchFigures([withCurve(sampleRecord({ seed: 0 }), [0, 1]), still, start]));
    const curves = drawn.get('curves-branin-v1.svg')!;
    const legend = [...curves.matchAll(/stroke-width="2.5"[^>]*\/><text[^>]*>([^<]*)/g)].map(
      ([, name]) => name,
    );
    expect(legend).toEqual(['nemo', 'start']);
    // a level in each of two panels
    expect(curves.match(/<path d="M60 [\d.]+H332" fill="none"/g)).toHaveLength(2);
    expect(drawn.get('promises.svg')).not.toContain('>start</text>');
  });

  it('show designs at the data, and keep their scale where random designs are far off', () => {
    const far = sampleRecord({ algorithm: 'random', seed: 0, scores: [1e6, -1e6] });
    const near = sampleRecord({ seed: 0, scores: [3, 1] });
    const atData = { ...near, result: { ...near.result, distances: [0, 5e-3] } };
    const drawn = new Map(benchFigures([atData, { ...far, result: { ...far.result, distances: [20, 30] } }]));
    const distances = drawn.get('distances.svg')!;
    expect(distances).not.toMatch(/NaN|Infinity/);
    const dots = [...distances.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [
      +x!,
      +y!,
    ]);
    // of each row the dot of its legend, and two designs
    expect(dots).toHaveLength(6);
    const left = dots.filter(([x]) => x === 60);
    expect(left).toHaveLength(2);
    expect(left[1]![1]! - left[0]![1]!).toBeGreaterThan(100);
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
