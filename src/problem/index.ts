/** What is asked of a table: goals, constraints and problem files, and the problem that follows from them. */
export {
  type Cost,
  costConstraint,
  costOf,
  keptDesigns,
  type SharedColumn,
  sharedColumns,
} from './batchTerms.js';
export {
  buildSpace,
  type Cell,
  type DesignColumn,
  decodeRows,
  encodeRows,
  placeOf,
  type SpaceOptions,
  vocabularyOf,
} from './buildSpace.js';
export { type CheckedColumn, type CheckReport, checkTable, checkVersion } from './checkTable.js';
export { type ColumnRole, outlineProblem, type ProblemOutline, type RoledColumn } from './columnRoles.js';
export { type ScoredRows, type ScoreRule, scoreOf, scoreRows, scoreRule, valueAt } from './desirability.js';
export { type DoctorQuestion, examine, type Finding, type Severity } from './doctor.js';
export { type ConstraintStatement, parseConstraint, type Vocabulary } from './expressions.js';
export { type Goal, parseGoal, parseGoals, printGoal } from './goals.js';
export { type GoalLimits, within } from './limits.js';
export { deviationFrom, findMixtures, type Mixture } from './mixtures.js';
export type { Fingerprints, MoleculeColumn } from './molecules.js';
export {
  type MethodOptions,
  type ProblemFile,
  ProblemFileError,
  parseProblemFile,
  problemJsonSchema,
  writeProblemFile,
} from './problemFile.js';
export {
  type BatchSettings,
  batchSettingsOf,
  type ColumnSpec,
  type Effort,
  efforts,
  MOST_DESIGNS,
  type ProblemSpec,
  type Risk,
  type RunSettings,
  risks,
} from './problemSpec.js';
export { problemStatements } from './problemStatements.js';
export { check, type Question, specFrom, stateFor } from './question.js';
export { followingValue, type Relation } from './relations.js';
export { decimalsOf, type Resolution, roundedTo } from './resolution.js';
export {
  type Problem,
  type ProblemOptions,
  requireFeasible,
  stateProblem,
  toCells,
} from './stateProblem.js';
export { type TableData, type TableDesigns, toDataset, toDesigns } from './toDataset.js';
export { ExpressionError } from './tokens.js';
