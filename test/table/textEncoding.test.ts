import { describe, expect, it } from 'vitest';
import { readTable } from '../../src/table/readTable.js';
import { cells, faultOf, utf8 } from './reading.js';

const text = 'T°,größe\n1,ä\n2,€\n';
const littleEndian = (value: string) => Uint8Array.from(Buffer.from(value, 'utf16le'));
const bigEndian = (value: string) => Uint8Array.from(Buffer.from(value, 'utf16le').swap16());
const joined = (...parts: Uint8Array[]) => Uint8Array.from(Buffer.concat(parts));

describe('text', () => {
  it.each([
    ['UTF-8', utf8(text)],
    ['UTF-8 with mark', joined(Uint8Array.of(0xef, 0xbb, 0xbf), utf8(text))],
    ['UTF-16 LE with mark', joined(Uint8Array.of(0xff, 0xfe), littleEndian(text))],
    ['UTF-16 BE with mark', joined(Uint8Array.of(0xfe, 0xff), bigEndian(text))],
    ['UTF-16 LE', littleEndian(text)],
    ['UTF-16 BE', bigEndian(text)],
  ])('is read as %s', async (name, bytes) => {
    const table = await readTable(bytes);
    expect(table.columns.map((column) => column.name)).toEqual(['T°', 'größe']);
    expect(cells(table, 'größe')).toEqual(['ä', '€']);
    expect(table.notes.some((note) => note.startsWith('The text is encoded as UTF-16'))).toBe(
      name.startsWith('UTF-16'),
    );
  });

  it('that is no UTF-8 is read as Latin-1, with a note', async () => {
    const table = await readTable(Uint8Array.from(Buffer.from('a,b\n1,gr\xfcn\n2,5\xb5m\n', 'latin1')));
    expect(cells(table, 'b')).toEqual(['grün', '5µm']);
    expect(table.notes).toContain('The text is not UTF-8; it is read as Latin-1 (Windows-1252).');
  });

  it('is the same however its bytes are cut', async () => {
    const bytes = utf8('a;größe\r\n1,5;"ä\r\nö"\r\n2,5;€😀\r\n');
    for (let size = 1; size < bytes.length; size++) {
      const chunks = async function* () {
        for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
      };
      const table = await readTable(chunks());
      expect(cells(table, 'a')).toEqual([1.5, 2.5]);
      expect(cells(table, 'größe')).toEqual(['ä\nö', '€😀']);
      expect([...table.lines!]).toEqual([2, 4]);
    }
  });

  it('is cut into batches without losing a character or a line', async () => {
    const rows = Array.from({ length: 200_000 }, (_, i) => `${i},é${i % 7}`);
    const table = await readTable(utf8(`a,b\r\n${rows.join('\r\n')}\r\n`));
    expect(table.rows).toBe(200_000);
    expect(table.lines!.every((line, i) => line === i + 2)).toBe(true);
    expect(cells(table, 'a').every((value, i) => value === i)).toBe(true);
    expect(table.columns[1]).toMatchObject({ levels: ['é0', 'é1', 'é2', 'é3', 'é4', 'é5', 'é6'] });
  });

  it('of two encodings is refused with the line', async () => {
    const good = utf8(`a,b\n${'1,ä\n'.repeat(300_000)}`);
    const bad = Uint8Array.from(Buffer.from('2,\xfc\n', 'latin1'));
    const fault = await faultOf(readTable(joined(good, bad), { name: 'mixed.csv' }));
    expect(fault.message).toMatch(/^mixed\.csv:\d+: mixes UTF-8 with bytes that are no UTF-8/);
    expect(fault.place.line).toBeGreaterThan(1);
    const forced = await readTable(joined(utf8('a,b\n1,x\n'), bad), { encoding: 'latin1' });
    expect(cells(forced, 'b')).toEqual(['x', 'ü']);
  });
});
