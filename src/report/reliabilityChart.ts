/** A reliability diagram: the chances that were said of unseen rows, and how often they came true. */
import type { ReliabilityBin } from '../design/runDocument.js';
import { bottomAxis, type Frame, leftAxis, linearAxis, position } from './axis.js';
import { formatPercent } from './formats.js';
import { html, type Markup } from './markup.js';

const width = 460;
const height = 300;

export function reliabilityChart(bins: readonly ReliabilityBin[]): Markup | null {
  if (bins.length === 0) return null;
  const axis = { ...linearAxis([0, 100], 5), min: 0, max: 100 };
  const frame: Frame = { left: 40, right: width - 14, top: 32, bottom: height - 44 };
  const x = (share: number) => position(axis, 100 * share, frame.left, frame.right);
  const y = (share: number) => position(axis, 100 * share, frame.bottom, frame.top);
  const text = bins
    .map(
      ({ chance, share, rows }) =>
        `said ${formatPercent(chance)}, came true ${formatPercent(share)} of ${rows}`,
    )
    .join('; ');
  return html`<figure>
    <svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Reliability: ${text}">
      ${leftAxis(axis, frame, 'came true, %')}${bottomAxis(axis, frame, 'chance that was said, %')}
      <path class="diagonal" d="M${frame.left} ${frame.bottom}L${frame.right} ${frame.top}"/>
      <path class="line" d="${bins.map(({ chance, share }, i) => html`${i === 0 ? 'M' : 'L'}${x(chance)} ${y(share)}`)}"/>
      ${bins.map(({ chance, share, rows }) => {
        const [low, high] = likelyShares(share, rows);
        return html`<g><title>said ${formatPercent(chance)}, came true ${formatPercent(share)} of ${String(rows)} rows</title><path class="whisker" d="M${x(chance)} ${y(low)}V${y(high)}"/><circle class="dot" cx="${x(chance)}" cy="${y(share)}" r="4"/></g>`;
      })}
    </svg>
    <figcaption>Whether chances are kept. Unseen rows by the chance, as said by the models, of being better than half of all rows (across), and the share of them that were (up). On the diagonal both agree. The lines are the range of shares that so few rows allow (80 %).</figcaption>
  </figure>`;
}

/** Wilson's interval of a share, 80 %. */
export function likelyShares(share: number, rows: number): [number, number] {
  const z = 1.2815515655446004;
  const middle = (share + (z * z) / (2 * rows)) / (1 + (z * z) / rows);
  const half =
    (z * Math.sqrt((share * (1 - share)) / rows + (z * z) / (4 * rows * rows))) / (1 + (z * z) / rows);
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
