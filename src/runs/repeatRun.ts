/** Runs again what a folder was asked, in memory, to see whether the same comes out. */

import type { DesignRequest } from '../design/designRequest.js';
import { DesignRun } from '../design/designRun.js';
import type { RunDocument } from '../design/runDocument.js';
import type { Progress } from '../design/work.js';
import type { Engine } from '../numeric/engine.js';
import type { ProblemExtras } from '../problem/index.js';
import { drive } from './drive.js';
import { documentOf } from './keptRun.js';
import { readManifest } from './manifest.js';

export interface RepeatControl {
  readonly signal?: AbortSignal;
  readonly extras?: Omit<ProblemExtras, 'choices'>;
  readonly onProgress?: (progress: Progress) => void;
}

/** Undefined where it was told to stop. Nothing is written. */
export async function repeatRun(
  path: string,
  request: DesignRequest,
  engine: Engine,
  { signal, extras = {}, onProgress }: RepeatControl = {},
): Promise<RunDocument | undefined> {
  const manifest = await readManifest(path);
  const run = DesignRun.open(request, engine, extras);
  try {
    const { state, outcome } = await drive(run, {
      ...(signal && { signal }),
      now: Date.now,
      onState: () => {},
      onPiece: (reached) => onProgress?.(run.progress(reached)),
    });
    if (outcome !== 'done') return undefined;
    const { findings } = await run.finish(state);
    return documentOf(findings, path, manifest, engine);
  } finally {
    run.dispose();
  }
}
