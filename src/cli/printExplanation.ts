/** Why a candidate is what it is, on a terminal. */

import type { Nearest, Profile, RunDocument } from '../design/runDocument.js';
import type { CandidateExplanation, Contribution } from '../judging/explainCandidate.js';
import { largest, smallest } from '../numeric/stats.js';
import type { Cell } from '../problem/index.js';
import {
  columnFormat,
  documentFormats,
  estimateFormat,
  formatPercent,
  type NumberFormat,
  typedNumber,
} from '../report/index.js';
import { differenceText, trustColor } from './candidateTable.js';
import { type Palette, paletteOf } from './palette.js';
import { cut, type GridColumn, gridLines, hang, oneLineOf, pad, textWidth } from './textLayout.js';

export interface ExplanationLayout {
  readonly width: number;
  readonly color: boolean;
}

const widestProse = 100;
const widestName = 18;
/** Cells of a bar on either side of its axis, where there is room and where there is little. */
const [longestBar, shortBar] = [12, 6];
const heights = '▁▂▃▄▅▆▇█';
/** Profiles that are printed; others are in the JSON and the charts. */
const mostProfiles = 16;

export function printExplanation(
  document: RunDocument,
  found: CandidateExplanation,
  { width, color }: ExplanationLayout,
): string {
  const paint = paletteOf(color);
  const room = Math.max(60, width);
  const { objective } = documentFormats(document);
  const blocks = [
    aboutCandidate(document, found, objective, Math.min(room, widestProse), paint),
    nearestLines(found, room, paint),
    contributionLines(found, objective, room, paint),
    profileLines(document, found, objective, room, paint),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function aboutCandidate(
  { goal, bestKnown }: RunDocument,
  { candidate }: CandidateExplanation,
  objective: NumberFormat,
  room: number,
  paint: Palette,
): string[] {
  const { row, expected, lo80, hi80, trust, reasons, better, cells } = candidate;
  const number = (value: number) => typedNumber(value, objective);
  const label = `Row ${row}`;
  const settings = Object.entries(cells).map(([name, cell]) => `${oneLineOf(name)} ${cellText(cell)}`);
  return [
    hang(
      `${paint.bold(label.padEnd(8))} `,
      `${oneLineOf(goal.name)} expected ${paint.bold(number(expected))}, 80 % range ${number(lo80)} to ${number(hi80)}, ${trustColor(trust, paint)(trust)}; ` +
        `${percent(better)} chance of beating ${number(bestKnown.value)} (row ${bestKnown.row})`,
      room,
    ),
    ...reasons.map((reason) => hang('         · ', oneLineOf(reason), room)),
    hang('         ', settings.join(', '), room),
  ];
}

function percent(share: number): string {
  return formatPercent(share).replace('\u202f', ' ');
}

function cellText(cell: Cell): string {
  return typeof cell === 'number' ? typedNumber(cell) : cut(oneLineOf(cell), widestName);
}

function nearestLines({ candidate, nearest }: CandidateExplanation, room: number, paint: Palette): string[] {
  if (nearest.length === 0) return [];
  const measured = columnFormat([0, ...nearest.map(({ value }) => value)]);
  const numbers: GridColumn[] = [
    { head: 'row', align: 'right', cells: nearest.map(({ row }) => String(row)) },
    {
      head: 'measured',
      align: 'right',
      cells: nearest.map(({ value }) => typedNumber(value, measured)),
    },
  ];
  const left =
    room -
    2 -
    largest(
      nearest.map(({ row }) => String(row).length),
      3,
    ) -
    2 -
    10;
  const changes = {
    head: `what row ${candidate.row} has otherwise`,
    cells: nearest.map((one) => differencesText(one, Math.max(20, left))),
  };
  return [
    paint.bold('Experiments near it'),
    ...gridLines([...numbers, changes], paint.dim).map((line) => `  ${line}`),
  ];
}

/** As many differences as fit, the largest first. */
function differencesText({ differences }: Nearest, room: number): string {
  if (differences.length === 0) return 'nothing: the same settings';
  let text = '';
  for (const [i, difference] of differences.entries()) {
    const next = `${text}${i === 0 ? '' : ', '}${differenceText(difference)}`;
    const rest = differences.length - i - 1;
    const tail = rest > 0 ? `, and ${rest} more` : '';
    if (textWidth(next + tail) > room && i > 0) return `${text}, and ${differences.length - i} more`;
    text = next;
  }
  return text;
}

function contributionLines(
  { candidate, nearest, explanation }: CandidateExplanation,
  objective: NumberFormat,
  room: number,
  paint: Palette,
): string[] {
  const { before, after, contributions } = explanation;
  const from = nearest[0];
  if (!from || contributions.length === 0) return [];
  const most = largest(contributions.map(({ change }) => Math.abs(change)));
  // Finer than the interval allows: a sum of parts that all round to the same is no help.
  const format = most > 0 ? estimateFormat(3 * most, [before, after]) : objective;
  const number = (value: number) => typedNumber(value, format);
  const half = room < 76 ? shortBar : longestBar;
  const formats = contributions.map(({ from: a, to: b }) =>
    columnFormat([0, a, b].filter((cell) => typeof cell === 'number')),
  );
  const side = (pick: (one: Contribution) => Cell): string[] =>
    contributions.map((one, i) => {
      const cell = pick(one);
      return typeof cell === 'number' ? typedNumber(cell, formats[i]!) : cut(oneLineOf(cell), widestName);
    });
  const columns: GridColumn[] = [
    {
      head: 'column',
      cells: [
        `row ${from.row}`,
        ...contributions.map(({ column }) => cut(oneLineOf(column), widestName)),
        `row ${candidate.row}`,
      ],
    },
    { head: 'from', align: 'right', cells: ['', ...side((one) => one.from), ''] },
    { head: 'to', align: 'right', cells: ['', ...side((one) => one.to), ''] },
    {
      head: 'expected',
      align: 'right',
      cells: [number(before), ...contributions.map(({ change }) => signed(change, format)), number(after)],
    },
    {
      head: '',
      cells: ['', ...contributions.map(({ change }) => bar(change / (most || 1), half, paint)), ''],
    },
  ];
  const lines = gridLines(columns, paint.dim).map((line) =>
    textWidth(line) + 2 > room ? cut(line, room - 2) : line,
  );
  const difference = signed(Number(number(after)) - Number(number(before)), format);
  return [
    paint.bold(`What each change brings, from row ${from.row} of the past to row ${candidate.row}`),
    ...lines.map((line) => `  ${line}`),
    hang(
      '  ',
      paint.dim(
        `The changes add up to ${difference}. Row ${from.row} was measured at ${typedNumber(from.value)}; the model expects ${number(before)} there.`,
      ),
      Math.min(room, widestProse),
    ),
  ];
}

function signed(change: number, format: NumberFormat): string {
  const size = typedNumber(Math.abs(change), format);
  return /[1-9]/.test(size) ? `${change < 0 ? '-' : '+'}${size}` : size;
}

/** Left of the axis what lowers the value, right of it what raises it. */
function bar(share: number, half: number, paint: Palette): string {
  const length = Math.round(half * Math.abs(share));
  const block = '█'.repeat(length);
  return share < 0
    ? `${' '.repeat(half - length)}${paint.yellow(block)}│`
    : `${' '.repeat(half)}│${paint.cyan(block)}`;
}

function profileLines(
  { goal }: RunDocument,
  { candidate, profiles }: CandidateExplanation,
  objective: NumberFormat,
  room: number,
  paint: Palette,
): string[] {
  const drawn = profiles.filter(({ points }) => points.length > 1);
  if (drawn.length === 0) return [];
  const shown = drawn.slice(0, mostProfiles);
  const values = shown.flatMap(({ points }) => points.map(({ expected }) => expected));
  const [low, high] = [smallest(values), largest(values)];
  const height = (value: number) => heights[high > low ? Math.round((7 * (value - low)) / (high - low)) : 3]!;
  const names = Math.min(widestName, largest(shown.map(({ column }) => textWidth(oneLineOf(column)))));
  const numbers = shown.filter(({ kind }) => kind === 'number').map((one) => numberProfile(one, height));
  const widest = (pick: (one: NumberLine) => string) =>
    largest(
      numbers.map((one) => textWidth(pick(one))),
      0,
    );
  const widths = {
    low: widest((one) => one.low),
    curve: widest((one) => one.curve),
    high: widest((one) => one.high),
  };
  const sign = goal.direction === 'max' ? 1 : -1;
  const lines = shown.map((profile) => {
    const name = pad(cut(oneLineOf(profile.column), names), names);
    const best = bestOf(profile, sign);
    const advice = best ? `best ${cellText(best.value)}: ${typedNumber(best.expected, objective)}` : '';
    if (profile.kind === 'category') return cut(`  ${name}  ${levelsText(profile, height)}`, room);
    const one = numberProfile(profile, height);
    return cut(
      `  ${name}  ${pad(one.low, widths.low, 'right')} ${pad(one.curve, widths.curve)} ${pad(one.high, widths.high)}  ${advice}`,
      room,
    );
  });
  const rest = drawn.length - shown.length;
  return [
    paint.bold(`One column at a time, the others as in row ${candidate.row}`),
    hang(
      '  ',
      paint.dim(
        `▁ ${typedNumber(low, objective)} to █ ${typedNumber(high, objective)}; [ ] is row ${candidate.row}, │ where past rows end; "best" lies among these.`,
      ),
      Math.min(room, widestProse),
    ),
    ...lines,
    ...(rest > 0 ? [`  and ${rest} more; --svg and --json have all`] : []),
  ];
}

interface NumberLine {
  readonly low: string;
  readonly curve: string;
  readonly high: string;
}

/** The curve with the candidate in brackets and bars where past rows end. */
function numberProfile({ points, seen, at }: Profile, height: (value: number) => string): NumberLine {
  const places = points.map(({ value }) => Number(value));
  const format = columnFormat([0, ...places]);
  const here = typeof at === 'number' ? nearestPlace(places, at) : -1;
  const first = seen ? places.findIndex((place) => place >= seen.min - 1e-9 * Math.abs(seen.min)) : -1;
  const last = seen ? places.findLastIndex((place) => place <= seen.max + 1e-9 * Math.abs(seen.max)) : -1;
  const curve = points.map(({ expected }, i) => {
    const glyph = i === here ? `[${height(expected)}]` : height(expected);
    return `${i === first ? '│' : ''}${glyph}${i === last ? '│' : ''}`;
  });
  return {
    low: typedNumber(places[0]!, format),
    curve: curve.join(''),
    high: typedNumber(places.at(-1)!, format),
  };
}

function nearestPlace(places: readonly number[], at: number): number {
  const distances = places.map((place) => Math.abs(place - at));
  return distances.indexOf(smallest(distances));
}

/** Every level with its height. */
function levelsText({ points, at }: Profile, height: (value: number) => string): string {
  return points
    .map(({ value, expected }) => {
      const text = `${cellText(value)} ${height(expected)}`;
      return value === at ? `[${text}]` : text;
    })
    .join('  ');
}

/** The best point among what past rows had. */
function bestOf({ points, seen }: Profile, sign: number): Profile['points'][number] | undefined {
  const inside = points.filter(
    ({ value }) => !seen || (Number(value) >= seen.min && Number(value) <= seen.max),
  );
  return inside.reduce<Profile['points'][number] | undefined>(
    (best, point) => (best === undefined || sign * (point.expected - best.expected) > 0 ? point : best),
    undefined,
  );
}
