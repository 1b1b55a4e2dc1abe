/** Data sets on this machine: where they are kept, and the source that tasks read from. Node only. */
export {
  cacheFolderPaths,
  type DataFolder,
  type DataFolderOptions,
  dataFolderPath,
  openDataFolder,
} from './dataFolder.js';
