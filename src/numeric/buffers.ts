import { BlockAllocator } from './blockAllocator.js';
import type { Instruction, Operand } from './instruction.js';
import * as code from './kernels/opcodes.js';

/** A temporary buffer; where it lies is known once all instructions are. */
export interface Buffer {
  readonly size: number;
  offset: number;
  lastUse: number;
}

export function newBuffer(size: number): { readonly buffer: Buffer } {
  return { buffer: { size, offset: -1, lastUse: -1 } };
}

/** An operand of a draft: a temporary buffer, memory with an address, or nothing. */
export type DraftOperand = { readonly buffer: Buffer } | { readonly at: Operand } | null;

/** An instruction whose temporary operands have no address yet. */
export interface Draft {
  readonly op: number;
  readonly integers: readonly number[];
  readonly floats: readonly number[];
  /** Results first. */
  readonly operands: readonly DraftOperand[];
  /** An operand whose memory the first result may take over if it is not needed any more. */
  readonly reuse?: number;
  /** Elements of packing room. */
  readonly room: number;
}

const bufferOf = (operand: DraftOperand | undefined): Buffer | null =>
  operand && 'buffer' in operand ? operand.buffer : null;

/**
 * Gives every temporary buffer its address: one that is no longer read makes room for the next. `allocate` reserves
 * that many elements for each thread and returns where the first thread's begin.
 */
export function layOut(drafts: readonly Draft[], allocate: (size: number) => number): Instruction[] {
  drafts.forEach((draft, i) => {
    for (const operand of draft.operands) {
      const buffer = bufferOf(operand);
      if (buffer) buffer.lastUse = i;
    }
  });
  const space = new BlockAllocator(0, Number.MAX_SAFE_INTEGER);
  const room = space.allocate(
    'room',
    drafts.reduce((most, draft) => Math.max(most, draft.room), 0),
  );
  const owners = new Map<number, number>();
  drafts.forEach((draft, i) => {
    const buffers = draft.operands.map(bufferOf).filter((buffer) => buffer !== null);
    for (const buffer of buffers) {
      if (buffer.offset >= 0) continue;
      const donor = draft.reuse === undefined ? null : bufferOf(draft.operands[draft.reuse]);
      const isFirst = buffer === bufferOf(draft.operands[0]);
      if (isFirst && donor && donor.lastUse === i && donor.size === buffer.size) buffer.offset = donor.offset;
      else buffer.offset = space.allocate('temporary', buffer.size);
      owners.set(buffer.offset, (owners.get(buffer.offset) ?? 0) + 1);
    }
    for (const buffer of new Set(buffers)) {
      if (buffer.lastUse !== i) continue;
      const left = owners.get(buffer.offset)! - 1;
      owners.set(buffer.offset, left);
      if (left === 0) space.free(buffer.offset);
    }
  });

  const size = space.extent;
  const base = allocate(size);
  const inThread = (offset: number): Operand => ({ base: base + offset, model: 0, group: 0, thread: size });
  return drafts.map(({ op, integers, floats, operands: drafted, room: needsRoom }) => {
    const operands: (Operand | null)[] = drafted.map((operand) => {
      if (!operand) return null;
      return 'at' in operand ? operand.at : inThread(operand.buffer.offset);
    });
    while (operands.length < code.OPERANDS - 1) operands.push(null);
    operands.push(needsRoom > 0 ? inThread(room) : null);
    return { op, integers, floats, operands };
  });
}
