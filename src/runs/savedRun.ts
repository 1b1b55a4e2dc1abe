/** A run saved in a folder, read again: what was asked, what it found, and its model to ask about other designs. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DesignRequest } from '../design/designRequest.js';
import { documentVersion, type RunDocument } from '../design/runDocument.js';
import { decodeModel, type ModelDescription, openAdvisor } from '../design/savedModel.js';
import type { Advisor } from '../judging/advisor.js';
import type { Engine } from '../numeric/engine.js';
import { parseProblemFile, stateProblem } from '../problem/index.js';
import { fingerprintsFor } from '../problem/platform/rdkit.js';
import { specOf } from '../problem/problemSpec.js';
import { FileError, fileError } from './fileError.js';
import { lockOf } from './lock.js';
import { type Manifest, readManifest } from './manifest.js';
import { sha256Of } from './runFiles.js';

/** A run as it was asked for. */
export interface SavedRun {
  readonly path: string;
  readonly manifest: Manifest;
  readonly request: DesignRequest;
}

/** A run with its results. */
export interface FinishedRun extends SavedRun {
  readonly document: RunDocument;
}

/** Reads what a run was asked and states its problem again. Throws `FileError` if its files were changed. */
export async function readSavedRun(path: string): Promise<SavedRun> {
  const manifest = await readManifest(path);
  return { path, manifest, request: await requestOf(path, manifest) };
}

/** Throws `FileError` if the run has no results yet or its files were changed. */
export async function readFinishedRun(path: string): Promise<FinishedRun> {
  const manifest = await readManifest(path);
  const document = await readDocument(path, manifest);
  return { path, manifest, request: await requestOf(path, manifest), document };
}

async function requestOf(path: string, manifest: Manifest): Promise<DesignRequest> {
  const bytes = (name: string) => bytesOf(path, name, manifest);
  const file = parseProblemFile((await bytes('problem.yaml')).toString('utf8'), 'problem.yaml');
  // Loaded only when a run is read: the Parquet libraries are ninety files.
  const { decodeTable } = await import('./tableParquet.js');
  const table = await decodeTable(await bytes('data.parquet'));
  const choices = file.choices && (await decodeTable(await bytes('choices.parquet'), 'choices.parquet'));
  const options = { ...(choices && { choices }), ...(await fingerprintsFor(table)) };
  return {
    problem: stateProblem(table, specOf(file), options),
    batch: file.batch ?? 8,
    seed: file.seed ?? 0,
    method: file.method ?? 'nemo',
    effort: file.effort ?? 'balanced',
    options: file.options ?? {},
  };
}

/** What a finished run says about designs, by the networks it saved. */
export async function openRunAdvisor(
  { path, manifest, request }: FinishedRun,
  engine: Engine,
): Promise<Advisor> {
  const description = JSON.parse(
    (await bytesOf(path, 'model.json', manifest)).toString('utf8'),
  ) as ModelDescription;
  const model = decodeModel(await bytesOf(path, 'model.safetensors', manifest), description);
  return openAdvisor(engine, request.problem, model);
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
