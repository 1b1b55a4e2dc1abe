import { expect, it } from 'vitest';
import { checkAllOrders } from './interleavings.js';
import { ours, runsOf } from './protocol.js';

it('all orders of accesses of 3 threads and two runs of 2 groups: each group once, with its own words', () => {
  const verdict = checkAllOrders(runsOf([2, 2], 3, ours));
  expect(verdict.fault, verdict.trace.join('\n')).toBeNull();
  expect(verdict.states).toBe(826_291);
});
