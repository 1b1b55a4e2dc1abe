/** Where the table stands among the first rows of a source: what is above it, its header and its units. */
import { MissingTexts } from './cellText.js';
import { isCounting, looksHeaderless } from './headerless.js';
import { holdsNumber, isPlainNumber, isWithoutNumber } from './numberCell.js';
import { quoted } from './quoted.js';
import { unitOfCell, unitOfName } from './units.js';

/** A row before anything is known about it. */
export interface SampleRow {
  /** Without spaces around them. */
  readonly cells: readonly string[];
  readonly line: number;
}

/** What the user says about the layout; what is absent is found. */
export interface LayoutOptions {
  /** Whether the first row holds names. */
  readonly header?: boolean;
  /** Names in place of a header. */
  readonly names?: readonly string[];
  /** Lines above the table. */
  readonly skip?: number;
  /** Whether the row below the header holds units. */
  readonly unitsRow?: boolean;
  /** Names in the last comment above the table, as numpy writes them. */
  readonly comment?: readonly string[];
  /** Merged cells are known and filled in: an empty cell beside the name of a group does not belong to the group. */
  readonly hasMerges?: boolean;
}

export interface Layout {
  readonly names: readonly string[];
  readonly units: readonly (string | undefined)[];
  /** Line of the header, or of the first row where there is none. */
  readonly line: number;
  /** Number of the first row of data among the sample. */
  readonly from: number;
  /** Rows of the header, as they may come again further down. */
  readonly headers: readonly (readonly string[])[];
  /** Empty cells that every row has behind the last column. */
  readonly extra: number;
  /** Whether the first column holds numbers. */
  readonly isFirstNumeric: boolean;
  readonly notes: readonly string[];
}

const missing = new MissingTexts();
const isBlank = ({ cells }: SampleRow) => cells.every((cell) => cell === '');
const isMissing = (cell: string) => missing.has(cell) || isWithoutNumber(cell);
const filledOf = (cells: readonly string[]) => cells.filter((cell) => cell !== '').length;

/** Cells that are read to tell columns of numbers, and rows at least. */
const MOST_CELLS = 50_000;
const LEAST_ROWS = 20;

/** The first rows of a source with what they say about its columns. */
export class Sample {
  /** Cells of most rows; the larger number where two are as frequent. */
  readonly width: number;

  constructor(readonly rows: readonly SampleRow[]) {
    const counts = new Map<number, number>();
    for (const row of rows)
      if (!isBlank(row)) counts.set(row.cells.length, (counts.get(row.cells.length) ?? 0) + 1);
    this.width = [...counts].sort(([a, m], [b, n]) => n - m || b - a)[0]?.[0] ?? 0;
  }

  /** The first row from `from` on that is not blank; -1 if there is none. */
  next(from: number): number {
    for (let i = from; i < this.rows.length; i++) if (!isBlank(this.rows[i]!)) return i;
    return -1;
  }

  cell(row: number, column: number): string {
    return this.rows[row]?.cells[column] ?? '';
  }

  /** Cells of a column from a row on that say something. */
  body(column: number, from: number, to = this.rows.length): string[] {
    const texts: string[] = [];
    for (let i = from; i < Math.min(to, this.rows.length); i++) {
      const text = this.cell(i, column);
      if (text !== '' && !isMissing(text)) texts.push(text);
    }
    return texts;
  }

  /** Columns most of whose cells, from a row on, hold numbers. Of wide tables a few rows are looked at. */
  numeric(from: number, width = this.width): number[] {
    const to = from + Math.max(LEAST_ROWS, Math.floor(MOST_CELLS / Math.max(1, width)));
    return Array.from({ length: width }, (_, j) => j).filter((j) => {
      const texts = this.body(j, from, to);
      return texts.length > 0 && texts.filter(holdsNumber).length >= 0.6 * texts.length;
    });
  }
}

/** Undefined where no row says anything. */
export function findLayout(rows: readonly SampleRow[], options: LayoutOptions): Layout | undefined {
  const sample = new Sample(rows);
  const layout = layoutOf(sample, options);
  return layout && { ...layout, isFirstNumeric: sample.numeric(layout.from, 1).length > 0 };
}

type Found = Omit<Layout, 'isFirstNumeric'>;

