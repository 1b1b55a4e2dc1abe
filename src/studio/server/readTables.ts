/** Tables that were read lately, as the desk works with them. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { FileError } from '../../runs/fileError.js';
import { type Manifest, readManifest } from '../../runs/manifest.js';
import { most, readOwn } from '../../runs/ownFile.js';
import { readAsked } from '../../runs/savedRun.js';
import { decodeTable } from '../../runs/tableParquet.js';
import { openTableFile } from '../../table/platform/node.js';
import type { Table } from '../../table/table.js';
import { sheetsOf } from '../answers/index.js';
import type { TablePlace } from './tableShelf.js';

export interface ReadTable {
  readonly table: Table;
  /** As the manifest of a run says where its table came from. */
  readonly source: Manifest['source'];
  readonly sheets: readonly string[];
  readonly sheet: string | null;
}

/** Cells that are kept in memory at most, beside the table that was read last. */
const MOST_CELLS = 2e7;

export class ReadTables {
  /** The last used is the last. */
  readonly #kept = new Map<string, Promise<ReadTable>>();
  readonly #cells = new Map<string, number>();

  /** Throws `TableError` or `FileError`. */
  async get(place: TablePlace): Promise<ReadTable> {
    const found = this.#kept.get(place.id) ?? readPlace(place);
    this.#kept.delete(place.id);
    this.#kept.set(place.id, found);
    try {
      const { table } = await found;
      this.#cells.set(place.id, table.rows * table.columns.length);
    } catch (error) {
      this.#kept.delete(place.id);
      throw error;
    }
    this.#forget(place.id);
    return found;
  }

  #forget(last: string): void {
    let cells = [...this.#kept.keys()].reduce((sum, id) => sum + (this.#cells.get(id) ?? 0), 0);
    for (const id of [...this.#kept.keys()]) {
      if (cells <= MOST_CELLS || id === last) return;
      cells -= this.#cells.get(id) ?? 0;
      this.#kept.delete(id);
      this.#cells.delete(id);
    }
  }
}

async function readPlace(place: TablePlace): Promise<ReadTable> {
  if (place.kind === 'run') {
    const manifest = await readManifest(place.path);
    const { table } = await readAsked(place.path, manifest);
    return { table, source: manifest.source, sheets: [], sheet: null };
  }
  const { path, name, bytes, sha256 } = place;
  const source = { file: name, bytes, sha256 };
  if (place.kind === 'round')
    return {
      table: await decodeTable(await readOwn(path, most.bytes), name),
      source,
      sheets: [],
      sheet: null,
    };
  const { sheet } = place;
  const opened = await openTableFile(path, { name, ...(sheet !== undefined && { sheet }) });
  if (opened.source?.sha256 !== sha256)
    throw new FileError(`${basename(path)} has changed since it was sent; drop the file again`, path);
  const sheets = await sheetsOf(Uint8Array.from(await readFile(path)));
  return { table: opened.table, source, sheets, sheet: sheet ?? null };
}
