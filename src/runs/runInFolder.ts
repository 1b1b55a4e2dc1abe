/** Computes a run in a folder that keeps it: started or resumed. */
import { basename, join, resolve } from 'node:path';
import { computeRun, documentOf } from '../design/computeRun.js';
import type { DesignFindings } from '../design/describe.js';
import type { DesignRequest } from '../design/designRequest.js';
import type { DesignState } from '../design/designRun.js';
import type { RunDocument } from '../design/runDocument.js';
import type { Progress } from '../design/work.js';
import type { Engine } from '../numeric/engine.js';
import { shownDocument } from '../report/index.js';
import { CheckpointError, checkpointName, previousCheckpointName } from './checkpoint.js';
import type { Manifest } from './manifest.js';
import { tableHash } from './runFiles.js';
import type { RunFolder, RunRequest } from './runFolder.js';
import { problemFileOf, resultFiles } from './runTexts.js';
import { designStateFault } from './stateFault.js';

/** What `createRun` stores of a run before it starts. */
export async function runRequest(
  request: DesignRequest,
  source: Manifest['source'],
  argv: readonly string[],
  { kernel, threads }: { readonly kernel: string; readonly threads: number },
): Promise<RunRequest> {
  const { problem, keep, avoid, seed, method, effort, options } = request;
  const { table, choices } = problem;
  // Loaded only when a run is saved: the Parquet libraries are ninety files.
  const { encodeTable } = await import('./tableParquet.js');
  return {
    argv: [...argv],
    goal: problem.spec.goals.join('; '),
    source,
    table: { rows: table.rows, columns: table.columns.length, sha256: tableHash(table) },
    seed,
    method,
    effort,
    options,
    kernel,
    threads,
    inputs: {
      'problem.yaml': problemFileOf(request),
      'data.parquet': encodeTable(table),
      ...(choices && { 'choices.parquet': encodeTable(choices) }),
      ...(keep && { 'keep.parquet': encodeTable(keep) }),
      ...(avoid && { 'avoid.parquet': encodeTable(avoid) }),
    },
  };
}

export interface RunControl {
  /** Interrupts the run, whose state is saved. A text as its reason is kept in the log. */
  readonly signal?: AbortSignal;
  /** Ends the search with what it has, as the deadline does. */
  readonly stop?: AbortSignal;
  /** Milliseconds since 1970 at which the search ends with what it has. */
  readonly deadline?: number;
  /** Milliseconds between two saved states; default 3000. */
  readonly saveEvery?: number;
  readonly onProgress?: (progress: Progress, watched: Readonly<Record<string, number>> | null) => void;
}

export type RunOutcome =
  | { readonly outcome: 'done' | 'partial'; readonly document: RunDocument }
  /** Too early for any design; the state is saved. */
  | { readonly outcome: 'interrupted' | 'timeLimit' };

/** Runs, or resumes, until the run is done, interrupted or out of time. */
export async function runInFolder(
  folder: RunFolder,
  request: DesignRequest,
  engine: Engine,
  { signal, stop, deadline, saveEvery, onProgress }: RunControl,
): Promise<RunOutcome> {
  const from = await folder.loadState<DesignState>({ kernel: engine.kernel });
  const fault = from && designStateFault(from);
  if (fault) throw unusableState(folder.path, fault);
  const compute = computeRun(request, engine, {
    ...(from && { from }),
    ...(signal && { signal }),
    ...(stop && { stop }),
    ...(deadline !== undefined && { deadline }),
    ...(saveEvery !== undefined && { every: saveEvery }),
    now: Date.now,
    onState: (reached) => folder.saveState(reached),
    onProgress: async (progress, watched) => {
      await folder.log(progress, watched);
      onProgress?.(progress, watched);
    },
  });
  const computed = await compute.catch((error: unknown) => {
    throw from && isSlip(error) ? unusableState(folder.path, 'its parts do not fit together', error) : error;
  });
  if (!('result' in computed)) {
    const reason: unknown = signal?.reason;
    await folder.interrupt(typeof reason === 'string' ? reason : undefined);
    return computed;
  }
  const { outcome, result } = computed;
  const document = keptDocument(result.findings, folder.path, folder.manifest, engine);
  await folder.finish(outcome, await resultFiles(document, request.problem.table, result.model));
  return { outcome, document };
}

/** What JavaScript throws where data are not what the code expects; nemokit's own errors have names of their own. */
function isSlip(error: unknown): error is Error {
  return error instanceof Error && (error.name === 'TypeError' || error.name === 'RangeError');
}

function unusableState(path: string, fault: string, cause?: Error): CheckpointError {
  const file = join(path, checkpointName);
  return new CheckpointError(
    `${file} is damaged, or of another run: ${fault}. Remove it and ${previousCheckpointName} to begin this run again`,
    cause && { cause },
  );
}

/** The document of a run that a folder keeps: with its name, its times and the source file, as it is shown. */
export function keptDocument(
  findings: DesignFindings,
  path: string,
  { created, source, timings }: Pick<Manifest, 'created' | 'source' | 'timings'>,
  engine: Pick<Engine, 'kernel' | 'threads'>,
): RunDocument {
  const seconds = Object.values(timings).reduce((sum, spent) => sum + spent, 0);
  const document = documentOf(findings, engine, {
    id: basename(resolve(path)),
    created,
    seconds: Math.round(10 * seconds) / 10,
    file: source.file,
    sha256: source.sha256,
  });
  return shownDocument(document);
}
