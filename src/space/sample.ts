import { requireCount } from '../numeric/errors.js';
import type { Stream } from '../numeric/random.js';
import { formulaHolds } from './formulas.js';
import { writeRow } from './lists.js';
import { nearestPoint } from './nearestPoint.js';
import { projector } from './project.js';
import type { Space } from './space.js';
import { fromScale, isLog, toScale } from './space.js';
import { casesAt, formOfCases, presenceOf, type StandardForm, standardForm } from './standardForm.js';

/** Scales to either side of a feasible design within which columns without two bounds are drawn. */
const WINDOW = 10;

/** Walks that are tried where formulas are curved. */
const WALKS = 8;

/**
 * Feasible designs spread over a space: `count` x d. Each starts from a draw in the box, is projected (which chooses
 * the members of groups), and, if linear rows tie numbers together, walks by hit-and-run (Smith 1984) inside the set
 * those leave, because projections alone gather on its faces. Classes, lists and choices are drawn uniformly, then
 * moved. A logarithmic column is drawn by its logarithm and stays there if no row speaks of it.
 */
export async function sample(space: Space, stream: Stream, count: number): Promise<Float64Array> {
  requireCount('count', count);
  const { project, example } = await projector(space);
  const form = standardForm(space);
  const d = space.columns.length;
  const x = new Float64Array(count * d);
  const window = windowOf(form, example);
  for (let i = 0; i < count; i++) {
    let design = Float64Array.from(space.columns, (column, j) => {
      if (column.kind === 'categorical') return stream.integer(column.classes);
      const [low, high] = [window.lower[j]!, window.upper[j]!];
      if (!form.isNumber[j] || !isLog(column)) return low + (high - low) * stream.uniform();
      const from = toScale(column, low);
      const drawn = fromScale(column, from + (toScale(column, high) - from) * stream.uniform());
      return Math.max(low, Math.min(high, drawn));
    });
    for (const list of form.listed) {
      writeRow(list, stream.integer(list.rows.length / list.columns.length), design);
    }
    if (form.hasChoices) {
      const row = stream.integer(space.choices!.length / d);
      design = space.choices!.slice(row * d, (row + 1) * d);
    }
    design = Float64Array.from(project(design));
    const local = formOfCases(form, casesAt(form, design));
    if ((local.rows.length > 0 || local.curved.length > 0) && !form.hasChoices) {
      design = Float64Array.from(project(wander(local, window, design, stream)));
    }
    x.set(design, i * d);
  }
  return x;
}

interface Window {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

function windowOf({ space, lower, upper, scale, logScale }: StandardForm, centre: Float64Array): Window {
  return {
    lower: lower.map((v, j) =>
      Number.isFinite(v) ? v : Math.min(upper[j]!, centre[j]!) - WINDOW * scale[j]!,
    ),
    upper: upper.map((v, j) => {
      if (Number.isFinite(v)) return v;
      const column = space.columns[j]!;
      const start = toScale(column, Math.max(lower[j]!, centre[j]!));
      return fromScale(column, start + WINDOW * (isLog(column) ? logScale! : scale)[j]!);
    }),
  };
}

/** A walk along the rows; where it ends outside a formula it is tried again, and given up after some tries. */
function wander(form: StandardForm, window: Window, start: Float64Array, stream: Stream): Float64Array {
  for (let i = 0; i < WALKS; i++) {
    const end = walk(form, window, start, stream);
    if (form.curved.every((one) => formulaHolds(one, end, 0))) return end;
  }
  return start;
}

/** 2 d + 2 steps: along a random direction of the equalities, to a uniform point of the chord. */
function walk(form: StandardForm, window: Window, start: Float64Array, stream: Stream): Float64Array {
  const { space, rows, groups } = form;
  const lower = window.lower.slice();
  const upper = window.upper.slice();
  const inRows = new Set(rows.flatMap(({ columns }) => columns));
  const scale = form.scale.map((unit, j) => (isLog(space.columns[j]!) ? upper[j]! - lower[j]! || 1 : unit));
  space.columns.forEach((column, j) => {
    if (isLog(column) && !inRows.has(j)) lower[j] = upper[j] = start[j]!;
  });
  for (const { columns } of groups) {
    for (const j of columns) {
      if (start[j] === 0) lower[j] = upper[j] = 0;
      else if (start[j]! > 0) lower[j] = Math.max(lower[j]!, presenceOf(form, j));
      else upper[j] = Math.min(upper[j]!, -presenceOf(form, j));
    }
  }
  const x = start.slice();
  const free = lower.map((low, j) => Number(low < upper[j]!));
  const open = free.map(() => Number.POSITIVE_INFINITY);
  const shut = free.map(() => 0);
  const level = rows.filter(({ relation }) => relation === '=').map((row) => ({ ...row, bound: 0 }));
  for (let step = 0; step < 2 * x.length + 2; step++) {
    const draw = free.map((v, j) => v * scale[j]! * stream.normal());
    const to = nearestPoint(
      draw,
      free.map((v, j) => (v ? -open[j]! : shut[j]!)),
      free.map((v, j) => (v ? open[j]! : shut[j]!)),
      level,
      scale,
    );
    if (!to) return x;
    let from = Number.NEGATIVE_INFINITY;
    let until = Number.POSITIVE_INFINITY;
    const cut = (speed: number, room: number) => {
      if (speed > 0) until = Math.min(until, room / speed);
      if (speed < 0) from = Math.max(from, room / speed);
    };
    for (let j = 0; j < x.length; j++) {
      if (!free[j]) continue;
      cut(to[j]!, upper[j]! - x[j]!);
      cut(-to[j]!, x[j]! - lower[j]!);
    }
    for (const { columns, weights, relation, bound } of rows) {
      if (relation === '=') continue;
      const sign = relation === '<=' ? 1 : -1;
      let speed = 0;
      let room = sign * bound;
      columns.forEach((j, i) => {
        speed += sign * weights[i]! * to[j]!;
        room -= sign * weights[i]! * x[j]!;
      });
      // a face that runs along the direction is no end of it
      if (Math.abs(speed) > 1e-12) cut(speed, room);
    }
    if (!(until > from) || !Number.isFinite(until - from)) continue;
    const t = from + (until - from) * stream.uniform();
    for (let j = 0; j < x.length; j++) x[j]! += t * to[j]!;
  }
  return x;
}
