/** The report of a run, its README, and numbers as people read them. */

export { visibleText } from '../visibleText.js';
export { catalogueColumns, toCandidatesCsv, toScoredCsv } from './candidatesCsv.js';
export { documentFormats, predictionFormat } from './documentFormats.js';
export {
  columnFormat,
  estimateFormat,
  formatCell,
  formatDuration,
  formatInterval,
  formatNumber,
  formatPercent,
  formatTime,
  type NumberFormat,
  typedNumber,
} from './formats.js';
export { insideText } from './historySection.js';
export { historySentences } from './historyWords.js';
export { count } from './markup.js';
export { drawMolecules, type MoleculeDrawings } from './moleculeDrawings.js';
export { profileFiles } from './profileChart.js';
export { renderReadme } from './readme.js';
export { rehearsalSentence, relevanceText } from './rehearsalWords.js';
export { noiseText, singleText, whichRows } from './repeatedRows.js';
export { renderReport } from './report.js';
export { shownDocument, withheldText } from './withheld.js';
