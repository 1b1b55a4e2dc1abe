// Processor time of `design` on one thread, by the size of a table. One line of JSON per size and version in time.jsonl.
//   node studies/design-truth/time.mjs --version 3
import { parseArgs } from 'node:util';
import { design } from '../../dist/design/design.js';
import { foldKey, openEngine, rootKey, Stream } from '../../dist/numeric/index.js';
import { readTable } from '../../dist/table/index.js';
import { commit, openRecords } from '../lineFile.mjs';

/**
 * @typedef {object} TimeRecord
 * @property {number} rows
 * @property {number} columns
 * @property {string} version
 * @property {string} commit
 * @property {string} kernel
 * @property {number} cpuSeconds
 * @property {number} megabytes most memory that the process has held, MB
 */

const { values: flags } = parseArgs({ options: { version: { type: 'string' } } });
if (flags.version === undefined) {
  process.stderr.write('give --version, a label of this version of design\n');
  process.exit(2);
}
/** @type {ReturnType<typeof openRecords<TimeRecord>>} */
const { runs, add } = openRecords(new URL('time.jsonl', import.meta.url));
const engine = await openEngine({ threads: 1 });
for (const [rows, columns] of /** @type {const} */ ([
  [200, 6],
  [1000, 10],
  [10_000, 20],
])) {
  const isKnown = runs.some((run) => run.version === flags.version && run.rows === rows);
  if (isKnown) continue;
  const table = await readTable(rowsOf(rows, columns), { name: `${rows} x ${columns}` });
  const before = process.cpuUsage();
  await design(table, { goal: 'max result', seed: 0, engine });
  const { user, system } = process.cpuUsage(before);
  const cpuSeconds = Number(((user + system) / 1e6).toFixed(2));
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  add({ rows, columns, version: flags.version, commit, kernel: engine.kernel, cpuSeconds, megabytes });
  process.stdout.write(`${rows} x ${columns}: ${cpuSeconds} s, ${megabytes} MB\n`);
}
await engine.close();

/** A smooth response of all columns, an interaction, and noise. @param {number} rows @param {number} columns */
function rowsOf(rows, columns) {
  const stream = new Stream(foldKey(rootKey(8), `design-truth time ${rows} x ${columns}`));
  return Array.from({ length: rows }, () => {
    const x = Array.from({ length: columns }, () => Number((10 * stream.uniform()).toFixed(2)));
    const bowl = x.reduce((sum, v, j) => sum - (v - 2 - (j % 6)) ** 2 / (1 + j), 0);
    const result = Number((bowl + x[0] * x[1] + 2 * stream.normal()).toFixed(3));
    return { ...Object.fromEntries(x.map((v, j) => [`x${j + 1}`, v])), result };
  });
}
