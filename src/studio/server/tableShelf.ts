/** Tables that were sent or pasted, kept as files while the server runs, in a folder that nobody else can read. */
import { createHash } from 'node:crypto';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { visibleText } from '../../visibleText.js';
import { RefusedError } from './refused.js';

/** A table as the desk finds it. */
export type TablePlace =
  | {
      readonly kind: 'file';
      readonly id: string;
      readonly path: string;
      /** As the user calls it. */
      readonly name: string;
      readonly sheet?: string;
      readonly bytes: number;
      readonly sha256: string;
    }
  /** A run's table with measured candidates below it, as a Parquet file. */
  | {
      readonly kind: 'round';
      readonly id: string;
      readonly path: string;
      readonly name: string;
      readonly bytes: number;
      readonly sha256: string;
    }
  /** The table of a run folder. */
  | { readonly kind: 'run'; readonly id: string; readonly path: string };

/** Bytes that are kept at most; the longest unused go first. */
const MOST_KEPT = 2 * 2 ** 30;

export class TableShelf {
  readonly #places = new Map<string, Exclude<TablePlace, { kind: 'run' }>>();
  #count = 0;

  private constructor(readonly folder: string) {}

  static async open(): Promise<TableShelf> {
    return new TableShelf(await mkdtemp(join(tmpdir(), 'nemokit-studio-')));
  }

  /** A path for a new file. */
  newPath(): string {
    return join(this.folder, `part-${++this.#count}`);
  }

  /** Keeps a file that is written; the same bytes and sheet are one table. */
  async keepFile(
    path: string,
    { bytes, sha256 }: { readonly bytes: number; readonly sha256: string },
    name: string,
    sheet?: string,
  ): Promise<TablePlace> {
    const id = idOf(sha256, sheet ?? '');
    const place = {
      kind: 'file',
      id,
      path: join(this.folder, `file-${sha256}`),
      name: visibleName(name),
      bytes,
      sha256,
      ...(sheet !== undefined && { sheet }),
    } as const;
    await rename(path, place.path);
    return this.#keep(place);
  }

  /** Keeps pasted cells. */
  keepText(path: string, text: string): Promise<TablePlace> {
    const sha256 = createHash('sha256').update(text).digest('hex');
    return this.keepFile(path, { bytes: Buffer.byteLength(text), sha256 }, 'pasted');
  }

  async keepRound(
    path: string,
    about: { readonly bytes: number; readonly sha256: string; readonly name: string },
  ): Promise<TablePlace> {
    const id = idOf(about.sha256, 'round');
    const kept = join(this.folder, `round-${about.sha256}`);
    await rename(path, kept);
    return this.#keep({ kind: 'round', id, path: kept, ...about });
  }

  /** Throws `RefusedError` where it is not kept. */
  place(id: string): TablePlace {
    const place = this.#places.get(id);
    if (!place)
      throw new RefusedError(
        404,
        'this table is not kept any more, because the studio was closed in between; drop the file again, or open a run that was made of it',
      );
    // the last used is the last to go
    this.#places.delete(id);
    this.#places.set(id, place);
    return place;
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  async #keep(place: Exclude<TablePlace, { kind: 'run' }>): Promise<TablePlace> {
    this.#places.delete(place.id);
    this.#places.set(place.id, place);
    let bytes = [...this.#places.values()].reduce((sum, kept) => sum + kept.bytes, 0);
    for (const [id, old] of this.#places) {
      if (bytes <= MOST_KEPT || id === place.id) break;
      this.#places.delete(id);
      bytes -= old.bytes;
      const isShared = [...this.#places.values()].some(({ path }) => path === old.path);
      if (!isShared) await rm(old.path, { force: true });
    }
    return place;
  }
}

function idOf(sha256: string, more: string): string {
  return `t-${createHash('sha256').update(`${sha256}\n${more}`).digest('hex').slice(0, 24)}`;
}

/** A name of a file as a browser sent it: the last part of a path, without control characters, at most 200 characters. */
export function visibleName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const name = visibleText(last)
    .replaceAll(/[\n\t]/g, '·')
    .trim();
  return name === '' ? 'table' : [...name].slice(0, 200).join('');
}
