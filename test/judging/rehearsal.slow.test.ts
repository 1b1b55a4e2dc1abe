import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paletteOf } from '../../src/cli/palette.js';
import { printRehearsal } from '../../src/cli/rehearse.js';
import type { JudgedProblem } from '../../src/judging/judges.js';
import { type Rehearsal, rehearseRows } from '../../src/judging/rehearsal.js';
import { type Engine, openEngine, rootKey, Stream } from '../../src/numeric/index.js';
import { parseGoal } from '../../src/problem/index.js';
import type { Dataset, Space } from '../../src/space/space.js';

const space: Space = {
  columns: Array.from({ length: 3 }, () => ({ kind: 'continuous', lower: 0, upper: 1 }) as const),
};

/** 400 rows of a hill in three columns; with `isNoise`, of nothing at all. */
function hill(isNoise = false): Dataset {
  const stream = new Stream(rootKey(5));
  const x = Float64Array.from({ length: 1200 }, () => stream.uniform());
  const y = Float64Array.from({ length: 400 }, (_, i) => {
    const [a, b, c] = x.subarray(3 * i, 3 * i + 3);
    const noise = stream.normal();
    return isNoise ? noise : -((a! - 0.7) ** 2) - (b! - 0.4) ** 2 - 0.5 * (c! - 0.5) ** 2;
  });
  return { x, y };
}

const problemOf = (data: Dataset): JudgedProblem => ({
  data,
  space,
  rule: { kind: 'value', goal: parseGoal('max y'), sign: 1 },
  goalValues: [data.y],
  limits: [],
  noise: null,
});

let engine: Engine;
const cut = { top: 0.1, withheld: 0.4, seed: 1 };

beforeAll(async () => {
  engine = await openEngine({ threads: 1 });
});
afterAll(() => engine.close());

describe('a rehearsal', () => {
  it('finds hidden rows of a hill by every method, and says how many there were', async () => {
    const told: string[] = [];
    const data = hill();
    const result = await rehearseRows(problemOf(data), {
      ...cut,
      engine,
      k: [20],
      onProgress: (method, share) => {
        told.push(method);
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(1);
      },
    });
    expect(result).toMatchObject({ seen: 216, hiddenTop: 40, withheld: 144, repeated: 0, undecided: 0 });
    expect(result.bestSeen).toBeLessThan(Math.max(...data.y));
    expect(new Set(told)).toEqual(new Set(['design', 'forest', 'nearest']));
    for (const { unseen, all } of result.methods) {
      expect(unseen.rows).toBe(184);
      expect(all.rows).toBe(400);
      // 20 · 40 / 184 = 4.3 by chance
      expect(unseen.enrichment[0]!.found).toBeGreaterThanOrEqual(15);
    }
    const plain = await rehearseRows(problemOf(data), {
      ...cut,
      engine,
      k: [20],
      methods: ['forest', 'nearest'],
    });
    expect(plain.methods).toEqual(result.methods.slice(1));
  });

  it('finds no more than chance where there is nothing to learn', async () => {
    const { methods } = await rehearseRows(problemOf(hill(true)), {
      ...cut,
      engine,
      k: [40],
      methods: ['forest', 'nearest'],
    });
    // 40 · 40 / 184 = 8.7 by chance, 16 or more in 1 of 300 tries
    for (const { unseen } of methods) expect(unseen.enrichment[0]!.found).toBeLessThan(16);
  });

  it('needs few rows, and says nothing where those that were seen are alike', async () => {
    const { x, y } = hill();
    const few = { x: x.slice(0, 36), y: y.slice(0, 12) };
    const options = { ...cut, engine, k: [2], methods: ['design'] as const };
    const { seen, methods } = await rehearseRows(problemOf(few), options);
    expect(seen).toBeLessThan(10);
    expect(methods[0]!.unseen.enrichment[0]!.k).toBe(2);
    const alike = { x: few.x, y: Float64Array.from(few.y, (_, i) => (i === 3 ? 1 : 0)) };
    const [ranked] = (await rehearseRows(problemOf(alike), options)).methods;
    expect(ranked!.unseen.enrichment[0]!.factor).toBeCloseTo(1, 9);
  });

  it('stops when it is told to', async () => {
    const reason = new Error('enough');
    await expect(
      rehearseRows(problemOf(hill()), { ...cut, engine, signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason);
  });
});

describe('what is printed', () => {
  const ranking = (found: number, chance: number) => ({
    rows: 184,
    topRows: 40,
    enrichment: [
      { k: 20, found, share: found / 20, recall: found / 40, expected: 4.35, factor: found / 4.35, chance },
    ],
    orderWithinTop: 0.25,
  });
  const result = (own: number, chance: number): Rehearsal => ({
    seen: 216,
    hiddenTop: 40,
    withheld: 144,
    repeated: 1,
    undecided: 2,
    bestSeen: 61.5,
    methods: [
      { method: 'design', unseen: ranking(own, chance), all: ranking(own, chance) },
      { method: 'forest', unseen: ranking(16, 0), all: ranking(16, 0) },
    ],
  });
  const print = (own: number, chance: number) =>
    printRehearsal('a.csv: max y', result(own, chance), { width: 100, paint: paletteOf(false) });

  it('counts rows, compares with chance, and names a method that did better', () => {
    expect(print(15, 1e-9)).toBe(
      [
        'Rehearsal  a.csv: max y',
        '',
        'hidden   the 40 best rows (above 61.5) and 144 others; 216 rows were seen',
        'ranked   184 rows that were not seen; by chance 22 % of a list are among the best',
        'note     hidden rows that repeat a setting that was seen, and need no model: 1',
        'note     2 rows left out: a bound that may lie on either side of the cut',
        '',
        'ranked by             first 20  order',
        'nemokit design  15 of 20  ×3.4   0.25',
        'random forest   16 of 20  ×3.7   0.25',
        '',
        'Result   of the first 20 rows that nemokit design names, 15 are among the hidden best, 4 expected by',
        '         chance; random forest found more',
        '',
      ].join('\n'),
    );
  });

  it('says plainly that chance does as well', () => {
    expect(print(5, 0.4).replaceAll(/\s+/g, ' ')).toContain(
      'no better than chance; do not trust designs from this table',
    );
  });
});
