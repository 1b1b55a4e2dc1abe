/** Molecules with a measured number, and their fingerprints as bits and as bytes. */
import { ArgumentError, ShapeError } from '../numeric/errors.js';
import type { Fingerprints } from '../problem/molecules.js';
import { shown } from '../problem/tokens.js';
import { parseNumber } from '../table/cellText.js';
import { readTable } from '../table/readTable.js';
import { cellAt } from '../table/table.js';
import { tableFault } from '../table/tableBuilder.js';

export interface MoleculeTable {
  /** For messages. */
  readonly name: string;
  /** N, as written. */
  readonly smiles: readonly string[];
  /** N. */
  readonly y: Float64Array;
  /** Line of each molecule in the file, from 1. */
  readonly lines: Uint32Array;
}

/** A CSV with the columns `smiles` and `y`, both full. */
export async function readMoleculeTable(bytes: Uint8Array, name: string): Promise<MoleculeTable> {
  const table = await readTable(bytes, {
    name,
    delimiter: ',',
    decimal: '.',
    missing: [],
    text: ['smiles', 'y'],
  });
  const [molecules, scores] = ['smiles', 'y'].map((wanted) => {
    const column = table.columns.find((column) => column.name === wanted);
    if (column) return column;
    const found = table.columns.map((column) => shown(column.name)).join(', ');
    throw tableFault(name, `has no column "${wanted}"; its columns are ${found}`);
  });
  if (table.rows === 0) throw tableFault(name, 'has no molecules');
  const lines = table.lines ?? Uint32Array.from({ length: table.rows }, (_, row) => row + 2);
  const smiles: string[] = [];
  const y = new Float64Array(table.rows);
  for (let row = 0; row < table.rows; row++) {
    const molecule = cellAt(molecules!, row);
    const score = cellAt(scores!, row);
    if (molecule === null) throw tableFault(name, 'the molecule is missing', lines[row], 'smiles');
    if (score === null) throw tableFault(name, 'the number is missing', lines[row], 'y');
    y[row] = parseNumber(String(score), '.');
    if (!Number.isFinite(y[row])) {
      throw tableFault(name, `${shown(String(score))} is no number`, lines[row], 'y');
    }
    smiles.push(String(molecule));
  }
  return { name, smiles, y, lines };
}

/** N x bits, 0 or 1. */
export function printsOf(table: MoleculeTable, fingerprints: Fingerprints, bits: number): Uint8Array {
  const prints = new Uint8Array(table.smiles.length * bits);
  table.smiles.forEach((smiles, row) => {
    const print = fingerprints(smiles);
    if (!print) {
      const message = `${shown(smiles)} is not a molecule in SMILES notation`;
      throw tableFault(table.name, message, table.lines[row], 'smiles');
    }
    if (print.length !== bits) {
      throw new ArgumentError('fingerprints', `a fingerprint has ${print.length} bits; expected ${bits}`);
    }
    prints.set(print, row * bits);
  });
  return prints;
}

/** Eight bits a byte, the first in its lowest place. */
export function packBits(bits: Uint8Array): Uint8Array {
  const packed = new Uint8Array(Math.ceil(bits.length / 8));
  bits.forEach((bit, i) => {
    packed[i >> 3]! |= bit << (i & 7);
  });
  return packed;
}

export function unpackBits(packed: Uint8Array, count: number): Uint8Array {
  if (packed.length !== Math.ceil(count / 8)) {
    throw new ShapeError('packed', `packed has ${packed.length} bytes; ${count} bits need another number`);
  }
  return Uint8Array.from({ length: count }, (_, i) => (packed[i >> 3]! >> (i & 7)) & 1);
}

/** 32-bit FNV-1a of scores and fingerprints: whether both are what they were. */
export function checksumOf(y: Float64Array, prints: Uint8Array): number {
  const view = new DataView(new ArrayBuffer(8));
  let hash = 0x811c9dc5;
  const add = (byte: number) => {
    hash = Math.imul(hash ^ byte, 0x01000193);
  };
  for (const score of y) {
    view.setFloat64(0, score, true);
    for (let i = 0; i < 8; i++) add(view.getUint8(i));
  }
  packBits(prints).forEach(add);
  return hash >>> 0;
}
