import { describe, expect, it } from 'vitest';
import type { Profile, RunDocument } from '../../src/design/runDocument.js';
import { documentFormats } from '../../src/report/documentFormats.js';
import { profileCharts } from '../../src/report/profileChart.js';
import { byName, parseMarkup, textOf } from './parseMarkup.js';
import { sampleDocument } from './sampleDocument.js';

/** The panel of a column that was seen from `min` to `max`; the larger, the better. */
function panelOf(min: number, max: number, values: readonly number[]): ReturnType<typeof parseMarkup> {
  const profile: Profile = {
    column: 'frequency',
    kind: 'number',
    at: min,
    seen: { min, max },
    points: values.map((value) => ({ value, expected: value, lo80: value - 1, hi80: value + 1, gamma: 0 })),
  };
  const document: RunDocument = { ...sampleDocument(), profiles: [profile] };
  return parseMarkup(profileCharts(document, documentFormats(document))!.text);
}

describe('a column moved by itself', () => {
  it('is not drawn below 0 where it never was', () => {
    const ticks = (min: number) =>
      byName(panelOf(min, 100, [-60, -30, 0, 20, 40, 60, 80, 100]), 'text').map(textOf);
    expect(ticks(-60)).toContain('\u221250');
    expect(ticks(0).filter((text) => text.startsWith('\u2212'))).toEqual([]);
    expect(ticks(0)).toContain('100');
  });

  it('has its best inside what past rows cover', () => {
    const caption = textOf(byName(panelOf(0, 50, [0, 10, 20, 30, 40, 50, 60, 70]), 'figcaption')[0]!);
    expect(caption).toContain('Best near 50: expected 50.0');
  });
});
