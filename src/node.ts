/**
 * What touches files, for Node: tables, problem files, run folders and data sets.
 *
 * @module
 */
export { type DataFolder, type DataFolderOptions, openDataFolder } from './data/dataFolder.js';
export { type ProblemInput, type ReadProblemOptions, readProblem } from './problem/platform/node.js';
export { ProblemFileError } from './problem/problemFault.js';
export type { ProblemFile } from './problem/problemFile.js';
export { FileError } from './runs/fileError.js';
export { type ListedRun, listRuns } from './runs/runsFolder.js';
export { readRun } from './runs/savedRun.js';
export { writeRun } from './runs/writeRun.js';
export { readTableFile } from './table/platform/node.js';
