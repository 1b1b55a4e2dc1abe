import { describe, expect, it } from 'vitest';
import { optionValue } from '../../src/cli/optionValues.js';

describe('--set', () => {
  it.each([
    ['steps=300', 'steps', 300],
    ['hidden=64', 'hidden', [64]],
    ['hidden=64, 32', 'hidden', [64, 32]],
    ['hidden=[256,256]', 'hidden', [256, 256]],
    ['deviation=[0.02, 1]', 'deviation', [0.02, 1]],
    ['box=null', 'box', null],
    ['bootstrap=true', 'bootstrap', true],
    ['bootstrap=false', 'bootstrap', false],
    ['head=categorical', 'head', 'categorical'],
  ])('reads %s', (text, name, value) => {
    expect(optionValue('--set', text)).toEqual([name, value]);
  });

  it.each(['hidden=wide', 'hidden=[64', 'hidden=[]'])('refuses %s', (text) => {
    expect(() => optionValue('--set', text)).toThrow(
      `--set "${text}": expected numbers, such as "hidden=64,64"`,
    );
  });

  it.each(['steps', '=3', 'steps='])('refuses %s', (text) => {
    expect(() => optionValue('--set', text)).toThrow(
      `--set "${text}": expected a name and a value, such as "steps=300"`,
    );
  });
});
