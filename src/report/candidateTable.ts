/** The candidates: what to set, what to expect, how far to trust it, and the past run that comes nearest. */
import type { Candidate, Prediction, RunDocument } from '../design/runDocument.js';
import type { Cell } from '../problem/index.js';
import { breakable, breakableText, columnWidth, isSequence, longCell } from './columnWidth.js';
import { cellOf, type DocumentFormats, designColumns, hasOwnGoals, shownName } from './documentFormats.js';
import { barAxis, barScale, bestKnownBar, intervalBar } from './intervalBar.js';
import { type Content, html, type Markup, shorten } from './markup.js';
import { nearestRun } from './nearestRun.js';
import {
  formatCell,
  formatInterval,
  formatNumber,
  formatPercent,
  type NumberFormat,
  plainFormat,
} from './numberFormat.js';
import { trustChip } from './trustMark.js';

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

export function candidateTable(document: RunDocument, formats: DocumentFormats): Markup {
  const { candidates, bestKnown, goal } = document;
  if (candidates.length === 0) {
    return html`<p class="empty">There are no candidates: the verdict above says why. The best known row, row ${String(bestKnown.row)}, has ${goal.name} ${formatNumber(bestKnown.value, formats.headline)}.</p>`;
  }
  const columns = designColumns(document);
  const axis = barAxis(document);
  const goals = hasOwnGoals(document) ? goal.goals : [];
  const isNumeric = new Map(
    columns.map((name) => [name, candidates.every(({ cells }) => typeof cellOf(cells, name) === 'number')]),
  );
  const kind = (name: string) => (isNumeric.get(name) ? 'number' : 'text');
  const settings = (cells: Readonly<Record<string, Cell>>) =>
    columns.map((name) => settingCell(name, cellOf(cells, name), kind(name), formats.column(name)));
  const width = tableWidth(document, formats, columns, goals);
  // Beside settings that fill the page nobody would find what they are good for.
  const isOutcomeFirst = width > usualRoom;
  const ordered = (set: Content, outcome: Content) => (isOutcomeFirst ? [outcome, set] : [set, outcome]);
  const layout = [
    columns.length + goals.length > widestPrinted && ' wide',
    width > narrowRoom && !isOutcomeFirst && ' full',
  ];
  const number = (value: number) => formatNumber(value, formats.headline);
  const span = 1 + columns.length + 4 + goals.length;
  return html`<div class="scroll" role="region" aria-label="Candidates" tabindex="0"><table class="candidates${layout}">
    <caption>Settings in the units of your table. The line through the bars is the best known ${goal.name}, ${number(bestKnown.value)} (row ${String(bestKnown.row)}); the bars are 80 % intervals, the marks on them the expected values. Further ${goal.direction === 'max' ? 'right' : 'left'} is better. Rows are counted from 1 below the header.</caption>
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
      <td class="bars" data-label="value">${bestKnownBar(axis, bestKnown.value, formats.headline)}</td>
      <td class="number skip"></td>
      ${goals.map(() => html`<td class="number skip"></td>`)}
      <td data-label="where">row ${String(bestKnown.row)}</td>`,
      )}
    </tr></tbody>
    ${candidates.map(
      (candidate) => html`<tbody class="candidate"><tr>
      <th scope="row" class="rank" data-v="${String(candidate.row)}">${String(candidate.row)}</th>
      ${ordered(
        settings(candidate.cells),
        html`<td class="number strong" data-label="${breakableText(`expected ${goal.name}`)}" data-v="${rawNumber(candidate.expected)}">${number(candidate.expected)}</td>
      <td class="bars" data-label="80 % interval" data-v="${rawNumber(candidate.lo80)}">${intervalBar(candidate, axis, bestKnown.value, formats.headline)}<span class="range">${formatInterval(candidate.lo80, candidate.hi80, formats.headline)}</span></td>
      <td class="number" data-label="chance of better" data-v="${rawNumber(candidate.better)}">${formatPercent(candidate.better)}</td>
      ${goals.map(({ column }, i) => goalCell(column, candidate.goals[i], formats.goals[i]))}
      ${trustCell(candidate)}`,
      )}
    </tr><tr class="more"><td colspan="${String(span)}"><div>${candidate.reasons.length > 0 && html`<span class="why">${candidate.trust}: ${candidate.reasons.join('; ')}.</span> `}<span class="nearest">${nearestRun(candidate.nearest, formats)}</span></div></td></tr></tbody>`,
    )}</table></div>`;
}

/** Pixels that the table needs without scrolling, about. */
function tableWidth(
  { candidates, bestKnown, goal }: RunDocument,
  formats: DocumentFormats,
  columns: readonly string[],
  goals: RunDocument['goal']['goals'],
): number {
  const number = (value: number) => formatNumber(value, formats.headline);
  const setting = (name: string) =>
    columnWidth(
      shownName(name),
      [bestKnown, ...candidates].map(({ cells }) => settingText(cellOf(cells, name), formats.column(name))),
    );
  const own = ({ column }: { readonly column: string }, i: number) => {
    const said = candidates.flatMap(({ goals: all }) => all[i] ?? []);
    return columnWidth(
      `${shownName(column)}, expected`,
      said.map(({ expected }) => formatNumber(expected, formats.goals[i])),
      said.map(({ lo80, hi80 }) => formatInterval(lo80, hi80, formats.goals[i])),
    );
  };
  const values = [bestKnown.value, ...candidates.map(({ expected }) => expected)].map(number);
  return [
    rankWidth + barWidth + chanceWidth + trustWidth,
    columnWidth(`expected ${goal.name}`, values),
    ...columns.map(setting),
    ...goals.map(own),
  ].reduce((a, b) => a + b);
}

/** What the script sorts by. */
function rawNumber(value: number): string {
  return Number.isFinite(value) ? String(value) : '';
}

function settingText(cell: Cell | undefined, format: NumberFormat): string {
  return shorten(formatCell(cell, format), longestText);
}

function settingCell(name: string, cell: Cell | undefined, kind: string, format: NumberFormat): Markup {
  const text = formatCell(cell, format);
  const short = settingText(cell, format);
  const look = kind === 'text' && (isSequence(short) ? ' code' : short.length > longCell && ' long');
  const raw = typeof cell === 'number' && html` data-v="${rawNumber(cell)}"`;
  return html`<td class="${kind}${look} set" data-label="${breakableText(shownName(name))}"${raw}${short !== text && html` title="${text}"`}>${short}</td>`;
}

function trustCell({ trust, gammaPercentile, novelty, disagreementPercentile }: Candidate): Markup {
  const numbers = `gamma larger than that of ${formatPercent(gammaPercentile / 100)} of unseen rows, novelty ${formatPercent(novelty / 100)}, disagreement larger than for ${formatPercent(disagreementPercentile / 100)} of unseen rows`;
  const order = { Trusted: '1', Stretch: '2', Guess: '3' }[trust];
  return html`<td class="trust" data-label="trust" data-v="${order}" title="${numbers}">${trustChip(trust)}</td>`;
}

function goalCell(column: string, goal: Prediction | undefined, format = plainFormat): Markup {
  if (goal === undefined)
    return html`<td class="number" data-label="${breakableText(`${shownName(column)}, expected`)}">–</td>`;
  return html`<td class="number" data-label="${breakableText(`${shownName(column)}, expected`)}" data-v="${rawNumber(goal.expected)}">${formatNumber(goal.expected, format)}<span class="range">${formatInterval(goal.lo80, goal.hi80, format)}</span></td>`;
}

/** What the trust labels were made from. */
export function trustNumbers(document: RunDocument, formats: DocumentFormats): Markup | null {
  const { candidates, goal } = document;
  if (candidates.length === 0) return null;
  const two: NumberFormat = { kind: 'significant', digits: 2, noise: 0 };
  const percentile = (value: number) => formatPercent(value / 100);
  return html`<details><summary>The numbers behind the trust labels</summary>
    <div class="scroll" role="region" aria-label="Numbers behind the trust labels" tabindex="0"><table class="numbers">
    <thead><tr><th scope="col" class="rank">#</th><th scope="col">trust</th><th scope="col" class="number">gamma</th><th scope="col" class="number">larger than for</th><th scope="col" class="number">novelty</th><th scope="col" class="number">disagreement (${goal.name})</th><th scope="col" class="number">larger than for</th></tr></thead>
    <tbody>${candidates.map(
      (one) =>
        html`<tr><th scope="row" class="rank">${String(one.row)}</th><td>${trustChip(one.trust)}</td><td class="number">${formatNumber(one.gamma, two)}</td><td class="number">${percentile(one.gammaPercentile)}</td><td class="number">${percentile(one.novelty)}</td><td class="number">${formatNumber(one.disagreement, formats.headline)}</td><td class="number">${percentile(one.disagreementPercentile)}</td></tr>`,
    )}</tbody></table></div>
    <p class="note">“Larger than for 90 %”: nine out of ten unseen rows have a smaller one. Novelty 90 %: nine out of ten past rows have a nearer neighbour.</p></details>`;
}
