/**
 * What a program computes, written as expressions: each function makes a node that says how a matrix follows from
 * others. Nothing is computed here; `gradient.ts` derives nodes from nodes, `compile.ts` turns them into
 * instructions. A node stands for one matrix per model.
 */
import { ArgumentError, ShapeError } from './errors.js';
import * as code from './kernels/opcodes.js';
import type { Layout, Variable } from './variable.js';

export const functionCodes = {
  identity: code.IDENTITY,
  relu: code.RELU,
  leakyRelu: code.LEAKY_RELU,
  elu: code.ELU,
  tanh: code.TANH,
  softplus: code.SOFTPLUS,
  sigmoid: code.SIGMOID,
  exp: code.EXP,
  log: code.LOG,
  square: code.SQUARE,
  sqrt: code.SQRT,
  reciprocal: code.RECIPROCAL,
} as const;

/** A function of one number, applied to every element. */
export type FunctionName = keyof typeof functionCodes;

/** The functions that layers of a network use. */
export type Activation = 'identity' | 'relu' | 'leakyRelu' | 'elu' | 'tanh' | 'softplus';

export const operationCodes = {
  add: code.ADD,
  subtract: code.SUBTRACT,
  multiply: code.MULTIPLY,
  divide: code.DIVIDE,
} as const;
export type Operation = keyof typeof operationCodes;

export type Op =
  | { readonly kind: 'variable'; readonly variable: Variable }
  | { readonly kind: 'rows'; readonly pool: Variable; readonly table: Variable }
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'matmul' | 'matmulTransposed' | 'outer' }
  | { readonly kind: 'apply'; readonly name: FunctionName; readonly alpha: number }
  | { readonly kind: 'slope' | 'curvature'; readonly of: Tensor }
  | { readonly kind: 'combine'; readonly operation: Operation }
  | { readonly kind: 'scale'; readonly factor: number; readonly offset: number }
  | { readonly kind: 'sumRows' | 'sumColumns' | 'broadcast' }
  | { readonly kind: 'columns'; readonly from: number }
  | { readonly kind: 'place'; readonly at: number }
  | { readonly kind: 'softmax' | 'softmaxBackward'; readonly group: number }
  | { readonly kind: 'thermometer'; readonly bins: number; readonly scale: number }
  | { readonly kind: 'categorical' }
  | { readonly kind: 'lossSlope'; readonly of: Tensor };

/** A node of an expression: what is to be computed, for every model. */
export interface Tensor {
  readonly op: Op;
  readonly inputs: readonly Tensor[];
  readonly rows: number;
  readonly columns: number;
  readonly layout: Layout;
}

function node(
  op: Op,
  inputs: readonly Tensor[],
  rows: number,
  columns: number,
  layout: Layout = 'dense',
): Tensor {
  return { op, inputs, rows, columns, layout };
}

function shapeOf(t: Tensor): string {
  return `${t.rows} x ${t.columns}${t.layout === 'weight' ? ' (weight)' : ''}`;
}

function require(condition: boolean, argument: string, message: () => string): void {
  if (!condition) throw new ShapeError(argument, message());
}

function requireDense(argument: string, t: Tensor): void {
  require(t.layout === 'dense', argument, () => `${argument} is a weight; this needs a dense matrix`);
}

const leaves = new WeakMap<Variable, Tensor>();

/** The value of a variable when the stage begins. */
export function value(variable: Variable): Tensor {
  if (variable.index)
    throw new ArgumentError(variable.name, `${variable.name} holds row numbers, not values`);
  const known = leaves.get(variable);
  if (known) return known;
  const leaf = node({ kind: 'variable', variable }, [], variable.rows, variable.columns, variable.layout);
  leaves.set(variable, leaf);
  return leaf;
}

/** Rows of `pool` in the order that `table` (n x 1, row numbers) gives; matrix products read them in place. */
export function rows(pool: Variable, table: Variable): Tensor {
  require(pool.layout === 'dense' && pool.models === 0 && !pool.index, pool.name, () =>
    `${pool.name} must be dense, shared values`);
  require(table.index && table.columns === 1, table.name, () =>
    `${table.name} must be one column of row numbers`);
  return node({ kind: 'rows', pool, table }, [], table.rows, pool.columns);
}

/** The same number in every place. */
export function constant(number: number, rows: number, columns: number): Tensor {
  return node({ kind: 'constant', value: number }, [], rows, columns);
}

