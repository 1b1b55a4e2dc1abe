/** A design run saved in a folder: started, resumed, and opened again to ask about its result. */
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { DesignFindings } from '../design/describe.js';
import type { DesignRequest } from '../design/designRequest.js';
import { BEFORE_ASSESSING, DesignRun, type DesignState } from '../design/designRun.js';
import { documentVersion, type RunDocument } from '../design/runDocument.js';
import { decodeModel, encodeModel, type ModelDescription, openAdvisor } from '../design/savedModel.js';
import type { Progress } from '../design/work.js';
import type { Advisor } from '../judging/advisor.js';
import type { Engine } from '../numeric/engine.js';
import {
  type ProblemExtras,
  type ProblemSpec,
  type ProblemWords,
  parseProblemFile,
  problem,
  type TableProblem,
  writeProblemFile,
} from '../problem/index.js';
import type { Table } from '../table/index.js';
import { version } from '../version.js';
import { drive } from './drive.js';
import { FileError, fileError } from './fileError.js';
import { lockOf } from './lock.js';
import { type Manifest, readManifest } from './manifest.js';
import { sha256Of, tableHash } from './runFiles.js';
import type { RunFolder, RunRequest, RunResults } from './runFolder.js';

type Extras = Omit<ProblemExtras, 'choices'>;

/** `problem.yaml` of a run: the problem as stated, over the tables beside it. */
export function problemFileOf(request: DesignRequest): string {
  const { words, choices, batch, seed, method, effort, options } = request;
  const spec: ProblemSpec = {
    version: 1,
    data: 'data.parquet',
    ...words,
    ...(choices && { choices: 'choices.parquet' }),
    batch,
    seed,
    effort,
    method,
    options: options as NonNullable<ProblemSpec['options']>,
  };
  return writeProblemFile(spec, { comments: false });
}

/** What `createRun` stores of a run before it starts. */
export async function runRequest(
  request: DesignRequest,
  source: Manifest['source'],
  argv: readonly string[],
  engine: Pick<Engine, 'kernel' | 'threads'>,
): Promise<RunRequest> {
  const { table, words, choices, seed, method, effort, options } = request;
  const { encodeTable } = await parquetFiles();
  return {
    argv: [...argv],
    goal: words.goals.join('; '),
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

/** Loaded only when a run is saved or read: the Parquet libraries are ninety files. */
function parquetFiles(): Promise<typeof import('./tableParquet.js')> {
  return import('./tableParquet.js');
}

/** The request of the run in a folder, from its input files. Throws `FileError` if they were changed. */
export async function requestOf(path: string): Promise<DesignRequest> {
  const manifest = await readManifest(path);
  const bytes = (name: string) => bytesOf(path, name, manifest);
  const spec = parseProblemFile((await bytes('problem.yaml')).toString('utf8'), 'problem.yaml');
  const { decodeTable } = await parquetFiles();
  const table = await decodeTable(await bytes('data.parquet'));
  const choices = spec.choices && (await decodeTable(await bytes('choices.parquet'), 'choices.parquet'));
  return {
    table,
    words: wordsOf(spec),
    ...(choices && { choices }),
    batch: spec.batch ?? 8,
    seed: spec.seed ?? 0,
    method: spec.method ?? 'nemo',
    effort: spec.effort ?? 'balanced',
    options: spec.options ?? {},
  };
}

function wordsOf({ goals, columns, mixtures, constraints }: ProblemSpec): ProblemWords {
  return {
    goals,
    ...(columns && { columns }),
    ...(mixtures && { mixtures }),
    ...(constraints && { constraints }),
  };
}

export interface RunControl {
  readonly signal?: AbortSignal;
  /** Milliseconds since 1970 at which the search ends with what it has. */
  readonly deadline?: number;
  /** Milliseconds between two saved states; default 3000. */
  readonly saveEvery?: number;
  readonly extras?: Extras;
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
  { signal, deadline, saveEvery, extras = {}, onProgress, render }: RunControl,
): Promise<RunOutcome> {
  const run = DesignRun.open(request, engine, extras);
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
    const names = ['headline', ...(model.weights.length > 1 ? findings.goal.labels : [])];
    const { tensors, description } = encodeModel(model, names);
    const status = outcome === 'done' ? 'done' : 'partial';
    await folder.finish(status, {
      ...render(document, request.table),
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
  const seconds = Object.values(timings).reduce((sum, stage) => sum + stage, 0);
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

/** A finished run, opened: its model can assess designs. */
export interface SavedRun {
  readonly manifest: Manifest;
  readonly document: RunDocument;
  readonly request: DesignRequest;
  readonly problem: TableProblem;
  readonly advisor: Advisor;
}

/** Throws `FileError` if the run has no results yet or its files were changed. */
export async function openSavedRun(path: string, engine: Engine, extras: Extras = {}): Promise<SavedRun> {
  const manifest = await requireResults(path);
  const request = await requestOf(path);
  const { table, words, choices } = request;
  const stated = problem(table, words, { ...extras, ...(choices && { choices }) });
  const description = JSON.parse(
    (await bytesOf(path, 'model.json', manifest)).toString('utf8'),
  ) as ModelDescription;
  const model = decodeModel(await bytesOf(path, 'model.safetensors', manifest), description);
  return {
    manifest,
    document: await documentIn(path),
    request,
    problem: stated,
    advisor: await openAdvisor(engine, stated, table, model),
  };
}

/** Throws `FileError` unless the run has results. */
async function requireResults(path: string): Promise<Manifest> {
  const manifest = await readManifest(path);
  if (manifest.files['model.safetensors']) return manifest;
  const isHeld = (await lockOf(path))?.isHeld === true;
  throw new FileError(
    isHeld
      ? `${path} has no results yet: a process works on it now; wait until it is done`
      : `${path} has no results yet: the run is not finished; finish it with "nemokit runs resume ${path}"`,
    path,
  );
}

/** The document of a finished run. Throws `FileError` if it is not finished, or its file was changed. */
export async function documentIn(path: string): Promise<RunDocument> {
  const bytes = await bytesOf(path, 'candidates.json', await requireResults(path));
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
