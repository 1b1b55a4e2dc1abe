import { describe, expect, it } from 'vitest';
import { foldKey, rootKey, Stream } from '../../src/numeric/index.js';
import { projector, violations } from '../../src/space/index.js';
import type { Space } from '../../src/space/space.js';
import { nearestByEnumeration, simplexByFormula } from './nearestByEnumeration.js';
import { anyDesign, awkwardSpace, feasibleSpace, logSpace, streamOf } from './randomSpaces.js';

const share = { kind: 'continuous', lower: 0, upper: 1 } as const;
const sumTo = (bound: number, columns: readonly number[]) =>
  ({ terms: columns.map((column) => ({ column, weight: 1 })), relation: '=', bound, label: 'sum' }) as const;

describe('1,000 random feasible spaces', () => {
  it('hold to 1e-9 for every projected design, and leave a feasible one as it is', async () => {
    const broken: string[] = [];
    for (let index = 0; index < 1000; index++) {
      const stream = streamOf('feasible', index);
      const { space, known } = feasibleSpace(stream);
      expect(violations(space, known, 1e-11)).toEqual([]);
      const { project } = await projector(space);
      for (let i = 0; i < 3; i++) {
        const x = project(anyDesign(space, stream));
        broken.push(...violations(space, x).map((text) => `${index}: ${text}`));
        expect(project(x)).toEqual(x);
      }
      expect(project(known)).toEqual(known);
    }
    expect(broken).toEqual([]);
  });

  it('hold where rows are badly scaled, doubled and tied together', async () => {
    const broken: string[] = [];
    for (let index = 0; index < 100; index++) {
      const stream = streamOf('awkward', index);
      const { space } = awkwardSpace(stream);
      const { project } = await projector(space);
      for (let i = 0; i < 2; i++) {
        const x = project(anyDesign(space, stream));
        broken.push(...violations(space, x).map((text) => `${index}: ${text}`));
      }
    }
    expect(broken).toEqual([]);
  });

  it('hold with logarithmic columns and a list, with units of their own as well', async () => {
    const broken: string[] = [];
    for (let index = 0; index < 500; index++) {
      const stream = streamOf('log', index);
      const { space, known } = logSpace(stream);
      expect(violations(space, known, 1e-11)).toEqual([]);
      const scale = space.columns.map(() => 10 ** (2 * stream.uniform() - 1));
      const { project } = await projector(space, index % 2 ? { scale } : {});
      for (let i = 0; i < 3; i++) {
        const x = project(anyDesign(space, stream));
        broken.push(...violations(space, x).map((text) => `${index}: ${text}`));
        expect(project(x)).toEqual(x);
      }
      expect(project(known)).toEqual(known);
    }
    expect(broken).toEqual([]);
  });

  it('give the same design in any order of calls', async () => {
    for (let index = 0; index < 60; index++) {
      const stream = streamOf('feasible', index);
      const { space } = feasibleSpace(stream);
      const designs = Array.from({ length: 4 }, () => anyDesign(space, stream));
      const forward = await projector(space);
      const backward = await projector(space);
      const first = designs.map((x) => forward.project(x));
      const second = designs.toReversed().map((x) => backward.project(x));
      expect(second.toReversed()).toEqual(first);
    }
  });
});

describe('logarithmic columns', () => {
  const decades = { kind: 'continuous', lower: 1e-3, upper: 1e3, scale: 'log' } as const;

  it('give way in proportion to where they are', async () => {
    const space: Space = {
      columns: [decades, decades],
      linear: [{ ...sumTo(80, [0, 1]), relation: '<=' }],
    };
    const { project } = await projector(space);
    // least sum of ((x - v) / v)^2 with x1 + x2 = 80 from (100, 10): steps in proportion to v^2
    const step = 30 / (100 ** 2 + 10 ** 2);
    expect(project([100, 10])).toBeAllClose([100 - step * 100 ** 2, 10 - step * 10 ** 2], {
      rtol: 1e-12,
      atol: 0,
    });
  });

  it('are near by their ratio where a row is chosen', async () => {
    const { project } = await projector({
      columns: [decades, { kind: 'continuous', lower: 0, upper: 1 }],
      choices: Float64Array.of(0.001, 0, 10, 0, 30, 0),
    });
    // 0.1 is nearer to 0.001 than to 10 in numbers; in decades both are 2 away, 0.11 is not
    expect([...project([0.11, 0])]).toEqual([10, 0]);
    expect([...project([0.09, 0])]).toEqual([0.001, 0]);
    expect([...project([-7, 0])]).toEqual([0.001, 0]);
  });
});

