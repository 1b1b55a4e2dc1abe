// The language of constraints, by recursive descent. docs/problem-file.md lists its forms.

import { joinedFault, type LinearRelation, parseLinear, refuseCondition } from './linearExpression.js';
import { labelOf, shown, suggestion, type Token, TokenReader } from './tokens.js';

/** A weighted sum of columns against a bound. */
export interface LinearStatement extends LinearRelation {
  readonly label: string;
}

/** How many of some columns may be other than 0. */
export interface CardinalityStatement {
  readonly kind: 'cardinality';
  readonly columns: readonly string[];
  readonly atLeast: number;
  readonly atMost: number;
  readonly label: string;
}

/** One of several values of a category; with `isNegated`, any other value. */
export interface CategoryCondition {
  readonly column: string;
  readonly values: readonly string[];
  readonly isNegated: boolean;
}

/** Conditions that may not all hold at once. */
export interface ForbiddenStatement {
  readonly kind: 'forbidden';
  readonly conditions: readonly CategoryCondition[];
  readonly label: string;
}

export interface BoundsStatement {
  readonly kind: 'bounds';
  readonly column: string;
  readonly lower: number;
  readonly upper: number;
  readonly step?: number;
  readonly label: string;
}

export interface FixedStatement {
  readonly kind: 'fixed';
  readonly column: string;
  /** A number if it was written as one without quotes. */
  readonly value: number | string;
  readonly label: string;
}

export type ConstraintStatement =
  | LinearStatement
  | CardinalityStatement
  | ForbiddenStatement
  | BoundsStatement
  | FixedStatement;

/** What is known of the table. With it names are checked, and `a = b` is told from `line = B`. */
export interface Vocabulary {
  readonly columns: readonly string[];
  /** The values of those columns that hold text; undefined where any text may be one. */
  readonly levels?: ReadonlyMap<string, readonly string[] | undefined>;
}

/**
 * Reads one constraint: `2*a + b <= 30`, `at most 3 of a, b, c`, `forbid solvent=water and catalyst in (A, B)`,
 * `require line=B if product=X`, `temp=20..90 step 5`, `line=B`.
 *
 * Throws `ExpressionError`. Without a vocabulary `a = b` fixes a to the text "b"; with one in which b is a column of
 * numbers it means a - b = 0.
 */
export function parseConstraint(text: string, vocabulary?: Vocabulary): ConstraintStatement {
  const reader = new TokenReader(text, 'constraint', vocabulary?.columns);
  if (reader.peek().kind === 'end')
    reader.fail(reader.peek(), 'is empty; expected something like a + b <= 1');
  const statement = parseStatement(reader, vocabulary);
  return { ...statement, label: labelOf(text) };
}

type Unlabelled<T> = T extends unknown ? Omit<T, 'label'> : never;

function parseStatement(
  reader: TokenReader,
  vocabulary: Vocabulary | undefined,
): Unlabelled<ConstraintStatement> {
  // In a sum no name is followed by a name or a number: columns may be called "forbid" or "at".
  const follower = reader.peek(1).kind;
  const isCommand = follower === 'name' || follower === 'number';
  if (isCommand && (reader.isWord('at') || reader.isWord('exactly'))) return cardinality(reader, vocabulary);
  if (isCommand && reader.isWord('forbid')) return forbid(reader, vocabulary);
  if (isCommand) refuseCondition(reader);
  if (isCommand && reader.isWord('require')) return demand(reader, vocabulary);
  if (reader.peek().kind === 'name' && reader.isWord('in', 1)) return within(reader, vocabulary);
  if (reader.peek().kind === 'name' && reader.isSymbol('=', 1)) {
    const simple = boundsOrFixed(reader, vocabulary);
    if (simple) return simple;
  }
  return parseLinear(reader, (token) => requireNumeric(reader, token, vocabulary));
}

function requireNumeric(reader: TokenReader, token: Token, vocabulary: Vocabulary | undefined): void {
  if (vocabulary?.levels?.has(token.text))
    reader.fail(token, `${shown(token.text)} holds text; expected a column of numbers`);
}

function takeNumeric(reader: TokenReader, vocabulary: Vocabulary | undefined): string {
  const token = reader.peek();
  const column = reader.takeColumn();
  requireNumeric(reader, token, vocabulary);
  return column;
}

