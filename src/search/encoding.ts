/**
 * Designs as real parameters, so that gradients can move them. A continuous column becomes one parameter, standardised
 * by the visible data (after the logarithm, if its scale is logarithmic). A column of C classes becomes C logits; the
 * model sees their softmax, which for the data is the softened one-hot 0.6 onehot + 0.4 / C. Every parameter vector
 * decodes to a design inside the space.
 */
import { ArgumentError, requireFinite, ShapeError } from '../numeric/errors.js';
import { columns as columnsOf, concat, softmax, type Tensor } from '../numeric/graph.js';
import { portableExp, portableLog } from '../numeric/portable.js';
import { fitStandardization, largest, quantiles, smallest } from '../numeric/stats.js';
import { decideFeasibility, fromScale, type Projector, projector, toScale } from '../space/index.js';
import type { Dataset, Space, SpaceColumn } from '../space/space.js';

/** Share of a softened one-hot that is the class itself. */
const KEPT = 0.6;

/** Neighbouring parameters of one kind: continuous columns, or columns of the same number of classes. */
export interface Block {
  readonly from: number;
  readonly count: number;
  /** 0: continuous. */
  readonly classes: number;
}

export interface Encoding {
  readonly space: Space;
  /** P, numbers per design. */
  readonly parameters: number;
  readonly blocks: readonly Block[];
  /** Per column of the space, of the logarithm where that is its scale; 0 and 1 for classes. */
  readonly mean: Float64Array;
  readonly scale: Float64Array;
  /** Per parameter: the box the search stays in. Infinite for logits. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

export interface EncodingOptions {
  /**
   * Share of the visible values that may lie outside the search box on either side: 0.01 keeps a column between its
   * 1st and 99th percentile. `null`: only the space's own bounds.
   */
  readonly box: number | null;
}

/** How designs of a space become numbers for networks: standardised, classes as codes. */
export function fitEncoding(data: Dataset, space: Space, { box }: EncodingOptions): Encoding {
  const d = space.columns.length;
  const N = data.y.length;
  if (d === 0) throw new ArgumentError('space', 'the space has no columns');
  if (data.x.length !== N * d) {
    throw new ShapeError('x', `x has ${data.x.length} numbers; ${N} scores and ${d} columns make ${N * d}`);
  }
  if (box !== null && !(box >= 0 && box < 0.5)) {
    throw new ArgumentError('box', `box is ${box}; expected null or a share from 0 to below 0.5`);
  }
  requireFinite('x', data.x);
  if (N === 0) throw new ArgumentError('y', 'y has no scores');
  const x = Float64Array.from(data.x, (value, i) => scaled(space, i % d, value));
  const { mean, scale } = fitStandardization(x, d);
  const lower: number[] = [];
  const upper: number[] = [];
  const blocks: Block[] = [];
  const append = (count: number, classes: number) => {
    const last = blocks.at(-1);
    const from = last ? last.from + last.count : 0;
    if (last && last.classes === classes) blocks[blocks.length - 1] = { ...last, count: last.count + count };
    else blocks.push({ from, count, classes });
  };
  const values = new Float64Array(N);
  space.columns.forEach((column, j) => {
    for (let i = 0; i < N; i++) values[i] = x[i * d + j]!;
    if (column.kind === 'categorical') {
      requireClasses(values, column.classes, j);
      mean[j] = 0;
      scale[j] = 1;
      append(column.classes, column.classes);
      for (let c = 0; c < column.classes; c++) {
        lower.push(Number.NEGATIVE_INFINITY);
        upper.push(Number.POSITIVE_INFINITY);
      }
      return;
    }
    if (!(column.lower <= column.upper)) {
      throw new ArgumentError('space', `column ${j} has bounds ${column.lower} to ${column.upper}`);
    }
    if (column.scale === 'log' && !(column.lower > 0)) {
      throw new ArgumentError('space', `column ${j} has a logarithmic scale and lower bound ${column.lower}`);
    }
    const bounds = [toScale(column, column.lower), toScale(column, column.upper)] as const;
    let [from, to]: readonly [number, number] = bounds;
    if (box !== null) {
      const [low, high] = quantiles(values, [box, 1 - box]);
      from = Math.max(from, low!);
      to = Math.min(to, high!);
      // data outside the bounds leave no box between them: the bounds are what counts
      if (from > to) [from, to] = bounds;
    }
    append(1, 0);
    lower.push((from - mean[j]!) / scale[j]!);
    upper.push((to - mean[j]!) / scale[j]!);
  });
  return {
    space,
    parameters: lower.length,
    blocks,
    mean,
    scale,
    lower: Float64Array.from(lower),
    upper: Float64Array.from(upper),
  };
}

