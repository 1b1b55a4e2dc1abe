/** Names of the files in a run folder, their checksums, and edited ones set aside. */
import { createHash } from 'node:crypto';
import { access, constants, copyFile, link, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Table } from '../table/index.js';
import { isTemporary } from './atomicFile.js';
import { checkpointName, previousCheckpointName } from './checkpoint.js';
import { codeOf, fileError } from './fileError.js';
import { lockName, takeoverName } from './lock.js';
import { manifestName } from './manifest.js';
import { tableParts } from './tableParts.js';

export const eventsName = 'events.jsonl';

/** Inputs of a run, written before anything else; the last three only where designs are chosen from, kept or avoided. */
export const inputNames = [
  'problem.yaml',
  'data.parquet',
  'choices.parquet',
  'keep.parquet',
  'avoid.parquet',
] as const;
export type InputName = (typeof inputNames)[number];
export type RunInputs = Readonly<
  Record<'problem.yaml' | 'data.parquet', string | Uint8Array> &
    Partial<Record<'choices.parquet' | 'keep.parquet' | 'avoid.parquet', Uint8Array>>
>;

/** Results of a run. */
export const resultNames = [
  'candidates.csv',
  'candidates.json',
  'model.safetensors',
  'model.json',
  'report.html',
  'README.txt',
] as const;
export type ResultName = (typeof resultNames)[number];

const knownNames: readonly string[] = [
  ...inputNames,
  ...resultNames,
  eventsName,
  manifestName,
  checkpointName,
  previousCheckpointName,
  lockName,
  takeoverName,
];

export function isRunFile(name: string): boolean {
  return knownNames.includes(name) || isTemporary(name);
}

export function sha256Of(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Moves `name` to the first free `name.edited-<n>.ext`, which is returned. Never replaces a file. */
export async function setAside(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  const extension = extname(name);
  for (let n = 1; ; n++) {
    const kept = `${name.slice(0, name.length - extension.length)}.edited-${n}${extension}`;
    try {
      await moveTo(path, join(folder, kept));
      return kept;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw fileError(join(folder, kept), error, 'written');
    }
  }
}

/** Unlike a rename, a link fails where something is in its place. */
async function moveTo(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: unknown) => {
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') throw error;
    // A disk without hard links.
    await copyFile(from, to, constants.COPYFILE_EXCL);
  });
  await rm(from);
}

/** SHA-256 of the cells: the same for one table as a CSV, a workbook or a Parquet file. */
export function tableHash(table: Pick<Table, 'rows' | 'columns'>): string {
  const hash = createHash('sha256');
  for (const part of tableParts(table)) hash.update(part);
  return hash.digest('hex');
}
