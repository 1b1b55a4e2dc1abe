/**
 * nemokit: from a table of past experiments to a batch of better designs. Everything here runs in Node and in browsers.
 * What touches files is in `nemokit/node`, algorithms and the engine in `nemokit/research`, the benchmark's tasks in
 * `nemokit/tasks`.
 *
 * @module
 */
export { type ExplainOptions, explain, score } from './design/askRun.js';
export { type DesignOptions, design } from './design/design.js';
export type { EngineChoice } from './design/engineChoice.js';
export { type RehearseOptions, rehearse } from './design/rehearse.js';
export type { Asked, Run } from './design/run.js';
export type {
  Assessed,
  AssessedRow,
  AssessedRows,
  Candidate,
  DesignMap,
  Forecast,
  GoalSummary,
  History,
  Nearest,
  Profile,
  Replicates,
  RunDocument,
  Trust,
  Validation,
  Verdict,
} from './design/runDocument.js';
export type { SavedModel } from './design/savedModel.js';
export type { Progress } from './design/work.js';
export type { CandidateExplanation, Contribution, Explanation } from './judging/explainCandidate.js';
export type { Enrichment, Ranking } from './judging/measuredPool.js';
export type { RankingMethod, Rehearsal } from './judging/rehearsal.js';
export { UnsupportedError } from './judging/support.js';
export {
  ArgumentError,
  capabilities,
  Engine,
  EngineError,
  type EngineOptions,
  type Kernel,
  type KernelChoice,
  NotFiniteError,
  OutOfMemoryError,
  openEngine,
} from './numeric/index.js';
export type { CheckedColumn, CheckReport, Support } from './problem/checkTable.js';
export type { Finding } from './problem/doctor.js';
export type { Fingerprints } from './problem/molecules.js';
export { type FingerprintOptions, openFingerprints } from './problem/platform/rdkit.js';
export type { ColumnSpec, Effort, ProblemSpec } from './problem/problemSpec.js';
export { check, type Question } from './problem/question.js';
export { ExpressionError } from './problem/tokens.js';
export { toCandidatesCsv, toScoredCsv } from './report/candidatesCsv.js';
export { drawMolecules } from './report/moleculeDrawings.js';
export { renderReport } from './report/report.js';
export { InfeasibleError } from './space/feasibility.js';
export { solverFile } from './space/solver.js';
export { appendRows } from './table/appendRows.js';
export type { ColumnType } from './table/columnTypes.js';
export { type ReadOptions, readTable } from './table/readTable.js';
export {
  type NumberColumn,
  type Table,
  type TableColumn,
  TableError,
  type TextColumn,
} from './table/table.js';
export { version } from './version.js';
