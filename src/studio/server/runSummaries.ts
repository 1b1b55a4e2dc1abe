/** Runs of a folder in a few lines each: from the manifest, the log and, where there are results, their document. */
import { basename, join } from 'node:path';
import type { RunDocument } from '../../design/runDocument.js';
import { largest, smallest } from '../../numeric/stats.js';
import { parseProblemFile } from '../../problem/index.js';
import { lockOf } from '../../runs/lock.js';
import { type Manifest, readManifest } from '../../runs/manifest.js';
import { most, readOwn } from '../../runs/ownFile.js';
import { listRuns } from '../../runs/runsFolder.js';
import { readDocument } from '../../runs/savedRun.js';
import type { RunStatus, RunSummary } from '../protocol/index.js';
import { closedReason, type LogLine, pausedReason, RunLog } from './runLog.js';

/** The first word of the command line in the manifests of runs that the studio began. */
export const studioWord = 'studio';

/** What a log came to. */
interface LogEnd {
  readonly log: RunLog;
  progress: LogLine['progress'];
  /** The last line that says how the run stands. */
  standing: LogLine | undefined;
}

/** What follows from files that do not change any more. */
interface Kept {
  readonly sha256: string;
  readonly found: Pick<RunSummary, 'verdict' | 'best'>;
}

export class RunSummaries {
  readonly #logs = new Map<string, LogEnd>();
  readonly #documents = new Map<string, Kept>();

  /** Throws `FileError` where the folder cannot be read as a run. */
  async summary(path: string): Promise<RunSummary> {
    const manifest = await readManifest(path);
    const isHeld = (await lockOf(path))?.isHeld ?? false;
    const { progress, standing } = await this.#logEnd(path, manifest);
    const file = parseProblemFile(
      (await readOwn(join(path, 'problem.yaml'), most.text)).toString('utf8'),
      'problem.yaml',
    );
    const status = statusOf(manifest, isHeld, standing);
    return {
      id: basename(path),
      created: manifest.created,
      status,
      goals: file.goals,
      file: manifest.source.file,
      rows: manifest.table.rows,
      batch: file.batch ?? 8,
      seed: manifest.seed,
      effort: manifest.effort,
      ...(await this.#found(path, manifest)),
      progress: progress ?? null,
      fault: status === 'failed' && manifest.error ? manifest.error : null,
    };
  }

  /** Those that can be read, the newest first. */
  async all(folder: string): Promise<RunSummary[]> {
    const listed = await listRuns(folder);
    const summaries = await Promise.all(
      listed.filter(({ manifest }) => manifest).map(({ path }) => this.summary(path).catch(() => undefined)),
    );
    return summaries
      .filter((summary) => summary !== undefined)
      .toSorted((a, b) => (a.created < b.created ? 1 : -1));
  }

  /** Names of runs that the studio began, and was closed before they ended; the oldest first. */
  async leftByStudio(folder: string): Promise<string[]> {
    const left: { readonly name: string; readonly created: string }[] = [];
    for (const { path, name, manifest, status } of await listRuns(folder)) {
      if (!manifest || manifest.argv[0] !== studioWord || status !== 'interrupted') continue;
      const { standing } = await this.#logEnd(path, manifest);
      const isClosed = standing?.event === 'interrupted' && standing.detail === closedReason;
      const isCut = standing?.event === 'created' || standing?.event === 'resumed';
      if (isClosed || isCut) left.push({ name, created: manifest.created });
    }
    return left.toSorted((a, b) => (a.created < b.created ? -1 : 1)).map(({ name }) => name);
  }

  async #logEnd(path: string, { created }: Manifest): Promise<LogEnd> {
    const key = `${path}\n${created}`;
    const end = this.#logs.get(key) ?? { log: new RunLog(path), progress: undefined, standing: undefined };
    this.#logs.set(key, end);
    for (const line of await end.log.readNew()) {
      if (line.progress) end.progress = line.progress;
      if (line.event !== undefined) end.standing = line;
    }
    return end;
  }

  async #found(path: string, manifest: Manifest): Promise<Kept['found']> {
    const sha256 = manifest.files['candidates.json']?.sha256;
    if (sha256 === undefined) return { verdict: null, best: null };
    const kept = this.#documents.get(path);
    if (kept?.sha256 === sha256) return kept.found;
    const found = foundIn(await readDocument(path, manifest));
    this.#documents.set(path, { sha256, found });
    return found;
  }
}

export function foundIn({ verdict, bestKnown, goal, candidates }: RunDocument): Kept['found'] {
  const expected = candidates.map((candidate) => candidate.expected);
  const best = goal.direction === 'max' ? largest(expected) : smallest(expected);
  return {
    verdict,
    best: { known: bestKnown.value, expected: expected.length === 0 ? null : best, name: goal.name },
  };
}

function statusOf({ status }: Manifest, isHeld: boolean, standing: LogLine | undefined): RunStatus {
  if (isHeld) return 'running';
  if (status === 'interrupted' && standing?.event === 'interrupted' && standing.detail === pausedReason)
    return 'paused';
  return status === 'running' ? 'interrupted' : status;
}
