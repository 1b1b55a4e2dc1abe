// `design` and its peers on tables whose truth is known and given to none of them. One line of JSON per table, method,
// seed and version in records.jsonl; what is there is not computed again.
//   node studies/design-truth/run.mjs --half tuning --methods gp-mean,gp-ei [--only borehole-1,cliff-2] [--seed 0]
//   node studies/design-truth/run.mjs --half judging --methods design --version 3
//   node studies/design-truth/run.mjs --half fifth --methods forward,ensemble --slow-third   # on a third, by a hash of the names
// Peers have the version "peers" unless another is given; `design` needs one. The judging sets are run once per version:
// a version that has records there from other sources is refused.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { design } from '../../dist/design/design.js';
import { UnsupportedError } from '../../dist/judging/support.js';
import { mean, median, openEngine, standardDeviation } from '../../dist/numeric/index.js';
import { specFrom, stateFor, toCells } from '../../dist/problem/index.js';
import { readTable } from '../../dist/table/index.js';
import { commit, openRecords } from '../lineFile.mjs';
import { exactTruth } from './exactTruth.mjs';
import { peers } from './peers.mjs';
import { halves, isOfThird, tables } from './tables.mjs';

/**
 * @typedef {object} Proposal
 * @property {number | null} truth null where the truth refuses the design
 * @property {number} gain -1 where it does
 * @property {number} [expected] this and what follows: of `design` alone
 * @property {number} [lo80]
 * @property {number} [hi80]
 * @property {number} [better] chance of being better than the best row
 * @property {string} [trust]
 *
 * @typedef {object} TruthRecord
 * @property {string} table
 * @property {string} family
 * @property {import('./tables.mjs').Half} half
 * @property {string} method
 * @property {number} seed
 * @property {string} version
 * @property {string} commit with "+" where sources differed from it
 * @property {string} kernel
 * @property {number} rows
 * @property {number} columns
 * @property {number | null} noise
 * @property {number | null} hidden
 * @property {'max' | 'min'} direction
 * @property {number} bestVisible
 * @property {number} best
 * @property {number} deviation standard deviation of the visible scores
 * @property {number} cpuSeconds
 * @property {string} [skipped] why there are no proposals
 * @property {string} [verdict] of `design`
 * @property {string} [sentence]
 * @property {Proposal[]} proposals none where a method was skipped, or `design` refused the table and showed none
 * @property {number | null} median of the gains, as are `max` and `mean`; null without proposals
 * @property {number | null} max
 * @property {number | null} mean
 */

const BATCH = 8;
/** Processor time of a peer on a table. */
const LIMIT_SECONDS = 60;

const { values: flags } = parseArgs({
  options: {
    half: { type: 'string' },
    methods: { type: 'string', default: Object.keys(peers).join() },
    only: { type: 'string' },
    'slow-third': { type: 'boolean', default: false },
    seed: { type: 'string', default: '0' },
    version: { type: 'string' },
  },
});
const methods = flags.methods.split(',');
const only = flags.only?.split(',');
const seed = Number(flags.seed);

/** @type {ReturnType<typeof openRecords<TruthRecord>>} */
const { runs, add } = openRecords(new URL('records.jsonl', import.meta.url));

const git = (/** @type {string[]} */ ...args) => spawnSync('git', args, { encoding: 'utf8' });
const at = commit + (git('status', '--porcelain', 'src').stdout.trim() === '' ? '' : '+');

class TimeLimit extends Error {}

/** @param {string} message */
function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

if (!Object.hasOwn(halves, flags.half ?? '')) stop(`give --half: ${Object.keys(halves).join(', ')}`);
const unknown = methods.find((method) => method !== 'design' && !Object.hasOwn(peers, method));
if (unknown !== undefined) stop(`no method is called "${unknown}": design, ${Object.keys(peers).join(', ')}`);
if (methods.includes('design') && flags.version === undefined)
  stop('give --version, a label of this version of design');
const version = flags.version ?? 'peers';
if (flags.half !== 'tuning' && methods.includes('design')) requireOneSource();

/** Refuses a version that was judged with other sources. */
function requireOneSource() {
  const judged = runs.find(
    (run) => run.half === flags.half && run.method === 'design' && run.version === version,
  );
  if (!judged) return;
  const isSame =
    !judged.commit.endsWith('+') && git('diff', '--quiet', judged.commit, '--', 'src').status === 0;
  if (!isSame)
    stop(`version ${version} was judged at ${judged.commit}, whose sources are others; give a new label`);
}

