/** What the app and its hosts agree on. `host.ts` first. */
export { type Ask, askSchema, type Cells, cellsSchema } from './ask.js';
export { type CallName, callSchemas, sourceSchema } from './calls.js';
export type { About, Host } from './host.js';
export {
  type BenchFolder,
  type ContourAnswer,
  type ContourQuestion,
  type Measured,
  type OpenedRun,
  type ProfileAnswer,
  type ProfileQuestion,
  type RunEvent,
  type RunFileName,
  type RunProgress,
  type RunStatus,
  type RunSummary,
  runFileNames,
} from './runs.js';
export type {
  CellChange,
  ColumnCard,
  Fault,
  OpenedTable,
  Spread,
  Stated,
  TableCell,
  TableChange,
  TableRows,
  TableSource,
  UnitChange,
} from './tables.js';
