/** What is computed, recorded and repeated: a problem, how many designs, and how to search for them. */
import { algorithms } from '../algorithms/index.js';
import { BatchRules, requireKept } from '../judging/batchRules.js';
import type { Plan } from '../judging/plan.js';
import { tierNames } from '../judging/tiers.js';
import { nearestName } from '../nearestName.js';
import { ArgumentError, requireOption, requireSteps } from '../numeric/errors.js';
import { rowOf } from '../numeric/rows.js';
import { requireSomeOptions } from '../options/requireOptions.js';
import {
  type BatchSettings,
  batchSettingsOf,
  type Effort,
  efforts,
  keptDesigns,
  type MethodOptions,
  MOST_DESIGNS,
  type Problem,
  type Risk,
  type RunSettings,
  risks,
} from '../problem/index.js';
import type { Table } from '../table/table.js';

/** What a batch has to be like: `BatchSettings`, and tables of designs. */
export interface BatchRequest extends BatchSettings {
  /** Designs of this table are in the batch. */
  readonly keep?: Table;
  /** Designs like those of this table are not proposed; an absent column or an empty cell stands for any value. */
  readonly avoid?: Table;
}

export interface DesignRequest extends BatchRequest {
  readonly problem: Problem;
  /** How many designs to propose. */
  readonly batch: number;
  readonly seed: number;
  readonly method: string;
  readonly effort: Effort;
  /** How far designs may leave what is known; absent: what the rehearsal speaks for. */
  readonly risk?: Risk;
  /** Designs are shown even where the data do not support them. */
  readonly anyway?: true;
  /** Options of the method by name; others are set from the data. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** What is not given gets its default. Throws `ArgumentError`, `ExpressionError` or `TableError`. */
export function requestOf(
  problem: Problem,
  settings: RunSettings,
  { keep, avoid }: Pick<BatchRequest, 'keep' | 'avoid'> = {},
): DesignRequest {
  const { seed = 0, method = 'nemo', effort = 'balanced', risk, anyway, options = {} } = settings;
  const batch = batchSize(settings, keep?.rows ?? 0);
  requireOption(
    'batch',
    batch,
    Number.isSafeInteger(batch) && batch >= 1 && batch <= MOST_DESIGNS,
    `a whole number from 1 to ${MOST_DESIGNS}`,
  );
  requireSteps('seed', seed);
  const name = requireMethod(method);
  requireSomeOptions(name, methodOptions[name]!, options);
  const request: DesignRequest = {
    problem,
    batch,
    ...batchSettingsOf(settings),
    ...(keep && keep.rows > 0 && { keep }),
    ...(avoid && avoid.rows > 0 && { avoid }),
    seed,
    method: name,
    effort: requireEffort(effort),
    ...(risk !== undefined && { risk: requireRisk(risk) }),
    ...(anyway && { anyway: true as const }),
    options,
  };
  batchRulesOf(request);
  return request;
}

/** The rules of a batch, and the designs that are kept. Throws where they contradict each other. */
export function batchRulesOf(request: DesignRequest): { rules: BatchRules; kept: Float64Array[] } {
  const { problem, keep } = request;
  const rules = BatchRules.of(problem, request);
  const d = problem.space.columns.length;
  const x = keep ? keptDesigns(problem, keep) : new Float64Array();
  const kept = Array.from({ length: x.length / d }, (_, i) => rowOf(x, d, i));
  requireKept(rules, kept);
  return { rules, kept };
}

/** Tiers say how large a batch is, beside what is kept. */
function batchSize({ batch, tiers }: RunSettings, kept: number): number {
  if (!tiers) return batch ?? 8;
  const isCounts = tiers.length === tierNames.length && tiers.every((n) => Number.isSafeInteger(n) && n >= 0);
  const all = tiers.reduce((sum, count) => sum + count, 0);
  if (!isCounts || all === 0)
    throw new ArgumentError(
      'tiers',
      `tiers are [${tiers.join(', ')}]; expected three whole numbers, such as [4, 3, 1]: safe, balanced and bold designs`,
    );
  if (batch === undefined || batch === all + kept) return all + kept;
  throw new ArgumentError(
    'tiers',
    `tiers of ${tiers.join(', ')} designs${kept > 0 ? ` and ${kept} kept` : ''} are ${all + kept}, and the batch has ${batch}; leave "batch" out, or change one of them`,
  );
}

export type MethodName = keyof typeof algorithms;

/** Options of all methods. */
export const methodOptions: MethodOptions = Object.fromEntries(
  Object.entries(algorithms).map(([name, { options }]) => [name, options]),
);

/** Designs that are searched for at once: many more than are asked for, so that a varied batch can be chosen. */
const SEARCHED = 128;
/** More at once take time and find the same places; the rest of a larger batch lies around them and in between. */
const MOST_SEARCHED = 1024;

/** Methods whose training is that of networks which predict the score: validation says how long it should be. */
const predictors: readonly MethodName[] = ['forward', 'ensemble', 'coms', 'cma-es', 'reinforce'];

export function requireMethod(method: string): MethodName {
  if (Object.hasOwn(algorithms, method)) return method as MethodName;
  const known = Object.keys(algorithms);
  throw new ArgumentError(
    'method',
    `no method is called "${method}"${suggest(method, known)}; expected ${known.join(', ')}`,
  );
}

export function requireEffort(effort: string): Effort {
  const found = efforts.find((name) => name === effort);
  if (found) return found;
  throw new ArgumentError(
    'effort',
    `no effort is called "${effort}"${suggest(effort, efforts)}; expected ${efforts.join(', ')}`,
  );
}

export function requireRisk(risk: string): Risk {
  const found = risks.find((name) => name === risk);
  if (found) return found;
  throw new ArgumentError(
    'risk',
    `no risk is called "${risk}"${suggest(risk, risks)}; expected ${risks.join(', ')}`,
  );
}

/** The method's options: its defaults, then the plan's, then those that were asked for. */
export function optionsFor(
  { method, batch, options }: Pick<DesignRequest, 'method' | 'batch' | 'options'>,
  plan: Plan,
  trainingSteps: number,
): Record<string, unknown> {
  const { defaults, options: declared } = algorithms[requireMethod(method)];
  const networks = { hidden: plan.hidden, minibatch: plan.minibatch };
  const byMethod: Record<string, Record<string, unknown>> = {
    nemo: {
      // the designs of all steps are judged by the run itself
      ...{ estimator: 'amortised', proposal: 'last', settle: null },
      ...networks,
      bins: plan.bins,
      headroom: plan.headroom,
      pretrainRate: plan.trainingRate,
      pretrainSteps: trainingSteps,
      steps: plan.steps,
    },
    ...Object.fromEntries(
      predictors.map((name) => [
        name,
        { ...networks, trainRate: plan.trainingRate, trainSteps: trainingSteps },
      ]),
    ),
  };
  const planned = { ...byMethod[method], batchSize: Math.max(SEARCHED, Math.min(2 * batch, MOST_SEARCHED)) };
  requireSomeOptions(method, declared, options);
  return { ...defaults, ...planned, ...options };
}

function suggest(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  return near ? `; did you mean "${near}"?` : '';
}
