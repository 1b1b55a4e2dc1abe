import fc from 'fast-check';
import { expect } from 'vitest';
import { rootKey, Stream } from '../../src/numeric/index.js';

/** Names that need no quotes, names that do, and names made to be confused with the language. */
export const columnName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'a',
    'b2',
    'größe',
    'x.y',
    'forbid',
    'at',
    'in',
    'not',
    'and',
    'if',
    'of',
    'step',
    'max',
    'over',
  ),
  fc.constantFrom(
    'a b',
    '2nd',
    'a"b',
    '`',
    '100',
    '-1',
    'a*b',
    '(',
    '..',
    '±',
    'weight 2',
    '\\',
    ' x ',
    "it's",
    '#',
  ),
  fc.string({ minLength: 1, maxLength: 8, unit: 'binary' }),
);

const words = [
  ...[
    'max',
    'min',
    'target',
    'keep',
    'over',
    'weight',
    'in',
    'pareto',
    'at',
    'most',
    'least',
    'exactly',
    'of',
  ],
  ...['forbid', 'require', 'if', 'and', 'with', 'not', 'step', 'a', 'b', 'solvent', 'water', 'a', 'b', 'a'],
  ...[
    '<=',
    '>=',
    '=',
    '==',
    '<',
    '>',
    '!=',
    '+',
    '-',
    '*',
    '/',
    '^',
    '(',
    ')',
    ',',
    '..',
    '±',
    '+-',
    ';',
    '…',
  ],
  ...[
    '1',
    '2.5',
    '1e3',
    '1e999',
    '.5',
    '0',
    '-0',
    '20..90',
    'NaN',
    'Infinity',
    '1e-400',
    '"a b"',
    '`',
    '"',
    '\\',
  ],
  ...['\n', '\t', '\0', '\u2028', '\ud800', '😀', '\u202e', '__proto__', 'constructor', '${', '%', '#', ':'],
];

const giants = [
  '('.repeat(90_000),
  `${'('.repeat(60)}a${')'.repeat(60)} <= 1`,
  `${'-'.repeat(90_000)}a <= 1`,
  `${'a+'.repeat(40_000)}a <= 1`,
  `${'2*'.repeat(40_000)}a <= 1`,
  `at most 1 of ${'a,'.repeat(40_000)}b`,
  `forbid ${'a=1 and '.repeat(10_000)}a=2`,
  `max ${'x'.repeat(90_000)}`,
  `"${'""'.repeat(40_000)}" <= 1`,
  'a'.repeat(2_000_000),
  '9'.repeat(90_000),
  '.'.repeat(90_000),
  ' '.repeat(90_000),
];

/** Seeded: valid texts with a piece replaced, words of the languages in any order, random characters, giants. */
export function hostileTexts(count: number, valid: readonly string[]): string[] {
  const stream = new Stream(rootKey(4));
  const pick = <T>(list: readonly T[]) => list[stream.integer(list.length)];
  const texts = [...giants, ''];
  while (texts.length < count) {
    const form = stream.integer(3);
    if (form === 0) {
      const text = pick(valid);
      const start = stream.integer(text.length + 1);
      const piece = stream.boolean() ? pick(words) : '';
      texts.push(text.slice(0, start) + piece + text.slice(start + stream.integer(3)));
      continue;
    }
    const parts = Array.from({ length: 1 + stream.integer(12) }, () =>
      form === 1 ? pick(words) : String.fromCharCode(stream.integer(stream.boolean() ? 128 : 65_536)),
    );
    texts.push(parts.join(pick(['', ' '])));
  }
  return texts;
}

export function caught(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('expected an error');
}

export function requireOneLine(error: unknown): void {
  const { message } = error as Error;
  expect(message).not.toMatch(/[\n\r\0\u2028\u2029]/);
  expect(message.length).toBeLessThan(1_000);
}
