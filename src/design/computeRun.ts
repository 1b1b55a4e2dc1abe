/** Computes what was asked, from the start or from a saved state, until it is done, aborted or out of time. */
import type { Engine } from '../numeric/engine.js';
import { version } from '../version.js';
import type { DesignFindings, DesignResult } from './describe.js';
import type { DesignRequest } from './designRequest.js';
import { BEFORE_ASSESSING, DesignRun, type DesignState } from './designRun.js';
import { type DriveOptions, drive } from './drive.js';
import { documentVersion, type RunDocument } from './runDocument.js';
import { isTooFew, spreadPlan } from './spreadPlan.js';
import type { Progress } from './work.js';

export type Watched = Readonly<Record<string, number>> | null;

export interface ComputeOptions extends Omit<DriveOptions<DesignState>, 'onPiece'> {
  /** Told after every piece of work, and awaited. */
  readonly onProgress?: (progress: Progress, watched: Watched) => Promise<void> | void;
}

/** `interrupted` by the signal, or out of time before there was any design; the last state was handed to `onState`. */
export type Computed =
  | { readonly outcome: 'done' | 'partial'; readonly result: DesignResult }
  | { readonly outcome: 'interrupted' | 'timeLimit' };

export async function computeRun(
  request: DesignRequest,
  engine: Engine,
  { onProgress, ...options }: ComputeOptions,
): Promise<Computed> {
  if (isTooFew(request.problem)) {
    options.signal?.throwIfAborted();
    const planning = { stage: 'assess', detail: 'spreading designs over the space' };
    const result = await spreadPlan(request);
    await onProgress?.({ ...planning, fraction: 1 }, null);
    return { outcome: 'done', result };
  }
  const run = DesignRun.open(request, engine);
  try {
    const { state, outcome } = await drive(run, {
      ...options,
      onPiece: (reached) => onProgress?.(run.progress(reached), run.watch(reached)),
    });
    if (outcome === 'interrupted' || !run.canFinish(state)) {
      return { outcome: outcome === 'timeLimit' ? 'timeLimit' : 'interrupted' };
    }
    const assessing = { stage: 'assess', detail: 'choosing and judging the batch' };
    await onProgress?.({ ...assessing, fraction: BEFORE_ASSESSING }, null);
    const result = await run.finish(state);
    await onProgress?.({ ...assessing, fraction: 1 }, null);
    return { outcome: outcome === 'done' ? 'done' : 'partial', result };
  } finally {
    run.dispose();
  }
}

/** What whoever keeps a run knows about it. */
export interface Keeping extends Pick<RunDocument['run'], 'id' | 'created' | 'seconds'> {
  /** What the table is called, and the checksum of its file. */
  readonly file: string;
  readonly sha256?: string;
}

/** The findings, with version and kernel, and what the keeper adds. */
export function documentOf(
  { run, data, ...rest }: DesignFindings,
  { kernel, threads }: Pick<Engine, 'kernel' | 'threads'>,
  { id, created, seconds, file, sha256 }: Keeping,
): RunDocument {
  return {
    documentVersion,
    run: {
      ...(id !== undefined && { id }),
      ...(created !== undefined && { created }),
      version,
      ...run,
      kernel,
      threads,
      ...(seconds !== undefined && { seconds }),
    },
    data: { file, ...(sha256 !== undefined && { sha256 }), ...data },
    ...rest,
  };
}