/** `at most 3 of a, b`, `at least 1 of ...`, `exactly 2 of ...` */
function cardinality(
  reader: TokenReader,
  vocabulary: Vocabulary | undefined,
): Unlabelled<CardinalityStatement> {
  const isExact = reader.isWord('exactly');
  reader.take();
  const isAtMost = reader.isWord('most');
  if (!isExact) {
    if (!isAtMost && !reader.isWord('least')) reader.expected('"most" or "least"');
    reader.take();
  }
  const countToken = reader.peek();
  const count = reader.takeNumber('a whole number');
  if (!Number.isSafeInteger(count)) reader.fail(countToken, 'expected a whole number');
  reader.takeWord('of');
  const parenthesized = reader.isSymbol('(');
  if (parenthesized) reader.take();
  const columns: string[] = [];
  const seen = new Set<string>();
  for (;;) {
    const token = reader.peek();
    const column = takeNumeric(reader, vocabulary);
    if (seen.has(column)) reader.fail(token, `${shown(column)} is listed twice`);
    seen.add(column);
    columns.push(column);
    if (!reader.isSymbol(',')) break;
    reader.take();
  }
  if (parenthesized) reader.takeSymbol(')');
  reader.takeEnd('a comma and another column, or the end');
  if (count > columns.length)
    reader.fail(
      countToken,
      `${count} of ${columns.length} columns is not possible; expected at most ${columns.length}`,
    );
  const atLeast = isExact || !isAtMost ? count : 0;
  const atMost = isExact || isAtMost ? count : columns.length;
  return { kind: 'cardinality', columns, atLeast, atMost };
}

/** `forbid solvent=water and catalyst in (A, B)` */
function forbid(reader: TokenReader, vocabulary: Vocabulary | undefined): Unlabelled<ForbiddenStatement> {
  reader.takeWord('forbid');
  return { kind: 'forbidden', conditions: conjunction(reader, vocabulary) };
}

/** `require line=B if product=X`: product=X with any other line is forbidden. */
function demand(reader: TokenReader, vocabulary: Vocabulary | undefined): Unlabelled<ForbiddenStatement> {
  reader.takeWord('require');
  const required = negated(condition(reader, vocabulary));
  if (reader.isWord('and') || reader.isWord('with'))
    reader.fail(
      reader.peek(),
      'only one thing can be required at a time; write a second constraint for the other',
    );
  if (reader.peek().kind === 'end') return { kind: 'forbidden', conditions: [required] };
  if (!reader.isWord('if')) reader.expected('"if" or the end');
  reader.take();
  return { kind: 'forbidden', conditions: [...conjunction(reader, vocabulary), required] };
}

function negated(from: CategoryCondition): CategoryCondition {
  return { ...from, isNegated: !from.isNegated };
}

function conjunction(reader: TokenReader, vocabulary: Vocabulary | undefined): CategoryCondition[] {
  const conditions = [condition(reader, vocabulary)];
  while (reader.isWord('and') || reader.isWord('with')) {
    reader.take();
    conditions.push(condition(reader, vocabulary));
  }
  reader.takeEnd('"and" or the end');
  return conditions;
}

/** `solvent=water`, `solvent != water`, `solvent in (water, ethanol)`, `solvent not in (...)` */
function condition(reader: TokenReader, vocabulary: Vocabulary | undefined): CategoryCondition {
  const token = reader.peek();
  const column = reader.takeColumn();
  if (vocabulary?.levels && !vocabulary.levels.has(column))
    reader.fail(token, `${shown(column)} is a column of numbers; ${joinedFault}`);
  for (const symbol of ['<=', '>=', '<', '>']) {
    if (reader.isSymbol(symbol)) reader.fail(reader.peek(), joinedFault);
  }
  if (reader.isSymbol('=') || reader.isSymbol('!=')) {
    const isNegated = reader.take().text === '!=';
    return { column, values: [takeLevel(reader, column, vocabulary)], isNegated };
  }
  const isNegated = reader.isWord('not');
  if (isNegated) reader.take();
  if (!reader.isWord('in')) reader.expected('"=", "in" or "not in"');
  reader.take();
  return { column, values: levelList(reader, column, vocabulary), isNegated };
}

