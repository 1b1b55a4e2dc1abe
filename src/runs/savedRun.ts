/** A run read from its folder: what was asked, what it found, and its model to ask about other designs. */
import { join } from 'node:path';
import type { Asked, Run } from '../design/run.js';
import { documentVersion, type RunDocument } from '../design/runDocument.js';
import { decodeModel, modelVersion, type SavedModel } from '../design/savedModel.js';
import { parseProblemFile } from '../problem/index.js';
import { batchSettingsOf, specOf } from '../problem/problemSpec.js';
import { runDocument } from './documentSchema.js';
import { FileError, fileError } from './fileError.js';
import { lockOf } from './lock.js';
import { type Manifest, readManifest } from './manifest.js';
import { modelDescription } from './modelSchema.js';
import { most, readOwn } from './ownFile.js';
import { sha256Of } from './runFiles.js';
import { parseSaved } from './savedSchema.js';

/**
 * Reads a finished run from its folder. Throws `FileError` if it has no results yet or its files were changed.
 *
 * @example
 * const { rows } = await score(await readRun('runs/2026-11-15-yield-7f3a'), table);
 */
export async function readRun(path: string): Promise<Run> {
  return (await readFinishedRun(path)).run;
}

/** A finished run and the manifest of its folder. */
export async function readFinishedRun(path: string): Promise<{ run: Run; manifest: Manifest }> {
  const manifest = await readManifest(path);
  const document = await readDocument(path, manifest);
  const asked = await readAsked(path, manifest);
  return { manifest, run: { ...document, asked, model: await readModel(path, manifest) } };
}

/** What a run was asked, finished or not. Throws `FileError` if its files were changed. */
export async function readAsked(path: string, manifest: Manifest): Promise<Asked> {
  const bytes = (name: string) => bytesOf(path, name, manifest);
  const file = parseProblemFile((await bytes('problem.yaml')).toString('utf8'), 'problem.yaml');
  // Loaded only when a run is read: the Parquet libraries are ninety files.
  const { decodeTable } = await import('./tableParquet.js');
  const table = await decodeTable(await bytes('data.parquet'));
  const read = async (name: string) => decodeTable(await bytes(name), name);
  const choices = file.choices && (await read('choices.parquet'));
  const keep = file.keep && (await read('keep.parquet'));
  const avoid = file.avoid && (await read('avoid.parquet'));
  return {
    table,
    ...(choices && { choices }),
    spec: specOf(file),
    batch: file.batch ?? 8,
    ...batchSettingsOf(file),
    ...(keep && { keep }),
    ...(avoid && { avoid }),
    seed: file.seed ?? 0,
    method: file.method ?? 'nemo',
    effort: file.effort ?? 'balanced',
    ...(file.risk !== undefined && { risk: file.risk }),
    ...(file.anyway && { anyway: true }),
    options: file.options ?? {},
  };
}

async function readModel(path: string, manifest: Manifest): Promise<SavedModel> {
  const bytes = await bytesOf(path, 'model.json', manifest);
  const tensors = await bytesOf(path, 'model.safetensors', manifest);
  const file = join(path, 'model.json');
  const description = parseSaved(file, bytes, modelDescription, (found) =>
    requireVersion(file, found, 'modelVersion', modelVersion),
  );
  try {
    return decodeModel(tensors, description);
  } catch (error) {
    throw damaged(join(path, 'model.safetensors'), error);
  }
}

/** Throws `FileError` unless the run has results. */
async function requireResults(path: string, manifest: Manifest): Promise<void> {
  if (manifest.files['model.safetensors']) return;
  const isHeld = (await lockOf(path))?.isHeld === true;
  throw new FileError(
    isHeld
      ? `${path} has no results yet: a process works on it now; wait until it is done`
      : `${path} has no results yet: the run is not finished; finish it with "nemokit runs resume ${path}"`,
    path,
  );
}

/** The document of a finished run. Throws `FileError` if it is not finished, or its file was changed. */
export async function readDocument(path: string, manifest: Manifest): Promise<RunDocument> {
  await requireResults(path, manifest);
  const bytes = await bytesOf(path, 'candidates.json', manifest);
  const file = join(path, 'candidates.json');
  const document = parseSaved(file, bytes, runDocument, (found) =>
    requireVersion(file, currentDocument(found), 'documentVersion', documentVersion),
  );
  requireSound(file, document);
  return document;
}

/** Version 1 called the effort of a run its preset. */
function currentDocument(found: unknown): unknown {
  const document = found as (RunDocument & { run?: { readonly preset?: string } }) | null;
  if ((document?.documentVersion as number) !== 1 || typeof document?.run !== 'object') return found;
  const { preset, ...run } = document.run;
  return { ...document, documentVersion, run: { ...run, effort: preset } };
}

/** A document of another version is not damaged. */
function requireVersion(path: string, found: unknown, key: string, known: number): unknown {
  const version = (found as Record<string, unknown> | null)?.[key];
  if (typeof version !== 'number' || version === known) return found;
  throw new FileError(`${path} is of version ${version}, and this nemokit reads version ${known}`, path);
}

/** What the parts of a document say about each other. */
function requireSound(
  path: string,
  { candidates, plan, goal, data, bestKnown, profiles }: RunDocument,
): void {
  const wrong = (what: string) =>
    new FileError(`${path} is damaged: ${what}. Put it back from a backup, or run again`, path);
  const names = Object.keys(bestKnown.cells);
  for (const { row, cells, nearest } of [...candidates, ...(plan ?? [])]) {
    const missing = names.find((name) => !Object.hasOwn(cells, name));
    if (missing !== undefined) throw wrong(`row ${row} has no ${JSON.stringify(missing)}`);
    if (nearest.row > data.rows) throw wrong(`row ${row} is near row ${nearest.row} of ${data.rows}`);
  }
  const odd = candidates.find(({ goals }) => goals.length !== goal.goals.length);
  if (odd) throw wrong(`row ${odd.row} has ${odd.goals.length} goals of ${goal.goals.length}`);
  if (goal.labels.length === 0 || goal.goals.length === 0) throw wrong('it has no goal');
  if (bestKnown.row > data.rows) throw wrong(`its best known row is ${bestKnown.row} of ${data.rows}`);
  const empty = profiles.find(({ points }) => points.length === 0);
  if (empty) throw wrong(`its profile of ${JSON.stringify(empty.column)} has no points`);
}

function damaged(path: string, error: unknown): FileError {
  const reason = error instanceof Error ? error.message : String(error);
  return new FileError(
    `${path} is damaged: ${reason}. Put it back from a backup, or run again`,
    path,
    undefined,
    {
      cause: error,
    },
  );
}

async function bytesOf(folder: string, name: string, manifest: Manifest): Promise<Buffer> {
  const path = join(folder, name);
  const bytes = await readOwn(path, most.bytes).catch((error: unknown) => {
    throw fileError(path, error, 'read');
  });
  const expected = [manifest.files[name]?.sha256, manifest.pending?.[name]];
  if (expected.includes(sha256Of(bytes))) return bytes;
  throw new FileError(`${path} has changed since the run wrote it; put the old one back, or run again`, path);
}
