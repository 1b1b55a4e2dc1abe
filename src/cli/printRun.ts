/** What a run found, on a terminal. */
import type { Candidate, RunDocument, Verdict } from '../design/runDocument.js';
import {
  count,
  documentFormats,
  noiseText,
  rehearsalSentence,
  relevanceText,
  shownDocument,
  singleText,
  typedNumber,
  whichRows,
  withheldText,
} from '../report/index.js';
import { type CandidateTable, candidateTable } from './candidateTable.js';
import { type Palette, paletteOf } from './palette.js';
import { planTable } from './planTable.js';
import { historyLines } from './printHistory.js';
import { shellQuote } from './shellQuote.js';
import { hang, oneLineOf } from './textLayout.js';

export interface RunLayout {
  readonly width: number;
  readonly color: boolean;
  /** Where the run was saved; nothing is said about files without. */
  readonly folder?: string;
}

const verdicts: Readonly<Record<Verdict['level'], string>> = {
  likely: 'LIKELY BETTER',
  unclear: 'UNCLEAR',
  unsupported: 'NOT SUPPORTED',
};
const widestProse = 100;
/** More constraints than this are counted, not listed. */
const mostConstraints = 6;

export function printRun(given: RunDocument, { width, color, folder }: RunLayout): string {
  const document = shownDocument(given);
  const paint = paletteOf(color);
  const room = Math.max(40, width);
  const prose = Math.min(room, widestProse);
  const labelled = (label: string, text: string) => hang(`${paint.bold(label.padEnd(9))}`, text, prose);
  const { candidates } = document;
  const table = document.plan ? planTable(document.plan, room) : candidateTable(document, room, paint);
  const blocks = [
    historyLines(document, prose, paint),
    verdictLines(document, labelled, prose, paint),
    evidenceLines(document, prose, paint),
    [...tableLines(table, room, paint, folder === undefined ? undefined : 'candidates.csv')],
    candidates.length > 0 || document.plan ? footnotes(document).map((text) => hang('', text, prose)) : [],
    folder === undefined
      ? []
      : [
          labelled('Saved', `${folder.replace(/\/?$/, '/')} (candidates.csv, report.html)`),
          ...(candidates.length > 0
            ? [`${paint.bold('Next')}     nemokit explain ${shellQuote(folder)} --row 1`]
            : []),
          `         or open ${folder.replace(/\/$/, '')}/report.html in a browser`,
        ],
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** The table with what all rows share above it and what found no place below. `where`: has every column. */
export function tableLines(
  { shared, lines, more = [], dropped }: CandidateTable,
  room: number,
  paint: Palette,
  where: string | undefined,
): string[] {
  return [
    ...(shared.length > 0 ? [hang(`  ${paint.dim('all rows:')} `, shared.join(', '), room)] : []),
    ...lines,
    ...more.flatMap((table) => ['', ...table]),
    ...(dropped.length > 0 ? [hang('  ', paint.dim(droppedText(dropped, where)), room)] : []),
  ];
}

function verdictLines(
  document: RunDocument,
  labelled: (label: string, text: string) => string,
  prose: number,
  paint: Palette,
): string[] {
  const { verdict, goal, run } = document;
  const kept = withheldText(document);
  const color = { likely: paint.green, unclear: paint.yellow, unsupported: paint.red }[verdict.level];
  const cutShort = run.complete
    ? []
    : ['The search was cut short by its time limit; more time may find more.'];
  return [
    labelled(
      'Verdict',
      `${paint.bold(color(`${document.plan ? 'PLAN ONLY' : verdicts[verdict.level]}.`))} ${oneLineOf(verdict.sentence)}`,
    ),
    labelled('Goal', goal.labels.map(oneLineOf).join('; ')),
    ...bestLines(document).map((text, i) => labelled(i === 0 ? 'Best' : '', text)),
    ...[...verdict.reasons.map(oneLineOf), ...cutShort].map((reason) => hang('         · ', reason, prose)),
    ...(kept === null ? [] : [hang('         · ', kept, prose)]),
  ];
}

/** What the rehearsal found, and which columns matter; of designs that are shown. */
function evidenceLines(document: RunDocument, prose: number, paint: Palette): string[] {
  const { candidates, rehearsal, relevance } = document;
  if (candidates.length === 0) return [];
  const { objective } = documentFormats(document);
  const found = rehearsal && rehearsalSentence(rehearsal, (value) => typedNumber(value, objective));
  const matters = relevance && relevanceText(relevance, oneLineOf);
  return [
    ...(found ? [hang(paint.bold('Rehearsal  '), `${found}.`, prose)] : []),
    ...(matters ? [hang(paint.bold('Matters    '), matters, prose)] : []),
  ];
}

/** Best known value and what the first candidate promises against it, in words that fit the direction. */
function bestLines(document: RunDocument): string[] {
  const { bestKnown, candidates, goal } = document;
  const [first] = candidates;
  const name = oneLineOf(goal.name);
  if (!first) {
    const stays = document.plan ? 'is' : 'stays';
    const where = whichRows(bestKnown.row, bestKnown.meanOf, goal, typedNumber);
    return [`${name} ${typedNumber(bestKnown.value)} (${where}) ${stays} the best known`];
  }
  const { objective } = documentFormats(document);
  const format = (value: number) => typedNumber(value, objective);
  // Of the numbers as shown, so that people who subtract them get the same.
  const rise = Number(format(first.expected)) - Number(format(bestKnown.value));
  const gain = goal.direction === 'max' ? rise : -rise;
  const direction = goal.direction === 'max' ? 'higher' : 'lower';
  const step = format(Math.abs(gain));
  const change =
    Number(step) === 0 ? 'no change' : gain > 0 ? `${step} ${direction}` : `${step} short of the best known`;
  const { noise } = document.data;
  const isNoise = noise !== null && gain > 0 && gain < noise;
  return [
    `${name} ${format(bestKnown.value)} (${whichRows(bestKnown.row, bestKnown.meanOf, goal, format)}) → expected ${format(first.expected)}, ` +
      `80 % range ${format(first.lo80)} to ${format(first.hi80)}: ${change}${isNoise ? ', less than repeated measurements differ' : ''}`,
    ...[singleText(bestKnown, name, format), noiseText(document.data)].filter((text) => text !== ''),
  ];
}

/** `where`: has them all. */
function droppedText(dropped: readonly string[], where: string | undefined): string {
  const names =
    dropped.length > 4
      ? `${dropped.slice(0, 3).join(', ')} and ${dropped.length - 3} more`
      : dropped.join(', ');
  return `not shown, because they change least: ${oneLineOf(names)}; ${where === undefined ? 'a wider terminal shows more' : `${where} has all columns`}`;
}

function footnotes(document: RunDocument): string[] {
  const { candidates, constraints } = document;
  const shown = document.plan ?? candidates;
  const rows = shown.length === 1 ? 'The row satisfies' : `All ${shown.length} rows satisfy`;
  const listed =
    constraints.length <= mostConstraints
      ? constraints.map(oneLineOf).join('; ')
      : `${constraints.slice(0, mostConstraints).map(oneLineOf).join('; ')}; and ${constraints.length - mostConstraints} more`;
  const held =
    constraints.length > 0 ? [`${rows} ${count(constraints.length, 'constraint')}: ${listed}.`] : [];
  const guesses = candidates.filter(({ trust }) => trust === 'Guess');
  const warned = guesses.length > 0 ? [guessText(guesses, candidates.length)] : [];
  return [...held, repeatText(shown), ...warned];
}

function repeatText(candidates: readonly Pick<Candidate, 'row' | 'nearest'>[]): string {
  const repeats = candidates.filter(({ nearest }) => nearest.differences.length === 0);
  if (repeats.length === 0)
    return candidates.length === 1 ? 'It does not repeat a past run.' : 'None repeats a past run.';
  const rows = repeats.map(({ row }) => row).join(', ');
  return repeats.length === 1
    ? `Row ${rows} repeats settings that were measured before.`
    : `Rows ${rows} repeat settings that were measured before.`;
}

function guessText(guesses: readonly Candidate[], all: number): string {
  const [reason] = guesses.flatMap(({ reasons }) => reasons);
  const who =
    guesses.length === all
      ? all === 1
        ? 'It is a guess'
        : 'All rows are guesses'
      : `${guesses.length === 1 ? 'Row' : 'Rows'} ${guesses.map(({ row }) => row).join(', ')} ${guesses.length === 1 ? 'is a guess' : 'are guesses'}`;
  return `${who}${reason === undefined ? '' : `: ${oneLineOf(reason)}`}.`;
}
