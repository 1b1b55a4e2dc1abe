/** Whether options are as declared, and what is wrong if not; values as they are typed after `--set`. */
import { nearestName } from '../nearestName.js';
import { ArgumentError } from '../numeric/errors.js';
import type { ChoiceOption, NumberOption, Option, OptionDeclarations, Range } from './option.js';

/** What an option may be: "a number from 0 to 1", "'best' or 'worst'", "'auto' or a number >= 0". */
export function expectedOf(option: Option): string {
  switch (option.kind) {
    case 'number':
      return listed([...substitutesOf(option), numberText(option)]);
    case 'choice':
      return listed(wordsOf(option).map((word) => `'${word}'`));
    case 'flag':
      return 'true or false';
    case 'widths':
      return 'a list of positive integers';
    case 'interval':
      return 'two numbers above 0, the lower first';
    case 'loose':
      return looseText(option.default);
    default:
      return option satisfies never;
  }
}

export function isAllowed(option: Option, given: unknown): boolean {
  switch (option.kind) {
    case 'number':
      if (given === null) return option.none !== undefined;
      return typeof given === 'string' ? wordsOf(option).includes(given) : isInRange(option, given);
    case 'choice':
      return typeof given === 'string' && wordsOf(option).includes(given);
    case 'flag':
      return typeof given === 'boolean';
    case 'widths':
      return (
        Array.isArray(given) &&
        given.every((width) => Number.isSafeInteger(width) && width >= 1 && width <= WIDEST_LAYER)
      );
    case 'interval':
      return (
        Array.isArray(given) &&
        given.length === 2 &&
        given.every(Number.isFinite) &&
        given[0] > 0 &&
        given[0] <= given[1]
      );
    case 'loose':
      return isLike(option.default, given);
    default:
      return option satisfies never;
  }
}

/** Words that an option accepts. */
export function wordsOf(option: Option): string[] {
  if (option.kind === 'choice') return Object.keys(option.choices);
  return option.kind === 'number' ? Object.keys(option.words ?? {}) : [];
}

const kinds: readonly Option['kind'][] = ['number', 'choice', 'flag', 'widths', 'interval', 'loose'];

/** Beyond these no run ends, or fits into a memory: a slip of the finger, refused before anything is written. */
const MOST_COUNTED = 1e9;
const WIDEST_LAYER = 65_536;

/** What is wrong with a declaration that comes from outside, such as a plug-in's; null if nothing is. */
export function declarationFault(name: string, declared: unknown): string | null {
  const { kind, help, default: usual, choices, words } = (declared ?? {}) as Partial<Record<string, unknown>>;
  if (!kinds.some((known) => known === kind))
    return `option "${name}" has the kind ${shown(kind)}; expected ${listed(kinds.map((known) => `'${known}'`))}`;
  if (typeof help !== 'string') return `option "${name}" has no "help"`;
  if (kind === 'choice' && (typeof choices !== 'object' || choices === null))
    return `option "${name}" has no "choices"; expected words with their meanings`;
  if (words !== undefined && (typeof words !== 'object' || words === null))
    return `option "${name}" has "words" of no meaning; expected words with their meanings`;
  const option = declared as Option;
  if (isAllowed(option, usual)) return null;
  return `the default of option "${name}" is ${shown(usual)}; expected ${expectedOf(option)}`;
}

export interface OptionFault {
  readonly name: string;
  /** With the name of the algorithm, such as "nemo: steps is 1.5; expected a positive integer". */
  readonly message: string;
}

/** Everything that is wrong with options, whether all of them are there or only some. */
export function optionFaults(
  algorithm: string,
  declarations: OptionDeclarations,
  options: Readonly<Record<string, unknown>>,
): OptionFault[] {
  return Object.entries(options).flatMap(([name, given]) => {
    const option = Object.hasOwn(declarations, name) ? declarations[name] : undefined;
    if (!option) return [{ name, message: unknownName(algorithm, declarations, name) }];
    if (isAllowed(option, given)) return [];
    const near = typeof given === 'string' ? nearestName(given, wordsOf(option)) : undefined;
    const hint = near === undefined ? '' : `; did you mean '${near}'?`;
    return [
      { name, message: `${algorithm}: ${name} is ${shown(given)}; expected ${expectedOf(option)}${hint}` },
    ];
  });
}

/** Throws `ArgumentError` on the first option that is unknown or not as declared. Options may be left out. */
export function requireSomeOptions(
  algorithm: string,
  declarations: OptionDeclarations,
  options: Readonly<Record<string, unknown>>,
): void {
  const [fault] = optionFaults(algorithm, declarations, options);
  if (fault) throw new ArgumentError(fault.name, fault.message);
}

/** The same, and throws where an option is missing, unless only its default is known. */
export function requireOptions(
  algorithm: string,
  declarations: OptionDeclarations,
  options: Readonly<Record<string, unknown>>,
): void {
  if (typeof options !== 'object' || options === null)
    throw new ArgumentError(
      'options',
      `${algorithm}: options is ${shown(options)}; expected all its options`,
    );
  for (const [name, option] of Object.entries(declarations)) {
    if (options[name] !== undefined || option.kind === 'loose') continue;
    throw new ArgumentError(
      name,
      `${algorithm}: ${name} is missing; expected ${expectedOf(option)}, such as ${shown(option.default)}`,
    );
  }
  requireSomeOptions(algorithm, declarations, options);
}

