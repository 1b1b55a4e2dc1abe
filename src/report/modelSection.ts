/** How good the model is, judged by rows it had not seen. */
import type { RunDocument, Validation } from '../design/runDocument.js';
import { bottomAxis, type Frame, fittedAxis, leftAxis, leftRoom, position } from './axis.js';
import type { DocumentFormats } from './documentFormats.js';
import { formatInterval, formatNumber, formatPercent, type NumberFormat } from './formats.js';
import { count, html, type Markup } from './markup.js';
import { reliabilityChart } from './reliabilityChart.js';
import { noiseText } from './repeatedRows.js';
import { formatRank } from './sections.js';

export function modelSection(document: RunDocument, formats: DocumentFormats): Markup {
  const { validation, goal, bestKnown, data } = document;
  const said = bestKnown.heldOut;
  const number = (value: number) => formatNumber(value, formats.objective);
  const isInside = said !== null && bestKnown.value >= said.lo80 && bestKnown.value <= said.hi80;
  return html`<section id="model" aria-labelledby="model-head">
    <h2 id="model-head">How good the model is</h2>
    ${
      validation.rows === 0
        ? html`<p>${document.plan ? 'There is no model: the rows are too few.' : 'There were no rows to keep aside, so nothing is known about how well the model predicts.'}</p>`
        : html`<div class="beside">${measuredExpected(document, formats.objective)}
    <div class="says">
      <p>${count(validation.rows, 'past row')} ${validation.rows === 1 ? 'was' : 'were'} predicted by models that had not seen ${validation.rows === 1 ? 'it' : 'them'}.</p>
      <p><strong>Order.</strong> ${orderSentence(validation)}</p>
      <p><strong>Size of errors.</strong> Half of the predictions are off by less than ${number(validation.typicalError)} ${goal.name}. ${noiseText(data)}${(data.noise ?? 0) > 0 && ' No model can take that away.'}</p>
      <p><strong>Intervals.</strong> ${coverageSentence(validation)}${validation.sample !== undefined && ` Their width rests on unseen rows that promised most, ${count(Math.round(validation.sample), 'row')} in effect.`}</p>
      ${said && html`<p><strong>At the top.</strong> The best known settings were measured at ${number(bestKnown.value)}${bestKnown.meanOf && `, the mean of ${bestKnown.meanOf.rows.length} rows`}. Not having seen it, the model expected ${number(said.expected)} (80 % interval ${formatInterval(said.lo80, said.hi80, formats.objective)}), ${isInside ? 'and the measured value lies inside.' : 'and the measured value lies outside: be careful with what it says about designs better than that.'}</p>`}
    </div></div>
    ${validation.reliability && reliabilityChart(validation.reliability)}`
    }
  </section>`;
}

/** In words, because few people have a feeling for a rank correlation. */
function orderSentence(validation: Validation): string {
  const r = validation.rankCorrelation;
  const words = !Number.isFinite(r)
    ? 'The order could not be judged'
    : r >= 0.8
      ? 'The model puts unseen rows very nearly in the right order'
      : r >= 0.5
        ? 'The model puts unseen rows roughly in the right order'
        : r >= 0.2
          ? 'The model knows a little about the order of unseen rows'
          : 'The model does not know the order of unseen rows';
  return `${words} (rank correlation ${formatRank(validation)}).`;
}

/** Two standard errors of a share decide what counts as off. */
export function coverageSentence({ coverage80, rows }: Validation): string {
  if (!Number.isFinite(coverage80) || rows === 0) return 'How often the intervals hold is not known.';
  const inside = Math.round(coverage80 * rows);
  const start = `${inside} of ${rows} measured values (${formatPercent(coverage80)}) lie inside their 80 % interval`;
  const error = Math.sqrt((0.8 * 0.2) / rows);
  if (coverage80 < 0.8 - 2 * error)
    return `${start}: the intervals are too narrow, so read them as wider than they look.`;
  if (coverage80 > 0.8 + 2 * error)
    return `${start}. That is more than 80 % on purpose: the intervals are as wide as the rows that promised most needed them.`;
  return `${start}, as it should be: at least 80 % is the aim.`;
}

const width = 460;
const height = 420;

export function measuredExpected(document: RunDocument, format: NumberFormat): Markup {
  const { goal, validation } = document;
  const pairs = validation.pairs.filter(({ measured, expected }) => Number.isFinite(measured + expected));
  const axis = fittedAxis(
    pairs.flatMap(({ measured, expected, lo80, hi80 }) => [measured, expected, lo80, hi80]),
    5,
  );
  const frame: Frame = { left: leftRoom(axis), right: width - 14, top: 32, bottom: height - 44 };
  const x = (value: number) => position(axis, value, frame.left, frame.right);
  const y = (value: number) => position(axis, value, frame.bottom, frame.top);
  const drawn = pairs.map((pair) => ({
    pair,
    isInside: pair.measured >= pair.lo80 && pair.measured <= pair.hi80,
  }));
  const outside = drawn.filter(({ isInside }) => !isInside).length;
  const summary =
    pairs.length === 0
      ? 'No unseen rows to show.'
      : `Each mark is a past row that the model had not seen: what was measured (across) and what the model expected (up), with its 80 % interval. On the diagonal both agree. ${outside} of ${pairs.length} marks are hollow: their measured value lies outside the interval${pairs.length < validation.rows ? ` (${pairs.length} of ${validation.rows} unseen rows are drawn)` : ''}.`;
  return html`<figure class="square">
    <svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Measured against expected ${goal.name} of ${pairs.length} unseen rows; rank correlation ${formatNumber(validation.rankCorrelation)}, ${formatPercent(validation.coverage80)} inside their interval">
      ${leftAxis(axis, frame, `expected ${goal.name}`)}${bottomAxis(axis, frame, `measured ${goal.name}`)}
      <path class="diagonal" d="M${frame.left} ${frame.bottom}L${frame.right} ${frame.top}"/>
      <text class="name" x="${frame.right - 4}" y="${frame.top + 4}" text-anchor="end" dy="-8">measured = expected</text>
      ${drawn.map(({ pair, isInside }) => {
        const { measured, expected, lo80, hi80 } = pair;
        return html`<g class="${isInside ? 'held' : 'held missed'}"><title>row ${String(pair.row)}: measured ${formatNumber(measured, format)}, expected ${formatNumber(expected, format)} (${formatInterval(lo80, hi80, format)})</title><path d="M${x(measured)} ${y(lo80)}V${y(hi80)}"/><circle cx="${x(measured)}" cy="${y(expected)}" r="3"/></g>`;
      })}
    </svg>
    <figcaption>${summary}</figcaption>
  </figure>`;
}
