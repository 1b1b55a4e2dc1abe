/** An array whose length or dimensions do not fit what was asked of it. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';

  constructor(
    /** Name of the offending argument. */
    readonly argument: string,
    message: string,
  ) {
    super(message);
  }
}

/** NaN or an infinity where a finite number is needed. */
export class NotFiniteError extends Error {
  override readonly name = 'NotFiniteError';

  constructor(
    /** Name of the offending argument. */
    readonly argument: string,
    message: string,
  ) {
    super(message);
  }
}

/** A request for more memory than the engine can give. */
export class OutOfMemoryError extends Error {
  override readonly name = 'OutOfMemoryError';

  constructor(
    /** Name of the offending argument. */
    readonly argument: string,
    message: string,
  ) {
    super(message);
  }
}

/** A value outside the range its argument allows. */
export class ArgumentError extends Error {
  override readonly name: string = 'ArgumentError';

  constructor(
    /** Name of the offending argument. */
    readonly argument: string,
    message: string,
  ) {
    super(message);
  }
}

export type EngineFailure = 'aborted' | 'crashed' | 'closed';

/** An engine that stopped before it could answer. */
export class EngineError extends Error {
  override readonly name = 'EngineError';

  constructor(
    readonly reason: EngineFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

// x - x is 0 for finite x alone. Two loops, because one that meets several kinds of arrays is slower.
function areFinite32(values: Float32Array): boolean {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! - values[i]!;
  return sum === 0;
}

function areFinite64(values: Float64Array): boolean {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! - values[i]!;
  return sum === 0;
}

/** Throws `NotFiniteError` at the first NaN or infinity in `values`. */
export function requireFinite(argument: string, values: ArrayLike<number>): void {
  if (values instanceof Float32Array && areFinite32(values)) return;
  if (values instanceof Float64Array && areFinite64(values)) return;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (!Number.isFinite(value)) {
      throw new NotFiniteError(argument, `${argument}[${i}] is ${value}; every value must be finite`);
    }
  }
}

/** Throws `ShapeError` unless `values` holds exactly `length` elements. */
export function requireLength(argument: string, values: ArrayLike<unknown>, length: number): void {
  if (values.length !== length) {
    throw new ShapeError(argument, `${argument} has length ${values.length}; expected ${length}`);
  }
}

/** Throws `ArgumentError` unless `n` is a positive safe integer. */
export function requireCount(argument: string, n: number): void {
  if (!Number.isSafeInteger(n) || n < 1) {
    throw new ArgumentError(argument, `${argument} is ${n}; expected a positive integer`);
  }
}

/** Throws `ArgumentError` unless `n` is a safe integer from 0. */
export function requireSteps(argument: string, n: number): void {
  if (Number.isSafeInteger(n) && n >= 0) return;
  throw new ArgumentError(argument, `${argument} is ${n}; expected a whole number >= 0`);
}

/** Throws `ArgumentError` unless an option is as expected, in the words of `expected`: "a number above 0". */
export function requireOption(
  argument: string,
  given: number | string | boolean | null,
  isGood: boolean,
  expected: string,
): void {
  if (!isGood) throw new ArgumentError(argument, `${argument} is ${given}; expected ${expected}`);
}
