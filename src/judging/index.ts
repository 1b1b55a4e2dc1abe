/** Judging designs without an oracle: rows of a table that a method has not seen. */
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
  rehearseRows,
} from './rehearsal.js';
