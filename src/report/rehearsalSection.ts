/** What the models did without the best rows, and which columns matter to them. */
import type { RehearsalSummary, RunDocument } from '../design/runDocument.js';
import { fittedAxis, position, tickLabel } from './axis.js';
import { type DocumentFormats, shownName } from './documentFormats.js';
import { formatNumber, formatPercent, type NumberFormat } from './formats.js';
import { count, html, type Markup, sentence, shorten } from './markup.js';
import { oneDecimal, riskClause, shareText } from './rehearsalWords.js';

const width = 460;

export function rehearsalSection(
  { rehearsal, goal, candidates }: RunDocument,
  { objective }: DocumentFormats,
): Markup | null {
  if (!rehearsal || rehearsal.hidden === 0) return null;
  const { hidden, seen, named, first, byChance, luck } = rehearsal;
  const isBetter =
    goal.direction === 'max'
      ? rehearsal.delivered > rehearsal.bestSeen
      : rehearsal.delivered < rehearsal.bestSeen;
  return html`<section id="rehearsal" aria-labelledby="rehearsal-head">
    <h2 id="rehearsal-head">Rehearsal</h2>
    <div class="beside">${promisesChart(rehearsal, goal.name, objective)}
    <div class="says">
      <p>The ${count(hidden, 'best row')} ${hidden === 1 ? 'was' : 'were'} hidden. Models fitted to the other ${count(seen, 'row')} then had to find ${hidden === 1 ? 'it' : 'them'} among all rows.</p>
      <p><strong>Found.</strong> ${String(named)} of the first ${String(first)} rows that they named were hidden ones; chance would name ${oneDecimal(byChance)}.</p>
      <p><strong>Promises.</strong> ${isBetter ? 'The rows that they named were better than the best rows they had seen.' : 'The best rows that they had seen were as good as those they named: repeating them would have done as well.'}</p>
      <p><strong>Chance.</strong> ${luck > 0 ? `With shuffled results, rows are ranked as well with a chance of about ${formatPercent(luck)}.` : 'Shuffled results are not ranked as well.'}</p>
      ${candidates.length > 0 && html`<p><strong>Risk.</strong> ${sentence(riskClause(rehearsal).replace(/^so /, ''))}</p>`}
    </div></div>
  </section>`;
}

/** Doing nothing, what was promised and what came true, on one axis. */
function promisesChart(
  { promised, delivered, bestSeen, first }: RehearsalSummary,
  name: string,
  format: NumberFormat,
): Markup {
  const marks: readonly (readonly [string, number, string])[] = [
    ['best seen', bestSeen, 'best-dot'],
    ['promised', promised, 'dot open'],
    ['measured', delivered, 'dot'],
  ];
  const axis = fittedAxis(
    marks.map(([, value]) => value),
    4,
  );
  const frame = { left: 84, right: width - 64 };
  const x = (value: number) => position(axis, value, frame.left, frame.right);
  const bottom = 26 + 30 * marks.length;
  return html`<figure>
    <svg viewBox="0 0 ${width} ${bottom + 36}" role="img" aria-label="${marks.map(([label, value]) => `${label} ${formatNumber(value, format)}`).join(', ')}">
      ${axis.ticks.map((tick) => html`<path class="grid" d="M${x(tick)} 14V${bottom}"/><text class="tick" x="${x(tick)}" y="${bottom + 15}" text-anchor="middle">${tickLabel(axis, tick)}</text>`)}
      <path class="rule" d="M${frame.left} ${bottom}H${frame.right}"/>
      <text class="name" x="${frame.right}" y="${bottom + 31}" text-anchor="end">${name}</text>
      ${marks.map(([label, value, look], i) => {
        const y = 30 + 30 * i;
        return html`<text class="name" x="0" y="${y + 4}">${label}</text><circle class="${look}" cx="${x(value)}" cy="${y}" r="5"/><text class="name" x="${x(value) + 10}" y="${y + 4}">${formatNumber(value, format)}</text>`;
      })}
    </svg>
    <figcaption>Mean ${name} of the ${first} rows that the models named: what they promised, and what had been measured. “Best seen” is the mean of as many of the best rows that were not hidden: doing nothing.</figcaption>
  </figure>`;
}

/** Bars that are drawn; the other columns are counted. */
const mostBars = 12;

export function relevanceChart({ relevance, candidates }: RunDocument): Markup | null {
  if (!relevance || relevance.length === 0 || candidates.length === 0) return null;
  const shown = relevance.slice(0, mostBars);
  const rest = relevance.length - shown.length;
  const [left, right, step] = [150, width - 40, 22];
  const text = shown.map(({ column, share }) => `${shownName(column)} ${shareText(share)}`).join(', ');
  return html`<figure>
    <svg viewBox="0 0 ${width} ${step * shown.length + 8}" role="img" aria-label="How much each column matters: ${text}">
      ${shown.map(({ column, share }, i) => {
        const y = step * i + 4;
        const length = Math.max(1, share * (right - left));
        return html`<text class="name" x="${left - 8}" y="${y + 12}" text-anchor="end">${shorten(shownName(column), 22)}<title>${column}</title></text><rect class="share" x="${left}" y="${y}" width="${length}" height="16" rx="2"/><text class="tick" x="${left + length + 6}" y="${y + 12}">${shareText(share)}</text>`;
      })}
    </svg>
    <figcaption>How much each column matters to the models: the share of what they expect of past rows that changes when the values of the column are shuffled. Columns that work together count for each of them, so shares may add up to more than 1.${rest > 0 && ` ${count(rest, 'other column')} ${rest === 1 ? 'matters' : 'matter'} less.`}</figcaption>
  </figure>`;
}
