// 200 tables in which nothing explains the result: how many does `design` not refuse? One line of JSON per table and
// version in noise.jsonl; what is there is not computed again. Versions 1 to 7 have met the first 200; others come with the
// fourth judging set, and others again with the fifth.
//   node studies/design-truth/noise.mjs --version 3 [--set first|fourth|fifth] [--tables 200]
import { parseArgs } from 'node:util';
import { design } from '../../dist/design/design.js';
import { requestOf } from '../../dist/design/designRequest.js';
import { DesignRun } from '../../dist/design/designRun.js';
import { UnsupportedError } from '../../dist/judging/support.js';
import { BY_LUCK } from '../../dist/judging/verdict.js';
import { foldKey, openEngine, rootKey, Stream } from '../../dist/numeric/index.js';
import { settingsOf } from '../../dist/problem/problemSpec.js';
import { specFrom, stateFor } from '../../dist/problem/question.js';
import { readTable } from '../../dist/table/index.js';
import { commit, openRecords } from '../lineFile.mjs';

/**
 * @typedef {object} NoiseRecord
 * @property {number} table its number
 * @property {'fourth' | 'fifth'} [set] none for the first
 * @property {string} version
 * @property {string} commit
 * @property {number} rows
 * @property {number} columns
 * @property {number} classes columns of these that are classes
 * @property {'normal' | 'skewed' | 'outlier'} result
 * @property {string} verdict
 * @property {number} cpuSeconds
 */

const { values: flags } = parseArgs({
  options: {
    version: { type: 'string' },
    set: { type: 'string', default: 'first' },
    tables: { type: 'string', default: '200' },
  },
});
if (flags.version === undefined) {
  process.stderr.write('give --version, a label of this version of design\n');
  process.exit(2);
}
if (!['first', 'fourth', 'fifth'].includes(flags.set)) {
  process.stderr.write('give --set: first, fourth, fifth\n');
  process.exit(2);
}
const { version } = flags;
const set = flags.set === 'fourth' || flags.set === 'fifth' ? flags.set : undefined;
/** @type {ReturnType<typeof openRecords<NoiseRecord>>} */
const { runs, add } = openRecords(new URL('noise.jsonl', import.meta.url));

const engine = await openEngine({ threads: 1 });
for (let table = 0; table < Number(flags.tables); table++) {
  if (done().some((run) => run.table === table)) continue;
  const { rows, ...about } = noiseTable(table);
  const before = process.cpuUsage();
  const verdict = await verdictOn(rows, table);
  const { user, system } = process.cpuUsage(before);
  const cpuSeconds = Number(((user + system) / 1e6).toFixed(2));
  add({ table, ...(set && { set }), version, commit, rows: rows.length, ...about, verdict, cpuSeconds });
  process.stderr.write(`noise ${table}: ${rows.length} rows, ${verdict}\n`);
}
await engine.close();
const open = done().filter(({ verdict }) => verdict !== 'unsupported').length;
process.stdout.write(`version ${version}: ${open} of ${done().length} tables of noise not refused\n`);

function done() {
  return runs.filter((run) => run.version === version && run.set === set);
}

/** @param {Record<string, any>[]} rows @param {number} table */
async function verdictOn(rows, table) {
  try {
    const read = await readTable(rows, { name: `noise-${table}` });
    const asked = { goal: 'max result', batch: 8, seed: 0 };
    if (await isRefused(read, asked)) return 'unsupported';
    return (await design(read, { ...asked, engine })).verdict.level;
  } catch (error) {
    if (error instanceof UnsupportedError) return 'unsupported';
    throw error;
  }
}

/**
 * Whether the rehearsal refuses the table; what comes after it cannot change that, and is left out.
 * @param {import('../../dist/table/index.js').Table} read @param {{ goal: string, batch: number, seed: number }} asked
 */
async function isRefused(read, asked) {
  const problem = await stateFor(read, specFrom(asked), {});
  const run = DesignRun.open(requestOf(problem, settingsOf(asked), {}), engine);
  try {
    let state = await run.start();
    while (!state.judges) state = await run.advance(state);
    return state.judges.rehearsed.luck > BY_LUCK;
  } finally {
    run.dispose();
  }
}

/** @param {number} table its number */
function noiseTable(table) {
  const stream = new Stream(foldKey(rootKey(4), `design-truth noise ${set ? `${set} ` : ''}${table}`));
  const count = Math.round(15 * 20 ** stream.uniform());
  const columns = 2 + stream.integer(11);
  const classes = stream.boolean(0.4) ? 1 + stream.integer(Math.min(3, columns - 1)) : 0;
  const levels = Array.from({ length: classes }, () => 2 + stream.integer(5));
  const result = /** @type {const} */ (['normal', 'skewed', 'outlier'])[table % 3];
  const rows = Array.from({ length: count }, () => {
    /** @type {Record<string, any>} */
    const cells = {};
    for (let j = 0; j < columns; j++) {
      if (j < classes) cells[`class${j + 1}`] = 'ABCDEF'[stream.integer(levels[j])];
      else cells[`x${j + 1}`] = Number((100 * stream.uniform()).toFixed(1));
    }
    const draw = stream.normal();
    return { ...cells, result: 50 + (result === 'skewed' ? 4 * Math.exp(draw) : 5 * draw) };
  });
  if (result === 'outlier') rows[stream.integer(count)].result = 50 + 5 * (8 + 20 * stream.uniform());
  for (const row of rows) row.result = Number(row.result.toFixed(2));
  return { rows, columns, classes, result };
}
