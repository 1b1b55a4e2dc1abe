/** The top of the report: what was asked, what came out, and the few numbers that say so. */
import type { RunDocument, Validation } from '../design/runDocument.js';
import { type DocumentFormats, verdictWords } from './documentFormats.js';
import { count, html, list, type Markup, sentence } from './markup.js';
import { formatInterval, formatNumber, formatPercent } from './numberFormat.js';
import { formatTime } from './timeFormat.js';
import { trustChip, trustLabels } from './trustMark.js';

export function reportTitle({ goal, data }: RunDocument): string {
  return `${goal.labels.length > 0 ? list(goal.labels) : goal.name}: designs from ${data.file}`;
}

export function titleSection(document: RunDocument): Markup {
  const { goal, data, run } = document;
  const labels = goal.labels.length > 0 ? goal.labels : [goal.name];
  return html`<header class="title">
    <p class="eyebrow">nemokit report</p>
    <h1>${list(labels)}</h1>
    <p class="lede">Designs from <strong>${data.file}</strong>, ${count(data.rows, 'row')}, ${data.used === data.rows ? 'all' : String(data.used)} of them used.<br>${formatTime(run.created)}</p>
  </header>`;
}

export function verdictSection(document: RunDocument): Markup {
  const { verdict, run, candidates } = document;
  return html`<section class="verdict ${verdict.level}" aria-labelledby="verdict">
    <h2 id="verdict" class="eyebrow">Verdict: ${verdictWords[verdict.level]}</h2>
    <p class="sentence">${verdict.sentence}</p>
    ${verdict.reasons.length > 0 && html`<ul>${verdict.reasons.map((reason) => html`<li>${sentence(reason)}</li>`)}</ul>`}
    ${!run.complete && html`<p>A time limit cut the search short: ${candidates.length > 0 ? 'these are the designs found until then.' : 'nothing was found until then.'}</p>`}
  </section>`;
}

export function keyFigures(document: RunDocument, formats: DocumentFormats): Markup {
  const { bestKnown, candidates, validation, goal } = document;
  const first = candidates[0];
  const best = formatNumber(bestKnown.value, formats.headline);
  return html`<section class="figures" aria-label="Key figures"><dl>
    <div><dt>Best known${first && ' → candidate 1, expected'}</dt>
      <dd class="big">${best}${first && html` <span class="arrow">→</span> <span class="accent">${formatNumber(first.expected, formats.headline)}</span>`}</dd>
      <dd>${goal.name}${goal.direction === 'min' && ' (lower is better)'}${first ? `, 80 % interval ${formatInterval(first.lo80, first.hi80, formats.headline)}; chance of beating row ${bestKnown.row}: ${formatPercent(first.better)}` : `, row ${bestKnown.row}`}</dd></div>
    <div><dt>Candidates</dt>
      <dd class="big">${String(candidates.length)}</dd>
      <dd class="chips">${trustLabels.map((trust) => {
        const n = candidates.filter((one) => one.trust === trust).length;
        return n > 0 && html`<span>${String(n)} ${trustChip(trust)}</span> `;
      })}</dd></div>
    <div><dt>Rank correlation</dt>
      <dd class="big">${formatRank(validation)}</dd>
      <dd>of expected and measured values on ${count(validation.rows, 'unseen row')}; 1 is perfect order, 0 is chance</dd></div>
    <div><dt>Intervals that held</dt>
      <dd class="big">${validation.rows > 0 ? formatPercent(validation.coverage80) : '–'}</dd>
      <dd>of unseen rows were measured inside their 80 % interval; at least 80 % is the aim, because intervals are widened to hold for designs better than all rows</dd></div>
  </dl></section>`;
}

export function formatRank({ rows, rankCorrelation }: Validation): string {
  return rows > 0
    ? formatNumber(rankCorrelation, { kind: 'decimals', digits: 2, noise: 0 })
    : formatNumber(Number.NaN);
}
