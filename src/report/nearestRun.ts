/** The past run that comes nearest to a candidate, and what differs. */
import type { Nearest } from '../design/runDocument.js';
import type { Cell } from '../problem/index.js';
import { isSequence } from './columnWidth.js';
import { type DocumentFormats, shownName } from './documentFormats.js';
import { html, type Markup, shorten } from './markup.js';
import { formatCell, formatNumber, type NumberFormat } from './numberFormat.js';

/** Differences that are spelled out; the rest are counted. */
const mostDifferences = 5;
/** Changed letters of a sequence that are named. */
const mostLetters = 8;

export function nearestRun({ row, value, differences }: Nearest, formats: DocumentFormats): Markup {
  const shown = differences.slice(0, mostDifferences);
  const more = differences.length - shown.length;
  return html`Nearest past run: row ${String(row)}, measured ${formatNumber(value, formats.headline)}. ${
    differences.length === 0
      ? 'It has the same settings.'
      : html`From there: ${shown.map(
          ({ column, from, to }, i) =>
            html`<span class="difference">${shownName(column)} ${change(from, to, formats.column(column))}${i < shown.length - 1 && ','}</span> `,
        )}${more > 0 && `and ${more} more`}`
  }`;
}

function change(from: Cell, to: Cell, format: NumberFormat): string {
  const letters = changedLetters(from, to);
  if (letters !== null) {
    const named = letters.slice(0, mostLetters).join(' ');
    const rest = letters.length - mostLetters;
    return `${named}${rest > 0 ? ` and ${rest} more letters` : ''}`;
  }
  const [before, after] = toldApart(from, to, format);
  return `${shorten(before, 24)} → ${shorten(after, 24)}`;
}

/** "A3T": letter 3, counted from 1, was A and is T. Null where the cells are no sequences of one length. */
export function changedLetters(from: Cell, to: Cell): string[] | null {
  if (typeof from !== 'string' || typeof to !== 'string') return null;
  if (!isSequence(from) || !isSequence(to) || from.length !== to.length || from === to) return null;
  return [...from].flatMap((letter, i) => (letter === to[i] ? [] : [`${letter}${i + 1}${to[i]}`]));
}

/** Two cells by the column's format, or with more digits where that would print them alike. */
function toldApart(from: Cell, to: Cell, format: NumberFormat): [string, string] {
  const formats = [
    format,
    ...[4, 6, 9, 12].map((digits) => ({ ...format, kind: 'significant' as const, digits })),
  ];
  const texts = formats.map((one): [string, string] => [
    formatCell(from, one, { trim: true }),
    formatCell(to, one, { trim: true }),
  ]);
  return texts.find(([before, after]) => before !== after) ?? texts[0]!;
}
