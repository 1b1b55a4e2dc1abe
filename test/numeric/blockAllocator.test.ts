import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BlockAllocator } from '../../src/numeric/blockAllocator.js';

describe('allocation', () => {
  it('never hands out the same element twice, and is empty again when all is freed', () => {
    const action = fc.record({ size: fc.integer({ min: 1, max: 50 }), free: fc.nat(10) });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const space = new BlockAllocator(4, 1e6);
        const blocks: { from: number; size: number }[] = [];
        for (const { size, free } of actions) {
          const from = space.allocate('block', size);
          expect(from % 4).toBe(0);
          for (const other of blocks)
            expect(from >= other.from + other.size || from + size <= other.from).toBe(true);
          blocks.push({ from, size });
          if (free < blocks.length) space.free(blocks.splice(free, 1)[0]!.from);
        }
        for (const { from } of blocks) space.free(from);
        // one gap from the start to the end: a block of all of it fits without growing
        const extent = space.extent;
        if (extent > 4) expect(space.allocate('all', extent - 4)).toBe(4);
        expect(space.extent).toBe(extent);
      }),
      { seed: 5, numRuns: 100 },
    );
  });

  it('says what did not fit, and forgives freeing twice', () => {
    const space = new BlockAllocator(0, 64);
    const first = space.allocate('first', 32);
    expect(() => space.allocate('second', 33)).toThrow(
      'second needs 48 more numbers, but of 64 only 32 are left',
    );
    space.free(first);
    space.free(first);
    expect(space.allocate('third', 8)).toBe(0);
  });
});
