// The measured part of docs/design.md is that of the committed records.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { page, withMeasured } from '../../scripts/designPage.mjs';

it('docs/design.md shows what the records say', () => {
  const text = readFileSync(page, 'utf8');
  expect(withMeasured(text)).toBe(text);
});
