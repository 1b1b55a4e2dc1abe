// Writes the tables that the studio offers to try: two simulated processes of studies/, and a made-up spreadsheet.
import { copyFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { demoProcess, simulatedProblems } from '../studies/simulated/index.mjs';

const folder = fileURLToPath(new URL('../src/studio/web/public/examples/', import.meta.url));
const concrete = simulatedProblems.find(({ title }) => title === 'A concrete mix');
for (const [name, { makeTable }] of /** @type {const} */ ([
  ['reactor', demoProcess],
  ['concrete', /** @type {NonNullable<typeof concrete>} */ (concrete)],
])) {
  const { rows } = makeTable(0);
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((column) => row[column] ?? ''))];
  writeFileSync(`${folder}${name}.csv`, lines.map((line) => `${line.join(',')}\n`).join(''));
}
copyFileSync(
  fileURLToPath(new URL('../docs/examples/german/versuche.csv', import.meta.url)),
  `${folder}versuche.csv`,
);
