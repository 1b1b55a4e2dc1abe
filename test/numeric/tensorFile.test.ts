import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeTensors, encodeTensors, type TensorData } from '../../src/numeric/index.js';

const array = fc.oneof(
  fc.float32Array({ maxLength: 20 }),
  fc.float64Array({ maxLength: 20 }),
  fc.int32Array({ maxLength: 20 }),
  fc.int16Array({ maxLength: 20 }),
);

describe('named arrays as bytes', () => {
  it('come back bit for bit, whatever is in them', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string({ minLength: 1 }).filter((name) => name !== '__metadata__' && name !== '__proto__'),
          array,
        ),
        fc.dictionary(
          fc.string().filter((name) => name !== '__proto__'),
          fc.string(),
        ),
        (arrays, metadata) => {
          const tensors: Record<string, TensorData> = {};
          for (const [name, data] of Object.entries(arrays)) tensors[name] = { shape: [data.length], data };
          const file = decodeTensors(encodeTensors({ tensors, metadata }));
          expect(Object.keys(file.tensors).sort()).toEqual(Object.keys(tensors).sort());
          for (const [name, { data }] of Object.entries(file.tensors)) {
            expect(data.constructor).toBe(arrays[name]!.constructor);
            expect(new Uint8Array(data.buffer)).toEqual(
              new Uint8Array(arrays[name]!.buffer, arrays[name]!.byteOffset, arrays[name]!.byteLength),
            );
          }
          expect({ ...file.metadata }).toEqual({ ...metadata });
        },
      ),
      { seed: 3, numRuns: 100 },
    );
  });

  it('come back from a piece of a larger buffer, as files are read', () => {
    const bytes = encodeTensors({
      metadata: {},
      tensors: {
        a: { shape: [1], data: Float32Array.of(1) },
        b: { shape: [2], data: Float64Array.of(2, 3) },
      },
    });
    const { tensors } = decodeTensors(Buffer.concat([Buffer.of(0), bytes]).subarray(1));
    expect([tensors.a?.data, tensors.b?.data]).toEqual([Float32Array.of(1), Float64Array.of(2, 3)]);
  });

  it('have the layout that other readers of safetensors expect', () => {
    const bytes = encodeTensors({
      tensors: { a: { shape: [1, 2], data: Float32Array.of(1, -2) } },
      metadata: { made: 'here' },
    });
    const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
    expect(length % 8).toBe(0);
    expect(JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)))).toEqual({
      __metadata__: { made: 'here' },
      a: { dtype: 'F32', shape: [1, 2], data_offsets: [0, 8] },
    });
    expect([...bytes.subarray(8 + length)]).toEqual([0, 0, 128, 63, 0, 0, 0, 192]);
  });

  it('are refused with a reason when they are something else', () => {
    const good = encodeTensors({ tensors: { a: { shape: [2], data: Float32Array.of(1, 2) } }, metadata: {} });
    expect(() => decodeTensors(new Uint8Array(3))).toThrow('shorter than 8 bytes');
    expect(() => decodeTensors(good.subarray(0, 20))).toThrow('is cut off');
    expect(() => decodeTensors(good.subarray(0, good.length - 1))).toThrow('a is cut off');
    expect(() => decodeTensors(Uint8Array.from([2, 0, 0, 0, 0, 0, 0, 0, 65, 66]))).toThrow(
      'its header is not JSON',
    );
    const other = new TextEncoder().encode('{"a":{"dtype":"BF16","shape":[1],"data_offsets":[0,2]}}');
    const head = new Uint8Array(8);
    head[0] = other.length;
    expect(() => decodeTensors(Uint8Array.from([...head, ...other, 0, 0]))).toThrow(
      'type BF16; known are F32, F64, I32',
    );
    expect(() =>
      encodeTensors({ tensors: { a: { shape: [3], data: Float32Array.of(1) } }, metadata: {} }),
    ).toThrow('a has 1 numbers, which is not 3');
  });

  it('broken at any byte, they give an error or a file, never anything else', () => {
    const good = encodeTensors({
      tensors: { a: { shape: [2], data: Float32Array.of(1, 2) } },
      metadata: { k: 'v' },
    });
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const bytes = good.slice();
        bytes[at] = byte;
        try {
          decodeTensors(bytes);
        } catch (error) {
          expect((error as Error).name).toBe('ArgumentError');
        }
      }),
      { seed: 4, numRuns: 400 },
    );
  });
});