/** Whether every column is categorical. */
export function isAllClasses({ columns }: Space): boolean {
  return columns.every(({ kind }) => kind === 'categorical');
}

function requireClasses(values: Float64Array, classes: number, column: number): void {
  const wrong = values.find((v) => !(Number.isInteger(v) && v >= 0 && v < classes));
  if (wrong !== undefined) {
    throw new ArgumentError('x', `column ${column} has class ${wrong}; expected 0 to ${classes - 1}`);
  }
}

/** A value of column j in the numbers in which the column is standardised. */
function scaled(space: Space, j: number, value: number): number {
  const column = space.columns[j]!;
  if (column.kind === 'continuous' && column.scale === 'log' && !(value > 0)) {
    const name = column.name ?? `column ${j}`;
    throw new ArgumentError('x', `${name} has value ${value}; a logarithmic scale takes positive numbers`);
  }
  return toScale(column, value);
}

/** Parameters of designs: x n x d to n x P. */
export function encode({ space, parameters, mean, scale }: Encoding, x: ArrayLike<number>): Float64Array {
  const d = space.columns.length;
  const n = x.length / d;
  const encoded = new Float64Array(n * parameters);
  for (let i = 0, at = 0; i < n; i++) {
    space.columns.forEach((column, j) => {
      const value = x[i * d + j]!;
      if (column.kind === 'continuous') {
        encoded[at++] = (scaled(space, j, value) - mean[j]!) / scale[j]!;
        return;
      }
      const rest = (1 - KEPT) / column.classes;
      for (let c = 0; c < column.classes; c++) encoded[at++] = portableLog(c === value ? KEPT + rest : rest);
    });
  }
  return encoded;
}

/** What the model sees: softmax over each column's logits, n x P. */
export function modelInputs({ blocks, parameters }: Encoding, encoded: ArrayLike<number>): Float64Array {
  const inputs = Float64Array.from(encoded);
  for (let row = 0; row < inputs.length; row += parameters) {
    for (const { from, count, classes } of blocks) {
      if (classes === 0) continue;
      for (let at = row + from; at < row + from + count; at += classes) {
        let top = inputs[at]!;
        for (let c = at + 1; c < at + classes; c++) top = Math.max(top, inputs[c]!);
        let sum = 0;
        for (let c = at; c < at + classes; c++) {
          inputs[c] = portableExp(inputs[c]! - top);
          sum += inputs[c]!;
        }
        for (let c = at; c < at + classes; c++) inputs[c]! /= sum;
      }
    }
  }
  return inputs;
}

/**
 * What centres the inputs of classes (n x P, of the data) for a network, P numbers; 0 for numbers, which are standardised
 * already. Undefined where there are no classes. Without it Adam moves a unit's weights of one sign together: of thousands of
 * inputs that are never negative the sum moves first, and what tells rows apart is learnt late (docs/algorithms/nemo.md).
 */
export function centringShift(
  { blocks, parameters: P }: Encoding,
  inputs: ArrayLike<number>,
): Float64Array | undefined {
  const classes = blocks.filter((block) => block.classes > 0);
  if (classes.length === 0) return undefined;
  const n = inputs.length / P;
  const shift = new Float64Array(P);
  for (const { from, count } of classes) {
    for (let at = 0; at < inputs.length; at += P) {
      for (let j = from; j < from + count; j++) shift[j]! -= inputs[at + j]! / n;
    }
  }
  return shift;
}

/** Parameters (n x P) with the greatest logit of each column at 1 and its others at 0. */
export function oneHots({ blocks, parameters }: Encoding, encoded: ArrayLike<number>): Float64Array {
  const hard = Float64Array.from(encoded);
  for (let row = 0; row < hard.length; row += parameters) {
    for (const { from, count, classes } of blocks) {
      if (classes === 0) continue;
      for (let at = row + from; at < row + from + count; at += classes) {
        let top = at;
        for (let c = at + 1; c < at + classes; c++) if (hard[c]! > hard[top]!) top = c;
        for (let c = at; c < at + classes; c++) hard[c] = c === top ? 1 : 0;
      }
    }
  }
  return hard;
}

