/** The table of candidates: settings, prediction, trust, and the nearest past run. */
import type { Candidate, Forecast, Nearest, RunDocument } from '../design/runDocument.js';
import type { Cell } from '../problem/index.js';
import { catalogueColumns } from './candidatesCsv.js';
import { cellOf, type DocumentFormats, designColumns, shownName, showsEachGoal } from './documentFormats.js';
import {
  formatCell,
  formatInterval,
  formatNumber,
  formatPercent,
  type NumberFormat,
  plainFormat,
} from './formats.js';
import { type Content, html, list, type Markup, shorten } from './markup.js';
import { type MoleculeDrawings, moleculeColumns, moleculeSvg } from './moleculeDrawings.js';
import { barAxis, barScale, bestKnownBar, intervalBar, trustChip } from './predictionMarks.js';
import { whichRows } from './repeatedRows.js';

/** Longer texts are cut; the whole text is in the title of the cell, and in candidates.csv. */
const longestText = 60;
/** With more columns than these a printed page turns each row into a card. */
const widestPrinted = 3;
/** Pixels for the table on a screen of 960, the narrowest that shows a table, and of 1280, scroll bar and margins off. */
const narrowRoom = 870;
const usualRoom = 1165;
const rankWidth = 60;
const barWidth = 184;
const chanceWidth = 84;
const trustWidth = 116;

/** Rows of which nothing is expected: settings, and the past row that is closest. */
function planTable(
  plan: NonNullable<RunDocument['plan']>,
  document: RunDocument,
  formats: DocumentFormats,
  drawings: MoleculeDrawings,
): Markup {
  const columns = [...designColumns(document), ...listedColumns(plan, document)];
  const kind = (name: string) => (typeof cellOf(wholeRow(plan[0]), name) === 'number' ? 'number' : 'text');
  return html`<div class="scroll" role="region" aria-label="Plan" tabindex="0"><table class="columns">
    <caption>A plan that spreads over the space, in the units of your table. There are too few rows to say what to expect. Rows are counted from 1 below the header.</caption>
    <thead><tr><th scope="col">#</th>${columns.map((name) => html`<th scope="col" class="${kind(name)}" title="${name}">${breakable(shownName(name))}</th>`)}<th scope="col">closest past row</th></tr></thead>
    <tbody>${plan.map((one) => html`<tr><th scope="row">${String(one.row)}</th>${columns.map((name) => settingCell(name, cellOf(wholeRow(one), name), kind(name), formats.column(name), drawings))}<td>${String(one.nearest.row)}</td></tr>`)}</tbody>
  </table></div>`;
}