describe('listed columns', () => {
  const unit = { kind: 'continuous', lower: 0, upper: 1 } as const;
  const shelf = { columns: [0, 2], rows: Float64Array.of(0, 0, 1, 1, 0, 1), label: 'on the shelf' };
  const space: Space = {
    columns: [unit, unit, unit, unit],
    listed: [shelf],
    linear: [sumTo(1, [1, 3])],
  };

  it('take the nearest row, whatever the other columns do', async () => {
    const { project, example } = await projector(space);
    expect(violations(space, example)).toEqual([]);
    expect([...project([0.6, 0.25, 0.9, 0.25])]).toEqual([1, 0.5, 1, 0.5]);
    expect([...project([0.4, 0.25, 0.9, 0.75])]).toEqual([0, 0.25, 1, 0.75]);
    const scaled = await projector(space, { scale: [10, 1, 0.1, 1] });
    expect([...scaled.project([0.9, 0.25, 0.45, 0.75])]).toEqual([0, 0.25, 0, 0.75]);
  });

  it('are checked by the verifier', () => {
    expect(violations(space, [1, 0.5, 1, 0.5])).toEqual([]);
    expect(violations(space, [1, 0.5, 0, 0.5])).toEqual(['on the shelf: it is none of them']);
  });

  it('rule out choices that are not listed, and say so if none is left', async () => {
    const rows = Float64Array.of(1, 0.5, 0, 0.5, 0, 0.5, 1, 0.5);
    const { project } = await projector({ ...space, choices: rows });
    expect([...project([1, 0.5, 0, 0.5])]).toEqual([0, 0.5, 1, 0.5]);
    await expect(projector({ ...space, choices: rows.slice(0, 4) })).rejects.toThrow(
      'no design satisfies all of: one of the given rows; on the shelf',
    );
  });
});

describe('the nearest design', () => {
  it('is that of every active set tried in turn, for a box cut by rows', async () => {
    for (let index = 0; index < 200; index++) {
      const stream = streamOf('convex', index);
      const d = 2 + stream.integer(3);
      const within = Float64Array.from({ length: d }, () => stream.uniform());
      const rows = Array.from({ length: 1 + stream.integer(3) }, (_, i) => {
        const terms = Array.from({ length: d }, (_, column) => ({ column, weight: stream.normal() }));
        const sum = terms.reduce((total, { column, weight }) => total + weight * within[column]!, 0);
        const relation = (['<=', '>=', '='] as const)[i === 0 ? stream.integer(3) : stream.integer(2)]!;
        const slack = relation === '=' ? 0 : 0.3 * stream.uniform();
        return { terms, relation, bound: relation === '<=' ? sum + slack : sum - slack, label: `row ${i}` };
      });
      const space: Space = { columns: Array.from({ length: d }, () => share), linear: rows };
      const scale = Float64Array.from({ length: d }, () => 0.5 + stream.uniform());
      const target = Float64Array.from({ length: d }, () => 3 * stream.uniform() - 1);
      const { project } = await projector(space, { scale });
      const truth = nearestByEnumeration(space, target, scale);
      const x = project(target);
      x.forEach((v, j) => expect(v, `space ${index}`).toBeCloseTo(truth[j]!, 9));
    }
  });

  it('of a mixture is the projection onto the simplex', async () => {
    const stream = new Stream(foldKey(rootKey(4), 'simplex'));
    for (const d of [2, 3, 10, 80]) {
      const columns = Array.from({ length: d }, () => share);
      const { project } = await projector({ columns, linear: [sumTo(1, [...columns.keys()])] });
      for (let i = 0; i < 20; i++) {
        const target = Float64Array.from({ length: d }, () => stream.normal());
        const x = project(target);
        simplexByFormula(target).forEach((v, j) => expect(x[j]).toBeCloseTo(v, 12));
      }
    }
  });

  it('counts columns in widths of their bounds unless told otherwise', async () => {
    const space: Space = {
      columns: [
        { kind: 'continuous', lower: 0, upper: 10 },
        { kind: 'continuous', lower: 0, upper: 1 },
      ],
      linear: [sumTo(1, [0, 1])],
    };
    // least ((a - 1) / 10)^2 + (b - 1)^2 on a + b = 1: b = 1 - 1 / 101, then a = 1 / 101
    const byWidth = (await projector(space)).project([1, 1]);
    expect(byWidth[0]).toBeCloseTo(1 / 101, 12);
    expect((await projector(space, { scale: [1, 1] })).project([1, 1])[0]).toBeCloseTo(0.5, 12);
  });

  it('of a group keeps the greatest members', async () => {
    const columns = Array.from({ length: 5 }, () => share);
    const space: Space = {
      columns,
      linear: [sumTo(1, [0, 1, 2, 3, 4])],
      cardinality: [{ columns: [0, 1, 2, 3, 4], atLeast: 0, atMost: 2, label: 'two' }],
    };
    const x = (await projector(space)).project([0.1, 0.4, 0.05, 0.3, 0.15]);
    [0, 0.55, 0, 0.45, 0].forEach((v, j) => expect(x[j]).toBeCloseTo(v, 12));
  });

  it('of a group that asks for members brings them in', async () => {
    const space: Space = {
      columns: [share, share, share],
      cardinality: [{ columns: [0, 1, 2], atLeast: 2, atMost: 3, label: 'two' }],
    };
    // a millionth of the greater bound is the least that counts as present
    expect((await projector(space)).project([0.5, -1, -0.5])).toEqual(Float64Array.of(0.5, 0, 1e-6));
  });

  it('on grids keeps the sum', async () => {
    const grid = { kind: 'continuous', lower: 0, upper: 1, step: 0.05 } as const;
    const space: Space = { columns: [grid, grid, grid], linear: [sumTo(1, [0, 1, 2])] };
    const x = (await projector(space)).project([0.33, 0.33, 0.34]);
    expect(violations(space, x)).toEqual([]);
    for (const v of x) expect(Math.abs(v - 1 / 3)).toBeLessThan(0.07);
  });

  it('is one of the given rows that satisfy the rest', async () => {
    const space: Space = {
      columns: [{ kind: 'continuous', lower: 0, upper: 100 }, share, { kind: 'categorical', classes: 2 }],
      choices: Float64Array.of(50, 0.5, 0, 52, 0.9, 1, 51, 0.55, 1),
      linear: [{ terms: [{ column: 0, weight: 1 }], relation: '>=', bound: 51, label: 'hot' }],
    };
    const { project } = await projector(space);
    expect(project([50, 0.5, 1])).toEqual(Float64Array.of(51, 0.55, 1));
    expect(project([90, 2, 0])).toEqual(Float64Array.of(52, 0.9, 1));
  });
});

