import { expect, it } from 'vitest';
import { studioLink } from '../../src/report/studioLink.js';

it('leads to the run by the name of its folder, and nowhere with other names', () => {
  expect(studioLink('runs/2026-11-15-yield-7f3a')).toBe('http://127.0.0.1:4748/run/2026-11-15-yield-7f3a');
  expect(studioLink('C:\\work\\run_1\\')).toBe('http://127.0.0.1:4748/run/run_1');
  for (const name of ['', '/', 'a b', 'runs/"><script>', 'ä', '\ud800']) expect(studioLink(name)).toBeNull();
});
