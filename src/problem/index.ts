/** What is asked of a table: goals, constraints and problem files, and the dataset and space that follow from them. */
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
export { type ScoredRows, type ScoreRule, scoreRows, scoreRule, valueAt } from './desirability.js';
export { type DoctorQuestion, examine, type Finding, type Severity } from './doctor.js';
export { type ConstraintStatement, parseConstraint, type Vocabulary } from './expressions.js';
export { type Goal, parseGoal, parseGoals, printGoal } from './goals.js';
export { deviationFrom, findMixtures, type Mixture } from './mixtures.js';
export type { Fingerprints, MoleculeColumn } from './molecules.js';
export {
  type ColumnSpec,
  type Effort,
  efforts,
  ProblemFileError,
  type ProblemSpec,
  parseProblemFile,
  problemJsonSchema,
  writeProblemFile,
} from './problemFile.js';
export { problemStatements } from './problemStatements.js';
export {
  type ProblemExtras,
  type ProblemWords,
  problem,
  type TableProblem,
  toCells,
} from './tableProblem.js';
export { type TableData, type TableDesigns, toDataset, toDesigns } from './toDataset.js';
export { ExpressionError } from './tokens.js';