export function candidateTable(
  document: RunDocument,
  formats: DocumentFormats,
  drawings: MoleculeDrawings = new Map(),
): Markup {
  const { candidates, bestKnown, goal } = document;
  if (document.plan) return planTable(document.plan, document, formats, drawings);
  if (candidates.length === 0) {
    return html`<p class="empty">There are no candidates: the verdict above says why. Best known: ${goal.name} ${formatNumber(bestKnown.value, formats.objective)} (${whichRows(bestKnown.row, bestKnown.meanOf, goal, (value) => formatNumber(value, formats.objective))}).</p>`;
  }
  const listed = listedColumns(candidates, document);
  const columns = [...listed, ...designColumns(document)];
  // what holds for every row tells none of them apart: said once
  const shared =
    candidates.length > 1
      ? candidates[0]!.reasons.filter((reason) => candidates.every(({ reasons }) => reasons.includes(reason)))
      : [];
  const ownReasons = ({ reasons }: Candidate) => reasons.filter((reason) => !shared.includes(reason));
  const axis = barAxis(document);
  const goals = showsEachGoal(document) ? goal.goals : [];
  const isNumeric = new Map(
    columns.map((name) => [name, candidates.every((one) => typeof cellOf(wholeRow(one), name) === 'number')]),
  );
  const kind = (name: string) => (isNumeric.get(name) ? 'number' : 'text');
  const settings = (cells: Readonly<Record<string, Cell>>) =>
    columns.map((name) => settingCell(name, cellOf(cells, name), kind(name), formats.column(name), drawings));
  const width = tableWidth(document, formats, columns, goals);
  // Settings that fill the page would push the prediction out of sight.
  const isOutcomeFirst = width > usualRoom;
  const ordered = (set: Content, outcome: Content) => (isOutcomeFirst ? [outcome, set] : [set, outcome]);
  const layout = [
    columns.length + goals.length > widestPrinted && ' wide',
    width > narrowRoom && !isOutcomeFirst && ' full',
  ];
  const number = (value: number) => formatNumber(value, formats.objective);
  const span = 1 + columns.length + 4 + goals.length;
  return html`<div class="scroll" role="region" aria-label="Candidates" tabindex="0"><table class="candidates${layout}">
    <caption>Settings in the units of your table. The line through the bars is the best known ${goal.name}, ${number(bestKnown.value)} (${whichRows(bestKnown.row, bestKnown.meanOf, goal, number)}); the bars are 80 % intervals, the marks on them the expected values. Further ${goal.direction === 'max' ? 'right' : 'left'} is better. Rows are counted from 1 below the header.${shared.length > 0 && ` True of every row: ${shared.join('; ')}.`}${listed.length > 0 && ` ${list(listed.map(shownName))} ${listed.length === 1 ? 'is' : 'are'} copied from the list that designs are taken from.`}${moleculeColumns(document).length > 0 && drawings.size === 0 && ' Molecules are drawn where RDKit is installed (npm install @rdkit/rdkit).'}</caption>
    <thead><tr>
      <th scope="col" class="rank">#</th>
      ${ordered(
        columns.map(
          (name) =>
            html`<th scope="col" class="${kind(name)}" title="${name}">${breakable(shownName(name))}</th>`,
        ),
        html`<th scope="col" class="number" title="expected ${goal.name}">${breakable(`expected ${goal.name}`)}</th>
      <th scope="col" class="bars">80 % interval ${barScale(axis, goal.direction)}</th>
      <th scope="col" class="number">chance of better</th>
      ${goals.map(({ column, label }) => html`<th scope="col" class="number" title="${label}">${breakable(`${shownName(column)}, expected`)}</th>`)}
      <th scope="col">trust</th>`,
      )}
    </tr></thead>
    <tbody class="reference"><tr>
      <th scope="row" class="rank">Best known</th>
      ${ordered(
        settings(bestKnown.cells),
        html`<td class="number" data-label="measured">${number(bestKnown.value)}</td>
      <td class="bars" data-label="value">${bestKnownBar(axis, bestKnown.value, formats.objective)}</td>
      <td class="number skip"></td>
      ${goals.map(() => html`<td class="number skip"></td>`)}
      <td data-label="where">${bestKnown.meanOf ? `mean of rows ${bestKnown.meanOf.rows.join(', ')}` : `row ${bestKnown.row}`}</td>`,
      )}
    </tr></tbody>
    ${candidates.map(
      (candidate) => html`<tbody class="candidate"><tr>
      <th scope="row" class="rank" data-v="${String(candidate.row)}">${String(candidate.row)}</th>
      ${ordered(
        settings(wholeRow(candidate)),
        html`<td class="number strong" data-label="${breakableText(`expected ${goal.name}`)}" data-v="${rawNumber(candidate.expected)}">${number(candidate.expected)}</td>
      <td class="bars" data-label="80 % interval" data-v="${rawNumber(candidate.lo80)}">${intervalBar(candidate, axis, bestKnown.value, formats.objective)}<span class="range">${formatInterval(candidate.lo80, candidate.hi80, formats.objective)}</span></td>
      <td class="number" data-label="chance of better" data-v="${rawNumber(candidate.better)}">${formatPercent(candidate.better)}</td>
      ${goals.map(({ column }, i) => goalCell(column, candidate.goals[i], formats.goals[i]))}
      ${trustCell(candidate)}`,
      )}
    </tr><tr class="more"><td colspan="${String(span)}"><div>${ownReasons(candidate).length > 0 && html`<span class="why">${candidate.trust}: ${ownReasons(candidate).join('; ')}.</span> `}${chosenAs(candidate)}<span class="nearest">${nearestRun(candidate.nearest, formats)}</span></div></td></tr></tbody>`,
    )}</table></div>`;
}

const picks = {
  kept: 'Kept, as asked.',
  safe: 'Safe: chosen by the lower end of its interval.',
  balanced: 'Balanced: chosen half way between expected value and lower end.',
  bold: 'Bold: chosen by the upper end of its interval.',
} as const;

/** How a design came into the batch and what it costs, where somebody asked. */
function chosenAs({ pick, cost }: Candidate): Content {
  const words = [pick && picks[pick], cost !== undefined && `Cost ${Number(cost.toPrecision(6))}.`];
  const said = words.filter((text) => text);
  return said.length > 0 && html`<span class="pick">${said.join(' ')}</span> `;
}

