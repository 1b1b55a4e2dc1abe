/** What a saved state has to be before anything goes on with it: plain data, and what every design run has. */
import { z } from 'zod';

const step = z.int().min(-1e7).max(1e9);

const savedProcess = z.looseObject({
  members: z.array(z.looseObject({ theta: z.array(z.number()).max(1e6) })).max(100),
  rows: z.array(z.int().min(0)).max(1e6),
});

/** The parts of a `DesignState` (design/designRun.ts) that steer it; all else is checked where it is used. */
const stateSchema = z.looseObject({
  validation: z.looseObject({ step: step.min(0) }),
  processes: z.array(savedProcess).max(1000).nullable(),
  judges: z.looseObject({ processes: z.array(savedProcess).max(1000) }).nullable(),
  climbed: step.min(0).max(100),
  algorithm: z.looseObject({ iteration: step }).nullable(),
  pool: z.array(z.instanceof(Float64Array)).max(1e5),
  curves: z
    .array(
      z.record(
        z.string(),
        z.custom((value) => typeof value === 'number'),
      ),
    )
    .max(1e7),
});

/** Why `state` is not a state of a design run, or undefined. */
export function designStateFault(state: unknown): string | undefined {
  const [issue] = stateSchema.safeParse(state).error?.issues ?? [];
  return issue && `${issue.path.join('.') || 'the state'} is not what a run saves`;
}

/** Why `state` is not plain data, or undefined. */
export function plainFault(state: unknown): string | undefined {
  return oddPart(state, 0);
}

const DEEPEST = 50;

function oddPart(value: unknown, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return undefined;
  if (depth > DEEPEST) return 'it is nested without end';
  if (Array.isArray(value)) return firstOdd(value, depth);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    return `it holds a ${(prototype as { constructor?: { name?: string } }).constructor?.name ?? 'strange object'}`;
  return firstOdd(Object.values(value), depth);
}

function firstOdd(values: readonly unknown[], depth: number): string | undefined {
  for (const value of values) {
    const odd = oddPart(value, depth + 1);
    if (odd) return odd;
  }
  return undefined;
}
