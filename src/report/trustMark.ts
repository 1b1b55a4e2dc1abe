/** A shape for each trust label, so that no label hangs on a colour. */
import type { Trust } from '../design/runDocument.js';
import { html, type Markup } from './markup.js';

export const trustLabels: readonly Trust[] = ['Trusted', 'Stretch', 'Guess'];

/** Circle, diamond, triangle: of about the same area, around (x, y). */
export function trustMark(
  trust: Trust,
  x: number,
  y: number,
  r: number,
  className = `mark ${trust.toLowerCase()}`,
): Markup {
  if (trust === 'Trusted') return html`<circle class="${className}" cx="${x}" cy="${y}" r="${r}"/>`;
  const d = 1.25 * r;
  const corners =
    trust === 'Stretch'
      ? [x, y - d, x + d, y, x, y + d, x - d, y]
      : [x, y - 1.35 * r, x + 1.3 * r, y + 0.95 * r, x - 1.3 * r, y + 0.95 * r];
  return html`<polygon class="${className}" points="${corners.map((c, i) => [i > 0 && ' ', c])}"/>`;
}

export function trustChip(trust: Trust): Markup {
  return html`<span class="chip ${trust.toLowerCase()}"><svg viewBox="0 0 14 14" width="11" height="11" aria-hidden="true">${trustMark(trust, 7, 7, 4.6)}</svg>${trust}</span>`;
}
