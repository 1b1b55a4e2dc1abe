/** A run read from its folder: what was asked, what it found, and its model to ask about other designs. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Asked, Run } from '../design/run.js';
import { documentVersion, type RunDocument } from '../design/runDocument.js';
import { decodeModel, type ModelDescription, type SavedModel } from '../design/savedModel.js';
import { parseProblemFile } from '../problem/index.js';
import { specOf } from '../problem/problemSpec.js';
import { FileError, fileError } from './fileError.js';
import { lockOf } from './lock.js';
import { type Manifest, readManifest } from './manifest.js';
import { sha256Of } from './runFiles.js';

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
  const choices = file.choices && (await decodeTable(await bytes('choices.parquet'), 'choices.parquet'));
  return {
    table,
    ...(choices && { choices }),
    spec: specOf(file),
    batch: file.batch ?? 8,
    seed: file.seed ?? 0,
    method: file.method ?? 'nemo',
    effort: file.effort ?? 'balanced',
    ...(file.risk !== undefined && { risk: file.risk }),
    ...(file.anyway && { anyway: true }),
    options: file.options ?? {},
  };
}

async function readModel(path: string, manifest: Manifest): Promise<SavedModel> {
  const description = (await bytesOf(path, 'model.json', manifest)).toString('utf8');
  const tensors = await bytesOf(path, 'model.safetensors', manifest);
  return decodeModel(tensors, JSON.parse(description) as ModelDescription);
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
  const document = currentDocument(JSON.parse(bytes.toString('utf8')));
  if (document.documentVersion === documentVersion) return document;
  throw new FileError(
    `${join(path, 'candidates.json')} is of version ${document.documentVersion}, and this nemokit reads version ${documentVersion}`,
    path,
  );
}

/** Version 1 called the effort of a run its preset. */
function currentDocument(document: RunDocument): RunDocument {
  if ((document.documentVersion as number) !== 1) return document;
  const { preset, ...run } = document.run as RunDocument['run'] & { readonly preset: string };
  return { ...document, documentVersion, run: { ...run, effort: preset } };
}

async function bytesOf(folder: string, name: string, manifest: Manifest): Promise<Buffer> {
  const path = join(folder, name);
  const bytes = await readFile(path).catch((error: unknown) => {
    throw fileError(path, error, 'read');
  });
  const expected = [manifest.files[name]?.sha256, manifest.pending?.[name]];
  if (expected.includes(sha256Of(bytes))) return bytes;
  throw new FileError(`${path} has changed since the run wrote it; put the old one back, or run again`, path);
}
