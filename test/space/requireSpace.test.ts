import { describe, expect, it } from 'vitest';
import { ArgumentError, NotFiniteError, ShapeError } from '../../src/numeric/index.js';
import { decideFeasibility, projector, requireSpace, sample, violations } from '../../src/space/index.js';
import type { Space } from '../../src/space/space.js';
import { streamOf } from './randomSpaces.js';

const share = { kind: 'continuous', name: 'salt', lower: 0, upper: 1 } as const;
const base: Space = { columns: [share, { kind: 'categorical', name: 'solvent', classes: 3 }] };
const column = (changes: object): Space => ({ columns: [{ ...share, ...changes }] });
const linear = (changes: object): Space => ({
  ...base,
  linear: [{ terms: [{ column: 0, weight: 1 }], relation: '<=', bound: 1, label: 'row', ...changes }],
});
const listed = (changes: object, more: Partial<Space> = {}): Space => ({
  ...base,
  ...more,
  listed: [{ columns: [0], rows: Float64Array.of(0, 1), label: 'shelf', ...changes }],
});
const group = (changes: object): Space => ({
  ...base,
  cardinality: [{ columns: [0], atLeast: 0, atMost: 1, label: 'group', ...changes }],
});

describe('a space that means nothing', () => {
  it.each<[string, Space, string, RegExp]>([
    ['no columns', { columns: [] }, 'columns', /no columns/],
    ['crossed bounds', column({ lower: 2 }), 'columns', /salt has bounds 2 to 1/],
    ['a bound that is no number', column({ lower: Number.NaN }), 'columns', /NaN to 1/],
    ['a step of nothing', column({ step: 0 }), 'columns', /step 0/],
    ['a step from nowhere', column({ lower: -Infinity, step: 1 }), 'columns', /no lower bound/],
    ['no classes', { columns: [{ kind: 'categorical', classes: 0 }] }, 'columns', /0 classes/],
    [
      'an unknown column',
      linear({ terms: [{ column: 2, weight: 1 }] }),
      'linear',
      /column 2; expected 0 to 1/,
    ],
    [
      'a sum of classes',
      linear({ terms: [{ column: 1, weight: 1 }] }),
      'linear',
      /solvent, which is not a number/,
    ],
    [
      'a weight that is no number',
      linear({ terms: [{ column: 0, weight: Number.NaN }] }),
      'linear',
      /weight NaN/,
    ],
    ['an infinite bound', linear({ bound: Infinity }), 'linear', /bound Infinity/],
    ['an unknown relation', linear({ relation: '<' }), 'linear', /relation </],
    ['more at least than at most', group({ atLeast: 1, atMost: 0 }), 'cardinality', /1 to 0/],
    ['more at least than columns', group({ atLeast: 2, atMost: 3 }), 'cardinality', /2 of 1 columns/],
    ['a column twice', group({ columns: [0, 0] }), 'cardinality', /twice/],
    [
      'a counted column without bounds',
      { ...column({ upper: Infinity }), cardinality: group({}).cardinality! },
      'cardinality',
      /salt; give it a finite lower and upper bound/,
    ],
    ['a fixed class too many', { ...base, fixed: [{ column: 1, value: 3, label: 'f' }] }, 'fixed', /class 3/],
    ['a fixed NaN', { ...base, fixed: [{ column: 0, value: Number.NaN, label: 'f' }] }, 'fixed', /NaN/],
    [
      'a forbidden number',
      { ...base, forbidden: [{ terms: [{ column: 0, classes: [0] }], label: 'f' }] },
      'forbidden',
      /no classes/,
    ],
    [
      'a combination of nothing',
      { ...base, forbidden: [{ terms: [], label: 'f' }] },
      'forbidden',
      /no column/,
    ],
    [
      'a logarithm of zero',
      column({ scale: 'log' }),
      'columns',
      /salt .* lower bound 0; give it one above 0/,
    ],
    ['a logarithm without end', column({ scale: 'log', lower: -Infinity }), 'columns', /-Infinity; give/],
    ['an unknown scale', column({ scale: 'sqrt' }), 'columns', /scale sqrt/],
    ['a list of no columns', listed({ columns: [] }), 'listed', /no column/],
    ['a list of no rows', listed({ rows: new Float64Array() }), 'listed', /no rows/],
    ['a list of half rows', listed({ columns: [0, 1], rows: new Float64Array(3) }), 'listed', /3 numbers/],
    ['a list of classes', listed({ columns: [1] }), 'listed', /solvent, which is not a number/],
    ['a list beyond bounds', listed({ rows: Float64Array.of(0, 2) }), 'listed', /row 1: 2 is not in salt's/],
    ['a list with a gap', listed({ rows: Float64Array.of(0, NaN) }), 'listed', /row 1: NaN/],
    ['a list of one column twice', listed({ columns: [0, 0] }), 'listed', /"shelf" cannot speak/],
    ['a list of a grid', { ...listed({}), ...column({ step: 0.5 }) }, 'listed', /no step/],
    [
      'a list of a fixed column',
      listed({}, { fixed: [{ column: 0, value: 1, label: 'salt = 1' }] }),
      'listed',
      /salt is listed by "shelf", so "salt = 1" cannot speak of it/,
    ],
    ['a list of a summed column', listed({}, linear({})), 'listed', /"row" cannot speak/],
    ['a list of a counted column', listed({}, group({})), 'listed', /"group" cannot speak/],
    ['an empty list', { ...base, choices: new Float64Array() }, 'choices', /no rows/],
    ['half a row', { ...base, choices: new Float64Array(3) }, 'choices', /not a multiple of 2/],
    ['a list with a gap', { ...base, choices: Float64Array.of(0, Number.NaN) }, 'choices', /NaN/],
  ])('is refused: %s', async (_, space, argument, message) => {
    expect(() => requireSpace(space)).toThrow(message);
    for (const use of [decideFeasibility, projector, (s: Space) => sample(s, streamOf('x'), 1)]) {
      const error = await use(space).catch((e: unknown) => e);
      expect([ArgumentError, ShapeError, NotFiniteError].some((type) => error instanceof type)).toBe(true);
      expect(error).toMatchObject({ argument });
    }
  });

  it('is refused with its conflict where a design is wanted', async () => {
    const space = { ...linear({ relation: '>=', bound: 2, label: 'salt >= 2' }) };
    await expect(projector(space)).rejects.toThrow('no design satisfies all of: salt in 0..1; salt >= 2');
    await expect(sample(space, streamOf('x'), 1)).rejects.toThrow(ArgumentError);
  });
});

describe('a design that is none', () => {
  it('is refused', async () => {
    const { project } = await projector(base);
    expect(() => project([0])).toThrow(ShapeError);
    expect(() => project([Number.NaN, 0])).toThrow(NotFiniteError);
    expect(() => violations(base, [0])).toThrow(ShapeError);
    await expect(projector(base, { scale: [1, 0] })).rejects.toThrow(ArgumentError);
    await expect(sample(base, streamOf('x'), 0)).rejects.toThrow(ArgumentError);
  });
});

describe('violations', () => {
  const space: Space = {
    columns: [
      share,
      { kind: 'continuous', lower: 0, upper: 10, step: 0.5 },
      { kind: 'categorical', name: 'solvent', classes: 3 },
    ],
    fixed: [{ column: 1, value: 2, label: 'held at 2' }],
    linear: [
      {
        terms: [
          { column: 0, weight: 1 },
          { column: 1, weight: 1 },
        ],
        relation: '=',
        bound: 2.5,
        label: 'sum is 2.5',
      },
    ],
    cardinality: [{ columns: [0, 1], atLeast: 2, atMost: 2, label: 'both' }],
    forbidden: [{ terms: [{ column: 2, classes: [1, 2] }], label: 'only the first solvent' }],
    choices: Float64Array.of(0.5, 2, 0),
  };

  it.each<[number[], string[]]>([
    [[0.5, 2, 0], []],
    [[0.5 + 9e-10, 2, 0], []],
    [
      [0.5 + 3e-9, 2, 0],
      ['sum is 2.5', 'one of the given rows'],
    ],
    [
      [-0.5, 3, 0],
      ['salt in 0..1', 'held at 2', 'one of the given rows'],
    ],
    [
      [0.25, 2.25, 0],
      ['column 1 in steps of 0.5 from 0', 'held at 2', 'one of the given rows'],
    ],
    [
      [0, 2.5, 0],
      ['held at 2', 'both', 'one of the given rows'],
    ],
    [
      [0.5, 2, 1],
      ['only the first solvent', 'one of the given rows'],
    ],
    [
      [0.5, 2, 3],
      ['solvent is 3', 'one of the given rows'],
    ],
    [
      [Number.NaN, 2, 0],
      ['salt is NaN', 'sum is 2.5', 'both', 'one of the given rows'],
    ],
  ])('of %j: %j', (x, broken) => {
    expect(violations(space, x)).toEqual(broken.map((text) => expect.stringContaining(text)));
  });
});
