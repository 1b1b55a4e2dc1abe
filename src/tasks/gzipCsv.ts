/** Tables of numbers as the datasets have them: CSV with one heading line, compressed by gzip, nothing quoted. */
import { gunzip } from '../table/gzip.js';
import { inputOf } from '../table/source.js';
import { tableFault } from '../table/tableBuilder.js';

export interface NumberTable {
  readonly names: readonly string[];
  /** N x the number of names, row-major. */
  readonly rows: Float64Array;
}

/** The largest file here holds 25 MB. */
const mostBytes = 1 << 28;

/** The first `columns` columns, all numbers; what stands right of them is not looked at. */
export async function readGzipCsv(bytes: Uint8Array, file: string, columns: number): Promise<NumberTable> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of gunzip(inputOf(bytes).open(), file, mostBytes))
    text += decoder.decode(chunk, { stream: true });
  const [heading = '', ...lines] = (text + decoder.decode()).trimEnd().split(/\r?\n/);
  const names = heading.split(',').slice(0, columns);
  if (names.length < columns)
    throw tableFault(file, `the heading has ${names.length} columns; expected ${columns}`, 1);
  const rows = new Float64Array(lines.length * columns);
  lines.forEach((line, i) => {
    const cells = line.split(',', columns);
    for (let j = 0; j < columns; j++) {
      const cell = cells[j];
      const value = cell === undefined || cell.trim() === '' ? Number.NaN : Number(cell);
      if (!Number.isFinite(value))
        throw tableFault(file, `is ${cell ? `"${cell}", not a number` : 'empty'}`, i + 2, names[j]);
      rows[i * columns + j] = value;
    }
  });
  return { names, rows };
}
