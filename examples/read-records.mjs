// A notebook in JavaScript: what a benchmark found, read from its folder without nemokit.
//   node examples/read-records.mjs results
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const [folder = 'studies/paper-tasks'] = process.argv.slice(2);
const records = readFileSync(`${folder}/records.jsonl`, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** Mean of the best score over seeds, by task and row. */
const sums = new Map();
for (const { task, algorithm, variant, result } of records) {
  const key = `${task}  ${algorithm}${variant === 'defaults' ? '' : `@${variant}`}`;
  const best = result.scores.reduce((/** @type {number} */ a, /** @type {number} */ b) => Math.max(a, b));
  const { sum, n } = sums.get(key) ?? { sum: 0, n: 0 };
  sums.set(key, { sum: sum + best, n: n + 1 });
}
for (const [key, { sum, n }] of sums) console.log(key.padEnd(60), (sum / n).toPrecision(4), `(${n} seeds)`);

// designs of the first trial that kept them: a heading, then numbers
const kept = records.find(({ id }) => existsSync(`${folder}/designs/${id}.npy.gz`));
if (kept) {
  const bytes = gunzipSync(readFileSync(`${folder}/designs/${kept.id}.npy.gz`));
  const heading = bytes
    .subarray(10, 10 + bytes.readUInt16LE(8))
    .toString('latin1')
    .trim();
  console.log(`designs of ${kept.task}, ${kept.algorithm}, seed ${kept.seed}: ${heading}`);
}
