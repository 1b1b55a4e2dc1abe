// data/hopper-controller/designs.bin, from the runs of hopper-ppo.mjs:
//   node studies/robots/hopperData.mjs [folder]     default runs/hopper-ppo
// Designs up to 1400 are shown; of the others only scores are kept. Prints size and checksum for src/tasks/datasets.ts.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { decodeDesigns, encodeDesigns } from '../../dist/tasks/designFile.js';

/** The paper's data end at 1361.6. */
const cut = 1400;

const [folder = 'runs/hopper-ppo'] = process.argv.slice(2);
const sets = readdirSync(folder)
  .filter((name) => /^run-\d+\.bin$/.test(name))
  .sort()
  .map((name) => decodeDesigns(readFileSync(`${folder}/${name}`), name));
const columns = sets[0]?.columns ?? 0;
const rows = sets.flatMap(({ x, y }) =>
  Array.from(y, (score, i) => ({ score, design: x.subarray(i * columns, (i + 1) * columns) })),
);
const shown = rows.filter(({ score }) => score <= cut);
const hidden = rows.filter(({ score }) => score > cut);

const x = new Float64Array(shown.length * columns);
shown.forEach(({ design }, i) => x.set(design, i * columns));
const scores = (/** @type {typeof rows} */ list) => Float64Array.from(list, ({ score }) => score);
const bytes = encodeDesigns({ x, columns, y: scores(shown), hidden: scores(hidden) });
mkdirSync('data/hopper-controller', { recursive: true });
writeFileSync('data/hopper-controller/designs.bin', bytes);
const sha256 = createHash('sha256').update(bytes).digest('hex');
const best = scores(shown).reduce((a, b) => Math.max(a, b));
process.stdout.write(
  `${rows.length} designs of ${sets.length} runs, ${shown.length} shown (best ${best}), ${bytes.length} bytes, ${sha256}\n`,
);
