/** What every host of the app says, computed by the library: no files, no clock, no network. */

export { tableParts } from '../../runs/tableParts.js';
export { askedWords } from './askedWords.js';
export { changedTable } from './changedTable.js';
export { type ComputeControl, computeAsk, requestFor, tableOf } from './computeAsk.js';
export { faultOf } from './faultOf.js';
export { roundTable } from './roundTable.js';
export { RunDesk } from './runDesk.js';
export { askOf, partsOf, runFromParts } from './runParts.js';
export { stateAnswer } from './stateAnswer.js';
export { openedTable, sheetsOf, type TableOrigin, tableRows } from './tableAnswers.js';
