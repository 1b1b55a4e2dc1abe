/** Tables of past experiments: reading them, and finding out what their columns are. */

export { nearestName } from '../nearestName.js';
export { appendRows } from './appendRows.js';
export { neutralise, withoutApostrophe } from './cellText.js';
export {
  type ColumnOverride,
  type ColumnType,
  columnTypes,
  inspect,
  type TypedColumn,
} from './columnTypes.js';
export { type ReadOptions, readTable } from './readTable.js';
export { freeName, type Round, type WrittenForecast, type WrittenPromise } from './rounds.js';
export {
  cellAt,
  type NumberColumn,
  type Table,
  type TableColumn,
  TableError,
  type TextColumn,
} from './table.js';
