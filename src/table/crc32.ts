/** CRC-32 as gzip, ZIP and Parquet use it (RFC 1952, 8): polynomial 0xedb88320, lowest bit first. */

/** `tables[k][b]`: remainder of byte b with k zero bytes behind it, so that four bytes are taken at a time. */
const tables: readonly Int32Array[] = Array.from({ length: 4 }, () => new Int32Array(256));
for (let byte = 0; byte < 256; byte++) {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  tables[0]![byte] = rest;
}
for (let k = 1; k < 4; k++)
  for (let byte = 0; byte < 256; byte++) {
    const before = tables[k - 1]![byte]!;
    tables[k]![byte] = (before >>> 8) ^ tables[0]![before & 0xff]!;
  }
const [t0, t1, t2, t3] = tables as [Int32Array, Int32Array, Int32Array, Int32Array];

/** The checksum of `bytes`, from 0 to 2^32 - 1; `before` is that of what stands in front of them. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let rest = ~before;
  let i = 0;
  for (; i + 4 <= bytes.length; i += 4) {
    rest ^= bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    rest = t3[rest & 0xff]! ^ t2[(rest >>> 8) & 0xff]! ^ t1[(rest >>> 16) & 0xff]! ^ t0[rest >>> 24]!;
  }
  for (; i < bytes.length; i++) rest = (rest >>> 8) ^ t0[(rest ^ bytes[i]!) & 0xff]!;
  return ~rest >>> 0;
}
