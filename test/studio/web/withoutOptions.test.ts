import { describe, expect, it } from 'vitest';
import { withoutOptions } from '../../../src/studio/web/parts/withoutOptions.js';

describe('notes on a page', () => {
  it.each([
    [
      'Column "pH": "n.d." (line 5) is read as missing; --text pH keeps the texts.',
      'Column "pH": "n.d." (line 5) is read as missing.',
    ],
    [
      'Column "y": 2 cells such as "oops" (line 8) are no number and read as missing; --missing "oops,leak" says the same, --text y keeps the texts.',
      'Column "y": 2 cells such as "oops" (line 8) are no number and read as missing.',
    ],
    [
      'Column "y" is text because of "oops" (line 8); 11 of 12 cells looked at are numbers. If that text means a missing value, give --missing oops.',
      'Column "y" is text because of "oops" (line 8); 11 of 12 cells looked at are numbers.',
    ],
    ['leave it out: --ignore "a"', 'leave it out.'],
    [
      'write the column in a smaller unit, or leave it out with --ignore',
      'write the column in a smaller unit, or leave it out.',
    ],
    ['pH is 3 to 9, and -- as usual -- no more', 'pH is 3 to 9, and -- as usual -- no more'],
  ])('%s', (note, shown) => {
    expect(withoutOptions(note)).toBe(shown);
  });
});
