/** The files of a run as text and bytes, wherever they are kept: in a folder, or in a browser. */
import type { DesignRequest } from '../design/designRequest.js';
import type { RunDocument } from '../design/runDocument.js';
import { encodeModel, type SavedModel } from '../design/savedModel.js';
import { batchSettingsOf, type ProblemFile, writeProblemFile } from '../problem/index.js';
import { drawMolecules, renderReadme, renderReport, toCandidatesCsv } from '../report/index.js';
import type { Table } from '../table/index.js';
import type { RunResults } from './runFolder.js';

/** `problem.yaml` of a run: the problem as stated, over the tables beside it. */
export function problemFileOf(request: DesignRequest): string {
  const { problem, batch, keep, avoid, seed, method, effort, risk, anyway, options } = request;
  const file: ProblemFile = {
    version: 1,
    data: 'data.parquet',
    ...problem.spec,
    ...(problem.choices && { choices: 'choices.parquet' }),
    batch,
    ...batchSettingsOf(request),
    ...(keep && { keep: 'keep.parquet' }),
    ...(avoid && { avoid: 'avoid.parquet' }),
    seed,
    effort,
    ...(risk !== undefined && { risk }),
    ...(anyway && { anyway }),
    method,
    options: options as NonNullable<ProblemFile['options']>,
  };
  return writeProblemFile(file, { comments: false });
}

/** The files in which a run keeps its results: for people, then for programs. */
export async function resultFiles(
  document: RunDocument,
  table: Table,
  model: SavedModel,
): Promise<RunResults> {
  const { tensors, description } = encodeModel(model);
  return {
    'candidates.csv': toCandidatesCsv(document, table),
    'report.html': renderReport(document, await drawMolecules(document)),
    'README.txt': renderReadme(document),
    'candidates.json': `${JSON.stringify(document, null, 2)}\n`,
    'model.safetensors': tensors,
    'model.json': `${JSON.stringify(description, null, 2)}\n`,
  };
}
