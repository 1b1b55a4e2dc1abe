/** What people see of a run: the report, the words beside it, and numbers as people read them. */

export { documentFormats } from './documentFormats.js';
export { count } from './markup.js';
export {
  columnFormat,
  estimateFormat,
  formatCell,
  formatInterval,
  formatNumber,
  formatPercent,
  type NumberFormat,
  typedNumber,
} from './numberFormat.js';
export { profileFiles } from './profileFiles.js';
export { renderReadme } from './readme.js';
export { renderReport } from './report.js';
export { formatDuration, formatTime } from './timeFormat.js';
