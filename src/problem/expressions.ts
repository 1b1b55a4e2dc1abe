// The language of constraints, by recursive descent. docs/problem-file.md lists its forms.

import {
  type CategoryCondition,
  isClassAhead,
  negated,
  takeCondition,
  takeLevel,
  type Vocabulary,
} from './classConditions.js';
import { type FormulaRelation, type LinearRelation, parseRelation } from './relationExpression.js';
import { labelOf, shown, suggestion, type Token, TokenReader } from './tokens.js';

export type { CategoryCondition, Vocabulary };

/** A weighted sum of columns against a bound. */
export interface LinearStatement extends LinearRelation {
  readonly label: string;
}

/** A formula of columns between bounds: products, ratios, powers. */
export interface FormulaStatement extends FormulaRelation {
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

/** What holds where all conditions do. */
export interface ConditionalStatement {
  readonly kind: 'conditional';
  readonly conditions: readonly CategoryCondition[];
  readonly conclusions: readonly Conclusion[];
  readonly label: string;
}

/** What may follow "then". */
export type Conclusion =
  | LinearStatement
  | FormulaStatement
  | CardinalityStatement
  | ForbiddenStatement
  | BoundsStatement
  | FixedStatement;

export type ConstraintStatement =
  | LinearStatement
  | FormulaStatement
  | ConditionalStatement
  | CardinalityStatement
  | ForbiddenStatement
  | BoundsStatement
  | FixedStatement;

/**
 * Reads one constraint: `2*a + b <= 30`, `at most 3 of a, b, c`, `forbid solvent=water and catalyst in (A, B)`,
 * `require line=B if product=X`, `temp=20..90 step 5`, `line=B`, `a/b = 2..4`, `if catalyst = B then temp <= 60`.
 *
 * Throws `ExpressionError`. Without a vocabulary `a = b` fixes a to the text "b"; with one in which b is a column of
 * numbers it means a - b = 0.
 */
export function parseConstraint(text: string, vocabulary?: Vocabulary): ConstraintStatement {
  const reader = new TokenReader(text, 'constraint', vocabulary?.columns, vocabulary?.closed);
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
  if (isCommand && (reader.isWord('if') || reader.isWord('when'))) return conditional(reader, vocabulary);
  if (isCommand && reader.isWord('forbid')) return forbid(reader, vocabulary);
  if (isCommand && reader.isWord('require')) reader.take();
  const until = reader.distanceTo('if', 'when');
  if (until !== undefined && until > 0 && reader.peek(until + 1).kind === 'name')
    return trailing(reader, vocabulary, until);
  return parseConclusion(reader, vocabulary);
}

/** A constraint without a condition. */
function parseConclusion(reader: TokenReader, vocabulary: Vocabulary | undefined): Unlabelled<Conclusion> {
  const follower = reader.peek(1).kind;
  const isCommand = follower === 'name' || follower === 'number';
  if (isCommand && (reader.isWord('at') || reader.isWord('exactly'))) return cardinality(reader, vocabulary);
  if (reader.peek().kind === 'name' && (reader.isWord('in', 1) || reader.isWord('not', 1)))
    return within(reader, vocabulary);
  if (reader.isSymbol('!=', 1) && isClassAhead(reader, vocabulary)) return exclude(reader, vocabulary);
  if (reader.peek().kind === 'name' && reader.isSymbol('=', 1)) {
    const simple = boundsOrFixed(reader, vocabulary);
    if (simple) return simple;
  }
  return parseRelation(reader, { check: (token) => requireNumeric(reader, token, vocabulary) });
}

/** `if catalyst = B and solvent = water then temp <= 60 and pressure = 1..3` */
function conditional(
  reader: TokenReader,
  vocabulary: Vocabulary | undefined,
): Unlabelled<ConditionalStatement | ForbiddenStatement> {
  reader.take();
  const until = reader.distanceTo('then', ',');
  if (until === undefined) {
    while (reader.peek().kind !== 'end') reader.take();
    reader.expected('"then" and what holds, as in: if catalyst = B then temp <= 60');
  }
  const found = reader.within(until, () => conditions(reader, vocabulary));
  reader.take();
  return joined(reader, found, conclusions(reader, vocabulary));
}

/** `temp <= 60 if catalyst = B`, `require line=B if product=X` */
function trailing(
  reader: TokenReader,
  vocabulary: Vocabulary | undefined,
  until: number,
): Unlabelled<ConditionalStatement | ForbiddenStatement> {
  const held = reader.within(until, () => conclusions(reader, vocabulary));
  reader.take();
  return joined(reader, conditions(reader, vocabulary), held);
}

interface Conditions {
  readonly classes: readonly CategoryCondition[];
  /** What holds where a condition on numbers does not. */
  readonly opposite?: Unlabelled<LinearStatement | FormulaStatement>;
  readonly start: Token;
}

function conditions(reader: TokenReader, vocabulary: Vocabulary | undefined): Conditions {
  const start = reader.peek();
  const classes: CategoryCondition[] = [];
  let opposite: Conditions['opposite'];
  for (;;) {
    const token = reader.peek();
    const isClass = isClassAhead(reader, vocabulary) || token.kind !== 'name';
    if (isClass) classes.push(takeCondition(reader, vocabulary));
    else {
      if (opposite)
        reader.fail(token, 'a second condition on numbers; expected one at most, and the rest on categories');
      const until = reader.distanceTo('and', 'with') ?? Number.POSITIVE_INFINITY;
      const check = (column: Token) => requireNumeric(reader, column, vocabulary);
      opposite = reader.within(until, () => parseRelation(reader, { check, isCondition: true }));
    }
    if (!reader.isWord('and') && !reader.isWord('with')) break;
    reader.take();
  }
  reader.takeEnd('"and" or the end');
  return { classes, ...(opposite && { opposite }), start };
}

/** What follows "then": constraints joined by "and". */
function conclusions(reader: TokenReader, vocabulary: Vocabulary | undefined): Conclusion[] {
  const found: Conclusion[] = [];
  for (;;) {
    const start = reader.peek();
    const until = reader.distanceTo('and', 'with') ?? Number.POSITIVE_INFINITY;
    const statement = reader.within(until, () => parseConclusion(reader, vocabulary));
    if (statement.kind === 'bounds' && statement.step !== undefined)
      reader.fail(start, 'a step holds for every design; give it without a condition');
    found.push({ ...statement, label: '' });
    if (reader.peek().kind === 'end') return found;
    reader.take();
  }
}

function joined(
  reader: TokenReader,
  { classes, opposite, start }: Conditions,
  held: readonly Conclusion[],
): Unlabelled<ConditionalStatement | ForbiddenStatement> {
  const forbidden = held.map(forbiddenBy);
  // categories alone
  if (held.length === 1 && forbidden[0] && !opposite)
    return { kind: 'forbidden', conditions: [...classes, ...forbidden[0]] };
  if (!opposite) return { kind: 'conditional', conditions: classes, conclusions: held };
  // "if temp > 60 then catalyst != B" says: if catalyst = B then temp <= 60
  const [only] = forbidden;
  if (held.length > 1 || !only)
    reader.fail(
      start,
      'where a condition is about numbers, what follows is one thing about a category, as in: if temp > 60 then catalyst != B',
    );
  return {
    kind: 'conditional',
    conditions: [...classes, ...only],
    conclusions: [{ ...opposite, label: '' }],
  };
}

/** The conditions that may not hold together, where a conclusion is about a category. */
function forbiddenBy(statement: Conclusion): readonly CategoryCondition[] | undefined {
  if (statement.kind === 'forbidden') return statement.conditions;
  if (statement.kind !== 'fixed' || typeof statement.value === 'number') return undefined;
  return [{ column: statement.column, values: [statement.value], isNegated: true }];
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

/** `forbid solvent=water and catalyst in (A, B)`, `forbid catalyst=B and temp > 60` */
function forbid(
  reader: TokenReader,
  vocabulary: Vocabulary | undefined,
): Unlabelled<ForbiddenStatement | ConditionalStatement> {
  reader.takeWord('forbid');
  const { classes, opposite, start } = conditions(reader, vocabulary);
  if (!opposite) return { kind: 'forbidden', conditions: classes };
  if (classes.length === 0)
    reader.fail(start, 'nothing but numbers is forbidden; write what is allowed, as in temp <= 60');
  return { kind: 'conditional', conditions: classes, conclusions: [{ ...opposite, label: '' }] };
}

/** `ligand != L3` */
function exclude(reader: TokenReader, vocabulary: Vocabulary | undefined): Unlabelled<ForbiddenStatement> {
  const allowed = takeCondition(reader, vocabulary);
  reader.takeEnd('the end');
  return { kind: 'forbidden', conditions: [negated(allowed)] };
}

/** `temp in 20..90`, `line in (A, B)`, `line not in (A, B)` */
function within(
  reader: TokenReader,
  vocabulary: Vocabulary | undefined,
): Unlabelled<BoundsStatement | ForbiddenStatement> {
  if (reader.isWord('in', 1) && !reader.isSymbol('(', 2)) {
    const column = takeNumeric(reader, vocabulary);
    reader.takeWord('in');
    return bounds(reader, column);
  }
  return exclude(reader, vocabulary);
}

function bounds(reader: TokenReader, column: string): Unlabelled<BoundsStatement> {
  const { lower, upper } = reader.takeRange();
  if (reader.peek().kind === 'end') return { kind: 'bounds', column, lower, upper };
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
