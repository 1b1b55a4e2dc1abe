/** What `nemokit check` shows on a terminal. */

import { largest } from '../numeric/stats.js';
import type { CheckedColumn, CheckReport } from '../problem/index.js';
import type { ContextHint } from '../problem/nameHints.js';
import { quoteName } from '../problem/tokens.js';
import { count, typedNumber } from '../report/index.js';
import { type Palette, paletteOf } from './palette.js';
import { shellQuote } from './shellQuote.js';
import { cut, type GridColumn, gridLines, gridWidth, hang, oneLineOf, textWidth } from './textLayout.js';

export interface CheckLayout {
  readonly width: number;
  readonly color: boolean;
  /** Show every column, however many there are. */
  readonly all?: boolean;
  /** The next command to type. */
  readonly next: string;
}

/** More columns than this are cut to the first `fewColumns`, the goal among them. */
const manyColumns = 40;
const fewColumns = 25;
const indent = '  ';
/** Sentences are hard to read on longer lines. */
const widestProse = 100;

/** Sentences of the reader that fit into the first line. */
const facts: readonly (readonly [RegExp, string])[] = [
  [/^Cells are separated by (.*)\.$/, '$1'],
  [/^The text is encoded as (.*)\.$/, '$1'],
  [/^The text is not UTF-8; it is read as (?!.*but looks)([\w-]+).*$/, '$1'],
  [/^Numbers have a (decimal comma).*$/, '$1'],
];

