// Tables of options are made from the declarations: node scripts/options.mjs && npm run format
import { expect, it } from 'vitest';
import { pages, withOptions } from '../../scripts/options.mjs';

it.each(pages)('%s shows the options as they are declared', (path) => {
  const { text, made } = withOptions(path);
  expect(text).toBe(made);
});
