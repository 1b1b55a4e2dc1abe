/**
 * Designs that the judges like, from all over the feasible range: the method of a run starts at the best rows, these
 * climbs also at designs spread over the space. Each asks another question, so that the pool holds careful designs and
 * bold ones, and the choice between them is made later.
 */
import { cautionOf } from '../judging/dressRehearsal.js';
import type { Panel } from '../judging/panel.js';
import { toScale as toJudges } from '../models/response.js';
import { foldKey, type Key } from '../numeric/key.js';
import { Stream } from '../numeric/random.js';
import { joinRows, rowOf } from '../numeric/rows.js';
import { normalCdf, normalPdf } from '../numeric/special.js';
import { argsort, fitStandardization, topIndices } from '../numeric/stats.js';
import type { Problem } from '../problem/index.js';
import { evolve } from '../search/evolve.js';
import { projector, sample } from '../space/index.js';
import type { Space } from '../space/space.js';
import { repeatsOf } from './doableDesigns.js';

/**
 * What a climb asks: what is expected, that less a doubt, or how far the best row may be beaten. The next goes on from
 * the best of what the others found, to their tops; the last one looks around the best of all, because a batch needs
 * several designs that are about as good.
 */
export const climbs = ['mean', 'careful', 'improvement', 'tops', 'around'] as const;
export type Climb = (typeof climbs)[number];

/** Whether a climb goes to the tops of what others found. */
export const isLast = (climb: Climb) => climb === 'tops' || climb === 'around';

/** Deviations that are taken off by a careful climb, and by the last one. */
const CAREFUL = cautionOf.cautious;
const BALANCED = cautionOf.balanced;
/** Designs that the last climb goes on with. */
const TOPS = 40;

export interface ClimbOptions {
  readonly population: number;
  readonly generations: number;
  readonly key: Key;
  /** Designs that others found, n x d each. */
  readonly others: readonly Float64Array[];
}

/** Starts that are drawn from the space; the best of them are climbed from. */
const DRAWN = 600;
const BEST_ROWS = 64;

/** Designs of the last generation, n x d, none of them a past row unless these are allowed. */
export async function climbJudges(
  problem: Problem,
  panel: Panel,
  climb: Climb,
  { population, generations, key, others }: ClimbOptions,
): Promise<Float64Array> {
  const { space, data, spec } = problem;
  if (space.choices) return new Float64Array();
  const d = space.columns.length;
  const project = await projectionOf(space);
  const rows = Array.from(argsort(data.y, 'descending').slice(0, BEST_ROWS), (row) =>
    project(rowOf(data.x, d, row).slice()),
  );
  const isRepeat = spec.allowRepeats ? () => false : repeatsOf(problem);
  if (climb === 'around') {
    const found = await around(space, panel, joinRows([...others, ...rows]), project, foldKey(key, climb));
    return joinRows(found.filter((design) => !isRepeat(design)));
  }
  const toTops = climb === 'tops' && others.length > 0;
  // the last one looks again over the whole space: others may have missed a narrow hill
  const drawn = await sample(space, new Stream(foldKey(key, toTops ? 'tops' : 'starts')), DRAWN);
  const starts = joinRows([drawn, ...others, ...(toTops ? [] : rows)]);
  const best = data.y.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
  const target = toJudges(panel.response, best);
  const { x, scores } = await evolve(
    space,
    starts,
    async (designs) => {
      const { mean, deviation } = await panel.read(designs);
      if (climb === 'mean') return mean;
      if (climb === 'careful') return mean.map((m, i) => m - CAREFUL * deviation[i]!);
      if (climb === 'tops') return mean.map((m, i) => m - BALANCED * deviation[i]!);
      return mean.map((m, i) => improvement(m - target, deviation[i]!));
    },
    {
      population: toTops ? TOPS : population,
      generations,
      key: foldKey(key, climb),
      project,
      spread: fitStandardization(data.x, d).scale,
      isAllowed: (design) => !isRepeat(design),
    },
  );
  const allowed = Array.from(scores.keys()).filter((i) => scores[i]! > Number.NEGATIVE_INFINITY);
  return joinRows(allowed.map((i) => rowOf(x, d, i)));
}

/** Designs that are looked around, and changed designs of each. */
const CENTRES = 16;
const CHANGED = 24;
/** How far numbers are moved, as shares of their range. */
const MOVES = [0.02, 0.06, 0.15];

/** One or two columns of the best designs are changed. */
async function around(
  space: Space,
  panel: Panel,
  others: Float64Array,
  project: (x: Float64Array) => Float64Array,
  key: Key,
): Promise<Float64Array[]> {
  const d = space.columns.length;
  const isFixed = new Set((space.fixed ?? []).map(({ column }) => column));
  const free = Array.from(space.columns.keys()).filter((j) => !isFixed.has(j));
  if (others.length === 0 || free.length === 0) return [];
  const { mean, deviation } = await panel.read(others);
  const centres = topIndices(
    mean.map((m, i) => m - BALANCED * deviation[i]!),
    Math.min(CENTRES, mean.length),
  );
  const stream = new Stream(key);
  const change = (x: Float64Array, j: number) => {
    const column = space.columns[j]!;
    if (column.kind === 'categorical') x[j] = stream.integer(column.classes);
    else {
      const width = Number.isFinite(column.upper - column.lower) ? column.upper - column.lower : 1;
      x[j]! += MOVES[stream.integer(MOVES.length)]! * width * stream.normal();
    }
  };
  const found: Float64Array[] = [];
  for (const centre of centres) {
    for (let c = 0; c < CHANGED; c++) {
      const x = rowOf(others, d, centre).slice();
      change(x, free[stream.integer(free.length)]!);
      if (stream.uniform() < 0.5) change(x, free[stream.integer(free.length)]!);
      found.push(project(x));
    }
  }
  return found;
}

/** Expected improvement; far below the best row, what is missing, so that there is a way up. */
function improvement(ahead: number, deviation: number): number {
  const z = ahead / deviation;
  return z < -6 ? ahead : deviation * (normalPdf(z) + z * normalCdf(z));
}

/** Moves a design into a space, in place where bounds are all there is. */
async function projectionOf(space: Space): Promise<(x: Float64Array) => Float64Array> {
  const { fixed, linear, cardinality, forbidden, formulas, conditional, listed } = space;
  const joint = [fixed, linear, cardinality, forbidden, formulas, conditional, listed];
  const hasSteps = space.columns.some((column) => column.kind === 'continuous' && column.step !== undefined);
  if (hasSteps || joint.some((list) => list && list.length > 0)) {
    const { project } = await projector(space);
    return (x) => project(x);
  }
  return (x) => {
    space.columns.forEach((column, j) => {
      if (column.kind === 'continuous') x[j] = Math.max(column.lower, Math.min(column.upper, x[j]!));
    });
    return x;
  };
}
