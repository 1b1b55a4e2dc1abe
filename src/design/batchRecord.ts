/** What a run document says of its batch as a whole. */
import type { BatchRules } from '../judging/batchRules.js';
import { countBeyond, hasFront } from '../judging/paretoBatch.js';
import { type VerdictFacts, verdictOf } from '../judging/verdict.js';
import { batchSettingsOf, type Problem } from '../problem/index.js';
import type { DesignRequest } from './designRequest.js';
import type { Candidate, RunDocument, Verdict } from './runDocument.js';
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

/** The verdict, with what the rules of the batch did to it, and how it compares with past runs in all goals at once. */
export function batchVerdict(
  problem: Problem,
  { cost, batch, same }: BatchRules,
  { keep, avoid }: DesignRequest,
  facts: VerdictFacts,
): Verdict {
  const verdict = verdictOf(facts);
  const { candidates } = facts;
  const budget = cost?.budget ?? null;
  if (candidates.length === 0 && (budget !== null || avoid || keep || same.length > 0)) {
    const reason = 'no new design keeps to what the batch was asked for; loosen one of its rules';
    return {
      level: 'unsupported',
      sentence: 'No design could be found that keeps to the rules of the batch.',
      reasons: [verdict.reasons[0]!, reason],
    };
  }
  const reasons = [...verdict.reasons];
  if (candidates.length < batch && budget !== null) reasons.push(`the budget of ${budget} pays for no more`);
  if (hasFront(problem.rule) && candidates.length > 0) {
    const goals = candidates.map((one) => one.goals.map(({ expected }) => expected));
    reasons.push(
      `${countBeyond(problem, goals)} of ${candidates.length} designs are expected beyond the front of the past runs: no run is as good in every goal`,
    );
  }
  return { ...verdict, reasons };
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
