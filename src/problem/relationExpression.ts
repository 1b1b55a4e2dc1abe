// Relations of numbers: arithmetic with columns on both sides of <=, >= or =. Sums and constant multiples of columns
// make a linear relation, everything else a formula.

import { portablePower } from '../numeric/portable.js';
import type { Formula, LinearConstraint } from '../space/space.js';
import { shown, type Token, TokenReader } from './tokens.js';

/** Deeper parentheses are refused, so that no text can exhaust the stack. */
const deepestParentheses = 64;

/** constant + Σ weights[name] · name */
interface Affine {
  readonly constant: number;
  readonly weights: ReadonlyMap<string, number>;
}

/** What was read, as a formula and, where it is one, as a weighted sum. */
interface Term {
  readonly formula: Formula<string>;
  readonly affine: Affine | null;
}

export interface LinearRelation {
  readonly kind: 'linear';
  readonly terms: readonly { readonly column: string; readonly weight: number }[];
  readonly relation: LinearConstraint['relation'];
  readonly bound: number;
}

/** lower <= formula <= upper, of which one may be absent. */
export interface FormulaRelation {
  readonly kind: 'formula';
  readonly formula: Formula<string>;
  readonly lower?: number;
  readonly upper?: number;
}

export interface RelationOptions {
  /** Is shown each column and may refuse it. */
  readonly check: (column: Token) => void;
  /** The relation is a condition: only < and > may stand in it, and what is read is its opposite. */
  readonly isCondition?: boolean;
}

const forms =
  'expected sums, products, quotients, powers and sqrt of columns, as in 2*a*b + c^2 <= 10 or a/(a + b) >= 0.2';

/** Reads `left <= right` or `left = low..high` to the end of the text. */
export function parseRelation(
  reader: TokenReader,
  { check, isCondition = false }: RelationOptions,
): LinearRelation | FormulaRelation {
  const first = reader.peek();
  const left = sum(reader, check, 0);
  const isRange = (reader.isSymbol('=') || reader.isWord('in')) && isRangeAhead(reader);
  if (isRange && !isCondition) {
    reader.take();
    const { lower, upper } = reader.takeRange();
    reader.takeEnd('the end');
    requireColumns(reader, first, left);
    if (!hasFiniteNumbers(left.formula))
      reader.fail(first, 'its numbers have no value, or one that is too large');
    return { kind: 'formula', formula: left.formula, lower, upper };
  }
  const relation = isCondition ? takeOpposite(reader) : takeRelation(reader);
  const right = sum(reader, check, 0);
  if (['<=', '>=', '=', '<', '>'].includes(reader.peek().text) && reader.peek().kind === 'symbol')
    reader.fail(reader.peek(), 'a second relation; write two constraints');
  reader.takeEnd('an operator or the end');
  const difference = add(left, right, -1);
  if (!difference.affine) return formulaRelation(reader, first, left, relation, right);
  const { constant, weights } = difference.affine;
  const terms = [...weights]
    .filter(([, weight]) => weight !== 0)
    .map(([column, weight]) => ({ column, weight }));
  requireColumns(reader, first, difference);
  const bound = constant === 0 ? 0 : -constant;
  if (![bound, ...terms.map(({ weight }) => weight)].every(Number.isFinite))
    reader.fail(first, 'its numbers have no value, or one that is too large');
  return { kind: 'linear', terms, relation, bound };
}

function requireColumns(reader: TokenReader, first: Token, { affine }: Term): void {
  if (affine && ![...affine.weights.values()].some((weight) => weight !== 0))
    reader.fail(first, 'no column is left in it; expected one at least');
}

/** A number on one side is the bound of the other, which keeps a ratio a ratio. */
function formulaRelation(
  reader: TokenReader,
  first: Token,
  left: Term,
  relation: LinearConstraint['relation'],
  right: Term,
): FormulaRelation {
  const flipped = { '<=': '>=', '>=': '<=', '=': '=' } as const;
  const [formula, symbol, bound] =
    right.formula.kind === 'number'
      ? [left.formula, relation, right.formula.value]
      : left.formula.kind === 'number'
        ? [right.formula, flipped[relation], left.formula.value]
        : [add(left, right, -1).formula, relation, 0];
  if (!Number.isFinite(bound) || !hasFiniteNumbers(formula))
    reader.fail(first, 'its numbers have no value, or one that is too large');
  return {
    kind: 'formula',
    formula,
    ...(symbol !== '<=' && { lower: bound }),
    ...(symbol !== '>=' && { upper: bound }),
  };
}

