/**
 * Molecules as columns of a design: the bits of their fingerprints that vary. A design is one of the molecules given;
 * bits are climbed one by one, but no molecule is made up from them.
 */
import { ArgumentError } from '../numeric/errors.js';
import type { ListedColumns } from '../space/space.js';
import { cellAt, type Table } from '../table/table.js';
import { tableFault } from '../table/tableBuilder.js';
import { shown } from './tokens.js';

/** The fingerprint of a molecule in SMILES notation, 0 or 1 per bit; null if the text is no molecule. */
export type Fingerprints = (smiles: string) => Uint8Array | null;

export interface MoleculeColumn {
  readonly name: string;
  readonly kind: 'molecule';
  /** As written, each text once. */
  readonly molecules: readonly string[];
  /** Per molecule, the bits that are not the same in all of them. Of those with the same bits the first stands for all. */
  readonly prints: readonly Uint8Array[];
}

/** Rows of a table whose molecules may be chosen. */
export interface MoleculeSource {
  readonly table: Table;
  readonly rows: readonly number[];
}

/** The molecules of a column with what is worth a note, or why the column says nothing. */
export type MoleculeReading =
  | { readonly column: MoleculeColumn; readonly notes: readonly string[] }
  | { readonly reason: string };

export function readMolecules(
  name: string,
  sources: readonly MoleculeSource[],
  fingerprints: Fingerprints,
): MoleculeReading {
  const whole = new Map<string, Uint8Array>();
  for (const { table, rows } of sources) {
    const column = table.columns.find((candidate) => candidate.name === name);
    for (const row of column ? rows : []) {
      const cell = cellAt(column!, row);
      if (cell === null || whole.has(String(cell))) continue;
      const print = fingerprints(String(cell));
      if (!print) {
        const message = `${shown(String(cell))} is not a molecule in SMILES notation; correct it, or leave the cell empty`;
        throw tableFault(table.name, message, table.lines?.[row], name);
      }
      whole.set(String(cell), print);
    }
  }
  const molecules = [...whole.keys()];
  const prints = [...whole.values()];
  const bits = prints[0]?.length ?? 0;
  if (prints.some((print) => print.length !== bits))
    throw new ArgumentError('fingerprints', 'fingerprints of two molecules differ in length');
  const varying = Array.from({ length: bits }, (_, b) => b).filter((b) =>
    prints.some((print) => print[b] !== prints[0]![b]),
  );
  if (varying.length === 0) return { reason: 'its molecules all have the same fingerprint' };
  const column: MoleculeColumn = {
    name,
    kind: 'molecule',
    molecules,
    prints: prints.map((print) => Uint8Array.from(varying, (b) => print[b]!)),
  };
  const note = `${shown(name)} is modelled by ${varying.length} bits of the fingerprints of ${molecules.length} molecules; designs are chosen among these`;
  return { column, notes: [note, ...sharedPrints(column)] };
}

function sharedPrints(column: MoleculeColumn): string[] {
  const first = firstWithPrint(column);
  const pairs = column.molecules.flatMap((text, i) =>
    first[i] === i ? [] : [`${shown(column.molecules[first[i]!]!)} stands for ${shown(text)}`],
  );
  if (pairs.length === 0) return [];
  const some = pairs.slice(0, 3).join(', ') + (pairs.length > 3 ? `, and ${pairs.length - 3} more` : '');
  return [
    `${shown(column.name)} has molecules with the same fingerprint, which are one to the model: ${some}`,
  ];
}

/** Per molecule, the number of the first one with its bits. */
function firstWithPrint({ prints }: MoleculeColumn): number[] {
  const first = new Map<string, number>();
  return prints.map((print, i) => {
    const key = print.join('');
    if (!first.has(key)) first.set(key, i);
    return first.get(key)!;
  });
}

/** The bits of a molecule, or undefined if it is none of the column's. */
export function bitsOf({ molecules, prints }: MoleculeColumn, smiles: string): number[] | undefined {
  const index = molecules.indexOf(smiles);
  return index < 0 ? undefined : Array.from(prints[index]!);
}

/** The molecule with these bits. */
export function moleculeOf({ name, molecules, prints }: MoleculeColumn, bits: readonly number[]): string {
  const index = prints.findIndex((print) => print.every((bit, i) => Math.abs(bits[i]! - bit) < 1e-6));
  if (index >= 0) return molecules[index]!;
  throw new ArgumentError('x', `${shown(name)} has bits that belong to none of its molecules`);
}

/** The list that ties the bits together, whose columns begin at `start`; a fixed molecule is a list of one. */
export function listOf(
  column: MoleculeColumn,
  start: number,
  fixed?: { readonly bits: readonly number[]; readonly label: string },
): ListedColumns {
  const columns = Array.from(column.prints[0]!, (_, i) => start + i);
  if (fixed) return { columns, rows: Float64Array.from(fixed.bits), label: fixed.label };
  const first = firstWithPrint(column);
  const kept = column.prints.filter((_, i) => first[i] === i);
  const label = `${column.name} is one of ${kept.length} molecules`;
  return { columns, rows: Float64Array.from(kept.flatMap((print) => [...print])), label };
}
