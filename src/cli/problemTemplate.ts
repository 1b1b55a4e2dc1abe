/** A problem file to begin with: what was found in a table, as comments beside settings that can be changed. */

import type { CheckedColumn, CheckReport, ProblemSpec } from '../problem/index.js';
import { count } from '../report/index.js';
import type { ReadOptions } from '../table/index.js';
import { oneLineOf } from './textLayout.js';

export interface TemplateSource {
  /** Path of the table as seen from the file. */
  readonly data: string;
  /** How to read the table. */
  readonly read?: ReadOptions;
  readonly choices?: string;
  readonly isGoalGuessed: boolean;
}

/** A problem file may have 200,000 characters; columns beyond these are as their values suggest, unlisted. */
const mostColumns = 400;
/** YAML takes no longer keys. */
const longestName = 200;

/** A text that parses to the given spec: its settings are active, everything else is a comment. */
export function problemTemplate(report: CheckReport, spec: ProblemSpec, source: TemplateSource): string {
  return [
    header(report),
    'version: 1\n',
    `# Past experiments: ${count(report.rows, 'row')}, ${count(report.columns.length, 'column')}.\n` +
      `data: ${scalar(source.data)}\n`,
    ...reading(source),
    goals(spec, source),
    columns(report, spec),
    mixtures(report),
    constraints(report, spec),
    choices(source),
    '# How many designs to propose, and the seed: the same seed gives the same designs.\n# batch: 8\n# seed: 0\n',
  ].join('\n');
}

function header({ file }: CheckReport): string {
  return (
    `# What to look for in ${oneLineOf(file)}, for nemokit. Lines that begin with # are comments.\n` +
    '# docs/problem-file.md describes every key; `nemokit check` with this file says whether it fits the table.\n'
  );
}

function reading({ read = {} }: TemplateSource): string[] {
  return Object.keys(read).length === 0 ? [] : [`# How to read the table.\nread: ${JSON.stringify(read)}\n`];
}

function goals({ goals: texts }: ProblemSpec, { isGoalGuessed }: TemplateSource): string {
  const guessed = isGoalGuessed ? '# This goal is a guess: change it to what you want.\n' : '';
  return (
    '# What is wanted. Others: min cost, target pH=7.2±0.1, keep viscosity in 5..8, max yield (weight 2).\n' +
    `${guessed}goals:\n${texts.map((goal) => `  - ${scalar(goal)}\n`).join('')}`
  );
}

function columns({ columns: all }: CheckReport, { columns: settings = {} }: ProblemSpec): string {
  const listed = all.filter(
    ({ name }, i) => Object.hasOwn(settings, name) || (i < mostColumns && canBeListed(name)),
  );
  const rest = all.length - listed.length;
  if (listed.length === 0) return '';
  const lines = listed.flatMap((column) => {
    const given = Object.hasOwn(settings, column.name) ? settings[column.name]! : {};
    const isPlain = Object.keys(given).length === 0;
    const example = isPlain ? exampleOf(column) : '';
    return [
      `  # ${found(column)}`,
      `  ${scalar(column.name)}: ${flow(given)}${example === '' ? '' : ` # ${example}`}`,
    ];
  });
  return (
    '# Columns, each with what was found. {} leaves it at that: designs stay in the range of the data.\n' +
    '# To change a column, delete its "{} #" and edit what follows.\n' +
    `columns:\n${lines.join('\n')}\n` +
    (rest > 0 ? `  # ${count(rest, 'other column')}: as their values suggest\n` : '')
  );
}

function canBeListed(name: string): boolean {
  return name !== '__proto__' && name.length <= longestName;
}

