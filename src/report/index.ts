/** What people see of a run: the report, the words beside it, and numbers as people read them. */
export {
  columnFormat,
  estimateFormat,
  formatCell,
  formatInterval,
  formatNumber,
  formatPercent,
  type NumberFormat,
} from './numberFormat.js';
export { renderReadme } from './readme.js';
export { renderReport } from './report.js';
