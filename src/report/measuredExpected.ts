/** Measured against expected values of rows the model had not seen, with their 80 % intervals and the 1:1 line. */
import type { RunDocument } from '../design/runDocument.js';
import { bottomAxis, type Frame, fittedAxis, leftAxis, leftRoom, position } from './axis.js';
import { html, type Markup } from './markup.js';
import { formatInterval, formatNumber, formatPercent, type NumberFormat } from './numberFormat.js';

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
