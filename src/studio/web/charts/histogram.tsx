/** How the values of a column are spread, small. */

import { formatNumber } from '../../../report/formats.js';
import type { Spread } from '../../protocol/index.js';
import { endsOf } from './scale.js';

export function Histogram({ name, spread }: { readonly name: string; readonly spread: Spread }) {
  if (spread.kind === 'empty') return <p className="note">No value in any row.</p>;
  if (spread.kind === 'text') {
    const most = spread.levels[0]?.rows ?? 1;
    const shown = spread.levels.slice(0, 5);
    return (
      <ul className="levels" aria-label={`Values of ${name}`}>
        {shown.map(({ text, rows }) => (
          <li key={text}>
            <span className="level-bar" style={{ inlineSize: `${(100 * rows) / most}%` }} />
            <span className="level-text">{text}</span>
            <span className="level-count">{rows}</span>
          </li>
        ))}
        {spread.distinct > shown.length && <li className="note">{spread.distinct - shown.length} others</li>}
      </ul>
    );
  }
  const { min, max, counts } = spread;
  const [, most] = endsOf(counts);
  const width = 100 / counts.length;
  return (
    <div>
      <svg
        viewBox="0 0 100 34"
        preserveAspectRatio="none"
        className="histogram"
        role="img"
        aria-label={`${name} from ${formatNumber(min)} to ${formatNumber(max)}`}
      >
        {counts.map((count, i) => {
          const height = (33 * count) / most;
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: bars have places, and nothing else
              key={i}
              x={i * width}
              y={34 - height}
              width={width * 0.86}
              height={height}
              className="bar-mark"
            />
          );
        })}
      </svg>
      <p className="ends">
        <span>{formatNumber(min)}</span>
        <span>{formatNumber(max)}</span>
      </p>
    </div>
  );
}
