/** Chooses the batch and puts what a run found into a document. */

import type { Advisor } from '../judging/advisor.js';
import type { BatchRules } from '../judging/batchRules.js';
import { composeBatch, tierCounts } from '../judging/composeBatch.js';
import type { CrossTrainingState } from '../judging/crossTraining.js';
import { fitPlane, onPlane } from '../judging/designMap.js';
import { historyOf } from '../judging/history.js';
import type { JointDraws } from '../judging/jointGain.js';
import type { SavedJudges } from '../judging/judges.js';
import { goalSummary, objectiveValue } from '../judging/objective.js';
import { hasFront, measuredPoints } from '../judging/paretoBatch.js';
import type { Plan } from '../judging/plan.js';
import { movableColumns, profilesOf } from '../judging/profiles.js';
import { reliabilityOf } from '../judging/reliability.js';
import { bestSingle, replicatesAt } from '../judging/replicates.js';
import type { ScoreModel } from '../judging/scoreModel.js';
import { tierNames } from '../judging/tiers.js';
import { foldKey, rootKey } from '../numeric/key.js';
import { powerOfTen } from '../numeric/portable.js';
import { Stream } from '../numeric/random.js';
import { joinRows, rowOf, takeRows } from '../numeric/rows.js';
import { extent, median, quantiles, spearman, topIndices } from '../numeric/stats.js';
import {
  type DesignColumn,
  decimalsOf,
  examine,
  type Problem,
  placeOf,
  type Risk,
  toCells,
} from '../problem/index.js';
import { evenly } from '../search/rowSubset.js';
import { type Space, toScale } from '../space/space.js';
import { batchPool } from './batchPool.js';
import { batchRecord, batchVerdict, pickAndCost } from './batchRecord.js';
import { batchRulesOf, type DesignRequest } from './designRequest.js';
import { followingCells } from './doableDesigns.js';
import { listedRow } from './listedRow.js';
import type { Candidate, DesignMap, RunDocument, Validation } from './runDocument.js';
import type { SavedModel } from './savedModel.js';
import { type ChosenDesign, simplifyBatch } from './simplifyBatch.js';

/** What the run itself knows; when, where and from which file is added by whoever keeps it. */
export type DesignFindings = Omit<RunDocument, 'documentVersion' | 'run' | 'data'> & {
  readonly run: Pick<
    RunDocument['run'],
    'method' | 'effort' | 'seed' | 'batch' | 'rules' | 'options' | 'complete' | 'anyway'
  >;
  readonly data: Omit<RunDocument['data'], 'file' | 'sha256'>;
};

export interface DesignResult {
  readonly findings: DesignFindings;
  readonly model: SavedModel;
}

export interface RunFacts {
  readonly request: DesignRequest;
  readonly plan: Plan;
  readonly options: Readonly<Record<string, unknown>>;
  readonly validation: CrossTrainingState;
  readonly judges: SavedJudges;
  readonly risk: Risk;
  readonly model: ScoreModel;
  readonly pool: readonly Float64Array[];
  readonly curves: readonly Readonly<Record<string, number>>[];
  readonly isComplete: boolean;
}

const MAPPED = 600;
const LISTED = 5000;

