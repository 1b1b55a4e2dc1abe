import { crc32 as zlibCrc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { crc32 } from '../../src/table/crc32.js';

it('is the checksum of the standard', () => {
  // check value of CRC-32/ISO-HDLC in the catalogue of parametrised CRC algorithms
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
  expect(crc32(new Uint8Array(0))).toBe(0);
});

it('equals zlib at every length and from every start', () => {
  const bytes = Uint8Array.from({ length: 300 }, (_, i) => (i * 167 + 13) & 0xff);
  for (let length = 0; length <= bytes.length; length += 7) {
    const all = bytes.subarray(0, length);
    expect(crc32(all)).toBe(zlibCrc32(all));
    const cut = Math.floor(length / 3);
    expect(crc32(all.subarray(cut), crc32(all.subarray(0, cut)))).toBe(zlibCrc32(all));
  }
});
