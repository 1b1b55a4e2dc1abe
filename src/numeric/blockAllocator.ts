import { OutOfMemoryError } from './errors.js';

/** Blocks start at multiples of this many elements: 64 bytes of float32, a line of the cache. */
const ALIGNMENT = 16;

/**
 * First-fit allocation of numbered elements: hands out offsets, takes them back, merges neighbours. Used for an
 * engine's memory and for the temporary buffers of a program.
 */
export class BlockAllocator {
  private readonly sizes = new Map<number, number>();
  private gaps: { from: number; to: number }[] = [];
  private end: number;

  constructor(
    start: number,
    private readonly limit: number,
  ) {
    this.end = start;
  }

  /** Elements up to the furthest block ever in use. */
  get extent(): number {
    return this.end;
  }

  allocate(argument: string, count: number): number {
    const size = Math.ceil(Math.max(count, 1) / ALIGNMENT) * ALIGNMENT;
    const gap = this.gaps.find(({ from, to }) => to - from >= size);
    let offset: number;
    if (gap) {
      offset = gap.from;
      gap.from += size;
      if (gap.from === gap.to) this.gaps = this.gaps.filter((g) => g !== gap);
    } else {
      offset = this.end;
      if (offset + size > this.limit) {
        throw new OutOfMemoryError(
          argument,
          `${argument} needs ${size} more numbers, but of ${this.limit} only ${this.limit - offset} are left`,
        );
      }
      this.end = offset + size;
    }
    this.sizes.set(offset, size);
    return offset;
  }

  free(offset: number): void {
    const size = this.sizes.get(offset);
    if (size === undefined) return;
    this.sizes.delete(offset);
    this.gaps.push({ from: offset, to: offset + size });
    this.gaps.sort((a, b) => a.from - b.from);
    const merged: { from: number; to: number }[] = [];
    for (const gap of this.gaps) {
      const last = merged.at(-1);
      if (last && last.to === gap.from) last.to = gap.to;
      else merged.push({ ...gap });
    }
    this.gaps = merged;
  }
}