export async function describe(advisor: Advisor, facts: RunFacts): Promise<DesignResult> {
  const { problem } = advisor;
  const { request, plan, validation, judges, risk, options } = facts;
  const { batch, method, effort, seed } = request;
  const { rules, kept } = batchRulesOf(request);
  const chosen = await chooseDesigns(advisor, facts.pool, request, rules, kept);
  const designs = chosen.map((one) => one.x);
  const x = joinRows(designs);
  const candidates = await candidatesOf(advisor, chosen, request, rules);
  const goal = goalSummary(problem.rule);
  const validated = validationOf(advisor, validation);
  const d = problem.space.columns.length;
  const findings: DesignFindings = {
    run: {
      method,
      effort,
      seed,
      batch,
      ...batchRecord(request, rules, designs),
      options,
      complete: facts.isComplete,
      ...(request.anyway && { anyway: true }),
    },
    data: {
      rows: problem.table.rows,
      used: problem.data.y.length,
      noise: problem.noise,
      columns: columnSummaries(problem),
      findings: examine(problem.table, { goal: goal.goals[0]!.column, inputs: designNames(problem) }),
      notes: problem.notes,
    },
    constraints: [...constraintLabels(problem), ...rules.labels(designs)],
    goal,
    bestKnown: {
      row: problem.rows[advisor.best]![0]! + 1,
      value: advisor.valueOf(advisor.best),
      cells: toCells(problem, rowOf(problem.data.x, d, advisor.best))[0]!,
      ...measuredAgain(problem, advisor.best),
      heldOut: await advisor.heldOutBest(),
    },
    verdict: batchVerdict(problem, rules, request, {
      candidates,
      asked: batch,
      rehearsed: judges.rehearsed,
      rows: problem.data.y.length,
      range: rangeOf(problem.data.y),
      wild: wildColumns(problem),
      ceiling: ceilingOf(advisor),
    }),
    rehearsal: rehearsalOf(advisor, risk, request.risk !== undefined),
    validation: validated,
    relevance: relevanceOf(advisor, seed),
    candidates,
    ...pastPromises(problem),
    curves: facts.curves,
    profiles:
      candidates.length === 0
        ? []
        : await profilesOf(advisor, x.subarray(0, d), movableColumns(candidates[0]!, problem)),
    map: mapOf(advisor, x, candidates),
  };
  const model = {
    plan,
    seed,
    trainingSteps: validation.best!.steps,
    weights: validation.best!.weights,
    judges: { ...judges, risk },
    reading: advisor.reading(facts.model),
  };
  return { findings, model };
}

/** What repeated measurements say about row `best` of the data. */
export function measuredAgain(
  problem: Problem,
  best: number,
): Pick<RunDocument['bestKnown'], 'meanOf' | 'single'> {
  const meanOf = replicatesAt(problem, best);
  const single = bestSingle(problem, best);
  return { ...(meanOf && { meanOf }), ...(single && { single }) };
}

export function pastPromises(problem: Problem): Pick<RunDocument, 'history'> {
  const history = historyOf(problem);
  return history ? { history } : {};
}

/** The limit of the goal where the best row has reached it, up to the goal's own digits; null where it has not. */
function ceilingOf(advisor: Advisor): number | null {
  const { rule, limits, table } = advisor.problem;
  if (rule.kind !== 'value') return null;
  const limit = rule.sign === 1 ? limits[0]!.upper : limits[0]!.lower;
  const column = table.columns.find(({ name }) => name === rule.goal.column);
  const decimals = column?.kind === 'number' ? decimalsOf(column) : null;
  const near = decimals === null ? 1e-6 * Math.abs(limit) : (1 + 1e-9) * powerOfTen(-decimals);
  return Number.isFinite(limit) && Math.abs(advisor.valueOf(advisor.best) - limit) <= near ? limit : null;
}

function rangeOf(values: Float64Array): number {
  const { min, max } = extent(values);
  return max - min;
}

/** How many times the middle of a column its range may be. */
const WILD = 1000;

/** Columns with a value so far out that a model sees all others as one. */
function wildColumns({ space, data }: Problem): string[] {
  const d = space.columns.length;
  return space.columns.flatMap((column, j) => {
    if (column.kind !== 'continuous') return [];
    const values = Float64Array.from(data.y, (_, i) => toScale(column, data.x[i * d + j]!));
    const [low, high] = quantiles(values, [0.1, 0.9]);
    return rangeOf(values) > WILD * (high! - low!) && high! > low! ? [column.name ?? `column ${j + 1}`] : [];
  });
}

/** What the rehearsal found, in the units of the objective. */
function rehearsalOf(advisor: Advisor, risk: Risk, isAsked: boolean): NonNullable<RunDocument['rehearsal']> {
  const { rehearsed, problem } = advisor;
  const inUnits = (score: number) => objectiveValue(problem.rule, score);
  const { promised, delivered, bestSeen, hidden, seen, named, first, byChance, luck } = rehearsed;
  return {
    hidden,
    seen,
    named,
    first,
    byChance,
    promised: inUnits(promised),
    delivered: inUnits(delivered),
    bestSeen: inUnits(bestSeen),
    luck,
    risk,
    riskFrom: isAsked ? 'asked' : 'rehearsal',
  };
}