function layoutOf(sample: Sample, options: LayoutOptions): Found | undefined {
  const { rows } = sample;
  const top = sample.next(0);
  if (top < 0) return undefined;
  const notes: string[] = [];
  const isTold = options.skip !== undefined || options.names !== undefined;
  const start = isTold ? top : tableStart(sample, top);
  if (start > top) {
    const [first, last] = [
      rows[top]!.line,
      rows[sample.next(top) === start ? top : lastFilled(sample, start)]!.line,
    ];
    const lines =
      first === last ? `Line ${first} above the table is` : `Lines ${first} to ${last} above the table are`;
    notes.push(
      `${lines} left out (${quoted(rows[top]!.cells.filter((cell) => cell !== '').join(' '))}); --skip 0 reads from the top.`,
    );
  }
  const { line } = rows[start]!;
  const width = Math.max(sample.width, rows[start]!.cells.length);
  if (options.names) return plainLayout(options.names, start, line, notes);
  const isHeaderless = options.header === undefined ? looksHeaderless(sample, start) : !options.header;
  if (isHeaderless) {
    const { comment } = options;
    if (comment && options.header === undefined && comment.length === width && !comment.some(isPlainNumber)) {
      notes.push(
        `The names of the columns are those of the comment above line ${line}; --no-header takes c1, c2, ...`,
      );
      return { ...plainLayout(comment, start, line, notes), units: comment.map(unitOfName) };
    }
    const names = Array.from({ length: rows[start]!.cells.length }, (_, j) => `c${j + 1}`);
    if (options.header === undefined)
      notes.push(
        `There is no header: line ${line} is read as data, and the columns are called ${names.length > 1 ? `c1 to c${names.length}` : 'c1'}; ` +
          '--names gives them names, --header takes the line as names.',
      );
    return trimmed(sample, { ...plainLayout(names, start, line, notes), headers: [] });
  }
  if (options.header === undefined && isCounting(rows[start]!.cells))
    notes.push(`Line ${line} counts and is taken as the header; --no-header reads it as data.`);
  return headerLayout(sample, start, options, notes);
}

function lastFilled(sample: Sample, before: number): number {
  let last = before - 1;
  while (isBlank(sample.rows[last]!)) last--;
  return last;
}

function plainLayout(names: readonly string[], from: number, line: number, notes: readonly string[]): Found {
  return { names, units: names.map(() => undefined), line, from, headers: [], extra: 0, notes };
}

function headerLayout(sample: Sample, start: number, options: LayoutOptions, notes: string[]): Found {
  const { rows } = sample;
  const first = rows[start]!;
  const headers = [first.cells];
  let names: readonly string[] = first.cells;
  let from = start + 1;
  if (options.unitsRow !== true && !isUnitsRow(sample, from) && isSecondLine(sample, start)) {
    const second = rows[from]!;
    names = joinedNames(first.cells, second.cells, options.hasMerges === true);
    headers.push(second.cells);
    from++;
    const example = names.find((name, j) => name !== first.cells[j] && name !== second.cells[j]) ?? names[0]!;
    notes.push(
      `The header has two lines, ${first.line} and ${second.line}, which are joined as in ${quoted(example)}; ` +
        `--skip ${first.line} takes the second alone.`,
    );
  }
  let units: (string | undefined)[] = names.map(unitOfName);
  const row = rows[from];
  if (row && (options.unitsRow ?? isUnitsRow(sample, from)) && !isBlank(row)) {
    headers.push(row.cells);
    units = units.map((unit, j) => {
      const text = row.cells[j] ?? '';
      const own = unitOfCell(text) ?? (options.unitsRow ? text : undefined);
      return own ? own : unit;
    });
    if (options.unitsRow === undefined)
      notes.push(`Line ${row.line} holds units and is not read as data; --no-units-row reads it.`);
    from++;
  }
  return trimmed(sample, { names, units, line: first.line, from, headers, extra: 0, notes });
}

/** Names and rows that differ in length where every row does so in the same harmless way. */
function trimmed(sample: Sample, layout: Found): Found {
  const { names, units, from, notes } = layout;
  const body = sample.rows.slice(from).filter((row) => !isBlank(row) && filledOf(row.cells) > 1);
  const width = body[0]?.cells.length ?? names.length;
  const extra = width - names.length;
  if (extra === 0 || body.some(({ cells }) => cells.length !== width)) return layout;
  if (extra > 0 && body.every(({ cells }) => cells.slice(names.length).every((cell) => cell === ''))) {
    return {
      ...layout,
      extra,
      notes: [...notes, 'Every row ends in a delimiter, behind which nothing stands.'],
    };
  }
  if (extra < 0 && names.slice(width).every((name) => name === ''))
    return { ...layout, names: names.slice(0, width), units: units.slice(0, width) };
  const isNamed = names.length > 1 && names.every((name) => name !== '' && !isPlainNumber(name));
  if (extra === 1 && isNamed && isRowName(body.map(({ cells }) => cells[0]!)))
    return { ...layout, names: ['', ...names], units: [undefined, ...units] };
  return layout;
}

