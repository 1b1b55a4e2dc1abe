/**
 * How wide a column of the candidate table will be, and where its head may break. Widths are estimates in pixels for
 * the widest of the usual sans-serif fonts (DejaVu Sans) at the table's 14.4 px.
 */
import { html, type Markup } from './markup.js';

const headLetter = 8.8;
const cellLetter = 9.2;
/** The interval under a value is printed smaller. */
const noteLetter = 8;
const codeLetter = 8.1;
const padding = 16;
/** Longer words break anywhere. */
const longestPart = 16;
/** From here on the words of a text wrap; style.ts has the same widths for `.long`. */
export const longCell = 14;
const widestLong = 240;

/** "BlastFurnaceSlag" may break before its capitals, "flow_rate" behind its underscore. */
export function nameParts(name: string): string[] {
  return name
    .split(/(?<=[\p{Ll}\d]{2})(?=\p{Lu}\p{Ll})|(?<=[_\-./,;:)\]\s])(?=[^\s])/u)
    .flatMap((part) => part.match(new RegExp(`.{1,${longestPart}}`, 'gsu')) ?? []);
}

export function breakable(name: string): Markup {
  return html`${nameParts(name).map((part, i) => html`${i > 0 && html`<wbr>`}${part}`)}`;
}

/** For attributes, which hold no tags: a space without width where the name may break. */
export function breakableText(name: string): string {
  return nameParts(name).join('\u200b');
}

/** Letters are code points: an accent put on afterwards counts, which does no harm. */
function lettersOf(text: string): number {
  return [...text.trim()].length;
}

export function columnWidth(head: string, cells: readonly string[], notes: readonly string[] = []): number {
  const widest = (texts: readonly string[], letter: number) =>
    texts.reduce((width, text) => Math.max(width, letter * lettersOf(text)), 0);
  const content = cells.map((text) => {
    const letter = isSequence(text) ? codeLetter : cellLetter;
    const width = letter * lettersOf(text);
    return lettersOf(text) > longCell && !isSequence(text) ? Math.min(width, widestLong) : width;
  });
  return padding + Math.max(widest(nameParts(head), headLetter), widest(notes, noteLetter), ...content);
}

/** DNA, proteins: capital letters without a space, to be read letter by letter. */
export function isSequence(text: string): boolean {
  return /^[A-Z*-]{8,40}$/.test(text);
}
