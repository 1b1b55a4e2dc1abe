/** What a question means for a table: columns in their parts, findings, conflicts, and how much of the space is left. */
import { foldKey, rootKey } from '../../numeric/key.js';
import { Stream } from '../../numeric/random.js';
import { rowOf } from '../../numeric/rows.js';
import { type CheckReport, checkTable } from '../../problem/checkTable.js';
import { fingerprintsFor } from '../../problem/platform/rdkit.js';
import { specOf } from '../../problem/problemSpec.js';
import { type Problem, stateProblem } from '../../problem/stateProblem.js';
import { sample, violations } from '../../space/index.js';
import type { Space } from '../../space/space.js';
import type { Table } from '../../table/table.js';
import type { Ask, Fault, Stated } from '../protocol/index.js';
import { askedWords } from './askedWords.js';
import { faultOf } from './faultOf.js';

/** Designs that are drawn to see which share of them is feasible. */
const DRAWN = 400;
const MOST_LEFT_OUT = 200;

export async function stateAnswer(table: Table, ask: Ask, sheet: string | null = null): Promise<Stated> {
  const words = askedWords(ask, table.name, sheet);
  const nothing = { feasible: null, conflict: [], leftOut: [], words };
  let check: CheckReport;
  const spec = specOf(ask);
  const molecules = await fingerprintsFor(table);
  try {
    check = await checkTable(table, spec, molecules);
  } catch (error) {
    return { check: null, fault: faultOf(error), ...nothing };
  }
  if (check.goals.length === 0) return { check, fault: null, ...nothing };
  let fault: Fault | null = null;
  let problem: Problem | null = null;
  try {
    problem = stateProblem(table, { ...spec, goals: check.goals }, { ...molecules, findMixtures: true });
  } catch (error) {
    fault = faultOf(error);
  }
  const isFeasible = problem !== null && check.conflict.length === 0;
  return {
    check,
    fault,
    feasible: isFeasible ? await feasibleShare(problem!.space) : null,
    conflict: check.conflict,
    leftOut: problem ? leftOutOf(problem) : [],
    words,
  };
}

/** Of designs inside all bounds and recipes, how many satisfy the rest. */
async function feasibleShare(space: Space): Promise<Stated['feasible']> {
  const { columns, fixed, linear = [], listed, choices } = space;
  const open: Space = {
    columns,
    ...(fixed && { fixed }),
    linear: linear.filter(({ relation }) => relation === '='),
    ...(listed && { listed }),
    ...(choices && { choices }),
  };
  try {
    const stream = new Stream(foldKey(rootKey(0), 'feasible share'));
    const x = await sample(open, stream, DRAWN);
    const d = columns.length;
    let held = 0;
    for (let i = 0; i < DRAWN; i++) if (violations(space, rowOf(x, d, i), 1e-6).length === 0) held++;
    return { share: held / DRAWN, drawn: DRAWN };
  } catch {
    return null;
  }
}

/** Rows of the table that no row of the data came from. */
function leftOutOf({ table, rows, goals }: Problem): Stated['leftOut'] {
  const used = new Set(rows.flat());
  const measured = goals.map(({ column }) => table.columns.find(({ name }) => name === column)!);
  const left: { row: number; why: string }[] = [];
  for (let row = 0; row < table.rows && left.length < MOST_LEFT_OUT; row++) {
    if (used.has(row)) continue;
    const empty = measured.find((column) =>
      column.kind === 'number' ? Number.isNaN(column.values[row]!) : column.codes[row]! < 0,
    );
    left.push({
      row: row + 1,
      why: empty ? `${empty.name} is empty` : 'a number far from all others: see the notes',
    });
  }
  return left;
}
