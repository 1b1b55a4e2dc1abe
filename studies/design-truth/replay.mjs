// How far could another choice from the same designs get? Replays rules of choice over pools (pool.mjs): what judges expect
// less or plus part of their doubt, networks for a larger part, each process alone; with hindsight the best of these rules
// on each table, and the best eight designs of the pool. Prints a table per set.
//   node studies/design-truth/pool.mjs <folder> && node studies/design-truth/replay.mjs <folder>
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { argsort, mean, median } from '../../dist/numeric/index.js';
import { tables } from './tables.mjs';

/** @typedef {{ mean: number[], deviation: number[] }} Opinion */
/** @typedef {(pool: any) => number[]} Rule */

const [folder] = process.argv.slice(2);
if (!folder) {
  process.stderr.write('give the folder of pool.mjs\n');
  process.exit(2);
}
const BATCH = 8;
process.stdout.write(`# Other choices from the same designs

Written by \`node studies/design-truth/replay.mjs <folder of pool.mjs>\` over pools of the sets for tuning. Gains are medians of a batch, none below -1.
`);
/** @type {{ half: string, table: string, method: string, proposals: { gain: number }[] }[]} */
const records = readFileSync(new URL('records.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.includes('"gp-ei"'))
  .map((line) => JSON.parse(line));
const peer = new Map(
  records
    .filter(({ proposals }) => proposals.length > 0)
    .map(({ table, proposals }) => [table, median(proposals.map(({ gain }) => gain))]),
);
const halves = new Map(tables.map(({ name, half }) => [name, half]));
const pools = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  .filter(({ family, table }) => family !== 'weak signal' && peer.has(table));

/** @type {(weight: number, doubt: number) => Rule} */
const judged = (weight, doubt) => (pool) => {
  /** @type {{ gaussian: Opinion, networks: Opinion }} */
  const { gaussian, networks } = pool.pool;
  return gaussian.mean.map(
    (m, i) => (1 - weight) * m + weight * networks.mean[i] - doubt * gaussian.deviation[i],
  );
};
/** @type {[string, Rule][]} */
const rules = [
  ...[0, 0.05, 0.15, 0.3].flatMap((weight) =>
    [1, 0.5, 0.2, 0, -0.5].map(
      (doubt) =>
        /** @type {[string, Rule]} */ ([`networks ${weight}, doubt ${doubt}`, judged(weight, doubt)]),
    ),
  ),
  ['networks alone', judged(1, 0)],
  ...[0, 1, 2, 3].map(
    (member) =>
      /** @type {[string, Rule]} */ ([
        `process ${member + 1} of the mixture`,
        (pool) => (pool.pool.members?.[member] ?? pool.pool.gaussian).mean,
      ]),
  ),
];

/** Median gain of the eight designs that a score puts first. @param {number[]} score @param {number[]} gain */
const gainOf = (score, gain) =>
  Math.max(-1, median(Array.from(argsort(score, 'descending').slice(0, BATCH), (i) => gain[i])));

for (const half of new Set(halves.values())) {
  const of = pools.filter(({ table }) => halves.get(table) === half);
  if (of.length === 0) continue;
  const gains = of.map((pool) => rules.map(([, rule]) => gainOf(rule(pool), pool.pool.gain)));
  const line = (/** @type {string} */ name, /** @type {number[]} */ each) => {
    const ahead = mean(each.map((gain, i) => Number(gain > (peer.get(of[i].table) ?? 0))));
    const below = mean(each.map((gain) => Number(gain < -0.05)));
    process.stdout.write(
      `| ${name} | ${mean(each).toFixed(3)} | ${(100 * ahead).toFixed(0)} % | ${(100 * below).toFixed(0)} % |\n`,
    );
  };
  process.stdout.write(
    `\n${half}, ${of.length} tables\n\n| choice | mean gain | ahead of gp-ei | below -0.05 |\n| --- | --- | --- | --- |\n`,
  );
  line(
    'as proposed',
    of.map(({ chosen }) =>
      chosen.length === 0
        ? 0
        : Math.max(-1, median(chosen.map((/** @type {{ gain: number }} */ one) => one.gain))),
    ),
  );
  rules.forEach(([name], r) => {
    line(
      name,
      gains.map((each) => each[r] ?? 0),
    );
  });
  line(
    'the best of these rules on each table, with hindsight',
    gains.map((each) => each.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY)),
  );
  line(
    'the best designs of the pool',
    of.map(({ pool }) => gainOf(pool.gain, pool.gain)),
  );
}
