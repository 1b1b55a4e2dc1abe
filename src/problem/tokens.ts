// Words of the goal and constraint languages. Names are bare (letters, digits, _, °, inner dots) or stand between
// double quotes or backticks, where the quote itself is written twice.

import { nearestName } from '../nearestName.js';

/** Longer texts are refused: a person did not write them, and every later step may take time linear in the length. */
export const longestText = 100_000;

/** A text in one of the small languages that does not say what it should. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  /** What was wrong, without the text around it. */
  readonly reason: string;

  constructor(
    /** What was being read: "goal", "constraint". */
    readonly argument: string,
    /** The whole text. */
    readonly text: string,
    /** Where, as an offset from 0 into the text. */
    readonly position: number,
    reason: string,
  ) {
    super(`${argument} ${shown(text)}, character ${position + 1}: ${reason}`);
    this.reason = reason;
  }

  /** The text around the position, and a caret below it: two lines. */
  get excerpt(): string {
    const start = Math.max(0, this.position - 40);
    const line = oneLine(this.text.slice(start, this.position + 40));
    const before = [...this.text.slice(start, this.position)].length;
    return `${line}\n${' '.repeat(before)}^`;
  }
}

function visible(character: string): string {
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(character) ? '\u00b7' : character;
}

/** The text with a dot for every character that would break a line or hide something. */
export function oneLine(text: string): string {
  return [...text].map(visible).join('');
}

/** What to call a statement in messages: its text, without needless space. */
export function labelOf(text: string): string {
  return oneLine(text.trim().replace(/\s+/g, ' '));
}

/** A text as it stands in a message: one line, in quotes, shortened in the middle. */
export function shown(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 50)} ... ${text.slice(-20)}` : text;
  return `"${oneLine(short)}"`;
}

export interface Token {
  readonly kind: 'number' | 'name' | 'symbol' | 'end';
  /** A name without its quotes; a symbol in its ASCII form; a number as written. */
  readonly text: string;
  readonly isQuoted: boolean;
  readonly start: number;
  readonly end: number;
}

const numberPattern = /(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const namePattern = /[\p{L}_°][\p{L}\p{M}\p{N}_°]*(?:\.[\p{L}\p{M}\p{N}_°]+)*/uy;
const symbolPattern = /<=|>=|==|!=|\*\*|\.{2,}|[<>=+\-*/^(),±≤≥≠−·×…;]/y;
const wholeName = new RegExp(`^(?:${namePattern.source})$`, 'u');

const ascii: Readonly<Record<string, string>> = {
  '==': '=',
  '≤': '<=',
  '≥': '>=',
  '≠': '!=',
  '−': '-',
  '·': '*',
  '×': '*',
  '**': '^',
  '…': '..',
};

function matchAt(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0];
}

/** A name as it has to be written in the languages: bare if it can be, else in double quotes. */
export function quoteName(name: string, reserved: readonly string[] = []): string {
  return wholeName.test(name) && !reserved.includes(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** The words of `text` and a last one of kind "end". `argument` is what to call the text in errors. */
export function tokenize(text: string, argument: string): Token[] {
  if (text.length > longestText) {
    throw new ExpressionError(
      argument,
      text,
      longestText,
      `is ${text.length} characters long; expected at most ${longestText}`,
    );
  }
  const tokens: Token[] = [];
  let position = 0;
  const push = (kind: Token['kind'], value: string, length: number, isQuoted = false) => {
    tokens.push({ kind, text: value, isQuoted, start: position, end: position + length });
    position += length;
  };
  while (position < text.length) {
    const character = text[position];
    if (/\s/.test(character)) {
      position += 1;
      continue;
    }
    if (character === '"' || character === '`') {
      const quoted = readQuoted(text, position, argument);
      push('name', quoted.name, quoted.length, true);
      continue;
    }
    const number = matchAt(numberPattern, text, position);
    if (number !== undefined) {
      push('number', number, number.length);
      continue;
    }
    const name = matchAt(namePattern, text, position);
    if (name !== undefined) {
      push('name', name, name.length);
      continue;
    }
    const symbol = matchAt(symbolPattern, text, position);
    if (symbol === undefined) {
      const unexpected = String.fromCodePoint(text.codePointAt(position) ?? 0);
      throw new ExpressionError(
        argument,
        text,
        position,
        `unexpected ${shown(unexpected)}; column names with odd characters go in double quotes or backticks`,
      );
    }
    push('symbol', ascii[symbol] ?? symbol.replace(/^\.+$/, '..'), symbol.length);
  }
  push('end', '', 0);
  return tokens;
}

function readQuoted(text: string, start: number, argument: string): { name: string; length: number } {
  const quote = text[start];
  let end = start + 1;
  for (;;) {
    end = text.indexOf(quote, end);
    if (end < 0)
      throw new ExpressionError(argument, text, start, `this ${quote} is never closed; expected another one`);
    if (text[end + 1] !== quote) break;
    end += 2;
  }
  const name = text.slice(start + 1, end).replaceAll(quote + quote, quote);
  if (name === '') throw new ExpressionError(argument, text, start, 'a name in quotes may not be empty');
  return { name, length: end + 1 - start };
}

/** Reads tokens from left to right. */
export class TokenReader {
  private readonly tokens: readonly Token[];
  private readonly known: ReadonlySet<string> | undefined;
  private next = 0;
  /** Tokens from here on are hidden: the text ends before them. */
  private limit = Number.POSITIVE_INFINITY;

  constructor(
    readonly text: string,
    readonly argument: string,
    /** Names that columns may have; without them every name is taken for one. */
    private readonly columns?: readonly string[],
    /** Why names that exist as well cannot be used here, as the end of a sentence. */
    private readonly closed?: ReadonlyMap<string, string>,
  ) {
    this.tokens = tokenize(text, argument);
    this.known = columns && new Set(columns);
  }