/** A W: A r x k, W a weight k x n. */
export function matmul(a: Tensor, w: Tensor): Tensor {
  requireDense('a', a);
  require(w.layout === 'weight' && w.rows === a.columns, 'w', () =>
    `${shapeOf(a)} times ${shapeOf(w)} does not fit`);
  return node({ kind: 'matmul' }, [a, w], a.rows, w.columns);
}

/** A W': A r x n, W a weight k x n. */
export function matmulTransposed(a: Tensor, w: Tensor): Tensor {
  requireDense('a', a);
  require(w.layout === 'weight' && w.columns === a.columns, 'w', () =>
    `${shapeOf(a)} times ${shapeOf(w)} transposed does not fit`);
  return node({ kind: 'matmulTransposed' }, [a, w], a.rows, w.rows);
}

/** A' B: A r x k, B r x n, the result a weight k x n. */
export function outer(a: Tensor, b: Tensor): Tensor {
  requireDense('a', a);
  requireDense('b', b);
  require(a.rows === b.rows, 'b', () => `${shapeOf(a)} transposed times ${shapeOf(b)} does not fit`);
  return node({ kind: 'outer' }, [a, b], a.columns, b.columns, 'weight');
}

/** f(z + bias), the bias 1 x c. `alpha`: the slope of leakyRelu below 0 (default 0.01), minus the floor of elu (1). */
export function apply(name: FunctionName, z: Tensor, bias?: Tensor, alpha?: number): Tensor {
  requireDense('z', z);
  if (bias) {
    require(bias.layout === 'dense' && bias.rows === 1 && bias.columns === z.columns, 'bias', () =>
      `a bias for ${shapeOf(z)} is 1 x ${z.columns}, not ${shapeOf(bias)}`);
  }
  const a = alpha ?? (name === 'leakyRelu' ? 0.01 : 1);
  return node({ kind: 'apply', name, alpha: a }, bias ? [z, bias] : [z], z.rows, z.columns);
}

/** f'(z + bias), where `applied` is f(z + bias). It depends on what `applied` depends on. */
export function slope(applied: Tensor): Tensor {
  require(applied.op.kind === 'apply', 'applied', () =>
    `a slope is of a function's result, not of ${applied.op.kind}`);
  return derived('slope', applied, applied);
}

/** f''(z + bias), where `applied` is f(z + bias). */
export function curvature(applied: Tensor): Tensor {
  require(applied.op.kind === 'apply', 'applied', () =>
    `a curvature is of a function's result, not of ${applied.op.kind}`);
  return derived('curvature', applied, applied);
}

const companions = new WeakMap<Tensor, Map<string, Tensor>>();

/** The one node of this kind that goes with `of`. */
function derived(kind: 'slope' | 'curvature' | 'lossSlope', of: Tensor, like: Tensor): Tensor {
  const known = companions.get(of) ?? new Map<string, Tensor>();
  companions.set(of, known);
  const made = known.get(kind) ?? node({ kind, of }, of.inputs, like.rows, like.columns);
  known.set(kind, made);
  return made;
}

/** How `b` meets `a` in an element-by-element operation. */
export function meeting(a: Tensor, b: Tensor): number {
  if (a.rows === b.rows && a.columns === b.columns) return code.SAME;
  if (b.rows === 1 && b.columns === 1) return code.SCALAR;
  if (b.rows === 1 && b.columns === a.columns) return code.ROW;
  if (b.columns === 1 && b.rows === a.rows) return code.COLUMN;
  throw new ShapeError('b', `${shapeOf(b)} cannot be repeated to ${shapeOf(a)}`);
}

function combine(operation: Operation, a: Tensor, b: Tensor): Tensor {
  const how = meeting(a, b);
  if (how !== code.SAME || a.layout !== b.layout) {
    requireDense('a', a);
    requireDense('b', b);
  }
  return node({ kind: 'combine', operation }, [a, b], a.rows, a.columns, a.layout);
}

/** a + b; b may be one row, one column or one number. */
export const add = (a: Tensor, b: Tensor): Tensor => combine('add', a, b);
export const subtract = (a: Tensor, b: Tensor): Tensor => combine('subtract', a, b);
export const multiply = (a: Tensor, b: Tensor): Tensor => combine('multiply', a, b);
export const divide = (a: Tensor, b: Tensor): Tensor => combine('divide', a, b);

/** factor * a + offset. */
export function scale(a: Tensor, factor: number, offset = 0): Tensor {
  if (offset !== 0) requireDense('a', a);
  return node({ kind: 'scale', factor, offset }, [a], a.rows, a.columns, a.layout);
}

/** r x c to 1 x c. */
export function sumRows(a: Tensor): Tensor {
  requireDense('a', a);
  return node({ kind: 'sumRows' }, [a], 1, a.columns);
}

