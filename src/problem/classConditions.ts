// Conditions on categories: `solvent=water`, `solvent in (water, ethanol)`, joined by "and".

import { shown, suggestion, type TokenReader } from './tokens.js';

/** One of several values of a category; with `isNegated`, any other value. */
export interface CategoryCondition {
  readonly column: string;
  readonly values: readonly string[];
  readonly isNegated: boolean;
}

/** What is known of the table. With it names are checked, and `a = b` is told from `line = B`. */
export interface Vocabulary {
  readonly columns: readonly string[];
  /** The values of those columns that hold text; undefined where any text may be one. */
  readonly levels?: ReadonlyMap<string, readonly string[] | undefined>;
  /** Columns that exist and cannot be used, with why, as the end of a sentence. */
  readonly closed?: ReadonlyMap<string, string>;
}

export function negated(from: CategoryCondition): CategoryCondition {
  return { ...from, isNegated: !from.isNegated };
}

/** Whether a condition on a category comes next, and not one on numbers. */
export function isClassAhead(reader: TokenReader, vocabulary: Vocabulary | undefined): boolean {
  const token = reader.peek();
  if (token.kind !== 'name') return false;
  const isNumber = vocabulary?.levels && reader.isColumn(token.text) && !vocabulary.levels.has(token.text);
  if (isNumber) return false;
  if (vocabulary?.levels?.has(token.text)) return true;
  return (
    reader.isSymbol('=', 1) || reader.isSymbol('!=', 1) || reader.isWord('in', 1) || reader.isWord('not', 1)
  );
}

/** `solvent=water`, `solvent != water`, `solvent in (water, ethanol)`, `solvent not in (...)` */
export function takeCondition(reader: TokenReader, vocabulary: Vocabulary | undefined): CategoryCondition {
  const token = reader.peek();
  const column = reader.takeColumn();
  if (vocabulary?.levels && !vocabulary.levels.has(column))
    reader.fail(token, `${shown(column)} is a column of numbers; expected a category`);
  if (reader.isSymbol('=') || reader.isSymbol('!=')) {
    const isNegated = reader.take().text === '!=';
    return { column, values: [takeLevel(reader, column, vocabulary)], isNegated };
  }
  const isNegated = reader.isWord('not');
  if (isNegated) reader.take();
  if (!reader.isWord('in')) reader.expected('"=", "!=", "in" or "not in"');
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
export function takeLevel(reader: TokenReader, column: string, vocabulary: Vocabulary | undefined): string {
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