/** Slopes in the parameters from slopes in the model's inputs, both n x P: back through the softmax. */
export function parameterSlopes(
  { blocks, parameters }: Encoding,
  inputs: ArrayLike<number>,
  slopes: ArrayLike<number>,
): Float64Array {
  const result = Float64Array.from(slopes);
  for (let row = 0; row < result.length; row += parameters) {
    for (const { from, count, classes } of blocks) {
      if (classes === 0) continue;
      for (let at = row + from; at < row + from + count; at += classes) {
        let mean = 0;
        for (let c = at; c < at + classes; c++) mean += inputs[c]! * slopes[c]!;
        for (let c = at; c < at + classes; c++) result[c] = inputs[c]! * (slopes[c]! - mean);
      }
    }
  }
  return result;
}

/** `modelInputs` as an expression. */
export function modelInputsOf({ blocks }: Encoding, parameters: Tensor): Tensor {
  if (blocks.every(({ classes }) => classes === 0)) return parameters;
  const parts = blocks.map(({ from, count, classes }) => {
    const part = blocks.length === 1 ? parameters : columnsOf(parameters, from, count);
    return classes === 0 ? part : softmax(part, classes);
  });
  return parts.length === 1 ? parts[0]! : concat(parts);
}

/** Moves parameters (n x P, in place) to the nearest point of the box. */
export function project({ parameters, lower, upper }: Encoding, encoded: Float32Array | Float64Array): void {
  for (let row = 0; row < encoded.length; row += parameters) {
    for (let j = 0; j < parameters; j++) {
      const value = encoded[row + j]!;
      if (value < lower[j]!) encoded[row + j] = lower[j]!;
      else if (value > upper[j]!) encoded[row + j] = upper[j]!;
    }
  }
}

/** Whether `project` can change anything. */
export function isBounded({ lower, upper }: Encoding): boolean {
  return lower.some((v) => v > Number.NEGATIVE_INFINITY) || upper.some((v) => v < Number.POSITIVE_INFINITY);
}

/** Points from which a grid is rounded for models; on coarser ones designs got stuck between points (docs/algorithms/nemo.md). */
const FINE = 5;

/** The last step of a column's grid if it is rounded for models, else undefined. */
function lastStep(column: SpaceColumn): number | undefined {
  if (column.kind !== 'continuous' || column.step === undefined) return undefined;
  const last = Math.floor((column.upper - column.lower) / column.step + 1e-9);
  return last + 1 >= FINE ? last : undefined;
}

/** Whether `roundToGrid` can change anything. */
export function hasGrid({ space }: Encoding): boolean {
  return space.columns.some((column) => lastStep(column) !== undefined);
}

/** Parameters (n x P) with columns on fine grids at their nearest point between the bounds; the others as they are. */
export function roundToGrid<Parameters extends Float32Array | Float64Array>(
  { space, parameters, mean, scale }: Encoding,
  encoded: Parameters,
): Parameters {
  const rounded = encoded.slice() as Parameters;
  let at = 0;
  space.columns.forEach((column, j) => {
    const from = at;
    at += column.kind === 'continuous' ? 1 : column.classes;
    const last = lastStep(column);
    if (column.kind !== 'continuous' || last === undefined) return;
    const { lower, step = 1 } = column;
    for (let i = from; i < rounded.length; i += parameters) {
      const raw = fromScale(column, mean[j]! + scale[j]! * encoded[i]!);
      const point = Math.max(0, Math.min(last, Math.round((raw - lower) / step)));
      rounded[i] = (toScale(column, lower + step * point) - mean[j]!) / scale[j]!;
    }
  });
  return rounded;
}

/** Designs of parameters: n x P to n x d, inside the space. A column's class is its greatest logit. */
export function decode(
  { space, parameters, mean, scale }: Encoding,
  encoded: ArrayLike<number>,
): Float64Array {
  const d = space.columns.length;
  const n = encoded.length / parameters;
  const x = new Float64Array(n * d);
  for (let i = 0, at = 0; i < n; i++) {
    space.columns.forEach((column, j) => {
      if (column.kind === 'continuous') {
        const value = fromScale(column, mean[j]! + scale[j]! * encoded[at++]!);
        x[i * d + j] = Math.max(column.lower, Math.min(column.upper, value));
        return;
      }
      let best = 0;
      for (let c = 1; c < column.classes; c++) if (encoded[at + c]! > encoded[at + best]!) best = c;
      at += column.classes;
      x[i * d + j] = best;
    });
  }
  return x;
}

