/** Numbers of two bytes (IEEE 754 binary16), in which large sets of designs are kept. */
import { ArgumentError } from '../numeric/errors.js';

const float = new DataView(new ArrayBuffer(8));

/** Bits of the nearest half; of two equally near, the one with an even last bit. */
export function halfBits(value: number): number {
  float.setFloat64(0, value);
  const exponent = ((float.getUint32(0) >>> 20) & 0x7ff) - 1023;
  const size = Math.abs(value);
  if (!(size < 65520)) throw new ArgumentError('value', `${value} is beyond the numbers of two bytes`);
  const e = Math.max(exponent, -14);
  const scaled = size * 2 ** (10 - e);
  const down = Math.floor(scaled);
  const rest = scaled - down;
  const rounded = rest > 0.5 || (rest === 0.5 && down % 2 === 1) ? down + 1 : down;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  // A carry out of the fraction raises the exponent by itself.
  return sign | (((e + 14) << 10) + rounded);
}

export function halfValue(bits: number): number {
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  const size = exponent === 0 ? fraction * 2 ** -24 : (fraction + 1024) * 2 ** (exponent - 25);
  return bits & 0x8000 ? -size : size;
}

/** `values` as they are after two bytes each. */
export function roundToHalf(values: Float64Array): Float64Array {
  return values.map((value) => halfValue(halfBits(value)));
}
