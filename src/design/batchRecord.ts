/** What a run document says of the rules of its batch. */
import type { BatchRules } from '../judging/batchRules.js';
import { batchSettingsOf } from '../problem/index.js';
import type { DesignRequest } from './designRequest.js';
import type { Candidate, RunDocument } from './runDocument.js';
import type { ChosenDesign } from './simplifyBatch.js';

/** Empty where nothing was asked. */
export function batchRecord(
  request: DesignRequest,
  rules: BatchRules,
  designs: readonly Float64Array[],
): Pick<RunDocument['run'], 'rules'> {
  const { keep, avoid } = request;
  const record = {
    ...batchSettingsOf(request),
    ...(keep && { kept: keep.rows }),
    ...(avoid && { avoided: avoid.rows }),
    ...(rules.cost && { total: Number(rules.total(designs).toPrecision(12)) }),
  };
  return Object.keys(record).length === 0 ? {} : { rules: record };
}

/** How a design was chosen and what it costs, where somebody asked. */
export function pickAndCost(
  { x, pick }: ChosenDesign,
  { tiers, keep }: DesignRequest,
  { cost }: BatchRules,
): Pick<Candidate, 'pick' | 'cost'> {
  return {
    ...((tiers || keep) && { pick }),
    ...(cost && { cost: Number(cost.of(x).toPrecision(12)) }),
  };
}
