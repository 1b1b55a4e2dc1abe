/** The same question as a command, as a problem file and as a program. */
import type { ProblemFile } from '../../problem/index.js';
import { writeProblemFile } from '../../problem/index.js';
import { settingsOf, specOf } from '../../problem/problemSpec.js';
import { quoteName } from '../../problem/tokens.js';
import type { Ask, Stated } from '../protocol/index.js';

export function askedWords(ask: Ask, file: string, sheet: string | null): Stated['words'] {
  return {
    command: commandOf(ask, file, sheet),
    yaml: yamlOf(ask, file, sheet),
    typescript: programOf(ask, file),
  };
}

/** In double quotes, which all shells know, unless it is a plain word. */
function word(text: string): string {
  if (/^[\w.:/=+-]+$/.test(text)) return text;
  return /["$`%\\]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;
}

function commandOf(ask: Ask, file: string, sheet: string | null): string {
  const parts: string[] = [];
  const add = (flag: string, value?: string | number) =>
    parts.push(value === undefined ? `--${flag}` : `--${flag} ${word(String(value))}`);
  if (sheet !== null) add('sheet', sheet);
  for (const goal of ask.goals) add('goal', goal);
  for (const [name, column] of Object.entries(ask.columns ?? {})) {
    const quoted = quoteName(name);
    if (column.bounds || column.step !== undefined) {
      const step = column.step === undefined ? '' : ` step ${column.step}`;
      if (column.bounds) add('bounds', `${quoted}=${column.bounds[0]}..${column.bounds[1]}${step}`);
    }
    if (column.fixed !== undefined) add('fix', `${quoted}=${column.fixed}`);
    if (column.role) add(column.role, quoted);
    if (column.type) add('type', `${quoted}=${column.type}`);
    if (column.log !== undefined) add(column.log ? 'log' : 'no-log', quoted);
  }
  for (const text of ask.constraints ?? []) add('constraint', text);
  for (const { columns, sum } of ask.mixtures ?? [])
    add('mixture', `${columns.map((name) => quoteName(name)).join(',')}${sum === 1 ? '' : `=${sum}`}`);
  for (const [name, [lower, upper]] of Object.entries(ask.limits ?? {}))
    add('limits', `${quoteName(name)}=${lower ?? ''}..${upper ?? ''}`);
  if (ask.allowRepeats) add('allow-repeats');
  if (ask.assume === false) add('no-assume');
  if (ask.batch !== undefined) add('batch', ask.batch);
  for (const text of ask.same ?? []) add('same', text);
  if (ask.cost !== undefined) add('cost', ask.cost);
  if (ask.budget !== undefined) add('budget', ask.budget);
  if (ask.tiers) add('tiers', ask.tiers.join(','));
  if (ask.front === false) add('no-front');
  if (ask.simplify === false) add('no-simplify');
  if (ask.effort !== undefined) add('effort', ask.effort);
  if (ask.risk !== undefined) add('risk', ask.risk);
  if (ask.anyway) add('anyway');
  if (ask.method !== undefined) add('method', ask.method);
  for (const [name, value] of Object.entries(ask.options ?? {})) add('set', `${name}=${value}`);
  if (ask.seed !== undefined) add('seed', ask.seed);
  if (ask.keep?.length) add('keep', 'keep.csv');
  if (ask.avoid?.length) add('avoid', 'avoid.csv');
  return [`nemokit design ${word(file)}`, ...parts].join(' \\\n  ');
}

function yamlOf(ask: Ask, file: string, sheet: string | null): string {
  const problem: ProblemFile = {
    version: 1,
    data: file,
    ...(sheet !== null && { read: { sheet } }),
    ...specOf(ask),
    ...settingsOf(ask),
    ...(ask.keep?.length && { keep: 'keep.csv' }),
    ...(ask.avoid?.length && { avoid: 'avoid.csv' }),
  };
  return writeProblemFile(problem, { comments: false });
}

function programOf({ goals, ...rest }: Ask, file: string): string {
  const asked = { goal: goals.length === 1 ? goals[0] : goals, ...rest };
  const json = JSON.stringify(asked, null, 2).replaceAll(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:');
  return [
    "import { design } from 'nemokit';",
    "import { readTableFile } from 'nemokit/node';",
    '',
    `const table = await readTableFile(${JSON.stringify(file)});`,
    `const run = await design(table, ${json});`,
    'console.log(run.verdict.sentence, run.candidates);',
    '',
  ].join('\n');
}
