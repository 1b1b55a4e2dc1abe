import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { givenOptions, nextCommand } from '../../src/cli/check.js';
import { isPortable, shellQuote } from '../../src/cli/shellQuote.js';
import type { CheckReport } from '../../src/problem/index.js';

const words = [
  'past.csv',
  'my data/past runs.csv',
  'C:/labs/past.csv',
  'max yield',
  'a*b <= 3',
  'forbid a != x and b > 3',
  'temp=20..90 step 5',
  'id,operator',
  "Kundenname's Spalte",
  'größe <= 4 & b >= 2 | c; (d) ^2 ~ # [x] {y} ?',
  '-B',
];
const hasBash = spawnSync('bash', ['-c', 'true']).status === 0;
if (!hasBash) console.log('bash is not there: commands are not run in it');

describe('words of a command', () => {
  it.skipIf(!hasBash).each([...words, 'a "b"', 'cost in $', 'it `is`', 'x!y', 'back\\slash\\'])(
    'bash reads %s back',
    (word) => {
      const { stdout } = spawnSync('bash', ['-c', `printf %s ${shellQuote(word)}`], { encoding: 'utf8' });
      expect(stdout).toBe(word);
    },
  );

  it.each(words)('%s needs double quotes at most', (word) => {
    expect(isPortable(word)).toBe(true);
    expect(shellQuote(word)).toMatch(/^(?:[\w.:/=+-]+|"[^"$`%]*")$/);
  });

  it.each(['a "b" <= 3', 'cost in $', '`a b` <= 3', '100 %', 'x!y', 'ends in \\', 'two\nlines'])(
    '%j can be typed in no way that all shells share',
    (word) => expect(isPortable(word)).toBe(false),
  );
});

describe('the next command', () => {
  const report = { conflict: [], goals: ['max yield'] } as unknown as CheckReport;
  const typed = (...given: string[]) => givenOptions(['node', 'nemokit', 'check', ...given], 'my past.csv');

  it('carries every option that was given', () => {
    const given = typed(
      'my past.csv',
      '--goal',
      'max yield',
      '--constraint',
      'a*b <= 3',
      '--all',
      '--delimiter',
      ';',
      '--add',
      'new.csv',
    );
    expect(nextCommand('my past.csv', report, true, ['design'], given)).toBe(
      'nemokit design "my past.csv" --goal "max yield" --constraint "a*b <= 3" --delimiter ";" --add new.csv',
    );
  });

  it('adds the goal that was assumed, and takes the table out wherever it stands', () => {
    const given = typed('--ignore', 'id', '--json', 'my past.csv', '--add', 'my past.csv');
    expect(nextCommand('my past.csv', report, false, ['design'], given)).toBe(
      'nemokit design "my past.csv" --ignore id --add "my past.csv" --goal "max yield"',
    );
  });

  it('points to a problem file where shells differ', () => {
    const given = typed('my past.csv', '--constraint', '"flow rate" <= 3');
    expect(nextCommand('my past.csv', report, false, ['design'], given)).toMatch(
      /^nemokit init "my past\.csv", and write/,
    );
  });
});
