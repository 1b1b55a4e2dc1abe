/**
 * Named arrays as bytes, in the safetensors format: 8 bytes length, a JSON header, the numbers, little-endian.
 * Other tools read these files, and what is read is bit for bit what was written.
 */
import { ArgumentError } from './errors.js';

export type TensorArray = Float32Array | Float64Array | Int32Array | Int16Array;

export interface TensorData {
  readonly shape: readonly number[];
  readonly data: TensorArray;
}

export interface TensorFile {
  readonly tensors: Readonly<Record<string, TensorData>>;
  readonly metadata: Readonly<Record<string, string>>;
}

const types = {
  F32: Float32Array,
  F64: Float64Array,
  I32: Int32Array,
  I16: Int16Array,
} as const;
type TypeName = keyof typeof types;

function typeOf(data: TensorArray): TypeName {
  if (data instanceof Float64Array) return 'F64';
  if (data instanceof Int32Array) return 'I32';
  return data instanceof Int16Array ? 'I16' : 'F32';
}

export function encodeTensors({ tensors, metadata }: TensorFile): Uint8Array {
  const header: Record<string, unknown> = { __metadata__: metadata };
  let end = 0;
  const names = Object.keys(tensors);
  for (const name of names) {
    const { shape, data } = tensors[name]!;
    if (shape.reduce((product, n) => product * n, 1) !== data.length) {
      throw new ArgumentError(name, `${name} has ${data.length} numbers, which is not ${shape.join(' x ')}`);
    }
    header[name] = { dtype: typeOf(data), shape, data_offsets: [end, end + data.byteLength] };
    end += data.byteLength;
  }
  const text = JSON.stringify(header);
  // padded with spaces, so that the numbers begin at a multiple of 8 bytes
  const head = new TextEncoder().encode(text);
  const length = Math.ceil(head.length / 8) * 8;
  const bytes = new Uint8Array(8 + length + end).fill(0x20, 8, 8 + length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length), true);
  bytes.set(head, 8);
  let at = 8 + length;
  for (const name of names) {
    const { data } = tensors[name]!;
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  return bytes;
}

/** Throws `ArgumentError` if `bytes` are not what `encodeTensors` makes. */
export function decodeTensors(bytes: Uint8Array): TensorFile {
  const broken = (why: string) => new ArgumentError('bytes', `not a safetensors file: ${why}`);
  if (bytes.length < 8) throw broken('shorter than 8 bytes');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = Number(view.getBigUint64(0, true));
  if (length > bytes.length - 8) throw broken(`its header of ${length} bytes is cut off`);
  let header: Record<string, { dtype?: unknown; shape?: unknown; data_offsets?: unknown }>;
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(8, 8 + length)));
  } catch {
    throw broken('its header is not JSON');
  }
  const { __metadata__: metadata = {}, ...entries } = header;
  const tensors: Record<string, TensorData> = {};
  for (const [name, { dtype, shape, data_offsets: offsets }] of Object.entries(entries)) {
    const Numbers = types[dtype as TypeName];
    if (!Numbers)
      throw broken(`${name} is of type ${String(dtype)}; known are ${Object.keys(types).join(', ')}`);
    if (!isCounts(shape) || !isCounts(offsets) || offsets.length !== 2)
      throw broken(`${name} has no shape or place`);
    const [from, to] = offsets as [number, number];
    const count = shape.reduce((product, n) => product * n, 1);
    if (to - from !== count * Numbers.BYTES_PER_ELEMENT || 8 + length + to > bytes.length) {
      throw broken(`${name} is cut off or of another size than its shape`);
    }
    // A copy, which is aligned; `slice` of a Node Buffer would be a view of all of it.
    const copy = new Uint8Array(bytes.subarray(8 + length + from, 8 + length + to));
    tensors[name] = { shape, data: new Numbers(copy.buffer) };
  }
  return { tensors, metadata: metadata as Record<string, string> };
}

function isCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((n) => Number.isSafeInteger(n) && n >= 0);
}
