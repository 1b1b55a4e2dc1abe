import { describe, expect, it } from 'vitest';
import { renderReport } from '../../src/report/index.js';
import { curveSummary } from '../../src/report/learningCurves.js';
import { parseMarkup, textOf } from './parseMarkup.js';
import { sampleDocument } from './sampleDocument.js';

const format = { kind: 'decimals', digits: 0, noise: 0 } as const;
const curve = (values: readonly number[], first = 0) =>
  curveSummary(
    values.map((value, i) => ({ iteration: first + 10 * i, value })),
    format,
  );

describe('a curve in words', () => {
  it.each([
    [[80, 90, 100], 'Rose from 80 to 100.'],
    [[80, 104, 76], 'Rose from 80 to 104 at step 10, then fell to 76.'],
    [[80, 40, 76], 'Fell from 80 to 40 at step 10, then rose to 76.'],
    [[80, 82, 60, 61, 40], 'Fell from 80 to 40.'],
    [[50, 90, 10, 60], 'Went between 10 and 90, from 50 to 60.'],
    [[7, 7], 'Stayed near 7 all the way.'],
    [[7], 'Was watched once: 7.'],
  ])('%j', (values, words) => {
    expect(curve(values)).toBe(words);
  });

  it('tells training from search', () => {
    expect(curve([90, 20, 25, 30, 60, 45], -30)).toBe(
      'In training it fell from 90 to 25; in the search it rose from 30 to 60 at step 10, then fell to 45.',
    );
    expect(curve([90, 20], -30)).toBe('In training it fell from 90 to 20.');
  });
});

describe('what the search expects', () => {
  const text = (method: string) => {
    const sample = sampleDocument();
    return textOf(parseMarkup(renderReport({ ...sample, run: { ...sample.run, method } })));
  };

  it('is explained for NEMO, whose networks turn cautious on purpose', () => {
    expect(text('nemo')).toContain('that is how NEMO works, not a failure');
    expect(text('nemo')).toContain('The batch is chosen by other models, fitted to the past rows alone');
  });

  it('is not said of other methods', () => {
    expect(text('gradientAscent')).not.toContain('that is how NEMO works');
  });
});
