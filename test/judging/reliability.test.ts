import { expect, it } from 'vitest';
import { reliabilityOf } from '../../src/judging/reliability.js';

it('compares chances with what happened, bin by bin', () => {
  const said = [
    { chance: 0, isBetter: 0 },
    { chance: 0.1, isBetter: 1 },
    { chance: 0.7, isBetter: 1 },
    { chance: 0.75, isBetter: 0.5 },
    { chance: 1, isBetter: 1 },
  ];
  expect(reliabilityOf(said)).toEqual([
    { from: 0, to: 0.2, rows: 2, chance: 0.05, share: 0.5 },
    { from: 0.6, to: 0.8, rows: 2, chance: 0.725, share: 0.75 },
    { from: 0.8, to: 1, rows: 1, chance: 1, share: 1 },
  ]);
  expect(reliabilityOf([])).toEqual([]);
});