/** R leaves out the name of the first column, which holds the names or numbers of the rows. */
function isRowName(texts: readonly string[]): boolean {
  if (texts.every((text, i) => text === String(i + 1))) return true;
  return new Set(texts).size === texts.length && !texts.some(isPlainNumber);
}

/** The first row of the table: the top one, unless rows of prose stand above a row that can be a header. */
function tableStart(sample: Sample, top: number): number {
  if (sample.width < 2) return top;
  // Prose may have as many words as the table has columns: what counts is the last line that cannot be a row.
  let last = -1;
  let first = top;
  for (let i = top; i >= 0 && !isData(sample.rows[i]!); i = sample.next(i + 1)) {
    if (!isAbove(sample, i)) continue;
    if (first === i) first = sample.next(i + 1);
    last = i;
  }
  const starts = [sample.next(last + 1), first];
  return starts.find((start) => start > top && canStart(sample, top, start)) ?? top;
}

/** Half of what is filled is numbers. */
function isData({ cells }: SampleRow): boolean {
  const filled = cells.filter((cell) => cell !== '');
  return 2 * filled.filter(isPlainNumber).length >= filled.length;
}

/** Whether names of columns of numbers stand there, or the rows above are one cell of prose each. */
function canStart(sample: Sample, top: number, start: number): boolean {
  const above = sample.rows.slice(top, start).filter((row) => !isBlank(row));
  if (!above.every(({ cells }) => cells.some((cell) => /\p{L}/u.test(cell)))) return false;
  const numeric = sample.numeric(start + 1);
  if (numeric.length > 0 && !numeric.some((j) => isPlainNumber(sample.cell(start, j)))) return true;
  return above.every(({ cells }) => filledOf(cells) === 1);
}

/** Whether a row looks as if it stood above the table: a title, a remark, a pair of a key and its value. */
function isAbove(sample: Sample, index: number): boolean {
  const { cells } = sample.rows[index]!;
  const { width } = sample;
  const filled = filledOf(cells);
  const [first = '', second = ''] = cells;
  if (/^(?:#|\/\/)/.test(first) && filled < width) return true;
  if (cells.length !== width) {
    // One name less than cells is how R writes its header; a delimiter less or more is one too.
    const isHeader = filled >= 2 && Math.abs(cells.length - width) === 1 && !/[:.]/.test(first);
    return !isHeader && (filled <= width || cells.length > width + 1);
  }
  if (filled === 1 && first !== '') return width >= 3 || /\s|:$/.test(first);
  if (filled === 2 && first !== '' && second !== '') {
    if (/:$/.test(first)) return true;
    const next = sample.rows[index + 1];
    const isGroup = next !== undefined && !isBlank(next) && next.cells[0] === '';
    return width >= 4 && !isGroup;
  }
  return false;
}

/** Below the header: units where numbers follow, and nothing that is a number. */
function isUnitsRow(sample: Sample, index: number): boolean {
  const row = sample.rows[index];
  if (!row || isBlank(row) || sample.next(index + 1) < 0) return false;
  if (row.cells.some((cell) => isPlainNumber(cell) || cell.length > 24)) return false;
  const numeric = sample.numeric(index + 1);
  const units = numeric.map((j) => unitOfCell(sample.cell(index, j)));
  return units.some((unit) => unit) && units.every((unit) => unit !== undefined);
}

/**
 * Whether the row below the first one belongs to the header too. Below group names, which stand above the first of
 * several columns, or above each of them; or simply a text above every column of numbers.
 */
function isSecondLine(sample: Sample, start: number): boolean {
  const first = sample.rows[start]!.cells;
  const second = sample.rows[start + 1];
  if (!second || isBlank(second) || second.cells.length !== first.length) return false;
  const numeric = sample.numeric(start + 2);
  if (numeric.length === 0) return false;
  const texts = numeric.map((j) => second.cells[j]!);
  if (texts.some((text) => holdsNumber(text) || (text !== '' && isMissing(text)))) return false;
  if (numeric.some((j) => isPlainNumber(first[j]!))) return false;
  const isWhole = first.every(
    (text, j) => text !== '' || second.cells[j] !== '' || sample.body(j, start + 2).length === 0,
  );
  const hasGap = first.some((text, j) => text === '' && second.cells[j] !== '' && j > 0);
  if (hasGap) return isWhole && texts.some((text) => text !== '');
  return numeric.length >= 2 && texts.every((text) => text !== '');
}

/** A group's name goes on over the empty cells behind it, as far as the second line has names. */
function joinedNames(first: readonly string[], second: readonly string[], hasMerges: boolean): string[] {
  let group = '';
  return first.map((text, j) => {
    const name = second[j]!;
    if (text !== '' || hasMerges) group = name === '' ? '' : text;
    return name === '' ? text : group === '' || group === name ? name : `${group} ${name}`;
  });
}