/** r x c to r x 1. */
export function sumColumns(a: Tensor): Tensor {
  requireDense('a', a);
  return node({ kind: 'sumColumns' }, [a], a.rows, 1);
}

/** One row, one column or one number repeated to r x c. */
export function broadcast(a: Tensor, rows: number, columns: number): Tensor {
  requireDense('a', a);
  if (meeting(constant(0, rows, columns), a) === code.SAME) return a;
  return node({ kind: 'broadcast' }, [a], rows, columns);
}

/** Columns from, from + 1, ..., from + count - 1. */
export function columns(a: Tensor, from: number, count: number): Tensor {
  requireDense('a', a);
  require(from >= 0 && count > 0 && from + count <= a.columns, 'count', () =>
    `columns ${from}..${from + count - 1} are not in ${shapeOf(a)}`);
  return node({ kind: 'columns', from }, [a], a.rows, count);
}

/** The matrices side by side. */
export function concat(parts: readonly Tensor[]): Tensor {
  const first = parts[0];
  if (!first) throw new ShapeError('parts', 'concat needs at least one matrix');
  for (const part of parts) {
    requireDense('parts', part);
    require(part.rows === first.rows, 'parts', () =>
      `${shapeOf(part)} does not stand beside ${shapeOf(first)}`);
  }
  const total = parts.reduce((sum, part) => sum + part.columns, 0);
  return node({ kind: 'place', at: 0 }, parts, first.rows, total);
}

/** `a` from column `at` on, zeros elsewhere. */
export function place(a: Tensor, at: number, total: number): Tensor {
  requireDense('a', a);
  require(at >= 0 && at + a.columns <= total, 'at', () =>
    `${shapeOf(a)} at column ${at} does not fit in ${total}`);
  return node({ kind: 'place', at }, [a], a.rows, total);
}

/** Softmax over each run of `group` columns. */
export function softmax(a: Tensor, group: number): Tensor {
  requireDense('a', a);
  require(a.columns % group === 0, 'group', () => `${a.columns} columns do not part into groups of ${group}`);
  return node({ kind: 'softmax', group }, [a], a.rows, a.columns);
}

export function softmaxBackward(y: Tensor, dy: Tensor, group: number): Tensor {
  return node({ kind: 'softmaxBackward', group }, [y, dy], y.rows, y.columns);
}

/**
 * Loss per row of the discretised logistic head, r x 1: mean over j < bins of the binary cross entropy of
 * o_j = sigmoid((mu - j / bins) / scale). `labels` r x 2: the bins (lowest, highest) a row's outcome may lie in;
 * equal for a known outcome, apart for a censored one, of which only the certain part is trained.
 */
export function thermometer(mu: Tensor, labels: Tensor, bins: number, scale: number): Tensor {
  require(mu.columns === 1, 'mu', () => `mu is one column, not ${shapeOf(mu)}`);
  require(labels.rows === mu.rows && labels.columns === 2, 'labels', () =>
    `labels for ${mu.rows} rows are ${mu.rows} x 2, not ${shapeOf(labels)}`);
  if (!(scale > 0)) throw new ArgumentError('scale', `scale is ${scale}; expected a positive number`);
  return node({ kind: 'thermometer', bins, scale }, [mu, labels], mu.rows, 1);
}

/** Softmax cross entropy per row, r x 1. `logits` r x classes; `labels` r x 2 as for `thermometer`. */
export function categorical(logits: Tensor, labels: Tensor): Tensor {
  requireDense('logits', logits);
  require(labels.rows === logits.rows && labels.columns === 2, 'labels', () =>
    `labels for ${logits.rows} rows are ${logits.rows} x 2, not ${shapeOf(labels)}`);
  return node({ kind: 'categorical' }, [logits, labels], logits.rows, 1);
}

/** d loss / d mu (or d logits) of a loss node, row by row. */
export function lossSlope(loss: Tensor): Tensor {
  const isLoss = loss.op.kind === 'thermometer' || loss.op.kind === 'categorical';
  require(isLoss, 'loss', () => `${loss.op.kind} is not a loss`);
  return derived('lossSlope', loss, loss.inputs[0]!);
}

/** What must be computed before a node. */
export function dependencies(node: Tensor): readonly Tensor[] {
  switch (node.op.kind) {
    case 'slope':
    case 'lossSlope':
      return [node.op.of];
    case 'curvature':
      return [node.op.of, slope(node.op.of)];
    default:
      return node.inputs;
  }
}
