/**
 * Options as data. An algorithm declares each of its options once: kind, range or choices, default and one line of help.
 * Its type (`OptionsOf`), defaults, check, `--set`, JSON Schema, the table of its docs page and the conformance checks
 * are all made from the declaration.
 *
 * @example
 * const mySearchOptions = {
 *   batchSize: count(128, 'M, designs that are proposed'),
 *   rate: number('auto', 'Size of a step', { above: 0, words: { auto: '1 / columns' } }),
 *   startFrom: choice('best', 'Rows to begin at', { best: 'highest scores', worst: 'lowest scores' }),
 * };
 * type MySearchOptions = OptionsOf<typeof mySearchOptions>;
 */

interface Declared<Value> {
  readonly default: Value;
  /** One line: the paper's symbol, what the option is, and where the paper says so. */
  readonly help: string;
}

export interface Range {
  readonly least?: number;
  readonly above?: number;
  readonly most?: number;
  readonly below?: number;
}

interface Substitutes {
  /** Words that may be given instead of a number, each with its meaning. */
  readonly words?: Readonly<Record<string, string>>;
  /** What null means; null is refused where this is absent. */
  readonly none?: string;
}

export interface NumberOption<Value = unknown> extends Declared<Value>, Range, Substitutes {
  readonly kind: 'number';
  readonly isWhole: boolean;
}

/** One of several words, each with its meaning. */
export interface ChoiceOption<Value = unknown> extends Declared<Value> {
  readonly kind: 'choice';
  readonly choices: Readonly<Record<string, string>>;
}

/** True or false. */
export interface FlagOption extends Declared<boolean> {
  readonly kind: 'flag';
}

/** Widths of layers. */
export interface WidthsOption extends Declared<readonly number[]> {
  readonly kind: 'widths';
}

/** Two numbers above 0, the lower first. */
export interface IntervalOption extends Declared<readonly [number, number]> {
  readonly kind: 'interval';
}

/** An option of which only the default is known: any value of the same kind (number, text, ...) is taken. */
export interface LooseOption extends Declared<unknown> {
  readonly kind: 'loose';
}

export type Option = NumberOption | ChoiceOption | FlagOption | WidthsOption | IntervalOption | LooseOption;

/** Options of an algorithm by name. */
export type OptionDeclarations = Readonly<Record<string, Option>>;

/** The type of the options that are declared. */
export type OptionsOf<Declarations> = {
  readonly [Name in keyof Declarations]: Declarations[Name] extends Declared<infer Value> ? Value : never;
};

type NumberValue<Rest extends Substitutes> =
  | number
  | (Rest extends { readonly words: infer Words } ? keyof Words & string : never)
  | (Rest extends { readonly none: string } ? null : never);

/** A finite number; `words` and `none` allow more. */
export function number<const Rest extends Range & Substitutes>(
  initial: NumberValue<Rest>,
  help: string,
  rest: Rest,
): NumberOption<NumberValue<Rest>> {
  return { kind: 'number', isWhole: false, default: initial, help, ...rest };
}

/** A whole number, from 1 unless `least` says otherwise. */
export function count<const Rest extends Range & Substitutes>(
  initial: NumberValue<Rest>,
  help: string,
  rest?: Rest,
): NumberOption<NumberValue<Rest>> {
  return { kind: 'number', isWhole: true, least: 1, default: initial, help, ...rest };
}

/** A whole number from 0. */
export function steps(initial: number, help: string): NumberOption<number> {
  return { kind: 'number', isWhole: true, least: 0, default: initial, help };
}

/** One of the keys of `choices`, whose values say what they mean. */
export function choice<const Choices extends Readonly<Record<string, string>>>(
  initial: NoInfer<keyof Choices & string>,
  help: string,
  choices: Choices,
): ChoiceOption<keyof Choices & string> {
  return { kind: 'choice', default: initial, help, choices };
}

export function flag(initial: boolean, help: string): FlagOption {
  return { kind: 'flag', default: initial, help };
}

export function widths(initial: readonly number[], help: string): WidthsOption {
  return { kind: 'widths', default: initial, help };
}

export function interval(initial: readonly [number, number], help: string): IntervalOption {
  return { kind: 'interval', default: initial, help };
}

/** The kinds of options, for declarations outside nemokit: `option.count(128, 'designs')`. */
export const option = { count, steps, number, choice, flag, widths, interval } as const;

export function defaultsOf<Declarations extends OptionDeclarations>(
  declarations: Declarations,
): OptionsOf<Declarations> {
  const entries = Object.entries(declarations).map(([name, declared]) => [name, declared.default]);
  return Object.fromEntries(entries) as OptionsOf<Declarations>;
}

/** Declarations of options of which only the defaults are known. */
export function looseOptions(defaults: Readonly<Record<string, unknown>>): OptionDeclarations {
  return Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, { kind: 'loose', default: value, help: '' }]),
  );
}