/** What a space asks for beyond bounds, ready for a search. */
export interface Constraints {
  /**
   * Moves parameters (n x P, in place) to where sums, groups, fixed columns and forbidden combinations hold, inside the
   * box if they can. Grids and lists are left open: steps of a search are smaller than theirs, and it would stand still.
   * `roundToGrid` is what models see of a grid.
   */
  hold(encoded: Float32Array | Float64Array): void;
  /** Designs of parameters, n x P to n x d, that satisfy the whole space to 1e-9. */
  settle(encoded: ArrayLike<number>): Float64Array;
}

/** What a class that has to be chosen gets above the greatest logit: enough to be told from it in float32. */
const AHEAD = 1e-3;

/** Null if the space has bounds alone. Throws an `ArgumentError` with the conflict if no design is feasible. */
export async function constraintsOf(encoding: Encoding): Promise<Constraints | null> {
  const { space, parameters, scale } = encoding;
  const { fixed, linear, cardinality, forbidden, formulas, conditional, listed, choices } = space;
  const lists = [fixed, linear, cardinality, forbidden, formulas, conditional, listed, choices];
  const hasSteps = space.columns.some((column) => column.kind === 'continuous' && column.step !== undefined);
  if (!hasSteps && lists.every((list) => !list?.length)) return null;
  const whole = await projector(space, { scale });
  const boxed = openSpace(encoding, true);
  const isBoxed = (await decideFeasibility(boxed)).feasible;
  const open = await projector(isBoxed ? boxed : openSpace(encoding, false), { scale });
  return {
    hold(encoded) {
      for (let row = 0; row < encoded.length; row += parameters) {
        const part = encoded.subarray(row, row + parameters);
        writeDesign(encoding, part, projectRow(encoding, part, open));
      }
    },
    settle(encoded) {
      const d = space.columns.length;
      const x = new Float64Array((encoded.length / parameters) * d);
      const all = Float64Array.from(encoded);
      for (let row = 0, at = 0; row < all.length; row += parameters, at += d) {
        x.set(projectRow(encoding, all.subarray(row, row + parameters), whole), at);
      }
      return x;
    },
  };
}

/** The space without grids and lists; with `isBoxed`, bounds as narrow as the box and what is fixed or zero allow. */
function openSpace({ space, lower, upper, mean, scale }: Encoding, isBoxed: boolean): Space {
  const { choices: _choices, listed: _listed, ...rest } = space;
  let at = 0;
  const columns = space.columns.map((column, j): Space['columns'][number] => {
    if (column.kind === 'categorical') {
      at += column.classes;
      return column;
    }
    const { step: _step, ...open } = column;
    const box = [lower[at]!, upper[at]!].map((v) => fromScale(column, mean[j]! + scale[j]! * v));
    at += 1;
    if (!isBoxed) return open;
    const inside = [...box, ...(space.fixed ?? []).filter((f) => f.column === j).map((f) => f.value)];
    const groups = [space, ...(space.conditional ?? [])].flatMap(({ cardinality = [] }) => cardinality);
    if (groups.some((group) => group.columns.includes(j))) inside.push(0);
    return {
      ...open,
      lower: Math.max(open.lower, smallest(inside, open.upper)),
      upper: Math.min(open.upper, largest(inside, open.lower)),
    };
  });
  return { ...rest, columns };
}

/** A feasible design near one row of parameters; its logits are the scores of the classes. */
function projectRow(
  encoding: Encoding,
  part: Float32Array | Float64Array,
  { project: move }: Projector,
): Float64Array {
  let at = 0;
  const scores = encoding.space.columns.map((column) => {
    const from = at;
    at += column.kind === 'continuous' ? 1 : column.classes;
    return column.kind === 'continuous' ? undefined : part.subarray(from, at);
  });
  return move(decode(encoding, part), scores);
}

/** Writes a design over one row of parameters; logits change only where another class has to lead. */
function writeDesign(
  { space, mean, scale }: Encoding,
  part: Float32Array | Float64Array,
  x: Float64Array,
): void {
  let at = 0;
  space.columns.forEach((column, j) => {
    if (column.kind === 'continuous') {
      part[at++] = (toScale(column, x[j]!) - mean[j]!) / scale[j]!;
      return;
    }
    const logits = part.subarray(at, at + column.classes);
    const top = largest(logits);
    if (logits.indexOf(top) !== x[j]) logits[x[j]!] = top + AHEAD;
    at += column.classes;
  });
}
