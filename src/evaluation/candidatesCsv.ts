/**
 * Candidates as a table for the bench. The columns of the past experiments stand first, in their order and units; those
 * a design does not set are empty, the goals among them: measure, fill in, and append the rows to the table.
 */
import type { Cell } from '../table/index.js';
import type { Candidate, RunDocument } from './runDocument.js';

/** What begins so may be run as a formula by a spreadsheet; apostrophes in front only count those put there by us. */
const formula = /^'*[=+\-@\t\r]/;
const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** A text that no spreadsheet takes for a formula: an apostrophe is put in front of one that could be. */
export function neutralise(text: string): string {
  return formula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}

/** The text before it was neutralised. */
export function withoutApostrophe(text: string): string {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text;
}

/** Quoted where it has to be. A text with an apostrophe always is, so that nobody takes that for the quote. */
function cell(value: Cell | null | undefined): string {
  if (value === null || value === undefined) return '';
  // 12 digits: 0.3 for 0.1 + 0.2, and constraints still hold to far less than 1e-9.
  if (typeof value === 'number') return Number.isFinite(value) ? String(Number(value.toPrecision(12))) : '';
  const text = neutralise(value);
  return /[",;'|\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type Reading = readonly [name: string, value: (candidate: Candidate) => Cell];

const readings: readonly Reading[] = [
  ['expected', ({ expected }) => expected],
  ['lo80', ({ lo80 }) => lo80],
  ['hi80', ({ hi80 }) => hi80],
  ['trust', ({ trust }) => trust],
  ['gamma', ({ gamma }) => gamma],
  ['novelty', ({ novelty }) => novelty],
  ['nearest_row', ({ nearest }) => nearest.row],
  ['nearest_value', ({ nearest }) => nearest.value],
];

/** Predictions are not known to more than six digits. */
function rounded(value: Cell): Cell {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
}

/** `columns`: names of the past table's columns in its order; default: as the document lists them. */
export function toCandidatesCsv(
  document: Pick<RunDocument, 'candidates' | 'goal' | 'data'>,
  columns: readonly string[] = document.data.columns.map(({ name }) => name),
): string {
  const { goals } = document.goal;
  const goalNames = new Set(goals.map(({ column }) => column));
  const perGoal: Reading[] =
    goals.length < 2
      ? []
      : goals.flatMap(({ column }, g): Reading[] => [
          [`${column}_expected`, (candidate) => candidate.goals[g]!.expected],
          [`${column}_lo80`, (candidate) => candidate.goals[g]!.lo80],
          [`${column}_hi80`, (candidate) => candidate.goals[g]!.hi80],
        ]);
  const taken = new Set(columns);
  const added = [...readings, ...perGoal].map(([name, value]): Reading => {
    let free = name;
    while (taken.has(free)) free = `nemokit_${free}`;
    taken.add(free);
    return [free, value];
  });
  const rows = document.candidates.map((candidate) => [
    ...columns.map((name) =>
      !goalNames.has(name) && Object.hasOwn(candidate.cells, name) ? candidate.cells[name] : null,
    ),
    ...added.map(([, value]) => rounded(value(candidate))),
  ]);
  const lines = [[...columns, ...added.map(([name]) => name)], ...rows];
  return lines.map((line) => `${line.map(cell).join(',')}\n`).join('');
}
