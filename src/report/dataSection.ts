/** What was assumed, what holds, what the data doctor found, and the columns of the table. */
import type { RunDocument } from '../design/runDocument.js';
import type { Finding } from '../problem/index.js';
import { shownName } from './documentFormats.js';
import { count, html, type Markup, sentence } from './markup.js';

/** Rows of a finding that are named; the rest are counted. */
const mostRows = 20;

export function assumptionsSection({ data, constraints, candidates }: RunDocument): Markup {
  return html`<section id="assumed" aria-labelledby="assumed-head">
    <h2 id="assumed-head">What was assumed and what holds</h2>
    <div class="pair">
    <div><h3>Assumed</h3>${bullets(data.notes, 'Nothing had to be assumed.')}</div>
    <div><h3>Constraints</h3>${constraints.length > 0 && candidates.length > 0 && html`<p>${candidates.length === 1 ? 'The candidate satisfies' : `All ${candidates.length} candidates satisfy`}:</p>`}${bullets(constraints, 'No constraints were given.')}</div>
    </div></section>`;
}

function bullets(items: readonly string[], none: string): Markup {
  return items.length === 0
    ? html`<p class="muted">${none}</p>`
    : html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

export function dataSection({ data }: RunDocument): Markup {
  return html`<section id="data" aria-labelledby="data-head">
    <h2 id="data-head">The data</h2>
    <h3>What the data doctor found</h3>
    ${data.findings.length === 0 ? html`<p class="muted">Nothing odd.</p>` : html`<ul class="findings">${data.findings.map(finding)}</ul>`}
    <h3>Columns</h3>
    <div class="scroll" role="region" aria-label="Columns" tabindex="0"><table class="columns">
    <thead><tr><th scope="col">column</th><th scope="col">type</th><th scope="col">role</th><th scope="col">range or levels</th></tr></thead>
    <tbody>${data.columns.map(({ name, type, role, summary }) => html`<tr><th scope="row">${shownName(name)}</th><td>${type}</td><td class="role">${role}</td><td class="wrap">${summary}</td></tr>`)}</tbody>
    </table></div></section>`;
}

const severityWords = { error: 'Error', warning: 'Warning', note: 'Note' } as const;

function finding({ severity, message, advice, rows }: Finding): Markup {
  // Findings count rows from 0.
  const named = rows.slice(0, mostRows).map((row) => String(row + 1));
  const more = rows.length - named.length;
  return html`<li class="is-${severity}"><span class="severity">${severityWords[severity]}</span> <span>${sentence(message)} <span class="muted">${sentence(advice)}${rows.length > 0 && ` ${count(rows.length, 'Row', 'Rows').replace(/^\d+ /, '')} ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`}</span></span></li>`;
}