/** Reads a formula of columns, such as `0.2*Pd + 1.5*ligand`. `columns`: names that exist; without them any is taken. */
export function parseFormula(text: string, argument: string, columns?: readonly string[]): Formula<string> {
  const reader = new TokenReader(text, argument, columns);
  const first = reader.peek();
  const term = sum(reader, () => {}, 0);
  reader.takeEnd('an operator or the end');
  requireColumns(reader, first, term);
  if (!hasFiniteNumbers(term.formula))
    reader.fail(first, 'its numbers have no value, or one that is too large');
  return term.formula;
}

function hasFiniteNumbers(formula: Formula<string>): boolean {
  if (formula.kind === 'number') return Number.isFinite(formula.value);
  if (formula.kind === 'power') return hasFiniteNumbers(formula.base);
  return formula.kind === 'column' || (hasFiniteNumbers(formula.left) && hasFiniteNumbers(formula.right));
}

function isRangeAhead(reader: TokenReader): boolean {
  const isSigned = reader.isSymbol('-', 1) || reader.isSymbol('+', 1);
  return reader.peek(isSigned ? 2 : 1).kind === 'number' && reader.isSymbol('..', isSigned ? 3 : 2);
}

function takeRelation(reader: TokenReader): LinearConstraint['relation'] {
  const token = reader.peek();
  const symbol = token.kind === 'symbol' ? token.text : '';
  if (symbol === '<' || symbol === '>')
    reader.fail(token, `strict inequalities are not supported; write ${symbol}=`);
  if (symbol === '!=') reader.fail(token, 'numbers cannot be told to differ; expected one of <=, >=, =');
  if (symbol !== '<=' && symbol !== '>=' && symbol !== '=')
    reader.expected('an operator or one of <=, >=, =');
  reader.take();
  return symbol;
}

/** What holds where `a > b` or `a < b` does not. */
function takeOpposite(reader: TokenReader): LinearConstraint['relation'] {
  const token = reader.peek();
  const symbol = token.kind === 'symbol' ? token.text : '';
  if (symbol === '<=' || symbol === '>=')
    reader.fail(
      token,
      `in a condition write ${symbol[0]} instead of ${symbol}: the limit itself stays allowed`,
    );
  if (symbol === '=' || symbol === '!=')
    reader.fail(token, 'a condition on numbers is an inequality; expected < or >');
  if (symbol !== '<' && symbol !== '>') reader.expected('an operator or one of <, >');
  reader.take();
  return symbol === '<' ? '>=' : '<=';
}

function numberTerm(value: number): Term {
  return { formula: { kind: 'number', value }, affine: { constant: value, weights: new Map() } };
}

function isConstant({ affine }: Term): boolean {
  return affine !== null && affine.weights.size === 0;
}

function mapped({ constant, weights }: Affine, change: (value: number) => number): Affine {
  return {
    constant: change(constant),
    weights: new Map([...weights].map(([name, weight]) => [name, change(weight)])),
  };
}

function add(a: Term, b: Term, sign: 1 | -1): Term {
  let affine: Affine | null = null;
  if (a.affine && b.affine) {
    const weights = new Map(a.affine.weights);
    for (const [name, weight] of b.affine.weights)
      weights.set(name, (weights.get(name) ?? 0) + sign * weight);
    affine = { constant: a.affine.constant + sign * b.affine.constant, weights };
  }
  if (affine && affine.weights.size === 0) return numberTerm(affine.constant);
  const right = sign === 1 ? b.formula : scaled(b.formula, -1);
  return { formula: { kind: 'sum', left: a.formula, right }, affine };
}

function scaled(formula: Formula<string>, factor: number): Formula<string> {
  if (formula.kind === 'number') return { kind: 'number', value: factor * formula.value };
  if (factor === 1) return formula;
  return { kind: 'product', left: { kind: 'number', value: factor }, right: formula };
}

function multiply(a: Term, b: Term): Term {
  if (isConstant(b)) {
    const factor = b.affine!.constant;
    return {
      formula: scaled(a.formula, factor),
      affine: a.affine && mapped(a.affine, (value) => value * factor),
    };
  }
  if (isConstant(a)) return multiply(b, a);
  return { formula: { kind: 'product', left: a.formula, right: b.formula }, affine: null };
}