/** About how many pixels the table needs without scrolling. */
function tableWidth(
  { candidates, bestKnown, goal }: RunDocument,
  formats: DocumentFormats,
  columns: readonly string[],
  goals: RunDocument['goal']['goals'],
): number {
  const number = (value: number) => formatNumber(value, formats.objective);
  const setting = (name: string) =>
    columnWidth(
      shownName(name),
      [bestKnown, ...candidates].map((one) => settingText(cellOf(wholeRow(one), name), formats.column(name))),
    );
  const goalWidth = ({ column }: { readonly column: string }, i: number) => {
    const predictions = candidates.flatMap(({ goals: all }) => all[i] ?? []);
    return columnWidth(
      `${shownName(column)}, expected`,
      predictions.map(({ expected }) => formatNumber(expected, formats.goals[i])),
      predictions.map(({ lo80, hi80 }) => formatInterval(lo80, hi80, formats.goals[i])),
    );
  };
  const values = [bestKnown.value, ...candidates.map(({ expected }) => expected)].map(number);
  return [
    rankWidth + barWidth + chanceWidth + trustWidth,
    columnWidth(`expected ${goal.name}`, values),
    ...columns.map(setting),
    ...goals.map(goalWidth),
  ].reduce((a, b) => a + b);
}

/** The value that the script sorts by. */
function rawNumber(value: number): string {
  return Number.isFinite(value) ? String(value) : '';
}

function settingText(cell: Cell | undefined, format: NumberFormat): string {
  return shorten(formatCell(cell, format), longestText);
}

/** The settings of a row and, where it is one of a list, all that the list says about it. */
function wholeRow(
  row: Partial<Pick<Candidate, 'cells' | 'listed'>> | undefined,
): Readonly<Record<string, Cell>> {
  return row?.listed ? { ...row.listed.cells, ...row.cells } : (row?.cells ?? {});
}

/** What a list says beside settings, as far as the past table does not have it as a goal. */
function listedColumns(
  rows: readonly Pick<Candidate, 'cells' | 'listed'>[],
  { goal }: RunDocument,
): string[] {
  const settings = Object.keys(rows[0]?.cells ?? {});
  return catalogueColumns(rows, [...settings, ...goal.goals.map(({ column }) => column)]);
}

function settingCell(
  name: string,
  cell: Cell | undefined,
  kind: string,
  format: NumberFormat,
  drawings: MoleculeDrawings,
): Markup {
  const text = formatCell(cell, format);
  const short = settingText(cell, format);
  const look = kind === 'text' && (isSequence(short) ? ' code' : short.length > longCell && ' long');
  const drawing = typeof cell === 'string' ? drawings.get(cell) : undefined;
  const raw = typeof cell === 'number' && html` data-v="${rawNumber(cell)}"`;
  return html`<td class="${kind}${look} set" data-label="${breakableText(shownName(name))}"${raw}${short !== text && html` title="${text}"`}>${drawing && moleculeSvg(drawing, text)}${short}</td>`;
}

function trustCell({ trust, gammaPercentile, novelty, disagreementPercentile }: Candidate): Markup {
  const numbers = `gamma larger than that of ${formatPercent(gammaPercentile / 100)} of unseen rows, novelty ${formatPercent(novelty / 100)}, disagreement larger than for ${formatPercent(disagreementPercentile / 100)} of unseen rows`;
  const order = { Trusted: '1', Stretch: '2', Guess: '3' }[trust];
  return html`<td class="trust" data-label="trust" data-v="${order}" title="${numbers}">${trustChip(trust)}</td>`;
}

function goalCell(column: string, goal: Forecast | undefined, format = plainFormat): Markup {
  if (goal === undefined)
    return html`<td class="number" data-label="${breakableText(`${shownName(column)}, expected`)}">–</td>`;
  return html`<td class="number" data-label="${breakableText(`${shownName(column)}, expected`)}" data-v="${rawNumber(goal.expected)}">${formatNumber(goal.expected, format)}<span class="range">${formatInterval(goal.lo80, goal.hi80, format)}</span></td>`;
}

/** The numbers behind the trust labels. */
export function trustNumbers({ candidates }: RunDocument): Markup | null {
  if (candidates.length === 0) return null;
  const two: NumberFormat = { kind: 'significant', digits: 2, noise: 0 };
  const percentile = (value: number) => formatPercent(value / 100);
  return html`<details><summary>The numbers behind the trust labels</summary>
    <div class="scroll" role="region" aria-label="Numbers behind the trust labels" tabindex="0"><table class="numbers">
    <thead><tr><th scope="col" class="rank">#</th><th scope="col">trust</th><th scope="col" class="number">gamma</th><th scope="col" class="number">larger than for</th><th scope="col" class="number">novelty</th><th scope="col" class="number">disagreement</th><th scope="col" class="number">larger than for</th></tr></thead>
    <tbody>${candidates.map(
      (one) =>
        html`<tr><th scope="row" class="rank">${String(one.row)}</th><td>${trustChip(one.trust)}</td><td class="number">${formatNumber(one.gamma, two)}</td><td class="number">${percentile(one.gammaPercentile)}</td><td class="number">${percentile(one.novelty)}</td><td class="number">${formatNumber(one.disagreement, two)}</td><td class="number">${percentile(one.disagreementPercentile)}</td></tr>`,
    )}</tbody></table></div>
    <p class="note">“Larger than for 90 %”: nine out of ten unseen rows have a smaller one. Novelty 90 %: nine out of ten past rows have a nearer neighbour. Disagreement is in standard deviations of the goal.</p></details>`;
}