function levelList(reader: TokenReader, column: string, vocabulary: Vocabulary | undefined): string[] {
  reader.takeSymbol('(');
  const values = [takeLevel(reader, column, vocabulary)];
  while (reader.isSymbol(',')) {
    reader.take();
    values.push(takeLevel(reader, column, vocabulary));
  }
  reader.takeSymbol(')');
  return [...new Set(values)];
}

/** A value of a category as it is written: a name, a quoted text, or a number with its sign. */
function takeLevel(reader: TokenReader, column: string, vocabulary: Vocabulary | undefined): string {
  const first = reader.take();
  const isSigned = first.kind === 'symbol' && (first.text === '-' || first.text === '+');
  const token = isSigned ? reader.take() : first;
  if (token.kind !== 'number' && (isSigned || token.kind !== 'name'))
    reader.expected(`a value of ${shown(column)}; odd ones go in double quotes`, token);
  const value = isSigned && first.text === '-' ? `-${token.text}` : token.text;
  const levels = vocabulary?.levels?.get(column);
  if (!levels || levels.includes(value)) return value;
  // 1 is the level "1.0" where no level is written "1".
  const same =
    token.kind === 'number' && levels.find((level) => level.trim() !== '' && Number(level) === Number(value));
  return typeof same === 'string'
    ? same
    : reader.fail(first, `${shown(column)} is never ${shown(value)}${suggestion(value, levels)}`);
}

/** `temp in 20..90`, `line in (A, B)` */
function within(
  reader: TokenReader,
  vocabulary: Vocabulary | undefined,
): Unlabelled<BoundsStatement | ForbiddenStatement> {
  if (!reader.isSymbol('(', 2)) {
    const column = takeNumeric(reader, vocabulary);
    reader.takeWord('in');
    return bounds(reader, column);
  }
  const allowed = condition(reader, vocabulary);
  reader.takeEnd('the end');
  return { kind: 'forbidden', conditions: [negated(allowed)] };
}

function bounds(reader: TokenReader, column: string): Unlabelled<BoundsStatement> {
  const { lower, upper } = reader.takeRange();
  if (reader.peek().kind === 'end') return { kind: 'bounds', column, lower, upper };
  refuseCondition(reader);
  if (!reader.isWord('step')) reader.expected('"step" or the end');
  reader.take();
  const stepToken = reader.peek();
  const step = reader.takeNumber('the size of a step');
  if (!(step > 0 && step <= upper - lower))
    reader.fail(stepToken, `a step of ${step} does not fit into ${lower}..${upper}`);
  reader.takeEnd('the end');
  return { kind: 'bounds', column, lower, upper, step };
}

/** `temp=20..90`, `line=B`, `ph=7`; nothing if the right side is a sum or a column of numbers. */
function boundsOrFixed(
  reader: TokenReader,
  vocabulary: Vocabulary | undefined,
): Unlabelled<BoundsStatement | FixedStatement> | undefined {
  const isSigned = reader.isSymbol('-', 2) || reader.isSymbol('+', 2);
  const value = reader.peek(isSigned ? 3 : 2);
  const after = isSigned ? 4 : 3;
  if (value.kind === 'number' && reader.isSymbol('..', after)) {
    const column = takeNumeric(reader, vocabulary);
    reader.takeSymbol('=');
    return bounds(reader, column);
  }
  const isSingle =
    reader.peek(after).kind === 'end' && (value.kind === 'number' || (value.kind === 'name' && !isSigned));
  if (!isSingle) return undefined;
  const isCategory = vocabulary?.levels?.has(reader.peek().text) ?? false;
  if (!isCategory && value.kind === 'name' && reader.isColumn(value.text)) return undefined;
  const column = reader.takeColumn();
  reader.takeSymbol('=');
  if (isCategory) return { kind: 'fixed', column, value: takeLevel(reader, column, vocabulary) };
  if (value.kind === 'number') return { kind: 'fixed', column, value: reader.takeSignedNumber() };
  if (vocabulary?.levels)
    reader.fail(
      value,
      `${shown(column)} is a column of numbers; expected a number or a column${suggestion(value.text, vocabulary.columns)}`,
    );
  return { kind: 'fixed', column, value: reader.take().text };
}
