/** A table of texts in the formats people paste: Markdown, LaTeX, CSV, HTML. The terminal's is in src/cli. */

import { escapeText } from '../report/markup.js';
import type { TextTable } from './tables.js';

export const tableFormats = ['md', 'latex', 'csv', 'html'] as const;
export type TableFormat = (typeof tableFormats)[number];

export function formatTables(tables: readonly TextTable[], format: TableFormat): string {
  return `${tables.map(writers[format]).join('\n\n')}\n`;
}

const writers: Readonly<Record<TableFormat, (table: TextTable) => string>> = {
  md({ title, notes, head, rows }) {
    const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
    return [
      `### ${title}`,
      '',
      line(head.map(markdown)),
      line(head.map((_, i) => (i === 0 ? '---' : '---:'))),
      ...rows.map(({ cells }) =>
        line(cells.map(({ text, isBest }) => (isBest ? bold(markdown(text)) : markdown(text)))),
      ),
      ...(notes.length > 0 ? ['', notes.map(markdown).join('\n')] : []),
    ].join('\n');
  },

  latex({ title, notes, head, rows }) {
    return [
      '\\begin{table}',
      '\\centering',
      `\\begin{tabular}{l${'r'.repeat(Math.max(0, head.length - 1))}}`,
      `${head.map(latex).join(' & ')} \\\\`,
      '\\hline',
      ...rows.flatMap(({ cells, isApart }) => [
        ...(isApart ? ['\\hline'] : []),
        `${cells.map(({ text, isBest }) => (isBest ? `\\textbf{${latex(text)}}` : latex(text))).join(' & ')} \\\\`,
      ]),
      '\\end{tabular}',
      `\\caption{${latex([title, ...notes].join('. '))}}`,
      '\\end{table}',
    ].join('\n');
  },

  csv({ title, head, rows }) {
    const line = (cells: readonly string[]) => cells.map(quoted).join(',');
    return [
      line([title, ...head.slice(1)]),
      ...rows.map(({ cells }) => line(cells.map(({ text }) => text))),
    ].join('\n');
  },

  html({ title, notes, head, rows }) {
    return [
      '<table>',
      `<caption>${escapeText([title, ...notes].join('. '))}</caption>`,
      `<thead><tr>${head.map((text) => `<th>${escapeText(text)}</th>`).join('')}</tr></thead>`,
      '<tbody>',
      ...rows.map(
        ({ cells }) =>
          `<tr>${cells
            .map(({ text, isBest }, i) => {
              const tag = i === 0 ? 'th' : 'td';
              const inner = isBest ? `<strong>${escapeText(text)}</strong>` : escapeText(text);
              return `<${tag}>${inner}</${tag}>`;
            })
            .join('')}</tr>`,
      ),
      '</tbody>',
      '</table>',
    ].join('\n');
  },
};

/** Names come from records and plug-ins: a line break would end the row of a table. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}

function markdown(text: string): string {
  return oneLine(text).replaceAll(/[|<]/g, (sign) => `\\${sign}`);
}

/** A star that marks a cell would take part in the stars around it. */
function bold(text: string): string {
  return `**${text.replaceAll('*', '\\*')}**`;
}

const latexWords: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '±': '$\\pm$',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': '\\textquotedbl{}',
};

function latex(text: string): string {
  const escaped = oneLine(text).replaceAll(/[\\±~^#$%&_{}<>|"]/g, (sign) => latexWords[sign] ?? `\\${sign}`);
  // After the end of a row, a bracket or a star belongs to that end.
  return /^\s*[[*]/.test(escaped) ? `{}${escaped}` : escaped;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
