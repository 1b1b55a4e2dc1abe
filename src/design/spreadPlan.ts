/**
 * What to measure where rows are too few for a model: designs of the space that lie far from past rows and from each
 * other. Greedy maximin: of many designs drawn in the space, each next one is the farthest from its nearest (Kennard
 * and Stone, Computer aided design of experiments, 1969). Nothing is promised about them.
 */
import type { BatchRules } from '../judging/batchRules.js';
import { goalSummary, objectiveValue } from '../judging/objective.js';
import { planFor } from '../judging/plan.js';
import { replicatesAt } from '../judging/replicates.js';
import { LEAST_ROWS } from '../judging/support.js';
import { foldKey, rootKey } from '../numeric/key.js';
import { Stream } from '../numeric/random.js';
import { rowOf } from '../numeric/rows.js';
import { argsort } from '../numeric/stats.js';
import { examine, type Problem, toCells } from '../problem/index.js';
import { sample, toScale } from '../space/index.js';
import type { Space } from '../space/space.js';
import { batchPool } from './batchPool.js';
import { batchRecord, pickAndCost } from './batchRecord.js';
import {
  columnSummaries,
  constraintLabels,
  type DesignResult,
  designNames,
  measuredAgain,
  pastPromises,
} from './describe.js';
import { batchRulesOf, type DesignRequest } from './designRequest.js';
import { followingCells } from './doableDesigns.js';
import { listedRow } from './listedRow.js';
import type { RunDocument } from './runDocument.js';
import type { ChosenDesign } from './simplifyBatch.js';

/** Designs drawn for each that is chosen, and at least and at most. */
const DRAWN_EACH = 40;
const LEAST_DRAWN = 200;
const MOST_DRAWN = 2000;

/** Whether a problem gets a plan instead of a search. */
export function isTooFew({ data }: Problem): boolean {
  return data.y.length < LEAST_ROWS;
}

export async function spreadPlan(request: DesignRequest): Promise<DesignResult> {
  const { problem, batch, method, effort, seed } = request;
  const { data, space } = problem;
  const d = space.columns.length;
  const rows = data.y.length;
  const best = data.y.reduce((top, score, i) => (score > data.y[top]! ? i : top), 0);
  const goal = goalSummary(problem.rule);
  const { rules, kept } = batchRulesOf(request);
  const designs = await spread(problem, seed, rules, kept);
  const chosen = designs.map(({ x }) => x);
  const plan = designs.map(({ x, nearest, pick }, i) => {
    const [cells] = toCells(problem, x);
    const listed = listedRow(problem, x);
    return {
      row: i + 1,
      cells: followingCells(problem, cells!),
      ...(listed && { listed }),
      nearest: nearestOf(problem, nearest, cells!),
      ...pickAndCost({ x, pick }, request, rules),
    };
  });
  return {
    findings: {
      run: {
        method,
        effort,
        seed,
        batch,
        ...batchRecord(request, rules, chosen),
        options: {},
        complete: true,
        ...(request.anyway && { anyway: true }),
      },
      data: {
        rows: problem.table.rows,
        used: rows,
        noise: problem.noise,
        columns: columnSummaries(problem),
        findings: examine(problem.table, { goal: goal.goals[0]!.column, inputs: designNames(problem) }),
        notes: problem.notes,
      },
      constraints: [...constraintLabels(problem), ...rules.labels(chosen)],
      goal,
      bestKnown: {
        row: problem.rows[best]![0]! + 1,
        value: objectiveValue(problem.rule, data.y[best]!),
        cells: toCells(problem, rowOf(data.x, d, best))[0]!,
        ...measuredAgain(problem, best),
        heldOut: null,
      },
      verdict: {
        level: 'unsupported',
        sentence: 'Too few to model: a plan that spreads over the space.',
        reasons: [
          `there ${rows === 1 ? 'is 1 setting' : `are ${rows} different settings`} with a measured goal, and a model needs ${LEAST_ROWS} at least`,
          ...(plan.length < batch
            ? [`only ${plan.length} of ${batch} different designs could be found`]
            : []),
          'the rows lie far from what was tried and from each other: measure them, add them to the table and design again',
        ],
      },
      validation: {
        rows: 0,
        rankCorrelation: 0,
        typicalError: 0,
        coverage80: 0,
        trainingSteps: 0,
        tried: [],
        pairs: [],
      },
      candidates: [],
      plan,
      ...pastPromises(problem),
      curves: [],
      profiles: [],
      map: { kept: 0, past: [], candidates: [] },
    },
    model: { plan: planFor(effort, rows), seed, trainingSteps: 0, weights: {} },
  };
}

