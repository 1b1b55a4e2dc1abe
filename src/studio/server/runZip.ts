/** Run folders as ZIP files, and back: what comes from elsewhere becomes a run only if all its files are in order. */
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { unzipSync, type Zippable, zipSync } from 'fflate';
import { isTemporary, writeAtomic } from '../../runs/atomicFile.js';
import { FileError } from '../../runs/fileError.js';
import { lockName, takeoverName } from '../../runs/lock.js';
import { manifestName, readManifest } from '../../runs/manifest.js';
import { most, readOwn } from '../../runs/ownFile.js';
import { exists, isRunFile } from '../../runs/runFiles.js';
import { readAsked, readDocument } from '../../runs/savedRun.js';
import { RefusedError } from './refused.js';

/** A run has about a dozen files; archives of other systems add some of their own. */
const MOST_PARTS = 200;
/** Bytes of all parts, unpacked. */
const MOST_BYTES = 2 ** 30;

/** Files that mean something only while a process works on the run. */
const passing: readonly string[] = [lockName, takeoverName];

export async function zipRun(path: string): Promise<Uint8Array> {
  await readManifest(path);
  const names = (await readdir(path)).filter(isKept).toSorted();
  const files: Zippable = {};
  // one day for all, the first that the format knows: the same folder gives the same bytes
  for (const name of names)
    files[`${basename(path)}/${name}`] = [
      Uint8Array.from(await readOwn(join(path, name), most.bytes)),
      { mtime: '1980-01-01T00:00:00' },
    ];
  return zipSync(files, { level: 6 });
}

/** Makes a run of a ZIP file; the name of its folder. Throws `RefusedError` or `FileError`, and leaves nothing then. */
export async function addZippedRun(zipPath: string, runsPath: string): Promise<string> {
  const parts = unpacked(Uint8Array.from(await readFile(zipPath)));
  await rm(zipPath, { force: true });
  const manifests = parts.filter(({ name }) => name === manifestName || name.endsWith(`/${manifestName}`));
  if (manifests.length !== 1)
    throw new RefusedError(
      422,
      `the ZIP file holds ${manifests.length === 0 ? 'no run' : 'several runs'}; pack the folder of one run`,
    );
  const folder = manifests[0]!.name.slice(0, -manifestName.length);
  // only files of a run, by their own names: nothing is written outside of its folder
  const files = parts.flatMap(({ name, bytes }) =>
    name.startsWith(folder) && isKept(name.slice(folder.length))
      ? [{ name: name.slice(folder.length), bytes }]
      : [],
  );
  const adding = join(runsPath, `.adding-${process.pid}-${Date.now()}`);
  await mkdir(adding);
  try {
    for (const { name, bytes } of files) await writeAtomic(join(adding, name), bytes);
    await requireRun(adding);
    const path = await freePath(runsPath, folder.split('/').at(-2) ?? 'run');
    await rename(adding, path);
    return basename(path);
  } catch (error) {
    await rm(adding, { recursive: true, force: true });
    if (!(error instanceof FileError)) throw error;
    const message = error.message.replaceAll(`${adding}/`, '').replaceAll(adding, 'the ZIP file');
    throw new RefusedError(422, message, { name: error.name, message });
  }
}

/** Parts of a ZIP file by name. Sizes are what the file says they are: a part that is larger is not unpacked further. */
function unpacked(zip: Uint8Array): { readonly name: string; readonly bytes: Uint8Array }[] {
  let [count, size] = [0, 0];
  const isWithin = () => count <= MOST_PARTS && size <= MOST_BYTES;
  let files: Record<string, Uint8Array>;
  try {
    files = unzipSync(zip, {
      filter: ({ originalSize }) => {
        count++;
        size += originalSize;
        return isWithin();
      },
    });
  } catch {
    throw new RefusedError(422, 'this is not a ZIP file, or it is damaged; save it again');
  }
  if (!isWithin())
    throw new RefusedError(422, 'the ZIP file holds more than a run does; pack the folder of one run');
  return Object.entries(files).map(([name, bytes]) => ({ name, bytes }));
}

/** Throws `FileError` unless what was asked, and what was found if anything was, can be read as it was written. */
async function requireRun(path: string): Promise<void> {
  const manifest = await readManifest(path);
  await readAsked(path, manifest);
  if (manifest.files['candidates.json']) await readDocument(path, manifest);
}

async function freePath(runsPath: string, given: string): Promise<string> {
  const plain = given
    .replaceAll(/[^\p{L}\p{N} _.-]/gu, '-')
    .replace(/^[. -]+/, '')
    .slice(0, 80);
  const base = join(runsPath, plain === '' ? 'run' : plain);
  let path = base;
  for (let n = 2; await exists(path); n++) path = `${base}-${n}`;
  return path;
}

function isKept(name: string): boolean {
  return isRunFile(name) && !isTemporary(name) && !passing.includes(name);
}
