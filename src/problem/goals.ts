// The language of goals: what is wanted of the measured columns. docs/goals.md lists its forms.

import { labelOf, nearestOf, quoteName, shown, TokenReader } from './tokens.js';

interface GoalBase {
  readonly column: string;
  /** Exponent in the weighted geometric mean, relative to the other goals. 1 unless said otherwise. */
  readonly weight: number;
  /** The goal in its author's words, for messages. */
  readonly label: string;
}

export interface DirectionGoal extends GoalBase {
  readonly kind: 'max' | 'min';
  /** Values at which desirability reaches 0 and 1 (for `min`: 1 and 0). Default: from the data. */
  readonly limits?: { readonly lower: number; readonly upper: number };
}

export interface TargetGoal extends GoalBase {
  readonly kind: 'target';
  readonly value: number;
  /** As good as the target itself within value ± tolerance. */
  readonly tolerance: number;
  /** Values at which desirability has fallen to 0. Default: from the data. */
  readonly limits?: { readonly lower: number; readonly upper: number };
}

export interface KeepGoal extends GoalBase {
  readonly kind: 'keep';
  /** -Infinity where the range is open. */
  readonly lower: number;
  /** Infinity where the range is open. */
  readonly upper: number;
}

export type Goal = DirectionGoal | TargetGoal | KeepGoal;

const forms = '"max yield", "min cost", "target pH=7.2", "keep cost <= 12" or "keep pH in 5..8"';

const synonyms: Readonly<Record<string, Goal['kind']>> = {
  max: 'max',
  maximize: 'max',
  maximise: 'max',
  min: 'min',
  minimize: 'min',
  minimise: 'min',
  target: 'target',
  keep: 'keep',
};

/** Reads one goal. `columns` are the names that exist; without them any name is taken. Throws `ExpressionError`. */
export function parseGoal(text: string, columns?: readonly string[]): Goal {
  const reader = new TokenReader(text, 'goal', columns);
  const kind = takeKind(reader);
  const column = reader.takeColumn('the name of a measured column');
  const rest = kind === 'target' ? target(reader) : kind === 'keep' ? keep(reader) : direction(reader, kind);
  const weight = takeWeight(reader);
  reader.takeEnd('"(weight 2)" or the end');
  return { ...rest, column, weight, label: labelOf(text) };
}

/** Reads several goals, none of which may say the same or the opposite of another. */
export function parseGoals(texts: readonly string[], columns?: readonly string[]): Goal[] {
  const goals = texts.map((text) => parseGoal(text, columns));
  requireDistinct(goals, texts);
  return goals;
}

/** Throws `ExpressionError` where two goals are about the same column; `texts` are the goals as written. */
export function requireDistinct(goals: readonly Goal[], texts: readonly string[]): void {
  const aims = new Map<string, Goal>();
  for (const [i, goal] of goals.entries()) {
    if (goal.kind === 'keep') continue;
    const earlier = aims.get(goal.column);
    if (earlier) {
      const reader = new TokenReader(texts[i]!, 'goal');
      reader.fail(reader.peek(), `${shown(goal.column)} already has the goal ${shown(earlier.label)}`);
    }
    aims.set(goal.column, goal);
  }
}

function takeKind(reader: TokenReader): Goal['kind'] {
  const token = reader.peek();
  if (reader.isWord('pareto'))
    reader.fail(
      token,
      'several goals make a front by themselves; give each as a goal of its own, such as "max yield" and "min cost"',
    );
  const word = token.kind === 'name' && !token.isQuoted ? token.text.toLowerCase() : '';
  if (!Object.hasOwn(synonyms, word)) {
    const near = nearestOf(word, ['max', 'min', 'target', 'keep']);
    reader.expected(near === undefined ? forms : `"${near}", as in ${forms}`);
  }
  reader.take();
  return synonyms[word];
}

type Aim<T extends Goal> = Omit<T, keyof GoalBase>;