/** How much each column matters to the process, the largest first. */
function relevanceOf(advisor: Advisor, seed: number): NonNullable<RunDocument['relevance']> {
  const { columns, space } = advisor.problem;
  const shares = advisor.panel.gaussian.relevance(foldKey(rootKey(seed), 'relevance'));
  const all = columns.map(({ name }, i) => {
    const from = placeOf(columns, name)!;
    const next = columns[i + 1];
    const to = next ? placeOf(columns, next.name)! : space.columns.length;
    let share = 0;
    for (let j = from; j < to; j++) share = Math.max(share, shares[j]!);
    return { column: name, share };
  });
  return all.sort((a, b) => b.share - a.share);
}

/** Columns that designs set, in the table's order. */
export function designNames({ tableColumns }: Problem): string[] {
  return tableColumns.filter(({ role }) => role !== 'goal' && role !== 'left out').map(({ name }) => name);
}

/** The columns of the table and their parts, for people. */
export function columnSummaries({ tableColumns, columns }: Problem): RunDocument['data']['columns'] {
  return tableColumns.map(({ name, type, role, assumed }) => {
    const column = columns.find((candidate) => candidate.name === name);
    return { name, type, role, summary: column ? summaryOf(column) : '', ...(assumed && { assumed }) };
  });
}

/** Levels that are named; more are counted. */
const NAMED = 8;

function summaryOf(column: DesignColumn): string {
  if (column.kind === 'number' || column.kind === 'integer') return `${column.min} to ${column.max}`;
  if (column.kind === 'sequence') return `${column.length} letters of ${column.letters.join('')}`;
  if (column.kind !== 'category') return '';
  const { levels } = column;
  const named = levels.slice(0, NAMED).join(', ');
  return levels.length > NAMED ? `${named} and ${levels.length - NAMED} more` : named;
}

/** The batch out of all designs that were met. */
async function chooseDesigns(
  advisor: Advisor,
  met: readonly Float64Array[],
  request: DesignRequest,
  rules: BatchRules,
  kept: readonly Float64Array[],
): Promise<ChosenDesign[]> {
  const { problem, past } = advisor;
  const { space, spec, rule } = problem;
  const isFront = request.front !== false && hasFront(rule);
  const found = await batchPool(problem, [...met, listedDesigns(space)], {
    rules,
    kept,
    seed: request.seed,
    isFront,
    promise: async (x) => (await advisor.scores(x)).map(({ promise }) => promise),
  });
  const designs = [...kept, ...found];
  if (designs.length === 0) return [];
  const x = joinRows(designs);
  const scores = await advisor.scores(x);
  const goals = isFront ? await advisor.goalScores(x) : [];
  const pool = {
    designs,
    kept: kept.length,
    judged: scores.map((score, k) => ({ ...score, goals: goals[k] ?? [] })),
    points: past.place(x),
    toPast: scores.map(({ distance }) => (spec.allowRepeats ? Number.POSITIVE_INFINITY : distance)),
    ...(!isFront && { joint: await jointDraws(advisor, designs, scores, request.seed) }),
  };
  const tiers = tierCounts(request.tiers, rules.batch - kept.length);
  const order = { rules, tiers, front: isFront ? rule : null, measured: measuredPoints(problem) };
  const picked = composeBatch(pool, order, past).map(({ design, pick }) => ({ x: designs[design]!, pick }));
  const chosen = request.simplify === false ? picked : await simplifyBatch(advisor, picked, rules, isFront);
  // tiers as they were asked for, and the most promising first
  const place = ({ pick }: ChosenDesign) => (request.tiers ? ['kept', ...tierNames].indexOf(pick) : 0);
  const { length } = chosen;
  const judged = length === 0 ? [] : await advisor.scores(joinRows(chosen.map((one) => one.x)));
  return Array.from(chosen.keys())
    .sort(
      (a, b) => place(chosen[a]!) - place(chosen[b]!) || judged[b]!.expected - judged[a]!.expected || a - b,
    )
    .map((i) => chosen[i]!);
}

/** Designs whose scores are drawn together: the most promising ones, and those that may reach most; and draws. */
const PROMISING = 96;
const REACHING = 96;
const DRAWS = 128;