interface SpreadDesign extends ChosenDesign {
  /** Row of the data. */
  readonly nearest: number;
}

async function spread(
  problem: Problem,
  seed: number,
  rules: BatchRules,
  kept: readonly Float64Array[],
): Promise<SpreadDesign[]> {
  const { data, space } = problem;
  const { batch } = rules;
  const d = space.columns.length;
  const count = Math.min(MOST_DRAWN, Math.max(LEAST_DRAWN, DRAWN_EACH * batch));
  const stream = new Stream(foldKey(rootKey(seed), 'plan'));
  const drawn = await sample(space, stream, count);
  const measure = distanceIn(space);
  const past = Array.from(data.y, (_, i) => rowOf(data.x, d, i));
  const placed = (x: Float64Array) => {
    let [nearest, distance] = [0, Number.POSITIVE_INFINITY];
    past.forEach((row, k) => {
      const apart = measure(row, x);
      if (apart < distance) [nearest, distance] = [k, apart];
    });
    return { x, nearest, distance };
  };
  const found = await batchPool(problem, [drawn], {
    rules,
    kept,
    seed,
    isFront: false,
    promise: async (x) => Array.from({ length: x.length / d }, (_, i) => placed(rowOf(x, d, i)).distance),
  });
  rules.expect(found);
  const pool = found.map(placed);
  const chosen: SpreadDesign[] = kept.map((x) => ({ ...placed(x), pick: 'kept' }));
  const withdraw = (x: Float64Array) => {
    for (const one of pool) one.distance = Math.min(one.distance, measure(x, one.x));
  };
  kept.forEach(withdraw);
  while (chosen.length < batch) {
    const rows = chosen.map(({ x }) => x);
    const farthest = pool.reduce<(typeof pool)[number] | null>(
      (far, one) => (one.distance > (far?.distance ?? 1e-9) && rules.allows(rows, one.x) ? one : far),
      null,
    );
    if (!farthest) break;
    chosen.push({ x: farthest.x, nearest: farthest.nearest, pick: 'balanced' });
    withdraw(farthest.x);
  }
  return chosen;
}

/** Squared distance: numbers in widths of their bounds, 1 between classes; a molecule counts as one column. */
function distanceIn({ columns, listed = [] }: Space): (a: ArrayLike<number>, b: ArrayLike<number>) => number {
  const share = new Float64Array(columns.length).fill(1);
  for (const list of listed) for (const j of list.columns) share[j] = 1 / list.columns.length;
  return (a, b) =>
    columns.reduce((sum, column, j) => {
      if (column.kind === 'categorical') return sum + Number(a[j] !== b[j]);
      const width = toScale(column, column.upper) - toScale(column, column.lower);
      const apart = toScale(column, a[j]!) - toScale(column, b[j]!);
      return sum + share[j]! * (apart / (width > 0 && Number.isFinite(width) ? width : 1)) ** 2;
    }, 0);
}

function nearestOf(
  problem: Problem,
  row: number,
  cells: Readonly<Record<string, string | number>>,
): NonNullable<RunDocument['plan']>[number]['nearest'] {
  const { data, rows, space, columns, rule } = problem;
  const [past] = toCells(problem, rowOf(data.x, space.columns.length, row));
  const differences = Object.entries(cells)
    .filter(([column, to]) => past![column] !== to)
    .map(([column, to]) => ({ column, from: past![column]!, to }));
  const sizes = differences.map(({ column, from, to }) => {
    const found = columns.find(({ name }) => name === column);
    if (found?.kind !== 'number' && found?.kind !== 'integer') return 1;
    return Math.abs(Number(to) - Number(from)) / (found.max - found.min || 1);
  });
  const meanOf = replicatesAt(problem, row);
  return {
    row: rows[row]![0]! + 1,
    value: objectiveValue(rule, data.y[row]!),
    ...(meanOf && { meanOf }),
    differences:
      differences.length === 0 ? [] : Array.from(argsort(sizes, 'descending'), (i) => differences[i]!),
  };
}