function direction(reader: TokenReader, kind: DirectionGoal['kind']): Aim<DirectionGoal> {
  const token = reader.peek();
  if (token.kind === 'symbol' && '+-*/^'.includes(token.text))
    reader.fail(
      token,
      'a goal names one column; formulas of columns are not supported, add a column to the table',
    );
  if (token.kind === 'symbol' && ',;'.includes(token.text))
    reader.fail(token, 'one goal at a time; give the other one apart');
  if (token.kind === 'symbol' && ['<=', '>=', '<', '>', '='].includes(token.text))
    reader.fail(token, `"${kind}" takes no bound; write "keep" or "target" as a second goal`);
  const limits = takeLimits(reader);
  return limits ? { kind, limits } : { kind };
}

/** `over 20..80` */
function takeLimits(reader: TokenReader): { lower: number; upper: number } | undefined {
  if (!reader.isWord('over')) return undefined;
  reader.take();
  return reader.takeRange();
}

/** `=7.2`, `=7.2±0.1`, `=7.2 +- 0.1`, each with `over 6..9` after it or not */
function target(reader: TokenReader): Aim<TargetGoal> {
  reader.takeSymbol('=');
  const token = reader.peek();
  const value = reader.takeSignedNumber('the value to reach');
  if (reader.isSymbol('..'))
    reader.fail(token, 'a target is one value; for a range write "keep ... in 5..8"');
  const tolerance = takeTolerance(reader);
  const limits = takeLimits(reader);
  if (!limits) return { kind: 'target', value, tolerance };
  if (!(limits.lower < value - tolerance && value + tolerance < limits.upper))
    reader.fail(token, `the target ${value} ± ${tolerance} is not inside ${limits.lower}..${limits.upper}`);
  return { kind: 'target', value, tolerance, limits };
}

function takeTolerance(reader: TokenReader): number {
  const isTwoSigns = reader.isSymbol('+') && reader.isSymbol('-', 1);
  if (!isTwoSigns && !reader.isSymbol('±')) return 0;
  reader.take();
  if (isTwoSigns) reader.take();
  return reader.takeNumber('the tolerance');
}

/** `in 5..8`, `<= 12`, `>= 3` */
function keep(reader: TokenReader): Aim<KeepGoal> {
  if (reader.isWord('in')) {
    reader.take();
    return { kind: 'keep', ...reader.takeRange() };
  }
  const token = reader.peek();
  const symbol = token.kind === 'symbol' ? token.text : '';
  if (symbol === '=') reader.fail(token, 'for one value write "target" instead of "keep"');
  if (symbol === '<' || symbol === '>')
    reader.fail(token, `strict inequalities are not supported; write ${symbol}=`);
  if (symbol !== '<=' && symbol !== '>=') reader.expected('"in 5..8", "<= 12" or ">= 3"');
  reader.take();
  const bound = reader.takeSignedNumber();
  return symbol === '<='
    ? { kind: 'keep', lower: Number.NEGATIVE_INFINITY, upper: bound }
    : { kind: 'keep', lower: bound, upper: Number.POSITIVE_INFINITY };
}

/** `(weight 2)` */
function takeWeight(reader: TokenReader): number {
  if (!reader.isSymbol('(')) return 1;
  reader.take();
  reader.takeWord('weight');
  const token = reader.peek();
  const weight = reader.takeNumber('a weight');
  if (!(weight > 0)) reader.fail(token, 'a weight has to be positive');
  reader.takeSymbol(')');
  return weight;
}

/** The goal in the language, so that it parses to the same one again (but for its label). */
export function printGoal(goal: Goal): string {
  const weight = goal.weight === 1 ? '' : ` (weight ${goal.weight})`;
  const column = quoteName(goal.column);
  if (goal.kind === 'keep') {
    const { lower, upper } = goal;
    if (lower === Number.NEGATIVE_INFINITY) return `keep ${column} <= ${upper}${weight}`;
    if (upper === Number.POSITIVE_INFINITY) return `keep ${column} >= ${lower}${weight}`;
    return `keep ${column} in ${lower}..${upper}${weight}`;
  }
  const limits = goal.limits ? ` over ${goal.limits.lower}..${goal.limits.upper}` : '';
  if (goal.kind !== 'target') return `${goal.kind} ${column}${limits}${weight}`;
  const tolerance = goal.tolerance === 0 ? '' : ` ± ${goal.tolerance}`;
  return `target ${column} = ${goal.value}${tolerance}${limits}${weight}`;
}