/** "steps=300", "hidden=64,64" or "hidden=[64,64]", "bootstrap=false", "head=categorical" or "box=null", checked. */
export function parseOption(
  flagName: string,
  algorithm: string,
  declarations: OptionDeclarations,
  text: string,
): readonly [name: string, value: unknown] {
  const at = text.indexOf('=');
  const name = text.slice(0, at).trim();
  const typed = text.slice(at + 1).trim();
  if (at < 0 || name === '' || typed === '')
    throw new ArgumentError(
      flagName,
      `${flagName} "${text}": expected a name and a value, such as "steps=300"`,
    );
  const option = Object.hasOwn(declarations, name) ? declarations[name] : undefined;
  const value = option && typedValue(option, typed);
  const [fault] = optionFaults(algorithm, declarations, { [name]: value });
  if (fault) throw new ArgumentError(flagName, `${flagName} "${text}": ${fault.message}`);
  return [name, value];
}

/** As it is typed after `--set`. */
export function printOption(name: string, value: unknown): string {
  return `${name}=${String(value)}`;
}

function typedValue(option: Option, typed: string): unknown {
  if (wordsOf(option).includes(typed)) return typed;
  if (typed === 'null') return null;
  if (typed === 'true' || typed === 'false') return typed === 'true';
  const bracketed = /^\[(.*)\]$/.exec(typed);
  const isList =
    bracketed !== null ||
    option.kind === 'widths' ||
    option.kind === 'interval' ||
    (option.kind === 'loose' && (Array.isArray(option.default) || typed.includes(',')));
  const parts = (bracketed?.[1] ?? typed).split(',').map((part) => part.trim());
  const numbers = parts.map((part) => (part === '' ? Number.NaN : Number(part)));
  if (!numbers.every(Number.isFinite)) return typed;
  return isList ? numbers : numbers.length === 1 ? numbers[0] : typed;
}

function unknownName(algorithm: string, declarations: OptionDeclarations, name: string): string {
  const names = Object.keys(declarations);
  const near = nearestName(name, names);
  const hint = near === undefined ? `it has ${names.join(', ')}` : `did you mean "${near}"?`;
  return `${algorithm} has no option "${name}"; ${hint}`;
}

function isInRange(option: NumberOption, given: unknown): boolean {
  if (typeof given !== 'number' || !Number.isFinite(given)) return false;
  if (option.isWhole && !(Number.isSafeInteger(given) && Math.abs(given) <= MOST_COUNTED)) return false;
  const { least, above, most, below }: Range = option;
  return (
    (least === undefined || given >= least) &&
    (above === undefined || given > above) &&
    (most === undefined || given <= most) &&
    (below === undefined || given < below)
  );
}

function numberText({ isWhole, least, above, most, below }: NumberOption): string {
  if (isWhole && most === undefined && below === undefined && least === 1) return 'a positive integer';
  const kind = isWhole ? 'a whole number' : 'a number';
  const upper = most !== undefined ? `${most}` : below !== undefined ? `below ${below}` : undefined;
  if (least !== undefined)
    return upper === undefined ? `${kind} >= ${least}` : `${kind} from ${least} to ${upper}`;
  if (above !== undefined) {
    const end = most !== undefined ? `, at most ${most}` : upper === undefined ? '' : ` and ${upper}`;
    return `${kind} above ${above}${end}`;
  }
  if (most !== undefined) return `${kind} <= ${most}`;
  return upper === undefined ? 'a finite number' : `${kind} ${upper}`;
}

function substitutesOf(option: NumberOption | ChoiceOption): string[] {
  const words = wordsOf(option).map((word) => `'${word}'`);
  return option.kind === 'number' && option.none !== undefined ? ['null', ...words] : words;
}

function isLike(usual: unknown, given: unknown): boolean {
  if (typeof given === 'number' && !Number.isFinite(given)) return false;
  if (usual === null) return given !== undefined;
  if (Array.isArray(usual)) return Array.isArray(given);
  return given !== null && !Array.isArray(given) && typeof given === typeof usual;
}

function looseText(usual: unknown): string {
  if (usual === null) return 'any value';
  if (Array.isArray(usual)) return `a list, such as ${shown(usual)}`;
  if (typeof usual === 'boolean') return 'true or false';
  if (typeof usual === 'number') return `a number, such as ${shown(usual)}`;
  return typeof usual === 'string' ? `a text, such as ${shown(usual)}` : `something like ${shown(usual)}`;
}

/** "'a', 'b' or 'c'". */
function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} or ${last}`;
}

function shown(value: unknown): string {
  if (typeof value === 'number' || value === undefined) return String(value);
  const json = JSON.stringify(value) ?? String(value);
  return json.length > 60 ? `${json.slice(0, 57)}...` : json;
}
