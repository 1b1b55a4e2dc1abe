// Numbers of the documents are those of the committed records.
import { expect, it } from 'vitest';
import { pages, withMeasured } from '../../scripts/measured.mjs';

it.each(pages)('%s shows what the records say', (path) => {
  const { text, made } = withMeasured(path);
  expect(text).toBe(made);
});
