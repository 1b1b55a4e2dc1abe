import type { Run, RunDocument } from '../../src/index.js';

/** What of a document does not depend on where and when it was made. */
export function timeless(document: RunDocument | Run) {
  const { asked: _, model: __, ...found } = { asked: null, model: null, ...(document as Partial<Run>) };
  const { id, created, seconds, threads, ...made } = document.run;
  const { sha256, ...data } = document.data;
  return { ...found, run: made, data };
}