describe('classes', () => {
  it('change at the least cost, by trying every combination', async () => {
    for (let index = 0; index < 100; index++) {
      const stream = streamOf('classes', index);
      const counts = Array.from({ length: 2 + stream.integer(3) }, () => 2 + stream.integer(3));
      const some = (n: number) => Array.from({ length: n }, (_, c) => c).filter(() => stream.boolean());
      const space: Space = {
        columns: counts.map((classes) => ({ kind: 'categorical', classes })),
        forbidden: Array.from({ length: 6 }, (_, i) => ({
          // column 0 keeps its class 0 out of every combination, so that something is left
          terms: counts.map((n, column) => ({ column, classes: some(n).filter((c) => column > 0 || c > 0) })),
          label: `forbidden ${i}`,
        })),
      };
      const scores = counts.map((n) => Float64Array.from({ length: n }, () => stream.normal()));
      let best = Number.NEGATIVE_INFINITY;
      const total = (x: ArrayLike<number>) => scores.reduce((sum, row, j) => sum + row[x[j]!]!, 0);
      for (let code = 0; code < counts.reduce((a, b) => a * b); code++) {
        let rest = code;
        const x = counts.map((n) => {
          const c = rest % n;
          rest = (rest - c) / n;
          return c;
        });
        if (violations(space, x).length === 0) best = Math.max(best, total(x));
      }
      const x = (await projector(space)).project(new Float64Array(counts.length), scores);
      expect(violations(space, x)).toEqual([]);
      expect(total(x)).toBeCloseTo(best, 12);
    }
  });

  it('stay clear of hundreds of combinations', async () => {
    // of 10 columns with 3 classes, no two neighbours may be equal, nor be two apart and equal
    const terms = (a: number, b: number, c: number) => [a, b].map((column) => ({ column, classes: [c] }));
    const space: Space = {
      columns: Array.from({ length: 10 }, () => ({ kind: 'categorical', classes: 3 })),
      forbidden: Array.from({ length: 9 }, (_, j) => [j + 1, j + 2].filter((other) => other < 10)).flatMap(
        (others, j) =>
          others.flatMap((other) =>
            [0, 1, 2].map((c) => ({ terms: terms(j, other, c), label: `${j} ${other} ${c}` })),
          ),
      ),
    };
    const x = (await projector(space)).project(new Float64Array(10));
    expect(violations(space, x)).toEqual([]);
    // three patterns of period 3 start with each class; every third column can stay 0
    expect(x.filter((c) => c === 0).length).toBe(4);
  });
});
