import { describe, expect, it } from 'vitest';
import {
  attend,
  begin,
  DONE,
  GENERATION,
  GROUPS,
  type Kernels,
  LEFT,
  LENGTH,
  MODELS,
  PROGRAM,
} from '../../../src/numeric/threads/share.js';
import { checkAllOrders } from './interleavings.js';
import { ours, type Protocol, runsOf } from './protocol.js';

describe('the protocol of threads, in all orders of accesses', () => {
  it.each([
    { groups: [1, 2, 3], states: 99_902 },
    { groups: [3, 1, 2], states: 37_223 },
    { groups: [2, 4], states: 64_748 },
  ])('2 threads and runs of $groups groups: each group once, with its own words', ({ groups, states }) => {
    const verdict = checkAllOrders(runsOf(groups, 2, ours));
    expect(verdict.fault, verdict.trace.join('\n')).toBeNull();
    // a smaller number would mean that orders were left out
    expect(verdict.states).toBe(states);
  });

  // the checker must see what it is there for: each of these has a fault
  it('finds the fault of 0.1.0: a claim that reads the number of groups apart', () => {
    const old: Protocol = {
      begin(control, { program, length, models, groups }) {
        const generation = Atomics.load(control, GENERATION) + 1;
        Atomics.store(control, PROGRAM, program);
        Atomics.store(control, LENGTH, length);
        Atomics.store(control, MODELS, models);
        Atomics.store(control, GROUPS, groups);
        Atomics.store(control, DONE, 0);
        Atomics.store(control, LEFT, generation << 8);
        Atomics.store(control, GENERATION, generation);
        Atomics.notify(control, GENERATION);
      },
      share: (kernels, control, thread) =>
        void oldShare(kernels, control, Atomics.load(control, GENERATION), thread),
      attend(kernels, control, thread, seen, onLast) {
        Atomics.wait(control, GENERATION, seen);
        const generation = Atomics.load(control, GENERATION);
        if (oldShare(kernels, control, generation, thread)) onLast();
        return generation;
      },
    };
    const { fault, trace } = checkAllOrders(runsOf([1, 2], 2, old));
    expect(fault, trace.join('\n')).toMatch(/which is in no run|twice|over before/);
  });

  it('finds a run that is opened before its words are stored', () => {
    const early: Protocol = {
      ...ours,
      begin(control, work) {
        Atomics.store(control, LEFT, work.groups);
        begin(control, work);
      },
    };
    expect(checkAllOrders(runsOf([1, 2], 2, early)).fault).not.toBeNull();
  });

  it('finds a message that is never sent', () => {
    const mute: Protocol = {
      ...ours,
      attend: (kernels, control, thread, seen) => attend(kernels, control, thread, seen, () => {}),
    };
    expect(checkAllOrders(runsOf([2], 2, mute)).fault).toBe('the caller waits forever');
  });
});

/** `share` of 0.1.0. */
function oldShare(kernels: Kernels, control: Int32Array, generation: number, thread: number): boolean {
  const program = Atomics.load(control, PROGRAM);
  const length = Atomics.load(control, LENGTH);
  const models = Atomics.load(control, MODELS);
  const groups = Atomics.load(control, GROUPS);
  const claim = () => {
    const most = Atomics.load(control, GROUPS);
    for (;;) {
      const word = Atomics.load(control, LEFT);
      const group = word & 0xff;
      if (word >> 8 !== generation || group >= most) return -1;
      if (Atomics.compareExchange(control, LEFT, word, word + 1) === word) return group;
    }
  };
  let finished = false;
  for (let group = claim(); group >= 0; group = claim()) {
    const first = Math.floor((group * models) / groups);
    const last = Math.floor(((group + 1) * models) / groups);
    kernels.run(program, length, first, last, group, thread);
    finished = Atomics.add(control, DONE, 1) + 1 === groups;
  }
  return finished;
}
