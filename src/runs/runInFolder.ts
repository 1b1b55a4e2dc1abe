/** Computes a run in a folder that keeps it: started or resumed. */
import { basename, resolve } from 'node:path';
import type { DesignFindings } from '../design/describe.js';
import type { DesignRequest } from '../design/designRequest.js';
import { BEFORE_ASSESSING, DesignRun, type DesignState } from '../design/designRun.js';
import { documentVersion, type RunDocument } from '../design/runDocument.js';
import { encodeModel } from '../design/savedModel.js';
import type { Progress } from '../design/work.js';
import { OBJECTIVE } from '../judging/scoreModel.js';
import type { Engine } from '../numeric/engine.js';
import { type ProblemFile, writeProblemFile } from '../problem/index.js';
import type { Table } from '../table/index.js';
import { version } from '../version.js';
import { drive } from './drive.js';
import type { Manifest } from './manifest.js';
import { tableHash } from './runFiles.js';
import type { RunFolder, RunRequest, RunResults } from './runFolder.js';

/** `problem.yaml` of a run: the problem as stated, over the tables beside it. */
export function problemFileOf(request: DesignRequest): string {
  const { problem, batch, seed, method, effort, options } = request;
  const file: ProblemFile = {
    version: 1,
    data: 'data.parquet',
    ...problem.spec,
    ...(problem.choices && { choices: 'choices.parquet' }),
    batch,
    seed,
    effort,
    method,
    options: options as NonNullable<ProblemFile['options']>,
  };
  return writeProblemFile(file, { comments: false });
}

/** What `createRun` stores of a run before it starts. */
export async function runRequest(
  request: DesignRequest,
  source: Manifest['source'],
  argv: readonly string[],
  engine: Pick<Engine, 'kernel' | 'threads'>,
): Promise<RunRequest> {
  const { problem, seed, method, effort, options } = request;
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
    kernel: engine.kernel,
    threads: engine.threads,
    inputs: {
      'problem.yaml': problemFileOf(request),
      'data.parquet': encodeTable(table),
      ...(choices && { 'choices.parquet': encodeTable(choices) }),
    },
  };
}

export interface RunControl {
  readonly signal?: AbortSignal;
  /** Milliseconds since 1970 at which the search ends with what it has. */
  readonly deadline?: number;
  /** Milliseconds between two saved states; default 3000. */
  readonly saveEvery?: number;
  readonly onProgress?: (progress: Progress, watched: Readonly<Record<string, number>> | null) => void;
  /** Makes the files that follow from the document alone: report, CSV, README. */
  readonly render: (document: RunDocument, table: Table) => RunResults;
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
  { signal, deadline, saveEvery, onProgress, render }: RunControl,
): Promise<RunOutcome> {
  const run = DesignRun.open(request, engine);
  try {
    const from = await folder.loadState<DesignState>({ kernel: engine.kernel });
    const { state, outcome } = await drive(run, {
      ...(from && { from }),
      ...(signal && { signal }),
      ...(deadline !== undefined && { deadline }),
      ...(saveEvery !== undefined && { every: saveEvery }),
      now: Date.now,
      onState: (reached) => folder.saveState(reached),
      onPiece: async (reached) => {
        const progress = run.progress(reached);
        const watched = run.watch(reached);
        await folder.log(progress, watched);
        onProgress?.(progress, watched);
      },
    });
    if (outcome === 'interrupted' || !run.canFinish(state)) {
      await folder.interrupt();
      return { outcome: outcome === 'timeLimit' ? 'timeLimit' : 'interrupted' };
    }
    const assessing = {
      stage: 'assess',
      fraction: BEFORE_ASSESSING,
      detail: 'choosing and judging the batch',
    };
    onProgress?.(assessing, null);
    const { findings, model } = await run.finish(state);
    await folder.log({ ...assessing, fraction: 1 });
    const document = documentOf(findings, folder.path, folder.manifest, engine);
    const names = [OBJECTIVE, ...(model.weights.length > 1 ? findings.goal.labels : [])];
    const { tensors, description } = encodeModel(model, names);
    const status = outcome === 'done' ? 'done' : 'partial';
    await folder.finish(status, {
      ...render(document, request.problem.table),
      'candidates.json': `${JSON.stringify(document, null, 2)}\n`,
      'model.safetensors': tensors,
      'model.json': `${JSON.stringify(description, null, 2)}\n`,
    });
    return { outcome: status, document };
  } finally {
    run.dispose();
  }
}

/** The findings, with time, version, kernel and source file. */
export function documentOf(
  { run, data, ...rest }: DesignFindings,
  path: string,
  { created, source, timings }: Pick<Manifest, 'created' | 'source' | 'timings'>,
  engine: Pick<Engine, 'kernel' | 'threads'>,
): RunDocument {
  const seconds = Object.values(timings).reduce((sum, spent) => sum + spent, 0);
  return {
    documentVersion,
    run: {
      id: basename(resolve(path)),
      created,
      version,
      ...run,
      kernel: engine.kernel,
      threads: engine.threads,
      seconds: Math.round(10 * seconds) / 10,
    },
    data: { file: source.file, sha256: source.sha256, ...data },
    ...rest,
  };
}
