/** A conformance check, and how it reports what is wrong. */

/** `must`: results are not trustworthy without it. `should`: holds for the built-in ones; others may have reasons not to. */
export type Level = 'must' | 'should';

export interface Check<Context> {
  /** A sentence about the algorithm or the task, without its subject. */
  readonly name: string;
  readonly level: Level;
  /** Throws a `Nonconformity` if it does not hold, `NotAsked` if it does not apply; passes on other errors. */
  readonly check: (context: Context) => Promise<void>;
}

/** The message says what was expected, what was found and what to do. */
export class Nonconformity extends Error {
  override readonly name = 'Nonconformity';
}

/** The check does not apply; the message says why. */
export class NotAsked extends Error {
  override readonly name = 'NotAsked';
}

export function demand(holds: boolean, otherwise: () => string): asserts holds {
  if (!holds) throw new Nonconformity(otherwise());
}

/** The message of whatever was thrown, with the kind of a mistake in code: "TypeError: x is not a function". */
export function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return `something that is no Error (${String(thrown)})`;
  const isMistake = ['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError'].includes(thrown.name);
  const message = thrown.message || 'an error without a message';
  return isMistake || thrown.message === '' ? `${thrown.name}: ${message}` : message;
}

/**
 * The first place where two plain values differ, bit for bit, such as `designs[3] is 1 and 2`; null where none does.
 * A key whose value is undefined is as if it was not there.
 */
export function firstDifference(a: unknown, b: unknown, path = ''): string | null {
  if (Object.is(a, b)) return null;
  if (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null && kindOf(a) === kindOf(b)) {
    const [itemsA, itemsB] = [itemsOf(a), itemsOf(b)];
    if (itemsA && itemsB) {
      if (itemsA.length !== itemsB.length)
        return `${path || 'it'} has length ${itemsA.length} and ${itemsB.length}`;
      for (let i = 0; i < itemsA.length; i++) {
        if (Object.is(itemsA[i], itemsB[i])) continue;
        const found = firstDifference(itemsA[i], itemsB[i], `${path}[${i}]`);
        if (found !== null) return found;
      }
      return null;
    }
    const [partsA, partsB] = [a, b] as Record<string, unknown>[];
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const found = firstDifference(partsA![key], partsB![key], path === '' ? key : `${path}.${key}`);
      if (found !== null) return found;
    }
    return null;
  }
  return `${path || 'it'} is ${shown(a)} and ${shown(b)}`;
}

function kindOf(value: object): string {
  return Object.prototype.toString.call(value);
}

/** Elements of arrays, buffers, maps and sets; undefined for other objects. */
function itemsOf(value: object): ArrayLike<unknown> | undefined {
  if (Array.isArray(value)) return value;
  if (value instanceof DataView) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return value as unknown as ArrayLike<unknown>;
  if (value instanceof Map || value instanceof Set) return [...value];
  return undefined;
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null) return kindOf(value).slice(8, -1);
  if (typeof value === 'string') return JSON.stringify(value);
  return Object.is(value, -0) ? '-0' : String(value);
}
