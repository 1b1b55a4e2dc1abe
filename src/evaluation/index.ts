/** What researchers need beside algorithms and tasks: data on this machine, and judging without an oracle. Node only. */
export {
  cacheFolderPaths,
  type DataFolder,
  type DataFolderOptions,
  dataFolderPath,
  openDataFolder,
} from './dataFolder.js';
export {
  type Enrichment,
  type MeasuredPool,
  measuredPool,
  type PoolOptions,
  type Ranking,
  type RankingOptions,
  type RowScorer,
  rankPool,
} from './measuredPool.js';
export {
  type RankingMethod,
  type Rehearsal,
  type RehearsalOptions,
  rankingMethods,
  rehearse,
} from './rehearsal.js';