const engine = await openEngine({ threads: 1 });
for (const table of tables) {
  if (table.half !== flags.half || (only && !only.includes(table.name))) continue;
  if (flags['slow-third'] && !isOfThird(table.name)) continue;
  const missing = methods.filter(
    (method) =>
      !runs.some(
        (run) =>
          run.table === table.name && run.method === method && run.seed === seed && run.version === version,
      ),
  );
  if (missing.length > 0) await runTable(table, missing);
}
await engine.close();
process.stdout.write(
  `${runs.length} runs in records.jsonl; node studies/design-truth/summary.mjs shows them\n`,
);

/** @param {import('./tables.mjs').TruthTable} table @param {string[]} missing methods */
async function runTable(table, missing) {
  const rows = table.make();
  const read = await readTable(rows, { name: table.name });
  const problem = await stateFor(read, specFrom(table.words));
  const truth = exactTruth(table, problem, rows);
  const share = sharing();
  for (const method of missing) {
    const started = cpuSeconds();
    share.start();
    const used = () => cpuSeconds() - started + share.secondsBefore();
    const check = () => {
      if (used() > LIMIT_SECONDS) throw new TimeLimit();
    };
    /** @type {Pick<TruthRecord, 'proposals' | 'skipped' | 'verdict' | 'sentence'>} */
    let found;
    try {
      if (method === 'design') found = await designed(table, read, truth);
      else {
        const x = await peers[method]({ problem, seed, batch: BATCH, engine, check, share: share.get });
        found = { proposals: toCells(problem, x).map((cells) => proposalOf(truth, cells)) };
      }
    } catch (error) {
      if (!(error instanceof TimeLimit)) throw error;
      found = { proposals: [], skipped: `over ${LIMIT_SECONDS} s of processor time` };
    }
    const gains = found.proposals.map(({ gain }) => gain);
    const hasGains = gains.length > 0;
    add({
      table: table.name,
      family: table.family,
      half: table.half,
      method,
      seed,
      version,
      commit: at,
      kernel: engine.kernel,
      rows: problem.data.y.length,
      columns: problem.space.columns.length,
      noise: Number.isFinite(table.noise) ? table.noise : null,
      hidden: Number.isFinite(table.hidden) ? table.hidden : null,
      direction: truth.sign === 1 ? 'max' : 'min',
      bestVisible: truth.bestVisible,
      best: truth.best,
      deviation: standardDeviation(problem.data.y),
      cpuSeconds: Number(used().toFixed(2)),
      ...found,
      median: hasGains ? median(gains) : null,
      max: hasGains ? gains.reduce((a, b) => Math.max(a, b)) : null,
      mean: hasGains ? mean(gains) : null,
    });
    const shown = hasGains ? `median gain ${median(gains).toFixed(3)}` : (found.skipped ?? 'no designs');
    process.stderr.write(`${table.name} ${method}: ${shown}, ${used().toFixed(1)} s\n`);
  }
}

/** @param {ReturnType<typeof exactTruth>} truth @param {Readonly<Record<string, any>>} cells @returns {Proposal} */
function proposalOf({ truthOf, gainOf }, cells) {
  const truth = truthOf(cells);
  return { truth, gain: gainOf(truth) };
}

/**
 * @param {import('./tables.mjs').TruthTable} table @param {import('../../dist/table/index.js').Table} read
 * @param {ReturnType<typeof exactTruth>} truth
 * @returns {Promise<Pick<TruthRecord, 'proposals' | 'verdict' | 'sentence'>>}
 */
async function designed(table, read, truth) {
  try {
    const { verdict, candidates } = await design(read, {
      ...table.words,
      batch: BATCH,
      seed,
      engine,
      // gains are counted in desirability; a batch that spreads over a front has other aims
      front: false,
    });
    return {
      verdict: verdict.level,
      sentence: verdict.sentence,
      proposals: candidates.map(({ cells, expected, lo80, hi80, better, trust }) => ({
        ...proposalOf(truth, cells),
        expected,
        lo80,
        hi80,
        better,
        trust,
      })),
    };
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error;
    return { verdict: 'unsupported', sentence: error.message, proposals: [] };
  }
}

/** What several peers of a table need is computed once; its time is counted for every one of them. */
function sharing() {
  /** @type {Map<string, { value: any, seconds: number }>} */
  const made = new Map();
  let before = 0;
  return {
    start() {
      before = 0;
    },
    /** Seconds that others spent on what this method uses. */
    secondsBefore: () => before,
    /** @template T @param {string} name @param {() => T | Promise<T>} make @returns {Promise<T>} */
    async get(name, make) {
      const known = made.get(name);
      if (known) {
        before += known.seconds;
        return known.value;
      }
      const started = cpuSeconds();
      const value = await make();
      made.set(name, { value, seconds: cpuSeconds() - started });
      return value;
    },
  };
}

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
