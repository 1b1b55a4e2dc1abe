/** How earlier promises turned out, on a terminal. */
import type { RunDocument } from '../design/runDocument.js';
import { documentFormats, historySentences, insideText, typedNumber } from '../report/index.js';
import type { Palette } from './palette.js';
import { gridLines, hang, oneLineOf } from './textLayout.js';

/** More rows than this are left to the report. */
const mostRows = 16;

/** Of the last round that was measured. */
export function historyLines(document: RunDocument, width: number, paint: Palette): string[] {
  const { history, goal } = document;
  if (!history) return [];
  const { objective } = documentFormats(document);
  const format = (value: number) => typedNumber(value, objective);
  const [first = '', ...more] = historySentences(history, goal, objective).map(oneLineOf);
  const last = history.rounds.findLast(({ rows }) => rows.length > 0)?.rows ?? [];
  const rows = last.slice(0, mostRows);
  const dash = rows.some(({ lo80 }) => lo80 < 0) ? ' to ' : '–';
  const grid = gridLines(
    [
      { head: 'row', align: 'right', cells: rows.map(({ row }) => String(row)) },
      { head: 'expected', align: 'right', cells: rows.map(({ expected }) => format(expected)) },
      {
        head: '80 % range',
        align: 'right',
        cells: rows.map(({ lo80, hi80 }) => `${format(lo80)}${dash}${format(hi80)}`),
      },
      { head: 'measured', align: 'right', cells: rows.map(({ measured }) => paint.bold(format(measured))) },
      {
        head: '',
        cells: rows.map((row) => (row.isInside ? paint.green : paint.yellow)(insideText(row))),
      },
    ],
    paint.dim,
  );
  const hidden = last.length - rows.length;
  return [
    hang(paint.bold('Promised '), first, width),
    ...more.map((text) => hang('         · ', text, width)),
    ...(rows.length > 0 ? grid.map((line) => `  ${line}`) : []),
    ...(hidden > 0 ? [`  ${paint.dim(`and ${hidden} more, which the report has`)}`] : []),
  ];
}
