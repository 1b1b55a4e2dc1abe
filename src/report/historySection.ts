/** Promises of earlier runs beside what was measured: a figure and a table. */
import type { History, Outcome, RunDocument } from '../design/runDocument.js';
import { bottomAxis, type Frame, fittedAxis, position } from './axis.js';
import { type DocumentFormats, shownName } from './documentFormats.js';
import { formatInterval, formatNumber, type NumberFormat } from './formats.js';
import { historySentences } from './historyWords.js';
import { html, type Markup } from './markup.js';

const width = 560;
const lineHeight = 20;
/** Rows that are drawn: the latest. */
const mostDrawn = 60;

export function historySection(document: RunDocument, formats: DocumentFormats): Markup | null {
  const { history, goal } = document;
  if (!history) return null;
  const rows = history.rounds.flatMap(({ rows: own, file }) => own.map((row) => ({ ...row, file })));
  return html`<section id="history" aria-labelledby="history-head">
    <h2 id="history-head">How earlier promises turned out</h2>
    <p class="intro">Rows that earlier runs proposed, as you measured them.</p>
    <ul>${historySentences(history, goal, formats.objective).map((text) => html`<li>${text}</li>`)}</ul>
    ${rows.length > 0 && html`${figure(rows.slice(-mostDrawn), document, formats.objective)}${table(history, document, formats)}`}
  </section>`;
}

function figure(rows: readonly Outcome[], { goal }: RunDocument, format: NumberFormat): Markup {
  const axis = fittedAxis(
    rows.flatMap(({ expected, lo80, hi80, measured }) => [expected, lo80, hi80, measured]),
    5,
  );
  const labelled = 8 + 7 * rows.reduce((most, { row }) => Math.max(most, String(row).length + 4), 0);
  const frame: Frame = {
    left: labelled,
    right: width - 14,
    top: 8,
    bottom: 12 + lineHeight * rows.length,
  };
  const x = (value: number) => position(axis, value, frame.left, frame.right);
  const outside = rows.filter(({ isInside }) => !isInside).length;
  return html`<figure class="promises">
    <svg viewBox="0 0 ${width} ${frame.bottom + 40}" role="img" aria-label="Promised and measured ${goal.name} of ${rows.length} rows; ${outside} outside their 80 % range">
      ${bottomAxis(axis, frame, goal.name)}
      ${rows.map((row, i) => {
        const y = frame.top + lineHeight * (i + 0.5);
        const [low, high] = [x(row.lo80), x(row.hi80)];
        return html`<g class="${row.isInside ? 'held' : 'held missed'}"><title>row ${String(row.row)}: expected ${formatNumber(row.expected, format)} (${formatInterval(row.lo80, row.hi80, format)}), measured ${formatNumber(row.measured, format)}</title><text class="tick" x="${frame.left - 8}" y="${y + 4}" text-anchor="end">row ${String(row.row)}</text><rect class="interval trusted" x="${low}" y="${y - 4}" width="${Math.max(1, high - low)}" height="8" rx="2"/><path class="promised" d="M${x(row.expected)} ${y - 7}v14"/><circle cx="${x(row.measured)}" cy="${y}" r="4"/></g>`;
      })}
    </svg>
    <figcaption>Each line is a row: the bar is the 80 % range that was promised, the tick on it the expected value, the dot what was measured. ${outside} of ${rows.length} dots are hollow: they lie outside their range. ${goal.direction === 'max' ? 'Further right is better.' : 'Further left is better.'}</figcaption>
  </figure>`;
}

function table({ rounds }: History, { goal }: RunDocument, formats: DocumentFormats): Markup {
  const number = (value: number) => formatNumber(value, formats.objective);
  const single = goal.goals.length > 1 ? goal.goals.map(({ column }) => column) : [];
  return html`<details><summary>Row by row</summary>
    <div class="scroll" role="region" aria-label="Promised and measured" tabindex="0"><table class="numbers">
    <thead><tr><th scope="col">row</th><th scope="col">from</th><th scope="col" class="number">expected ${goal.name}</th><th scope="col" class="number">80 % range</th><th scope="col" class="number">measured</th><th scope="col"></th>${single.map((name) => html`<th scope="col" class="number">${shownName(name)}, expected → measured</th>`)}</tr></thead>
    <tbody>${rounds.map(({ file, rows }) =>
      rows.map(
        (row) =>
          html`<tr><th scope="row">${String(row.row)}</th><td>${file}</td><td class="number">${number(row.expected)}</td><td class="number">${formatInterval(row.lo80, row.hi80, formats.objective)}</td><td class="number strong">${number(row.measured)}</td><td>${insideText(row)}</td>${single.map(
            (name, i) => {
              const one = row.goals.find(({ column }) => column === name);
              return html`<td class="number">${one ? `${formatNumber(one.expected, formats.goals[i])} → ${formatNumber(one.measured, formats.goals[i])}` : '–'}</td>`;
            },
          )}</tr>`,
      ),
    )}</tbody></table></div></details>`;
}

/** "inside", "outside, below". */
export function insideText({ isInside, measured, lo80 }: Outcome): string {
  return isInside ? 'inside' : `outside, ${measured < lo80 ? 'below' : 'above'}`;
}
