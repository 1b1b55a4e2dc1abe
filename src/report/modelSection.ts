/** How good the model is, judged by rows it had not seen. */
import type { RunDocument, Validation } from '../design/runDocument.js';
import type { DocumentFormats } from './documentFormats.js';
import { count, html, type Markup } from './markup.js';
import { measuredExpected } from './measuredExpected.js';
import { formatInterval, formatNumber, formatPercent } from './numberFormat.js';
import { formatRank } from './overview.js';

const lossFormat = { kind: 'significant', digits: 3, noise: 0 } as const;

export function modelSection(document: RunDocument, formats: DocumentFormats): Markup {
  const { validation, goal, bestKnown, data } = document;
  const said = bestKnown.heldOut;
  const number = (value: number) => formatNumber(value, formats.headline);
  const isInside = said !== null && bestKnown.value >= said.lo80 && bestKnown.value <= said.hi80;
  return html`<section id="model" aria-labelledby="model-head">
    <h2 id="model-head">How good the model is</h2>
    ${
      validation.rows === 0
        ? html`<p>There were no rows to keep aside, so nothing is known about how well the model predicts.</p>`
        : html`<div class="beside">${measuredExpected(document, formats.headline)}
    <div class="says">
      <p>${count(validation.rows, 'past row')} ${validation.rows === 1 ? 'was' : 'were'} predicted by models that had not seen ${validation.rows === 1 ? 'it' : 'them'}.</p>
      <p><strong>Order.</strong> ${orderSentence(validation)}</p>
      <p><strong>Size of errors.</strong> Half of the predictions are off by less than ${number(validation.typicalError)} ${goal.name}.${data.noise !== null && ` Repeated measurements of the same settings scatter by about ${number(data.noise)} (standard deviation), and no model can take that away.`}</p>
      <p><strong>Intervals.</strong> ${coverageSentence(validation)}</p>
      ${said && html`<p><strong>At the top.</strong> The best known row was measured at ${number(bestKnown.value)}. Not having seen it, the model expected ${number(said.expected)} (80 % interval ${formatInterval(said.lo80, said.hi80, formats.headline)}), ${isInside ? 'and the measured value lies inside.' : 'and the measured value lies outside: be careful with what it says about designs better than that.'}</p>`}
      ${validation.tried.length > 0 && html`<p><strong>Training.</strong> ${formatCount(validation.trainingSteps)} steps did best on unseen rows. Tried: ${validation.tried.map(({ steps, loss }, i) => `${i > 0 ? ', ' : ''}${formatCount(steps)} (loss ${formatNumber(loss, lossFormat)})`)}.</p>`}
    </div></div>`
    }
  </section>`;
}

function formatCount(n: number): string {
  return formatNumber(n, { kind: 'decimals', digits: 0, noise: 0 });
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
    return `${start}. That is more than 80 % on purpose: intervals are widened until they also hold for designs better than all rows, judged by the best rows, hidden from the networks.`;
  return `${start}, as it should be: at least 80 % is the aim.`;
}
