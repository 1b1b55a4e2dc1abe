// Linear relations: sums and constant multiples of columns on both sides of <=, >= or =.

import type { LinearConstraint } from '../space/space.js';
import { shown, type Token, type TokenReader } from './tokens.js';

/** Deeper parentheses are refused, so that no text can exhaust the stack. */
const deepestParentheses = 64;

/** constant + Σ weights[name] · name */
interface Affine {
  constant: number;
  readonly weights: Map<string, number>;
}

export interface LinearRelation {
  readonly kind: 'linear';
  readonly terms: readonly { readonly column: string; readonly weight: number }[];
  readonly relation: LinearConstraint['relation'];
  readonly bound: number;
}

/** Reads `left <= right` to the end of the text. `check` is shown each column and may refuse it. */
export function parseLinear(reader: TokenReader, check: (column: Token) => void): LinearRelation {
  const first = reader.peek();
  const left = sum(reader, check, 0);
  const relation = takeRelation(reader);
  const right = sum(reader, check, 0);
  if (['<=', '>=', '=', '<', '>'].includes(reader.peek().text) && reader.peek().kind === 'symbol')
    reader.fail(reader.peek(), 'a second relation; write two constraints');
  refuseCondition(reader);
  reader.takeEnd('an operator or the end');
  accumulate(left, right, -1);
  const terms = [...left.weights]
    .filter(([, weight]) => weight !== 0)
    .map(([column, weight]) => ({ column, weight }));
  if (terms.length === 0) reader.fail(first, 'no column is left in it; expected one at least');
  const bound = left.constant === 0 ? 0 : -left.constant;
  if (![bound, ...terms.map(({ weight }) => weight)].every(Number.isFinite))
    reader.fail(first, 'its numbers are too large to add up');
  return { kind: 'linear', terms, relation, bound };
}

function takeRelation(reader: TokenReader): LinearConstraint['relation'] {
  const token = reader.peek();
  const symbol = token.kind === 'symbol' ? token.text : '';
  if (symbol === '<' || symbol === '>')
    reader.fail(token, `strict inequalities are not supported; write ${symbol}=`);
  if (symbol === '!=') reader.fail(token, 'only linear constraints are supported, not "different from"');
  if (symbol !== '<=' && symbol !== '>=' && symbol !== '=')
    reader.expected('an operator or one of <=, >=, =');
  reader.take();
  return symbol;
}

function accumulate(into: Affine, from: Affine, factor: number): void {
  into.constant += factor * from.constant;
  for (const [name, weight] of from.weights) {
    into.weights.set(name, (into.weights.get(name) ?? 0) + factor * weight);
  }
}

function multiply(affine: Affine, factor: number): void {
  affine.constant *= factor;
  for (const [name, weight] of affine.weights) affine.weights.set(name, weight * factor);
}

/** ±product ± product ... */
function sum(reader: TokenReader, check: (column: Token) => void, depth: number): Affine {
  const total = product(reader, check, depth);
  while (reader.isSymbol('+') || reader.isSymbol('-')) {
    const sign = reader.take().text === '-' ? -1 : 1;
    accumulate(total, product(reader, check, depth), sign);
  }
  return total;
}

/** factor * factor / factor ..., of which one at most holds columns, and none after a "/". */
function product(reader: TokenReader, check: (column: Token) => void, depth: number): Affine {
  let result = factor(reader, check, depth);
  for (;;) {
    const operator = reader.peek();
    if (reader.isSymbol('^')) reader.fail(operator, 'only linear constraints are supported, no powers');
    if (reader.isSymbol('*')) {
      reader.take();
      const next = factor(reader, check, depth);
      if (result.weights.size > 0 && next.weights.size > 0)
        reader.fail(operator, 'only linear constraints are supported, no products of columns');
      if (result.weights.size > 0) multiply(result, next.constant);
      else {
        multiply(next, result.constant);
        result = next;
      }
    } else if (reader.isSymbol('/')) {
      reader.take();
      const divisor = factor(reader, check, depth);
      if (divisor.weights.size > 0)
        reader.fail(operator, 'only linear constraints are supported, no division by columns');
      if (divisor.constant === 0) reader.fail(operator, 'division by zero');
      const { constant } = divisor;
      result.constant /= constant;
      for (const [name, weight] of result.weights) result.weights.set(name, weight / constant);
    } else return result;
  }
}

function factor(reader: TokenReader, check: (column: Token) => void, depth: number): Affine {
  let isNegative = false;
  while (reader.isSymbol('-') || reader.isSymbol('+')) {
    if (reader.take().text === '-') isNegative = !isNegative;
  }
  const result = unsigned(reader, check, depth);
  if (isNegative) multiply(result, -1);
  return result;
}

function unsigned(reader: TokenReader, check: (column: Token) => void, depth: number): Affine {
  const token = reader.peek();
  if (reader.isSymbol('(')) {
    if (depth === deepestParentheses)
      reader.fail(token, `parentheses are nested too deep; expected at most ${deepestParentheses} levels`);
    reader.take();
    const inner = sum(reader, check, depth + 1);
    if (!reader.isSymbol(')')) reader.expected('an operator or ")"');
    reader.take();
    return inner;
  }
  if (token.kind === 'number') {
    const constant = reader.takeNumber();
    const after = reader.peek();
    refuseCondition(reader);
    if (after.kind === 'name' || reader.isSymbol('('))
      reader.fail(after, `expected "*" between ${shown(token.text)} and what follows it`);
    return { constant, weights: new Map() };
  }
  if (token.kind !== 'name') reader.expected('a column name, a number or "("');
  if (reader.isSymbol('(', 1) && !token.isQuoted)
    reader.fail(token, `only linear constraints are supported, no functions such as ${shown(token.text)}`);
  const column = reader.takeColumn();
  check(token);
  return { constant: 0, weights: new Map([[column, 1]]) };
}

/** Why a number and a category cannot be held together, and what does the same. */
export const joinedFault =
  'a constraint cannot join numbers and categories; let the limit hold for every category, or write one problem per ' +
  'category with the category fixed, as in catalyst=B, and the limit as bounds';

/** `if catalyst=B then temp <= 60`, `temp <= 60 if catalyst=B`: said in full, since it is what people try first. */
export function refuseCondition(reader: TokenReader): void {
  if (!reader.isWord('if') && !reader.isWord('when')) return;
  const bare = reader.text.replace(/"[^"]*"|`[^`]*`/g, 'name');
  if (/[<>≤≥]|\.\./.test(bare)) reader.fail(reader.peek(), joinedFault);
  reader.fail(reader.peek(), 'between categories, write it as in: require line=B if product=X');
}
