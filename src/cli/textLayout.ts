/** Text measured and laid out in the cells of a terminal. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
const colour = /\u001b\[[0-9;?]*[A-Za-z]/g;
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const none = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

/** Cells that a text takes; colours take none. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text.replaceAll(colour, ''))
    width += none.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}

/** Characters per cell beyond which a text is cut: marks without width could be piled up without end. */
const MOST_PER_CELL = 16;

/** At most `width` cells, with an ellipsis where something was cut; colours are lost by cutting. */
export function cut(text: string, width: number): string {
  if (text.length <= MOST_PER_CELL * width && textWidth(text) <= width) return text;
  if (width <= 0) return '';
  let kept = '';
  let used = 0;
  for (const character of text.replaceAll(colour, '')) {
    const cells = textWidth(character);
    if (used + cells > width - 1 || kept.length >= MOST_PER_CELL * width) break;
    kept += character;
    used += cells;
  }
  return `${kept}…`;
}

/** A text from a table on one line: control characters, which could move the cursor, become dots. */
export function oneLineOf(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/gu, '·');
}

export type Align = 'left' | 'right';

export function pad(text: string, width: number, align: Align = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - textWidth(text)));
  return align === 'left' ? text + space : space + text;
}

/** Words on lines of at most `width` cells; a longer word gets a line to itself. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    if (line !== '' && textWidth(line) + 1 + textWidth(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}

/** Wrapped, the first line after `first`, the others below its text. */
export function hang(first: string, text: string, width: number): string {
  const indent = textWidth(first);
  const lines = wrap(text, Math.max(20, width - indent));
  return first + lines.join(`\n${' '.repeat(indent)}`);
}

export interface GridColumn {
  readonly head: string;
  readonly align?: Align;
  readonly cells: readonly string[];
}

const gap = 2;

/** Width of a grid without its indent. */
export function gridWidth(columns: readonly GridColumn[]): number {
  return columns.reduce((sum, column) => sum + columnWidth(column) + gap, -gap);
}

function columnWidth({ head, cells }: GridColumn): number {
  return cells.reduce((width, cell) => Math.max(width, textWidth(cell)), textWidth(head));
}

/** Lines of a grid, the first its heads; nothing at the ends of lines. */
export function gridLines(columns: readonly GridColumn[], paintHead = (text: string) => text): string[] {
  const widths = columns.map(columnWidth);
  const rows = columns.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const line = (text: (column: GridColumn) => string) =>
    columns
      .map((column, j) => pad(text(column), widths[j]!, column.align))
      .join(' '.repeat(gap))
      .trimEnd();
  return [
    paintHead(line(({ head }) => head)),
    ...Array.from({ length: rows }, (_, i) => line(({ cells }) => cells[i] ?? '')),
  ];
}
