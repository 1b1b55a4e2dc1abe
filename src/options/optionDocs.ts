/** Options for readers: JSON Schema for editors, Markdown for docs pages. */
import { largest } from '../numeric/stats.js';
import type { ChoiceOption, NumberOption, Option, OptionDeclarations } from './option.js';
import { expectedOf } from './requireOptions.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Of an object that holds some of the options. */
export function optionsJsonSchema(declarations: OptionDeclarations): JsonSchema {
  const entries = Object.entries(declarations).map(([name, option]) => [
    name,
    { description: sentenceOf(option), default: option.default, ...valuesOf(option) },
  ]);
  return { type: 'object', properties: Object.fromEntries(entries), additionalProperties: false };
}

function valuesOf(option: Option): JsonSchema {
  switch (option.kind) {
    case 'number': {
      const { isWhole, least, above, most, below, words = {}, none } = option;
      const inRange = {
        type: isWhole ? 'integer' : 'number',
        ...(least !== undefined && { minimum: least }),
        ...(above !== undefined && { exclusiveMinimum: above }),
        ...(most !== undefined && { maximum: most }),
        ...(below !== undefined && { exclusiveMaximum: below }),
      };
      const others = [...Object.keys(words), ...(none === undefined ? [] : [null])];
      return others.length === 0 ? inRange : { anyOf: [{ enum: others }, inRange] };
    }
    case 'choice':
      return { enum: Object.keys(option.choices) };
    case 'flag':
      return { type: 'boolean' };
    case 'widths':
      return { type: 'array', items: { type: 'integer', minimum: 1 } };
    case 'interval':
      return { type: 'array', items: { type: 'number', exclusiveMinimum: 0 }, minItems: 2, maxItems: 2 };
    case 'loose':
      return {};
    default:
      return option satisfies never;
  }
}

type Values = Readonly<Record<string, unknown>>;

/** The part of an algorithm that is described. */
interface Described {
  readonly options: OptionDeclarations;
  readonly presets: Readonly<
    Record<
      string,
      { readonly help: string; readonly options?: Values; readonly byTask?: Readonly<Record<string, Values>> }
    >
  >;
}

/** The options of an algorithm as a table, and its presets with the options that differ from the defaults. */
export function optionsMarkdown({ options, presets }: Described): string {
  const rows = Object.entries(options).map(([name, option]) => [
    code(name),
    code(option.default),
    allowedOf(option),
    cellOf(option),
  ]);
  const table = markdownTable(['option', 'default', 'allowed', 'meaning'], rows);
  if (Object.keys(presets).length === 0) return table;
  const sets = Object.entries(presets).flatMap(([name, { help, options: shared, byTask }]) => [
    [code(name), help, changesOf(shared)],
    ...perTask(byTask).map(([tasks, changes]) => ['', tasks.join(', '), changes]),
  ]);
  return `${table}\n\n${markdownTable(['preset', 'source', 'options that differ'], sets)}`;
}

/** Tasks with the same options, and these. */
function perTask(byTask: Readonly<Record<string, Values>> = {}): [tasks: string[], changes: string][] {
  const groups = new Map<string, string[]>();
  for (const [task, options] of Object.entries(byTask)) {
    const changes = changesOf(options);
    groups.set(changes, [...(groups.get(changes) ?? []), task]);
  }
  return [...groups].map(([changes, tasks]) => [tasks, changes]);
}

/** Short, for a column: "1, 2, ...", "(0, 1]", "`auto` or >= 0". */
function allowedOf(option: Option): string {
  if (option.kind === 'widths') return 'list of 1, 2, ...';
  if (option.kind !== 'number') return option.kind === 'choice' ? choicesOf(option) : expectedOf(option);
  const { words = {}, none } = option;
  const substitutes = [...Object.keys(words).map(code), ...(none === undefined ? [] : ['null'])];
  return [...substitutes, rangeOf(option)].join(' or ');
}

function rangeOf({ isWhole, least, above, most, below }: NumberOption): string {
  const lower = least ?? above;
  const upper = most ?? below;
  if (lower === undefined && upper === undefined) return 'any number';
  if (lower === undefined) return `${most === undefined ? '<' : '<='} ${upper}`;
  if (upper !== undefined)
    return `${least === undefined ? '(' : '['}${lower}, ${upper}${most === undefined ? ')' : ']'}`;
  if (isWhole && least !== undefined) return `${least}, ${least + 1}, ...`;
  return `${least === undefined ? '>' : '>='} ${lower}`;
}

function choicesOf({ choices }: ChoiceOption): string {
  return Object.keys(choices).map(code).join(', ');
}

function changesOf(options: Values = {}): string {
  return Object.entries(options)
    .map(([name, value]) => `${code(name)} ${code(value)}`)
    .join(', ');
}

/** Help, and what the words mean. */
function cellOf(option: Option): string {
  const meanings = Object.entries(meaningsOf(option)).map(([word, meaning]) => `${code(word)}: ${meaning}`);
  return [option.help, ...meanings].join('; ');
}

/** The same without marks. */
function sentenceOf(option: Option): string {
  const meanings = Object.entries(meaningsOf(option)).map(([word, meaning]) => `${word}: ${meaning}`);
  return `${[option.help, ...meanings].filter((part) => part !== '').join('; ')}.`;
}

function meaningsOf(option: Option): Readonly<Record<string, string>> {
  if (option.kind === 'choice') return option.choices;
  if (option.kind !== 'number') return {};
  return { ...option.words, ...(option.none !== undefined && { null: option.none }) };
}

function code(value: unknown): string {
  if (typeof value === 'string') return `\`${value}\``;
  return Array.isArray(value) ? `[${value.join(', ')}]` : String(value);
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, i) => largest(cells.map((row) => row[i]!.length)));
  const line = (row: readonly string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  const [first, ...rest] = cells;
  return [
    line(first!),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...rest.map(line),
  ].join('\n');
}