export function printCheck(report: CheckReport, { width, color, all = false, next }: CheckLayout): string {
  const paint = paletteOf(color);
  const room = Math.max(40, width);
  const prose = Math.min(room, widestProse);
  const labelled = (label: string, text: string) =>
    hang(`${indent}${paint.bold(label.padEnd(9))}`, text, prose);
  const blocks = [
    [header(report, paint)],
    columnTable(report, room, all, paint),
    [
      ...otherNotes(report).map((note) => labelled('Read', note)),
      ...report.mixtures.map((mixture) => labelled('Recipe', recipeText(mixture))),
      ...report.relations.map((relation) => labelled('Relation', relationText(relation))),
      ...goalText(report).map((text) => labelled('Goal', text)),
      ...report.limits.map((limits) => labelled('Limits', limitText(limits))),
      ...report.assumed.map((one) => labelled(titles[one.kind], assumedText(one))),
      ...report.contextHints
        .filter(({ column }) => isChosen(report, column))
        .map((hint) => labelled('Context', contextText(hint, report))),
      ...(report.replicates ? [labelled('Repeats', repeatText(report))] : []),
    ],
    report.findings
      .filter((finding) => !isSaid(finding, report))
      .map((finding) => findingText(finding, prose, paint)),
    [
      ...(report.support ? [labelled('Support', supportText(report, paint))] : []),
      ...conflictLines(report, labelled, paint),
    ],
    [`${paint.bold('Next')}   ${next}`],
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function header({ file, rows, columns, notes }: CheckReport, paint: Palette): string {
  const found = facts.flatMap(([pattern, text]) =>
    notes.filter((note) => pattern.test(note)).map((note) => note.replace(pattern, text)),
  );
  const isText = notes.some((note) => facts[0]![0].test(note));
  if (isText && !notes.some((note) => /^The text is/.test(note))) found.splice(1, 0, 'UTF-8');
  if (isText && !found.includes('decimal comma')) found.push('decimal point');
  const size = `${count(rows, 'row')}, ${count(columns.length, 'column')}`;
  const how = found.length > 0 ? `   ${paint.dim(found.join(', '))}` : '';
  return `${paint.bold(oneLineOf(file))}   ${size}${how}`;
}

function otherNotes({ notes }: CheckReport): string[] {
  return notes.filter((note) => !facts.some(([pattern]) => pattern.test(note)));
}

function columnTable(report: CheckReport, room: number, all: boolean, paint: Palette): string[] {
  const { columns } = report;
  const isCut = !all && columns.length > manyColumns;
  const shown = isCut
    ? columns.filter(({ role, note }, i) => i < fewColumns || role.startsWith('goal') || /seen/.test(note))
    : columns;
  const rest = columns.length - shown.length;
  const hasMissing = columns.some(({ missing }) => missing > 0);
  const fixed: GridColumn[] = [
    { head: 'column', cells: shown.map(({ name }) => cut(oneLineOf(name), 28)) },
    { head: 'read as', cells: shown.map(readAs) },
  ];
  const tail: GridColumn[] = [
    ...(hasMissing
      ? [
          {
            head: 'missing',
            align: 'right' as const,
            cells: shown.map(({ missing }) => (missing > 0 ? String(missing) : '')),
          },
        ]
      : []),
  ];
  const free = room - indent.length - gridWidth([...fixed, ...tail]) - 4;
  const notes = shown.map(({ note }) => note);
  const longestNote = largest(notes.map(textWidth), 0);
  const forRange = Math.max(12, Math.min(44, free - Math.min(longestNote, Math.floor(free / 2))));
  const ranges = shown.map((column) => rangeText(column, forRange));
  const used = largest(ranges.map(textWidth), 15);
  const grid: GridColumn[] = [
    ...fixed,
    { head: cut('range or levels', forRange), cells: ranges },
    ...tail,
    ...(longestNote > 0
      ? [{ head: 'note', cells: notes.map((note) => cut(note, Math.max(8, free - used))) }]
      : []),
  ];
  const [head, ...lines] = gridLines(grid).map((line) => cut(line, room - indent.length));
  const painted = lines.map((line, i) => {
    const { role } = shown[i]!;
    return role === 'left out' ? paint.dim(line) : role.startsWith('goal') ? paint.bold(line) : line;
  });
  return [
    ...[paint.dim(head!), ...painted].map((line) => indent + line),
    ...(rest > 0 ? [paint.dim(`${indent}and ${count(rest, 'column')} more; --all shows them`)] : []),
  ];
}

function readAs({ type, role }: CheckedColumn): string {
  const word = { number: 'number', integer: 'whole number' }[type as string] ?? type;
  if (role === 'goal' || role === 'goal?') return role;
  return role === 'context' ? `${word}, context` : word;
}

function rangeText({ range, levels, distinct, type }: CheckedColumn, width: number): string {
  if (range)
    return range.min === range.max
      ? typedNumber(range.min)
      : `${typedNumber(range.min)} to ${typedNumber(range.max)}`;
  if (type === 'identifier') return `${distinct} different`;
  if (distinct === 0) return 'empty';
  const texts = levels.map(({ text }) => oneLineOf(text));
  const separator = texts.some((text) => text.includes(' ')) ? ', ' : ' ';
  let line = '';
  for (const [i, text] of texts.entries()) {
    const longer = i === 0 ? text : line + separator + text;
    const rest = distinct - i - 1;
    const more = rest > 0 ? ` + ${rest} more` : '';
    if (textWidth(longer + more) > width)
      return i === 0
        ? `${cut(text, Math.max(1, width - textWidth(more)))}${more}`
        : `${line} + ${rest + 1} more`;
    line = longer;
  }
  return distinct > texts.length ? `${line} + ${distinct - texts.length} more` : line;
}

function recipeText({
  columns,
  sum,
  deviation,
  rows,
  isGiven,
  off = [],
}: CheckReport['mixtures'][number]): string {
  const names =
    columns.length > 8 ? [...columns.slice(0, 6), `${columns.length - 7} more`, columns.at(-1)!] : columns;
  const exact = deviation <= 1e-9 * sum ? '' : ` (± ${typedNumber(deviation)} in ${count(rows, 'row')})`;
  const formula = `${names.map(oneLineOf).join(' + ')} = ${typedNumber(sum)}${exact}`;
  const others = off.length > 0 ? ` Not in ${rowList(off)}: look at them.` : '';
  if (!isGiven) return `${formula}. It looks like a recipe: designs will keep the sum.${others}`;
  return deviation > 0.05 * sum
    ? `${formula}. Past rows do not add up to this: is the sum right?`
    : `${formula}.`;
}

const titles = { outcome: 'Outcome', note: 'Note', context: 'Context', counter: 'Counter' } as const;

function assumedText({ column, kind, why, change }: CheckReport['assumed'][number]): string {
  const what = {
    outcome: 'is probably an outcome, so designs do not set it',
    note: 'is probably a note, so it is left out',
    context: 'is probably a context, so designs do not set it',
    counter: 'counts or names rows, so it is left out',
  }[kind];
  return oneLineOf(`${column} ${what}: ${why}. ${change}.`);
}

function relationText({ label, column, rows, off }: CheckReport['relations'][number]): string {
  const where = off.length === 0 ? count(rows, 'row') : `${rows - off.length} of ${rows} rows`;
  const others = off.length === 0 ? '' : ` Not in ${rowList(off)}.`;
  return oneLineOf(
    `${label} in ${where}, but for rounding.${others} ${column} is computed for designs; --design ${shellQuote(quoteName(column))} sets it freely.`,
  );
}

function limitText({ column, lower, upper, isAssumed, why }: CheckReport['limits'][number]): string {
  const range =
    lower === null ? `at most ${upper}` : upper === null ? `at least ${lower}` : `${lower} to ${upper}`;
  const change = shellQuote(`${quoteName(column)}=none`);
  return oneLineOf(`${column} is ${range}${isAssumed ? `: ${why}. --limits ${change} lifts that.` : '.'}`);
}

/** Rows as people count them. */
function rowList(rows: readonly number[]): string {
  const named = rows.slice(0, 5).map((row) => row + 1);
  const more = rows.length > 5 ? ` and ${rows.length - 5} more` : '';
  return `row${rows.length > 1 ? 's' : ''} ${named.join(', ')}${more}`;
}

/** Contexts that are assumed have their own line. */
function isChosen({ assumed }: CheckReport, column: string): boolean {
  return !assumed.some((one) => one.column === column);
}

function goalText({ goals, isGuess, goalCandidates }: CheckReport): string[] {
  if (goals.length === 0) return ['none, and no column of numbers looks like one; give --goal "max ..."'];
  if (!isGuess) return goals.map(oneLineOf);
  const others = goalCandidates.slice(1).map(({ goal }) => oneLineOf(goal));
  const more = others.length > 0 ? ` Or is it ${others.join(' or ')}?` : '';
  return [`${oneLineOf(goals[0]!)}: assumed (${goalCandidates[0]!.why}).${more} --goal decides.`];
}

function contextText({ column, explains }: ContextHint, { goalColumns }: CheckReport): string {
  const goal = oneLineOf(goalColumns[0]!);
  const share = explains < 0.005 ? 'nothing' : `${Math.round(100 * explains)} %`;
  const option = shellQuote(quoteName(column));
  return (
    `${oneLineOf(column)} explains ${share} of ${goal}. If you cannot choose it, --context ${oneLineOf(option)} ` +
    'keeps it in the model and out of the designs.'
  );
}

function repeatText({ replicates, goalColumns, isDesirability }: CheckReport): string {
  const { groups, rows, noise } = replicates!;
  const repeated = `${rows} rows measure ${count(groups, 'setting')} more than once; the model sees their mean`;
  if (noise === 0) return `${repeated}. The result was the same each time.`;
  const unit = isDesirability ? 'of desirability' : `in ${oneLineOf(goalColumns[0]!)}`;
  return `${repeated}. One measurement is uncertain by about ± ${Number(noise.toPrecision(2))} ${unit}: a gain below that is noise.`;
}

/** Repeats that agree are told by their own line. */
function isSaid({ kind, severity }: CheckReport['findings'][number], { replicates }: CheckReport): boolean {
  return kind === 'conflictingRows' && severity === 'note' && replicates !== null;
}

const marks = { error: '✗', warning: '!', note: '·' } as const;

function findingText(
  { severity, message, advice }: CheckReport['findings'][number],
  room: number,
  paint: Palette,
): string {
  const color = { error: paint.red, warning: paint.yellow, note: paint.dim }[severity];
  if (severity === 'note')
    return hang(`${indent}${color(marks.note)} `, `${oneLineOf(message)}: ${oneLineOf(advice)}`, room);
  const first = hang(`${indent}${color(marks[severity])} `, oneLineOf(message), room);
  return `${first}\n${hang(`${indent}  → `, oneLineOf(advice), room)}`;
}

function supportText({ support }: CheckReport, paint: Palette): string {
  const { level, sentence } = support!;
  const word = { good: paint.green('Good.'), thin: paint.yellow('Thin.'), none: paint.red('Not yet.') }[
    level
  ];
  return `${word} ${sentence}`;
}

function conflictLines(
  { conflict }: CheckReport,
  labelled: (label: string, text: string) => string,
  paint: Palette,
): string[] {
  if (conflict.length === 0) return [];
  return [
    labelled('Conflict', `${paint.red('No design satisfies all of these together:')}`),
    ...conflict.map((label) => `${indent}         - ${oneLineOf(label)}`),
  ];
}
