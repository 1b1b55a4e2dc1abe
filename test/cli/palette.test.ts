import { describe, expect, it } from 'vitest';
import { wantsColor } from '../../src/cli/palette.js';

describe('colours', () => {
  it.each([
    [true, {}, [], true],
    [false, {}, [], false],
    [true, { TERM: 'dumb' }, [], false],
    [true, { NO_COLOR: '1' }, [], false],
    [true, { NO_COLOR: '' }, [], true],
    [false, { FORCE_COLOR: '1' }, [], true],
    [true, { FORCE_COLOR: '0' }, [], false],
    [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, [], false],
    [false, { FORCE_COLOR: '1' }, ['check', '--no-color'], false],
  ] as const)('terminal %s, %o, %o: %s', (isTerminal, env, argv, expected) => {
    expect(wantsColor(isTerminal, env, argv)).toBe(expected);
  });
});