function divide(a: Term, b: Term): Term {
  if (!isConstant(b))
    return { formula: { kind: 'quotient', left: a.formula, right: b.formula }, affine: null };
  const divisor = b.affine!.constant;
  if (isConstant(a)) return numberTerm(a.affine!.constant / divisor);
  return {
    formula: { kind: 'quotient', left: a.formula, right: b.formula },
    affine: a.affine && mapped(a.affine, (value) => value / divisor),
  };
}

/** ±product ± product ... */
function sum(reader: TokenReader, check: (column: Token) => void, depth: number): Term {
  let total = product(reader, check, depth);
  while (reader.isSymbol('+') || reader.isSymbol('-')) {
    const sign = reader.take().text === '-' ? -1 : 1;
    total = add(total, product(reader, check, depth), sign);
  }
  return total;
}

/** factor * factor / factor ... */
function product(reader: TokenReader, check: (column: Token) => void, depth: number): Term {
  let result = factor(reader, check, depth);
  for (;;) {
    const operator = reader.peek();
    if (reader.isSymbol('*')) {
      reader.take();
      result = multiply(result, factor(reader, check, depth));
    } else if (reader.isSymbol('/')) {
      reader.take();
      const divisor = factor(reader, check, depth);
      if (isConstant(divisor) && divisor.affine!.constant === 0) reader.fail(operator, 'division by zero');
      result = divide(result, divisor);
    } else return result;
  }
}

function factor(reader: TokenReader, check: (column: Token) => void, depth: number): Term {
  let isNegative = false;
  while (reader.isSymbol('-') || reader.isSymbol('+')) {
    if (reader.take().text === '-') isNegative = !isNegative;
  }
  let result = unsigned(reader, check, depth);
  if (reader.isSymbol('^')) result = power(reader, result);
  return isNegative ? multiply(result, numberTerm(-1)) : result;
}

function power(reader: TokenReader, base: Term): Term {
  reader.take();
  const token = reader.peek();
  const exponent = token.kind === 'number' ? Number(token.text) : Number.NaN;
  const isWhole = Number.isInteger(exponent) && exponent >= 1 && exponent <= 9;
  if (!isWhole && exponent !== 0.5) reader.fail(token, 'expected a power from 2 to 9, or 0.5');
  reader.take();
  if (reader.isSymbol('^')) reader.fail(reader.peek(), 'a second power; use parentheses');
  if (exponent === 1) return base;
  if (isConstant(base)) return numberTerm(powerOf(base.affine!.constant, exponent));
  return { formula: { kind: 'power', base: base.formula, exponent }, affine: null };
}

function unsigned(reader: TokenReader, check: (column: Token) => void, depth: number): Term {
  const token = reader.peek();
  if (reader.isSymbol('(')) return parenthesised(reader, check, depth);
  if (token.kind === 'number') {
    const constant = reader.takeNumber();
    const after = reader.peek();
    if ((after.kind === 'name' && !reader.isWord('in')) || reader.isSymbol('('))
      reader.fail(after, `expected "*" between ${shown(token.text)} and what follows it`);
    return numberTerm(constant);
  }
  if (token.kind !== 'name') reader.expected('a column name, a number or "("');
  if (reader.isSymbol('(', 1) && !token.isQuoted) {
    if (!reader.isWord('sqrt')) reader.fail(token, `${shown(token.text)} is no function here; ${forms}`);
    reader.take();
    const inner = parenthesised(reader, check, depth);
    if (isConstant(inner)) return numberTerm(Math.sqrt(inner.affine!.constant));
    return { formula: { kind: 'power', base: inner.formula, exponent: 0.5 }, affine: null };
  }
  const column = reader.takeColumn();
  check(token);
  return { formula: { kind: 'column', column }, affine: { constant: 0, weights: new Map([[column, 1]]) } };
}

function parenthesised(reader: TokenReader, check: (column: Token) => void, depth: number): Term {
  const token = reader.take();
  if (depth === deepestParentheses)
    reader.fail(token, `parentheses are nested too deep; expected at most ${deepestParentheses} levels`);
  const inner = sum(reader, check, depth + 1);
  if (!reader.isSymbol(')')) reader.expected('an operator or ")"');
  reader.take();
  return inner;
}

/** A whole power, or the square root. */
function powerOf(base: number, exponent: number): number {
  return exponent === 0.5 ? Math.sqrt(base) : portablePower(base, exponent);
}
