import { describe, expect, it } from 'vitest';
import {
  ArgumentError,
  EngineError,
  NotFiniteError,
  OutOfMemoryError,
  requireCount,
  requireFinite,
  requireLength,
  ShapeError,
} from '../../src/numeric/errors.js';

function thrownBy(action: () => void): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('errors', () => {
  it.each([
    ['ShapeError', ShapeError],
    ['NotFiniteError', NotFiniteError],
    ['OutOfMemoryError', OutOfMemoryError],
    ['ArgumentError', ArgumentError],
  ] as const)('%s carries its name, argument and message', (name, Type) => {
    const error = new Type('weights', 'weights is too heavy');
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(Type);
    expect(error).toMatchObject({ name, argument: 'weights', message: 'weights is too heavy' });
    expect(String(error)).toBe(`${name}: weights is too heavy`);
  });

  it('EngineError carries a reason and a cause', () => {
    const cause = new RangeError('unreachable');
    const error = new EngineError('crashed', 'the engine trapped', { cause });
    expect(error).toBeInstanceOf(EngineError);
    expect(error).toMatchObject({ name: 'EngineError', reason: 'crashed', message: 'the engine trapped' });
    expect(error.cause).toBe(cause);
    expect('cause' in new EngineError('closed', 'the engine is closed')).toBe(false);
  });
});

describe('requireFinite', () => {
  it('names the first bad index and its value', () => {
    const error = thrownBy(() => requireFinite('x', [0, 1, Number.NEGATIVE_INFINITY, Number.NaN]));
    expect(error).toBeInstanceOf(NotFiniteError);
    expect(error).toMatchObject({ argument: 'x', message: 'x[2] is -Infinity; every value must be finite' });
    expect(() => requireFinite('y', new Float32Array([Number.NaN]))).toThrow('y[0] is NaN');
  });

  it('accepts finite and empty arrays', () => {
    expect(thrownBy(() => requireFinite('x', [-0, Number.MAX_VALUE, 5e-324]))).toBeUndefined();
    expect(thrownBy(() => requireFinite('x', new Float64Array(0)))).toBeUndefined();
  });
});

describe('requireLength', () => {
  it('names both lengths', () => {
    const error = thrownBy(() => requireLength('bias', [1, 2], 3));
    expect(error).toBeInstanceOf(ShapeError);
    expect(error).toMatchObject({ argument: 'bias', message: 'bias has length 2; expected 3' });
    expect(thrownBy(() => requireLength('bias', [1, 2, 3], 3))).toBeUndefined();
  });
});

describe('requireCount', () => {
  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('refuses %d', (n) => {
    const error = thrownBy(() => requireCount('rows', n));
    expect(error).toBeInstanceOf(ArgumentError);
    expect(error).toMatchObject({ argument: 'rows', message: `rows is ${n}; expected a positive integer` });
  });

  it('accepts 1 and the largest safe integer', () => {
    expect(thrownBy(() => requireCount('rows', 1))).toBeUndefined();
    expect(thrownBy(() => requireCount('rows', Number.MAX_SAFE_INTEGER))).toBeUndefined();
  });
});
