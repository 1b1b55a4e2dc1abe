import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checksumOf,
  packBits,
  printsOf,
  readMoleculeTable,
  unpackBits,
} from '../../src/tasks/moleculeTable.js';
import { chainPrint, chainsCsv } from './moleculeFixture.js';

const read = (text: string) => readMoleculeTable(new TextEncoder().encode(text), 'molecules.csv');

describe('a table of molecules', () => {
  it('has molecules as written, numbers and lines', async () => {
    const table = await read('smiles,y\nCC(=O)O,4.5\nN,7\n"C[N+](C)C",-1e-2\n');
    expect(table.smiles).toEqual(['CC(=O)O', 'N', 'C[N+](C)C']);
    expect([...table.y]).toEqual([4.5, 7, -0.01]);
    expect([...table.lines]).toEqual([2, 3, 4]);
  });

  it('is read whole, in any order of columns', async () => {
    const csv = chainsCsv(40);
    const swapped = csv.replaceAll(/^(.+),(.+)$/gm, '$2,$1');
    const [table, other] = [await read(csv), await read(swapped)];
    expect(table.smiles).toHaveLength(40);
    expect(other.smiles).toEqual(table.smiles);
    expect(other.y).toEqual(table.y);
  });

  it.each([
    ['smiles,pKi\nC,1\n', 'molecules.csv: has no column "y"; its columns are "smiles", "pKi"'],
    ['smiles,y\nC,1\nCC,\n', 'molecules.csv:3, column "y": the number is missing'],
    ['smiles,y\nC,1\n,2\nCC,3\n', 'molecules.csv:3, column "smiles": the molecule is missing'],
    ['smiles,y\nC,1\nCC,high\nCCC,2\n', 'molecules.csv:3, column "y": "high" is no number'],
    ['smiles,y\nC,1\nCC,<5\n', 'molecules.csv:3, column "y": "<5" is no number'],
    ['smiles,y\nC,NaN\n', 'molecules.csv:2, column "y": "NaN" is no number'],
    ['smiles,y\n', 'molecules.csv'],
  ])('is refused with its place: %j', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  it('names the line of what is no molecule', async () => {
    const table = await read('smiles,y\nCC,1\nCxC,2\n');
    expect(() => printsOf(table, chainPrint(32), 32)).toThrow(
      'molecules.csv:3, column "smiles": "CxC" is not a molecule in SMILES notation',
    );
    expect(() => printsOf(table, chainPrint(16), 32)).toThrow('a fingerprint has 16 bits; expected 32');
  });

  it('has a row of bits for each molecule', async () => {
    const table = await read('smiles,y\nC,1\nNO,2\n');
    // C is 1; N is 2, NO is 13, O is 3
    const wanted = [[1], [2, 3, 13]].flatMap((on) => Array.from({ length: 16 }, (_, b) => +on.includes(b)));
    expect([...printsOf(table, chainPrint(16), 16)]).toEqual(wanted);
  });
});

describe('packed bits', () => {
  it('begin in the lowest place', () => {
    expect([...packBits(Uint8Array.of(1, 0, 0, 0, 0, 0, 1, 0, 0, 1))]).toEqual([0b01000001, 0b10]);
  });

  it('come back', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1 })), (bits) => {
        expect([...unpackBits(packBits(Uint8Array.from(bits)), bits.length)]).toEqual(bits);
      }),
    );
    expect(() => unpackBits(new Uint8Array(2), 17)).toThrow(
      'packed has 2 bytes; 17 bits need another number',
    );
  });
});

describe('the checksum', () => {
  it('is FNV-1a', () => {
    // 32-bit FNV-1a of nothing, and of the byte 0x61 (isthe.com/chongo/tech/comp/fnv)
    expect(checksumOf(new Float64Array(0), new Uint8Array(0))).toBe(0x811c9dc5);
    expect(checksumOf(new Float64Array(0), Uint8Array.of(1, 0, 0, 0, 0, 1, 1, 0))).toBe(0xe40c292c);
  });

  it('changes with one bit and with one score', () => {
    const [y, prints] = [Float64Array.of(1, 2), Uint8Array.of(1, 0, 1, 1, 0, 0, 0, 1)];
    const sums = [
      checksumOf(y, prints),
      checksumOf(y, prints.with(1, 1)),
      checksumOf(Float64Array.of(1, 2 + 2 ** -51), prints),
    ];
    expect(new Set(sums).size).toBe(3);
  });
});
