import { describe, expect, it } from 'vitest';
import { styledLines, terminalPicture, withoutColours } from '../../scripts/terminalPicture.mjs';

const sent = '\u001b[1mVerdict\u001b[22m  \u001b[32mLIKELY\u001b[39m & more\n  \u001b[2ma <b>\u001b[22m';

describe('text of a terminal', () => {
  it('falls into pieces of one look', () => {
    const [first, second] = styledLines(sent);
    expect(first!.map(({ text }) => text)).toEqual(['Verdict', '  ', 'LIKELY', ' & more']);
    expect(first!.map(({ look }) => look.bold)).toEqual([true, false, false, false]);
    expect(new Set(first!.map(({ look }) => look.colour)).size).toBe(2);
    expect(second!.map(({ look }) => look.dim)).toEqual([false, true]);
  });

  it('carries a look over lines until it ends', () => {
    const bold = styledLines('\u001b[1;36ma\nb\u001b[0m\nc').map(([piece]) => piece!.look.bold);
    expect(bold).toEqual([true, true, false]);
  });

  it('is plain without its codes', () => {
    expect(withoutColours(sent)).toBe('Verdict  LIKELY & more\n  a <b>');
  });
});

describe('its picture', () => {
  const picture = terminalPicture(sent, 'a & b');

  it('has each piece at its cell, escaped', () => {
    expect(picture).toContain('<title>a &amp; b</title>');
    // Two letters of 8.4 behind a margin of 20; the second line, 19 below the first.
    expect(picture).toContain('x="36.8" y="53" textLength="42.0" opacity="0.65">a &lt;b&gt;</text>');
    expect(picture).toContain('textLength="58.8" font-weight="700">Verdict</text>');
    expect(picture).not.toContain('\u001b');
  });

  it('keeps columns in their place', () => {
    const columns = terminalPicture('  #   Cement  80 % range', '');
    expect(columns).toContain('x="36.8" y="34" textLength="8.4">#</text>');
    expect(columns).toContain('x="70.4" y="34" textLength="50.4">Cement</text>');
    expect(columns).toContain('x="137.6" y="34" textLength="84.0">80 % range</text>');
  });

  it('is as large as its text', () => {
    expect(picture).toContain(`viewBox="0 0 ${Math.ceil(40 + 22 * 8.4)} 78"`);
  });
});