  isColumn(name: string): boolean {
    return this.known?.has(name) ?? false;
  }

  /** The token `ahead` places further on; past the last one, the end. */
  peek(ahead = 0): Token {
    const token = this.tokens[Math.min(this.next + ahead, this.tokens.length - 1)];
    if (this.next + ahead < this.limit) return token;
    const { start } = this.tokens[this.limit];
    return { kind: 'end', text: '', isQuoted: false, start, end: start };
  }

  /** What `read` makes of the next `count` tokens alone. */
  within<T>(count: number, read: () => T): T {
    const before = this.limit;
    this.limit = Math.min(before, this.next + count);
    const result = read();
    this.limit = before;
    return result;
  }

  /** How many tokens come before the next of these bare words or symbols, outside parentheses; undefined if none is left. */
  distanceTo(...words: readonly string[]): number | undefined {
    let depth = 0;
    for (let ahead = 0; this.peek(ahead).kind !== 'end'; ahead++) {
      if (this.isSymbol('(', ahead)) depth += 1;
      if (this.isSymbol(')', ahead)) depth -= 1;
      if (depth <= 0 && words.some((word) => this.isWord(word, ahead) || this.isSymbol(word, ahead)))
        return ahead;
    }
    return undefined;
  }

  take(): Token {
    const token = this.peek();
    this.next += 1;
    return token;
  }

  fail(token: Token, reason: string): never {
    throw new ExpressionError(this.argument, this.text, token.start, reason);
  }

  /** Fails with what was expected and what stands there instead. */
  expected(what: string, token = this.peek()): never {
    const found = token.kind === 'end' ? 'the text ends' : `found ${shown(this.written(token))}`;
    return this.fail(token, `expected ${what}, ${found}`);
  }

  written(token: Token): string {
    return this.text.slice(token.start, token.end);
  }

  isSymbol(symbol: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'symbol' && token.text === symbol;
  }

  /** A bare word of the language, in any case; a quoted one is a name. */
  isWord(word: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'name' && !token.isQuoted && token.text.toLowerCase() === word;
  }

  takeSymbol(symbol: string): void {
    if (!this.isSymbol(symbol)) this.expected(`"${symbol}"`);
    this.next += 1;
  }

  takeWord(word: string): void {
    if (!this.isWord(word)) this.expected(`"${word}"`);
    this.next += 1;
  }

  /** An unsigned number. */
  takeNumber(what = 'a number'): number {
    const token = this.peek();
    if (token.kind !== 'number') this.expected(what);
    const value = Number(token.text);
    if (!Number.isFinite(value)) this.fail(token, `${shown(token.text)} is too large for a number`);
    this.next += 1;
    return value;
  }

  takeSignedNumber(what = 'a number'): number {
    const isNegative = this.isSymbol('-');
    if (isNegative || this.isSymbol('+')) this.next += 1;
    const value = this.takeNumber(what);
    return isNegative && value !== 0 ? -value : value;
  }

  /** `lower..upper`, the lower one below the upper one. */
  takeRange(): { lower: number; upper: number } {
    const first = this.peek();
    const lower = this.takeSignedNumber('a range such as 20..90');
    this.takeSymbol('..');
    const upper = this.takeSignedNumber('the upper end of the range');
    if (!(lower < upper))
      this.fail(first, `the range ${lower}..${upper} is empty; the lower end comes first`);
    return { lower, upper };
  }

  takeColumn(what = 'a column name'): string {
    const token = this.peek();
    if (token.kind !== 'name') this.expected(what);
    this.requireColumn(token);
    this.next += 1;
    return token.text;
  }

  private requireColumn(token: Token): void {
    const { columns } = this;
    if (columns === undefined || this.isColumn(token.text)) return;
    // "tensile strength" without quotes arrives as two names.
    const rest = this.text.slice(token.start);
    const spaced = columns.find((name) => name.startsWith(`${token.text} `) && rest.startsWith(name));
    if (spaced !== undefined) this.fail(token, `write the column name in quotes: ${quoteName(spaced)}`);
    const why = this.closed?.get(token.text);
    if (why !== undefined) this.fail(token, `${shown(token.text)} ${why}`);
    this.fail(token, `no column is called ${shown(token.text)}${suggestion(token.text, columns)}`);
  }

  takeEnd(what: string): void {
    if (this.peek().kind !== 'end') this.expected(what);
  }
}

/** Names with commas between them; one with a comma stands in double quotes. */
export function listedNames(text: string): string[] {
  return [...text.matchAll(/\s*("(?:[^"]|"")*"|[^,]*)\s*(?:,|$)/g)]
    .map(([, name]) => name!.trim())
    .map((name) => (/^".*"$/s.test(name) ? name.slice(1, -1).replaceAll('""', '"') : name))
    .filter((name) => name !== '');
}

/** "; did you mean ...?" with the nearest of the names, or the names themselves if none is near and they are few. */
export function suggestion(name: string, names: readonly string[]): string {
  const nearest = nearestOf(name, names);
  if (nearest !== undefined) return `; did you mean ${shown(nearest)}?`;
  if (names.length === 0 || names.length > 8) return '';
  return `; there ${names.length === 1 ? 'is' : 'are'} ${names.map(shown).join(', ')}`;
}

/** The name that was probably meant. Of a single letter no other one is near; lengths are cut to bound the time. */
export function nearestOf(name: string, names: readonly string[]): string | undefined {
  return name.length > 1 ? nearestName(name.slice(0, 60), names.slice(0, 5_000)) : undefined;
}