function found({ type, role, range, levels, distinct, missing, note }: CheckedColumn): string {
  const values = range
    ? `${range.min} to ${range.max}`
    : type === 'identifier'
      ? `${distinct} different`
      : levels
          .slice(0, 6)
          .map(({ text }) => oneLineOf(text).slice(0, 40))
          .join(', ') + (distinct > 6 ? `, ${distinct - 6} more` : '');
  const parts = [
    role.startsWith('goal') ? 'goal' : type === 'integer' ? 'whole number' : type,
    values === '' ? 'empty' : values,
    ...(missing > 0 ? [`${missing} missing`] : []),
    ...(note === '' ? [] : [oneLineOf(note)]),
  ];
  return parts.join('; ');
}

/** What one would write to change the column. */
function exampleOf({ role, type, range, levels, assumed }: CheckedColumn): string {
  if (role.startsWith('goal')) return '';
  if (assumed) return '{role: design}';
  if (role === 'left out') return type === 'constant' || type === 'smiles' ? '' : '{type: category}';
  if ((type === 'number' || type === 'integer') && range && range.min < range.max)
    return flow({ bounds: [range.min, range.max] });
  const [usual] = levels;
  return usual && usual.text.length <= 60 ? flow({ fixed: usual.text }) : '{role: context}';
}

function mixtures({ mixtures: groups }: CheckReport): string {
  const about = '# Columns that add up to a constant in every design.\n';
  if (groups.length === 0) return `${about}# mixtures:\n#   - [a, b, c]\n#   - {columns: [d, e], sum: 100}\n`;
  const lines = groups.map(({ columns: members, sum, isGiven, deviation }) => {
    const names = flow(members);
    const why = isGiven ? '' : `  # found: within ${Number(deviation.toPrecision(2))} in every row\n`;
    return `${why}  - ${sum === 1 ? names : `{columns: ${names}, sum: ${sum}}`}\n`;
  });
  return `${about}mixtures:\n${lines.join('')}`;
}

function constraints({ columns: all }: CheckReport, { constraints: given = [] }: ProblemSpec): string {
  const about = '# What every design has to satisfy.\n';
  const active =
    given.length > 0 ? `constraints:\n${given.map((text) => `  - ${scalar(text)}\n`).join('')}` : '';
  const bare = (name: string) => /^[A-Za-z_]\w*$/.test(name);
  const design = all.filter(({ role, name }) => role === 'design' && bare(name));
  const [a = 'a', b = 'b', c = 'c'] = design.filter(({ range }) => range).map(({ name }) => name);
  const texts = design
    .filter(({ type }) => type === 'category')
    .map(({ name, levels }) => ({ name, levels }));
  const combination =
    texts.length >= 2 && texts.every(({ levels }) => bare(levels[0]?.text ?? ''))
      ? `forbid ${texts[0]!.name}=${texts[0]!.levels[0]!.text} and ${texts[1]!.name}=${texts[1]!.levels[0]!.text}`
      : 'forbid solvent=water and catalyst in (A, B)';
  const examples = [`2*${a} + ${b} <= 30`, `at most 2 of ${a}, ${b}, ${c}`, combination].map(
    (text) => `#   - ${text}\n`,
  );
  return `${about}${active}${active === '' ? '# constraints:\n' : ''}${examples.join('')}`;
}

function choices({ choices: path }: TemplateSource): string {
  const about = '# Take designs from the rows of this table only.\n';
  return path === undefined ? `${about}# choices: candidates.csv\n` : `${about}choices: ${scalar(path)}\n`;
}

const plain = /^[A-Za-z_][\w./-]*(?: [A-Za-z0-9_]+)*$/;
const reserved = /^(?:true|false|null|yes|no|on|off|y|n|nan|inf)$/i;

/** A text in YAML: bare where nothing could be misread, else in double quotes, whose escapes are those of JSON. */
function scalar(text: string): string {
  if (plain.test(text) && !reserved.test(text)) return text;
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, inner]) => `${scalar(key)}: ${flow(inner)}`)
      .join(', ')}}`;
  return typeof value === 'string' ? scalar(value) : String(value);
}
