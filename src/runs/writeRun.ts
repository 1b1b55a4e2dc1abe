/** Keeps a run that was computed in memory, or in a browser, in a folder. */
import { basename, resolve } from 'node:path';
import { documentIn, type Run, requestFrom } from '../design/run.js';
import type { RunDocument } from '../design/runDocument.js';
import { shownDocument } from '../report/index.js';
import { tableHash } from './runFiles.js';
import { createRun } from './runFolder.js';
import { runRequest } from './runInFolder.js';
import { resultFiles } from './runTexts.js';

/**
 * Writes a run to a new or empty folder, where `readRun` and the commands find it: candidates.csv, report.html and all
 * else that `nemokit design` writes. Throws `FileError`; nothing is replaced.
 *
 * @example
 * await writeRun('runs/solvents', await design(table, { goal: 'max yield' }));
 */
export async function writeRun(path: string, run: Run): Promise<void> {
  const { asked, model } = run;
  const found = documentIn(run);
  const { table } = asked;
  const request = await requestFrom(asked);
  const source = { file: run.data.file, bytes: 0, sha256: run.data.sha256 ?? tableHash(table) };
  const folder = await createRun(path, await runRequest(request, source, [], run.run));
  try {
    const { created } = folder.manifest;
    const document: RunDocument = shownDocument({
      ...found,
      data: { ...found.data, sha256: source.sha256 },
      run: { ...found.run, id: basename(resolve(path)), created: found.run.created ?? created },
    });
    const isComplete = found.run.complete;
    await folder.finish(isComplete ? 'done' : 'partial', await resultFiles(document, table, model));
  } finally {
    await folder.close();
  }
}
