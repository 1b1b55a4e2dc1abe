/** The sections of a report that are mostly text: title, verdict, key figures, data, how to reproduce it, glossary. */
import type { RunDocument, Validation } from '../design/runDocument.js';
import type { Finding } from '../problem/index.js';
import { type DocumentFormats, planTitle, shownName, verdictTitles } from './documentFormats.js';
import { formatDuration, formatInterval, formatNumber, formatPercent, formatTime } from './formats.js';
import { count, html, list, type Markup, sentence } from './markup.js';
import { trustChip, trustLabels } from './predictionMarks.js';
import { singleText, whichRows } from './repeatedRows.js';
import { studioLink } from './studioLink.js';
import { withheldText } from './withheld.js';

export function reportTitle({ goal, data }: RunDocument): string {
  return `${goal.labels.length > 0 ? list(goal.labels) : goal.name}: designs from ${data.file}`;
}

export function titleSection(document: RunDocument): Markup {
  const { goal, data, run } = document;
  const labels = goal.labels.length > 0 ? goal.labels : [goal.name];
  return html`<header class="title">
    <p class="eyebrow">nemokit report</p>
    <h1>${list(labels)}</h1>
    <p class="lede">Designs from <strong>${data.file}</strong>, ${count(data.rows, 'row')}, ${data.used === data.rows ? 'all' : String(data.used)} of them used.${run.created !== undefined && html`<br>${formatTime(run.created)}`}</p>
  </header>`;
}

export function verdictSection(document: RunDocument): Markup {
  const { verdict, run, candidates } = document;
  const kept = withheldText(document);
  return html`<section class="verdict ${verdict.level}" aria-labelledby="verdict">
    <h2 id="verdict" class="eyebrow">Verdict: ${document.plan ? planTitle : verdictTitles[verdict.level]}</h2>
    <p class="sentence">${verdict.sentence}</p>
    ${verdict.reasons.length > 0 && html`<ul>${verdict.reasons.map((reason) => html`<li>${sentence(reason)}</li>`)}</ul>`}
    ${kept !== null && html`<p>${kept}</p>`}
    ${!run.complete && html`<p>A time limit cut the search short: ${candidates.length > 0 ? 'these are the designs found until then.' : 'nothing was found until then.'}</p>`}
  </section>`;
}

export function keyFigures(document: RunDocument, formats: DocumentFormats): Markup {
  const { bestKnown, candidates, validation, goal } = document;
  const first = candidates[0];
  const number = (value: number) => formatNumber(value, formats.objective);
  const best = number(bestKnown.value);
  return html`<section class="figures" aria-label="Key figures"><dl>
    <div><dt>Best known${first && ' → candidate 1, expected'}</dt>
      <dd class="big">${best}${first && html` <span class="arrow">→</span> <span class="accent">${formatNumber(first.expected, formats.objective)}</span>`}</dd>
      <dd>${goal.name}${goal.direction === 'min' && ' (lower is better)'}${first ? `, 80 % interval ${formatInterval(first.lo80, first.hi80, formats.objective)}; chance of beating the best known: ${formatPercent(first.better)}` : ''}</dd>
      <dd>Best known: ${whichRows(bestKnown.row, bestKnown.meanOf, goal, number)}. ${singleText(bestKnown, goal.name, number)}</dd></div>
    <div><dt>${document.plan ? 'Rows of the plan' : 'Candidates'}</dt>
      <dd class="big">${String(document.plan?.length ?? candidates.length)}</dd>
      <dd class="chips">${trustLabels.map((trust) => {
        const n = candidates.filter((one) => one.trust === trust).length;
        return n > 0 && html`<span>${String(n)} ${trustChip(trust)}</span> `;
      })}</dd></div>
    <div><dt>Rank correlation</dt>
      <dd class="big">${formatRank(validation)}</dd>
      <dd>of expected and measured values on ${count(validation.rows, 'unseen row')}; 1 is perfect order, 0 is chance</dd></div>
    <div><dt>Intervals that held</dt>
      <dd class="big">${validation.rows > 0 ? formatPercent(validation.coverage80) : '–'}</dd>
      <dd>of unseen rows were measured inside their 80 % interval; at least 80 % is the aim, because designs that promise much need wider intervals than most rows</dd></div>
  </dl></section>`;
}

export function formatRank({ rows, rankCorrelation }: Validation): string {
  return rows > 0
    ? formatNumber(rankCorrelation, { kind: 'decimals', digits: 2, noise: 0 })
    : formatNumber(Number.NaN);
}

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

const severityLabels = { error: 'Error', warning: 'Warning', note: 'Note' } as const;

function finding({ severity, message, advice, rows }: Finding): Markup {
  // Findings count rows from 0.
  const named = rows.slice(0, mostRows).map((row) => String(row + 1));
  const more = rows.length - named.length;
  return html`<li class="is-${severity}"><span class="severity">${severityLabels[severity]}</span> <span>${sentence(message)} <span class="muted">${sentence(advice)}${rows.length > 0 && ` ${count(rows.length, 'Row', 'Rows').replace(/^\d+ /, '')} ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`}</span></span></li>`;
}

