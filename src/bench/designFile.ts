/**
 * Designs of a trial as a file: NumPy's .npy (version 1.0) in gzip, `designs/<id of the trial>.npy.gz` beside the records.
 * Numbers are kept in the smallest of uint8, float32 and float64 that holds all of them exactly. The checksum of the
 * designs is in the record.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { writeAtomic } from '../runs/atomicFile.js';
import { codeOf, FileError, fileError } from '../runs/fileError.js';

export interface DesignTable {
  /** n x d. */
  readonly designs: Float64Array;
  readonly columns: number;
}

const suffix = '.npy.gz';

export function designsPath(folder: string, id: string): string {
  return join(folder, 'designs', `${id}${suffix}`);
}

/** SHA-256 of the designs as little-endian float64. */
export function designsHash(designs: Float64Array): string {
  return createHash('sha256').update(bytesOf(designs, '<f8')).digest('hex');
}

type Kind = '|u1' | '<f4' | '<f8';
const sizes: Readonly<Record<Kind, number>> = { '|u1': 1, '<f4': 4, '<f8': 8 };

/** The smallest kind of number that gives back the same bits. */
function kindOf(designs: Float64Array): Kind {
  const isByte = (value: number) =>
    Number.isInteger(value) && value >= 0 && value < 256 && !Object.is(value, -0);
  if (designs.every(isByte)) return '|u1';
  return designs.every((value) => Object.is(Math.fround(value), value)) ? '<f4' : '<f8';
}

export function encodeDesigns({ designs, columns }: DesignTable): Uint8Array {
  const kind = kindOf(designs);
  const shape = `(${designs.length / columns}, ${columns})`;
  const text = `{'descr': '${kind}', 'fortran_order': False, 'shape': ${shape}, }`;
  // magic, version, length and text fill a multiple of 64 bytes, the last of which is a line break
  const padded = `${text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11)}\n`;
  const head = Buffer.alloc(10);
  head.write('\x93NUMPY\x01\x00', 'latin1');
  head.writeUInt16LE(padded.length, 8);
  return gzipSync(Buffer.concat([head, Buffer.from(padded, 'latin1'), bytesOf(designs, kind)]));
}

/** Throws `FileError` where the bytes are no such file. */
export function decodeDesigns(bytes: Uint8Array, path: string): DesignTable {
  const fault = (reason: string) => new FileError(`${path}: ${reason}`, path);
  let plain: Buffer;
  try {
    plain = gunzipSync(bytes);
  } catch {
    throw fault('is no gzip file, or not all of it is there');
  }
  const length = plain.length >= 10 ? plain.readUInt16LE(8) : 0;
  const text = plain.subarray(10, 10 + length).toString('latin1');
  const found =
    /^\{'descr': '(\|u1|<f4|<f8)', 'fortran_order': False, 'shape': \((\d+), (\d+)\), \} *\n$/.exec(text);
  if (plain.subarray(0, 8).toString('latin1') !== '\x93NUMPY\x01\x00' || !found)
    throw fault('is no .npy file of designs (uint8, float32 or float64, two dimensions, C order)');
  const kind = found[1] as Kind;
  const [n, columns] = [Number(found[2]), Number(found[3])];
  const rest = plain.subarray(10 + length);
  if (rest.length !== n * columns * sizes[kind])
    throw fault(`has ${rest.length} bytes of numbers; ${n} x ${columns} are ${n * columns * sizes[kind]}`);
  const designs = Float64Array.from({ length: n * columns }, (_, i) => {
    if (kind === '|u1') return rest[i]!;
    return kind === '<f4' ? rest.readFloatLE(4 * i) : rest.readDoubleLE(8 * i);
  });
  return { designs, columns };
}

function bytesOf(designs: Float64Array, kind: Kind): Buffer {
  const bytes = Buffer.alloc(designs.length * sizes[kind]);
  designs.forEach((value, i) => {
    if (kind === '|u1') bytes[i] = value;
    else if (kind === '<f4') bytes.writeFloatLE(value, 4 * i);
    else bytes.writeDoubleLE(value, 8 * i);
  });
  return bytes;
}

export async function writeDesigns(folder: string, id: string, bytes: Uint8Array): Promise<void> {
  const path = designsPath(folder, id);
  await mkdir(join(folder, 'designs'), { recursive: true }).catch((error: unknown) => {
    throw fileError(join(folder, 'designs'), error, 'written');
  });
  await writeAtomic(path, bytes);
}

/** The designs of a trial, checked against the checksum of its record; undefined where they were not kept. */
export async function readDesigns(
  folder: string,
  { id, result }: { readonly id: string; readonly result: { readonly designsSha256: string } },
): Promise<DesignTable | undefined> {
  const path = designsPath(folder, id);
  const bytes = await readFile(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw fileError(path, error, 'read');
  });
  if (!bytes) return undefined;
  const table = decodeDesigns(bytes, path);
  if (designsHash(table.designs) !== result.designsSha256)
    throw new FileError(
      `${path}: these are not the designs of the record; run the trial again with --designs`,
      path,
    );
  return table;
}

/** Ids of the trials whose designs are there. */
export async function keptDesigns(folder: string): Promise<Set<string>> {
  const names = await readdir(join(folder, 'designs')).catch(() => [] as string[]);
  return new Set(names.filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length)));
}
