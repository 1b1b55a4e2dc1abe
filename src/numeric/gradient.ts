/**
 * Reverse-mode differentiation from nodes to nodes. Because a gradient is made of ordinary nodes it can be
 * differentiated again, which is what a gradient penalty needs.
 */
import { ArgumentError } from './errors.js';
import {
  add,
  broadcast,
  columns,
  constant,
  curvature,
  divide,
  lossSlope,
  matmul,
  matmulTransposed,
  multiply,
  outer,
  place,
  scale,
  slope,
  softmaxBackward,
  sumColumns,
  sumRows,
  type Tensor,
} from './graph.js';

/**
 * Gradients of sum(seed * of) with respect to each of `wrt`. `seed` has the shape of `of` and defaults to ones: the
 * weight of each row of a loss goes here.
 */
export function gradient(of: Tensor, wrt: readonly Tensor[], seed?: Tensor): Tensor[] {
  const order = inOrder(of, new Set(wrt));
  const gradients = new Map<Tensor, Tensor>([[of, seed ?? constant(1, of.rows, of.columns)]]);
  for (const node of order.reverse()) {
    const upstream = gradients.get(node);
    if (!upstream || node.inputs.length === 0) continue;
    const parts = backward(node, upstream);
    node.inputs.forEach((input, i) => {
      const part = parts[i];
      if (!part) return;
      const known = gradients.get(input);
      gradients.set(input, known ? add(known, part) : part);
    });
  }
  return wrt.map((node) => {
    const found = gradients.get(node);
    if (!found) throw new ArgumentError('wrt', `the ${node.op.kind} does not enter what is differentiated`);
    return found;
  });
}

/** Nodes that `of` needs and that lead to one of `wrt`, each after its inputs. */
function inOrder(of: Tensor, wrt: ReadonlySet<Tensor>): Tensor[] {
  const leads = new Map<Tensor, boolean>();
  const order: Tensor[] = [];
  const visit = (node: Tensor): boolean => {
    const known = leads.get(node);
    if (known !== undefined) return known;
    let found = wrt.has(node);
    for (const input of node.inputs) found = visit(input) || found;
    leads.set(node, found);
    if (found) order.push(node);
    return found;
  };
  visit(of);
  return order;
}

/** Sums `a` down to the shape of `like`, undoing a repetition. */
function reduceTo(a: Tensor, like: Tensor): Tensor {
  let reduced = a;
  if (like.rows === 1 && reduced.rows > 1) reduced = sumRows(reduced);
  if (like.columns === 1 && reduced.columns > 1) reduced = sumColumns(reduced);
  return reduced;
}

/** Gradients with respect to each input, given the gradient `dy` with respect to the node. */
function backward(node: Tensor, dy: Tensor): (Tensor | null)[] {
  const op = node.op;
  const [a, b] = node.inputs as [Tensor, Tensor];
  switch (op.kind) {
    case 'matmul': // Y = A W
      return [matmulTransposed(dy, b), outer(a, dy)];
    case 'matmulTransposed': // Y = A W'
      return [matmul(dy, b), outer(dy, a)];
    case 'outer': // G = A' B
      return [matmulTransposed(b, dy), matmul(a, dy)];
    case 'apply': {
      const dz = op.name === 'identity' ? dy : multiply(dy, slope(node));
      return b ? [dz, sumRows(dz)] : [dz];
    }
    case 'slope': {
      const dz = multiply(dy, curvature(op.of));
      return b ? [dz, sumRows(dz)] : [dz];
    }
    case 'combine':
      switch (op.operation) {
        case 'add':
          return [dy, reduceTo(dy, b)];
        case 'subtract':
          return [dy, scale(reduceTo(dy, b), -1)];
        case 'multiply':
          return [multiply(dy, b), reduceTo(multiply(dy, a), b)];
        case 'divide':
          return [divide(dy, b), scale(reduceTo(divide(multiply(dy, node), b), b), -1)];
      }
      break;
    case 'scale':
      return [scale(dy, op.factor)];
    case 'sumRows':
    case 'sumColumns':
      return [broadcast(dy, a.rows, a.columns)];
    case 'broadcast':
      return [reduceTo(dy, a)];
    case 'columns':
      return [place(dy, op.from, a.columns)];
    case 'place': {
      let from = op.at;
      return node.inputs.map((part) => {
        const slice = columns(dy, from, part.columns);
        from += part.columns;
        return slice;
      });
    }
    case 'softmax':
      return [softmaxBackward(node, dy, op.group)];
    case 'thermometer':
    case 'categorical':
      return [multiply(lossSlope(node), dy), null];
    default:
      throw new ArgumentError('of', `${op.kind} cannot be differentiated`);
  }
  return [];
}