async function jointDraws(
  advisor: Advisor,
  designs: readonly Float64Array[],
  scores: readonly { readonly promise: number; readonly doubt: number }[],
  seed: number,
): Promise<JointDraws> {
  const first = (value: (score: (typeof scores)[number]) => number, count: number) =>
    Array.from(topIndices(scores.map(value), Math.min(count, designs.length)));
  const promising = [
    ...new Set([
      ...first(({ promise }) => promise, PROMISING),
      ...first(({ promise, doubt }) => promise + doubt, REACHING),
    ]),
  ];
  const stream = new Stream(foldKey(rootKey(seed), 'joint draws'));
  const normals = Array.from({ length: DRAWS }, () => Float64Array.from(promising, () => stream.normal()));
  const x = joinRows(Array.from(promising, (k) => designs[k]!));
  return {
    draws: await advisor.jointScores(x, normals),
    columnOf: new Map(Array.from(promising, (k, column) => [k, column])),
  };
}

/** Of a list of rows every one can be judged, not only those that a search comes near; of a very long one, some. */
function listedDesigns({ choices, columns }: Space): Float64Array {
  if (!choices) return new Float64Array();
  const d = columns.length;
  return takeRows(choices, d, evenly(choices.length / d, LISTED));
}

async function candidatesOf(
  advisor: Advisor,
  chosen: readonly ChosenDesign[],
  request: DesignRequest,
  rules: BatchRules,
): Promise<Candidate[]> {
  if (chosen.length === 0) return [];
  const { problem } = advisor;
  const x = joinRows(chosen.map((one) => one.x));
  const cells = toCells(problem, x).map((row) => followingCells(problem, row));
  return (await advisor.assess(x)).map((assessed, i) => {
    const listed = listedRow(problem, chosen[i]!.x);
    return {
      row: i + 1,
      cells: asListed(cells[i]!, listed),
      ...(listed && { listed }),
      ...assessed,
      ...pickAndCost(chosen[i]!, request, rules),
    };
  });
}

/** Texts as the list writes them: the model may know a molecule by another one with the same fingerprint. */
function asListed(cells: Candidate['cells'], listed: Candidate['listed']): Candidate['cells'] {
  if (!listed) return cells;
  return Object.fromEntries(
    Object.entries(cells).map(([name, cell]) => {
      const own = Object.hasOwn(listed.cells, name) ? listed.cells[name] : undefined;
      return [name, typeof cell === 'string' && own !== undefined ? String(own) : cell];
    }),
  );
}

function validationOf(advisor: Advisor, { best, tried }: CrossTrainingState): Validation {
  const unseen = advisor.unseen();
  const measured = unseen.map((one) => one.measured);
  const expected = unseen.map(({ prediction }) => prediction.expected);
  const inside = unseen.filter(({ measured: y, prediction: { lo80, hi80 } }) => lo80 <= y && y <= hi80);
  const correlation = spearman(expected, measured);
  return {
    rows: unseen.length,
    rankCorrelation: Number.isFinite(correlation) ? correlation : 0,
    typicalError: median(measured.map((y, i) => Math.abs(y - expected[i]!))),
    coverage80: inside.length / unseen.length,
    sample: advisor.panel.settings.sample,
    reliability: reliabilityOf(advisor.unseenChances()),
    trainingSteps: best!.steps,
    tried,
    pairs: unseen.map(({ row, measured: y, prediction }) => ({
      row: advisor.problem.rows[row]![0]! + 1,
      measured: y,
      ...prediction,
    })),
  };
}

export function constraintLabels({ space }: Problem): string[] {
  const { linear = [], cardinality = [], forbidden = [], formulas = [], conditional = [] } = space;
  const listed = [...linear, ...cardinality, ...forbidden, ...formulas, ...conditional];
  // what the user did not ask for is said elsewhere
  const fixed = (space.fixed ?? []).filter(({ label }) => !/\(missing\)| is context$/.test(label));
  // one sentence may have become several constraints
  return [...new Set([...listed, ...fixed].map(({ label }) => label))];
}

function mapOf(advisor: Advisor, x: Float64Array, candidates: readonly Candidate[]): DesignMap {
  const { data } = advisor.problem;
  const points = advisor.past.place(data.x);
  const P = points.length / data.y.length;
  const plane = fitPlane(points, P);
  const shown = evenly(data.y.length, MAPPED);
  const past = onPlane(plane, points);
  return {
    kept: plane.kept,
    past: Array.from(shown, (row) => ({ ...past[row]!, value: advisor.valueOf(row) })),
    candidates:
      x.length === 0
        ? []
        : onPlane(plane, advisor.past.place(x)).map((at, i) => ({
            ...at,
            row: i + 1,
            trust: candidates[i]!.trust,
          })),
  };
}