const headLetter = 8.8;
const cellLetter = 9.2;
/** The interval under a value is printed smaller. */
const noteLetter = 8;
const codeLetter = 8.1;
const padding = 16;
/** Longer words break anywhere. */
const longestPart = 16;
/** From here on the words of a text wrap; style.ts has the same widths for `.long`. */
export const longCell = 14;
const widestLong = 240;

/** "BlastFurnaceSlag" may break before its capitals, "flow_rate" behind its underscore. */
export function nameParts(name: string): string[] {
  return name
    .split(/(?<=[\p{Ll}\d]{2})(?=\p{Lu}\p{Ll})|(?<=[_\-./,;:)\]\s])(?=[^\s])/u)
    .flatMap((part) => part.match(new RegExp(`.{1,${longestPart}}`, 'gsu')) ?? []);
}

export function breakable(name: string): Markup {
  return html`${nameParts(name).map((part, i) => html`${i > 0 && html`<wbr>`}${part}`)}`;
}

/** For attributes, which hold no tags: a space without width where the name may break. */
export function breakableText(name: string): string {
  return nameParts(name).join('\u200b');
}

/** Letters are code points: an accent put on afterwards counts, which does no harm. */
function lettersOf(text: string): number {
  return [...text.trim()].length;
}

export function columnWidth(head: string, cells: readonly string[], notes: readonly string[] = []): number {
  const widest = (texts: readonly string[], letter: number) =>
    texts.reduce((width, text) => Math.max(width, letter * lettersOf(text)), 0);
  const content = cells.map((text) => {
    const letter = isSequence(text) ? codeLetter : cellLetter;
    const width = letter * lettersOf(text);
    return lettersOf(text) > longCell && !isSequence(text) ? Math.min(width, widestLong) : width;
  });
  const widestContent = content.reduce((most, width) => Math.max(most, width), 0);
  return padding + Math.max(widest(nameParts(head), headLetter), widest(notes, noteLetter), widestContent);
}

/** DNA, proteins: capital letters without a space, to be read letter by letter. */
export function isSequence(text: string): boolean {
  return /^[A-Z*-]{8,40}$/.test(text);
}

/** Differences that are spelled out; the rest are counted. */
const mostDifferences = 5;
/** Changed letters of a sequence that are named. */
const mostLetters = 8;

export function nearestRun({ row, value, meanOf, differences }: Nearest, formats: DocumentFormats): Markup {
  const shown = differences.slice(0, mostDifferences);
  const more = differences.length - shown.length;
  const where = meanOf
    ? `rows ${meanOf.rows.join(', ')} with the same settings, measured ${formatNumber(value, formats.objective)} on average`
    : `row ${row}, measured ${formatNumber(value, formats.objective)}`;
  return html`Nearest past run: ${where}. ${
    differences.length === 0
      ? 'It has the same settings.'
      : html`From there: ${shown.map(
          ({ column, from, to }, i) =>
            html`<span class="difference">${shownName(column)} ${change(from, to, formats.column(column))}${i < shown.length - 1 && ','}</span> `,
        )}${more > 0 && `and ${more} more`}`
  }`;
}

function change(from: Cell, to: Cell, format: NumberFormat): string {
  const letters = changedLetters(from, to);
  if (letters !== null) {
    const named = letters.slice(0, mostLetters).join(' ');
    const rest = letters.length - mostLetters;
    return `${named}${rest > 0 ? ` and ${rest} more letters` : ''}`;
  }
  const [before, after] = toldApart(from, to, format);
  return `${shorten(before, 24)} → ${shorten(after, 24)}`;
}

/** "A3T": letter 3, counted from 1, was A and is T. Null where the cells are no sequences of one length. */
export function changedLetters(from: Cell, to: Cell): string[] | null {
  if (typeof from !== 'string' || typeof to !== 'string') return null;
  if (!isSequence(from) || !isSequence(to) || from.length !== to.length || from === to) return null;
  return [...from].flatMap((letter, i) => (letter === to[i] ? [] : [`${letter}${i + 1}${to[i]}`]));
}

/** Two cells by the column's format, or with more digits where that would print them alike. */
function toldApart(from: Cell, to: Cell, format: NumberFormat): [string, string] {
  const formats = [
    format,
    ...[4, 6, 9, 12].map((digits) => ({ ...format, kind: 'significant' as const, digits })),
  ];
  const texts = formats.map((one): [string, string] => [
    formatCell(from, one, { trim: true }),
    formatCell(to, one, { trim: true }),
  ]);
  return texts.find(([before, after]) => before !== after) ?? texts[0]!;
}