export function reproduceSection({ run, data }: RunDocument): Markup {
  const cutShort = run.complete ? '' : 'cut short by a time limit';
  const time = run.seconds === undefined ? [] : [formatDuration(run.seconds)];
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['run', run.id],
    ['made', run.created && formatTime(run.created)],
    ['nemokit', run.version],
    ['method', run.method],
    ['effort', run.effort],
    ['seed', String(run.seed)],
    ['batch', String(run.batch)],
    ['kernel', run.kernel],
    ['threads', String(run.threads)],
    ['time', [...time, cutShort].filter((text) => text !== '').join(', ') || undefined],
    ['table', data.file],
    ['SHA-256 of the table', data.sha256],
  ];
  const options = describeOptions(run.options);
  const link = run.id === undefined ? null : studioLink(run.id);
  return html`<section id="reproduce" aria-labelledby="reproduce-head">
    <h2 id="reproduce-head">How to reproduce it</h2>
    ${
      run.id !== undefined &&
      html`<pre><code>nemokit reproduce ${run.id}</code></pre>
    <p>runs it again from the files of its folder and compares the candidates.</p>
    <pre><code>nemokit studio ${run.id}</code></pre>
    <p>opens it in the studio, in a browser on your machine: try other values, and design the next round.${
      link !== null &&
      html` While the studio of its folder
    is running: <a href="${link}">open in studio</a>.`
    }</p>`
    }
    <p>The same table, options, seed and kernel give the same candidates, on any number of threads.</p>
    <dl class="facts">${facts.map(([name, value]) => value !== undefined && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
    ${options.length > 0 && html`<h3>Options of the method</h3><dl class="facts options">${options.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`}
  </section>`;
}

/** Options one per line; those inside others are named `outer.inner`. */
export function describeOptions(options: Readonly<Record<string, unknown>>, prefix = ''): [string, string][] {
  return Object.entries(options).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || typeof value === 'function') return [];
    if (typeof value === 'object' && value !== null && !isList(value)) {
      return describeOptions(value as Readonly<Record<string, unknown>>, `${prefix}${name}.`);
    }
    return [[prefix + name, describeValue(value)]];
  });
}

function isList(value: object): value is ArrayLike<unknown> {
  return Array.isArray(value) || ArrayBuffer.isView(value);
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : formatNumber(value);
  if (typeof value === 'object' && isList(value)) {
    const items = Array.from(value, describeValue);
    return items.length === 0 ? 'none' : items.join(', ');
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export function glossarySection(): Markup {
  return html`<section id="glossary" aria-labelledby="glossary-head">
    <h2 id="glossary-head">Glossary</h2>
    <dl class="glossary">
      <div><dt>${trustChip('Trusted')}</dt><dd>A chance of at least 90 % of beating the best known row, and not far outside what was tried.</dd></div>
      <div><dt>${trustChip('Stretch')}</dt><dd>A chance of 60 to 90 %, or more but far outside what was tried. The reasons are given below the row. Worth a run if you can afford a miss.</dd></div>
      <div><dt>${trustChip('Guess')}</dt><dd>A chance below 60 %. Measure it to learn something, not because you count on the value.</dd></div>
      <div><dt>expected</dt><dd>The mean of what the model holds possible, in the units of your table. With several goals it is their joint desirability, from 0 (worthless in at least one respect) to 1 (nothing better is needed).</dd></div>
      <div><dt>80 % interval</dt><dd>The range in which at least eight of ten measured values should lie. It is as wide as unseen rows that promised much needed it, so for ordinary rows it may hold more often. How often that was true for unseen rows is said under “How good the model is”.</dd></div>
      <div><dt>chance of better</dt><dd>The chance that a measurement of this design beats the best known row, calibrated on rows that the models had not seen.</dd></div>
      <div><dt>rehearsal</dt><dd>Models fitted without the best rows have to find them. It says what their promises are worth on your table, and how bold the designs may be.</dd></div>
      <div><dt>gamma</dt><dd>How much room the data leave for the value of the design (the regret of conditional normalised maximum likelihood). 0 means that the data settle it; the larger, the more values they allow. It is compared with unseen rows, because its size alone means little.</dd></div>
      <div><dt>novelty</dt><dd>How far the design is from its nearest past row, as the share of past rows that have a nearer neighbour of their own. At 50 % it is as new as a typical past row was; near 100 % nothing similar was ever tried.</dd></div>
      <div><dt>disagreement</dt><dd>How far apart the models are: a Gaussian process and an ensemble of networks, fitted to the same rows. In standard deviations of the goal; like gamma, it is compared with unseen rows.</dd></div>
    </dl></section>`;
}
