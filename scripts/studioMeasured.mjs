// What was measured of the studio: kept in docs/studio/measured.json, shown in docs/studio.md.
//   node scripts/studioMeasured.mjs     writes the table of docs/studio.md again
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';

const records = fileURLToPath(new URL('../docs/studio/measured.json', import.meta.url));
const page = fileURLToPath(new URL('../docs/studio.md', import.meta.url));
const [begin, end] = ['<!-- measured: node scripts/studioMeasured.mjs -->', '<!-- end of measured -->'];

/** @returns {Record<string, any>} */
const read = () => {
  try {
    return JSON.parse(readFileSync(records, 'utf8'));
  } catch {
    return {};
  }
};

/** Adds what was measured just now, with the machine it was measured on. @param {Record<string, object>} found */
export function keepMeasured(found) {
  const machine = {
    cores: availableParallelism(),
    model: cpus()[0]?.model ?? '',
    load: Math.round(10 * loadavg()[0]) / 10,
  };
  const dated = Object.fromEntries(
    Object.entries(found).map(([name, values]) => [
      name,
      { ...machine, ...values, date: new Date().toISOString().slice(0, 10) },
    ]),
  );
  writeFileSync(records, `${JSON.stringify({ ...read(), ...dated }, null, 2)}\n`);
  writeFileSync(page, withTable(readFileSync(page, 'utf8')));
}

/** The page with the table of what is kept. @param {string} text */
export function withTable(text) {
  const [head, rest] = text.split(begin);
  const tail = rest?.split(end)[1];
  if (tail === undefined) throw new Error('docs/studio.md has no place for what was measured');
  return `${head}${begin}\n\n${tableOf(read())}\n\n${end}${tail}`;
}

/** @param {Record<string, any>} kept @returns {string} */
function tableOf({ script, paint, wide, design, drag, dragRecipe, watchers }) {
  const ms = (/** @type {number} */ value) => `${Math.round(value)} ms`;
  const s = (/** @type {number} */ value) => `${value.toFixed(1)} s`;
  const rows = [
    script && [
      'script before a file is dropped, gzip',
      '350 kB',
      `${Math.round(script.bytes / 1000)} kB`,
      script,
    ],
    paint && ['first paint, median of fresh visits', '1 s', ms(paint.median), paint],
    wide && ['100,000 x 50 (CSV) opened in the page', '8 s', s(wide.seconds), wide],
    design && ['1,000 x 10 designed in the page, balanced', '40 s', s(design.seconds), design],
    drag && ['a dragged value of 1,000 x 10, until all curves follow', '50 ms', ms(drag.median), drag],
    dragRecipe && ['a dragged part of a recipe, 240 x 8', '50 ms', ms(dragRecipe.median), dragRecipe],
    watchers && [
      `${watchers.count} watchers of one run: more CPU time`,
      '5 %',
      `${(100 * watchers.share).toFixed(1)} %`,
      watchers,
    ],
  ].filter((row) => row !== undefined);
  const cells = [
    ['what', 'at most', 'measured', 'CPU time', 'load of the machine'],
    ...rows.map(([what, most, value, { load, cores, cpu }]) => [
      what,
      most,
      value,
      typeof cpu !== 'number' ? '' : cpu < 0.1 ? ms(1000 * cpu) : s(cpu),
      `${load} on ${cores} cores`,
    ]),
  ];
  const widths = cells[0].map((_, j) => cells.reduce((most, row) => Math.max(most, row[j].length), 0));
  const line = (/** @type {string[]} */ row) =>
    `| ${row.map((cell, j) => cell.padEnd(widths[j])).join(' | ')} |`;
  return [
    line(cells[0]),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...cells.slice(1).map(line),
  ].join('\n');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  writeFileSync(page, withTable(readFileSync(page, 'utf8')));
