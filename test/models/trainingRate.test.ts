import { expect, it } from 'vitest';
import { planFor } from '../../src/evaluation/plan.js';
import { trainingRateFor } from '../../src/models/trainingRate.js';

it('trains at 3e-3 up to 512 inputs and in proportion more slowly beyond them', () => {
  const letters = (columns: number) => ({
    columns: Array.from({ length: columns }, () => ({ kind: 'categorical', classes: 20 }) as const),
  });
  expect(trainingRateFor({ columns: [{ kind: 'continuous', lower: 0, upper: 1 }] })).toBe(3e-3);
  expect(trainingRateFor(letters(25))).toBe(3e-3);
  expect(trainingRateFor(letters(237))).toBeCloseTo((3e-3 * 512) / 4740, 12);
  expect(planFor('balanced', 5000, letters(237)).trainingRate).toBe(trainingRateFor(letters(237)));
});
