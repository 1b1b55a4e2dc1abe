/** The candidates: what to set, what to expect, how far to trust it, and the past run that comes nearest. */
import type { Candidate, Nearest, Prediction, RunDocument } from '../evaluation/runDocument.js';
import type { Cell } from '../table/index.js';
import { cellOf, type DocumentFormats, designColumns, hasOwnGoals } from './documentFormats.js';
import { barAxis, barScale, bestKnownBar, intervalBar } from './intervalBar.js';
import { type Content, html, type Markup, shorten } from './markup.js';
import {
  formatCell,
  formatInterval,
  formatNumber,
  formatPercent,
  type NumberFormat,
  plainFormat,
} from './numberFormat.js';
import { trustChip } from './trustMark.js';

/** Differences to the nearest past run that are spelled out; the rest are counted. */
const mostDifferences = 5;
/** Longer texts are cut; the whole text is in the title of the cell, and in candidates.csv. */
const longestText = 60;
/** With more columns than these a printed page turns each row into a card. */
const widestPrinted = 3;
/** Up to these many settings stand in front of what to expect of them. */
const mostBefore = 8;

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
  const isWide = columns.length + goals.length > widestPrinted;
  // Beside many settings nobody would find what they are good for.
  const ordered = (set: Content, outcome: Content) =>
    columns.length > mostBefore ? [outcome, set] : [set, outcome];
  const number = (value: number) => formatNumber(value, formats.headline);
  return html`<div class="scroll" role="region" aria-label="Candidates" tabindex="0"><table class="candidates${isWide && ' wide'}">
    <caption>Settings in the units of your table. The line through the bars is the best known ${goal.name}, ${number(bestKnown.value)} (row ${String(bestKnown.row)}); the bars are 80 % intervals, the marks on them the expected values. Further ${goal.direction === 'max' ? 'right' : 'left'} is better. Rows are counted from 1 below the header.</caption>
    <thead><tr>
      <th scope="col" class="rank">#</th>
      ${ordered(
        columns.map(
          (name) => html`<th scope="col" class="${kind(name)}" title="${name}">${columnName(name)}</th>`,
        ),
        html`<th scope="col" class="number">expected ${goal.name}</th>
      <th scope="col" class="bars">80 % interval ${barScale(axis, goal.direction)}</th>
      <th scope="col" class="number">chance of better</th>
      ${goals.map(({ column, label }) => html`<th scope="col" class="number" title="${label}">${columnName(column)}, expected</th>`)}
      <th scope="col">trust</th>
      <th scope="col">nearest past run</th>`,
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
      <td data-label="trust">measured</td>
      <td data-label="where">row ${String(bestKnown.row)}</td>`,
      )}
    </tr></tbody>
    <tbody>${candidates.map(
      (candidate) => html`<tr>
      <th scope="row" class="rank" data-v="${String(candidate.row)}">${String(candidate.row)}</th>
      ${ordered(
        settings(candidate.cells),
        html`<td class="number strong" data-label="expected ${goal.name}" data-v="${rawNumber(candidate.expected)}">${number(candidate.expected)}</td>
      <td class="bars" data-label="80 % interval" data-v="${rawNumber(candidate.lo80)}">${intervalBar(candidate, axis, bestKnown.value, formats.headline)}<span class="range">${formatInterval(candidate.lo80, candidate.hi80, formats.headline)}</span></td>
      <td class="number" data-label="chance of better" data-v="${rawNumber(candidate.better)}">${formatPercent(candidate.better)}</td>
      ${goals.map(({ column }, i) => goalCell(column, candidate.goals[i], formats.goals[i]))}
      ${trustCell(candidate)}
      <td class="nearest" data-label="nearest past run" data-v="${String(candidate.nearest.row)}">${nearestRun(candidate.nearest, document, formats)}</td>`,
      )}
    </tr>`,
    )}</tbody></table></div>`;
}

export function columnName(name: string): string {
  return name.trim() === '' ? '(no name)' : shorten(name, 40);
}

/** What the script sorts by. */
function rawNumber(value: number): string {
  return Number.isFinite(value) ? String(value) : '';
}

function settingCell(name: string, cell: Cell | undefined, kind: string, format: NumberFormat): Markup {
  const text = formatCell(cell, format);
  const short = shorten(text, longestText);
  const isLong = kind === 'text' && short.length > 14;
  const raw = typeof cell === 'number' && html` data-v="${rawNumber(cell)}"`;
  return html`<td class="${kind}${isLong && ' long'}" data-label="${columnName(name)}"${raw}${short !== text && html` title="${text}"`}>${short}</td>`;
}

function trustCell({ trust, reasons, gammaPercentile, novelty, disagreementPercentile }: Candidate): Markup {
  const numbers = `gamma larger than that of ${formatPercent(gammaPercentile / 100)} of unseen rows, novelty ${formatPercent(novelty / 100)}, disagreement larger than for ${formatPercent(disagreementPercentile / 100)} of unseen rows`;
  const order = { Trusted: '1', Stretch: '2', Guess: '3' }[trust];
  const why = reasons.join('; ');
  return html`<td class="trust" data-label="trust" data-v="${order}" title="${why === '' ? numbers : `${why} (${numbers})`}">${trustChip(trust)}${reasons.length > 0 && html`<span class="reasons">${why}</span>`}</td>`;
}

function nearestRun(nearest: Nearest, document: RunDocument, formats: DocumentFormats): Markup {
  const shown = nearest.differences.slice(0, mostDifferences);
  const more = nearest.differences.length - shown.length;
  return html`row ${String(nearest.row)} <span class="muted">(${document.goal.name} ${formatNumber(nearest.value, formats.headline)})</span><span class="differences">${shown.map(
    ({ column, from, to }, i) => {
      const [before, after] = toldApart(from, to, formats.column(column));
      const isLast = i === shown.length - 1;
      return html`<span>${columnName(column)} ${shorten(before, 24)} → ${shorten(after, 24)}${!isLast && ','}</span> `;
    },
  )}${more > 0 && `and ${more} more`}${nearest.differences.length === 0 && 'the same settings'}</span>`;
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

function goalCell(column: string, goal: Prediction | undefined, format = plainFormat): Markup {
  if (goal === undefined) return html`<td class="number" data-label="${columnName(column)}">–</td>`;
  return html`<td class="number" data-label="${columnName(column)}" data-v="${rawNumber(goal.expected)}">${formatNumber(goal.expected, format)}<span class="range">${formatInterval(goal.lo80, goal.hi80, format)}</span></td>`;
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
