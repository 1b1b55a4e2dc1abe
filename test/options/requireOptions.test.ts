import { describe, expect, it } from 'vitest';
import { algorithms } from '../../src/algorithms/index.js';
import { ArgumentError } from '../../src/numeric/errors.js';
import { choice, count, defaultsOf, flag, looseOptions, number } from '../../src/options/option.js';
import {
  expectedOf,
  optionFaults,
  parseOption,
  requireOptions,
  requireSomeOptions,
} from '../../src/options/requireOptions.js';

const { nemo, cbas, forward } = algorithms;

describe('--set', () => {
  it.each([
    [nemo, 'steps=300', 'steps', 300],
    [nemo, 'hidden=64', 'hidden', [64]],
    [nemo, 'hidden=64, 32', 'hidden', [64, 32]],
    [nemo, 'hidden=[256,256]', 'hidden', [256, 256]],
    [cbas, 'deviation=[0.02, 1]', 'deviation', [0.02, 1]],
    [cbas, 'deviation=0.02,1', 'deviation', [0.02, 1]],
    [nemo, 'box=null', 'box', null],
    [forward, 'bootstrap=true', 'bootstrap', true],
    [forward, 'bootstrap=false', 'bootstrap', false],
    [nemo, 'head=categorical', 'head', 'categorical'],
    [nemo, 'queryWeight=row', 'queryWeight', 'row'],
    [nemo, 'designRate=0.5', 'designRate', 0.5],
  ])('reads the option of $0.id in %s', ({ id, options }, text, name, value) => {
    expect(parseOption('--set', id, options, text)).toEqual([name, value]);
  });

  it.each([
    ['hidden=wide', 'nemo: hidden is "wide"; expected a list of positive integers'],
    ['hidden=[64', 'nemo: hidden is "[64"; expected a list of positive integers'],
    ['hidden=[]', 'nemo: hidden is "[]"; expected a list of positive integers'],
    ['steps=1.5', 'nemo: steps is 1.5; expected a positive integer'],
    ['steps=1,5', 'nemo: steps is "1,5"; expected a positive integer'],
    ['steps=null', 'nemo: steps is null; expected a positive integer'],
    ['modelRate=Infinity', 'nemo: modelRate is "Infinity"; expected a number >= 0'],
    ['startFrom=Best', `nemo: startFrom is "Best"; expected 'best' or 'worst'; did you mean 'best'?`],
    ['head=softmax', `nemo: head is "softmax"; expected 'logistic' or 'categorical'`],
    ['designRate=Auto', `nemo: designRate is "Auto"; expected 'auto' or a number >= 0; did you mean 'auto'?`],
    ['stpes=3', 'nemo has no option "stpes"; did you mean "steps"?'],
    ['toString=3', /^--set "toString=3": nemo has no option "toString"; it has bins, batchSize, /],
  ])('refuses %s', (text, words) => {
    const says = typeof words === 'string' ? `--set "${text}": ${words}` : words;
    expect(() => parseOption('--set', nemo.id, nemo.options, text)).toThrow(says);
  });

  it.each(['steps', '=3', 'steps='])('refuses %s', (text) => {
    expect(() => parseOption('--set', nemo.id, nemo.options, text)).toThrow(
      `--set "${text}": expected a name and a value, such as "steps=300"`,
    );
  });
});

describe('what an option may be', () => {
  it.each([
    [count(1, ''), 'a positive integer'],
    [count(9, '', { least: 4 }), 'a whole number >= 4'],
    [number(1, '', {}), 'a finite number'],
    [number(1, '', { least: 0 }), 'a number >= 0'],
    [number(1, '', { above: 0 }), 'a number above 0'],
    [number(1, '', { above: 0, most: 1 }), 'a number above 0, at most 1'],
    [number(1, '', { least: 0, most: 1 }), 'a number from 0 to 1'],
    [number(0, '', { least: 0, below: 1 }), 'a number from 0 to below 1'],
    [number(0, '', { above: 0, below: 1 }), 'a number above 0 and below 1'],
    [number(0, '', { most: 1 }), 'a number <= 1'],
    [number(0, '', { below: 1 }), 'a number below 1'],
    [
      number('row', '', { least: 0, none: 'no', words: { row: '', bin: '' } }),
      "null, 'row', 'bin' or a number >= 0",
    ],
    [choice('a', '', { a: '', b: '', c: '' }), "'a', 'b' or 'c'"],
    [flag(true, ''), 'true or false'],
  ])('is said in words (%#)', (option, words) => {
    expect(expectedOf(option)).toBe(words);
  });
});

describe('options', () => {
  const declared = {
    bins: count(20, 'K'),
    rate: number('auto', 'alpha', { above: 0, most: 1, words: { auto: '' } }),
    kind: choice('plain', '', { plain: '', adam: '' }),
  };
  const good = defaultsOf(declared);

  it('that are declared have their defaults', () => {
    expect(good).toEqual({ bins: 20, rate: 'auto', kind: 'plain' });
    expect(() => requireOptions('mine', declared, good)).not.toThrow();
  });

  it('of a wrong literal do not compile', () => {
    // @ts-expect-error
    const wrong: typeof good = { bins: 20, rate: 'Auto', kind: 'plain' };
    // @ts-expect-error
    const other: typeof good = { bins: 20, rate: 0.1, kind: 'Adam' };
    expect(optionFaults('mine', declared, wrong)).toEqual([
      {
        name: 'rate',
        message: `mine: rate is "Auto"; expected 'auto' or a number above 0, at most 1; did you mean 'auto'?`,
      },
    ]);
    expect(optionFaults('mine', declared, other)).toHaveLength(1);
  });

  it.each<[object | null, string, string]>([
    [{ ...good, bins: undefined }, 'bins', 'mine: bins is missing; expected a positive integer, such as 20'],
    [{ ...good, rat: 1 }, 'rat', 'mine has no option "rat"; did you mean "rate"?'],
    [{ ...good, rate: 1.5 }, 'rate', "mine: rate is 1.5; expected 'auto' or a number above 0, at most 1"],
    [null, 'options', 'mine: options is null; expected all its options'],
  ])('are refused with their name (%#)', (given, argument, message) => {
    const check = () => requireOptions('mine', declared, given as Record<string, unknown>);
    expect(check).toThrow(new ArgumentError(argument, message));
    expect(check).toThrow(expect.objectContaining({ argument }));
  });

  it('of which only defaults are known are checked by name and kind', () => {
    const loose = looseOptions({ steps: 3, name: 'a', isOn: true, widths: [1], nothing: null });
    const taken = { steps: 1.5, name: 'b', isOn: false, widths: [], nothing: 7 };
    expect(() => requireSomeOptions('mine', loose, taken)).not.toThrow();
    const faults = optionFaults('mine', loose, { steps: 'x', name: 1, isOn: null, widths: 2, size: 1 });
    expect(faults.map(({ message }) => message)).toEqual([
      'mine: steps is "x"; expected a number, such as 3',
      'mine: name is 1; expected a text, such as "a"',
      'mine: isOn is null; expected true or false',
      'mine: widths is 2; expected a list, such as [1]',
      'mine has no option "size"; it has steps, name, isOn, widths, nothing',
    ]);
    expect(optionFaults('mine', loose, { steps: Number.NaN })).toHaveLength(1);
    expect(parseOption('--set', 'mine', loose, 'widths=1,2')).toEqual(['widths', [1, 2]]);
    expect(parseOption('--set', 'mine', loose, 'nothing=abc')).toEqual(['nothing', 'abc']);
  });
});
