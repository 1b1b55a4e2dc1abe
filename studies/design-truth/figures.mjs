// What records say: gains, what was said about proposals and came of it, and how numbers are written.
import { mean } from '../../dist/numeric/index.js';
import { openRecords } from '../lineFile.mjs';

/**
 * @typedef {import('./run.mjs').TruthRecord} TruthRecord
 * @typedef {import('./noise.mjs').NoiseRecord} NoiseRecord
 * @typedef {import('./time.mjs').TimeRecord} TimeRecord
 */

const read = (/** @type {string} */ name) => openRecords(new URL(name, import.meta.url)).runs;
export const runs = /** @type {TruthRecord[]} */ (read('records.jsonl'));
const noise = /** @type {NoiseRecord[]} */ (read('noise.jsonl'));
const times = /** @type {TimeRecord[]} */ (read('time.jsonl'));

const isDesign = (/** @type {TruthRecord} */ { method }) => method === 'design';

/** Tables that only promises are judged by: a gain is a matter of luck there. @param {{ family: string }} of */
export const isWeak = ({ family }) => family === 'weak signal';

/** Versions of `design` that ran on a half, in order. @param {string} half */
export const versionsOn = (half) => [
  ...new Set(runs.filter((run) => isDesign(run) && run.half === half).map(({ version }) => version)),
];

/** Runs of a version on a half, and of the peers. @param {string} half @param {string} version */
export function judgedRuns(half, version) {
  const own = runs.filter((run) => run.half === half);
  const designs = own.filter((run) => isDesign(run) && run.version === version);
  return { designs, shown: [...designs, ...own.filter((run) => !isDesign(run) && run.version === 'peers')] };
}

/** Judging sets that come with other tables of noise than the first. */
const withNoise = ['fourth', 'fifth'];

/** Runs on tables of noise of a set. @param {string} half @param {string} version */
export const noiseOf = (half, version) =>
  noise.filter((run) => run.version === version && run.set === (withNoise.includes(half) ? half : undefined));

/** @param {string} version */
export const timesOf = (version) => times.filter((run) => run.version === version);

/** Doing nothing where a method showed no design. @param {TruthRecord} run */
export const gainOf = (run) => (run.skipped === undefined ? (run.median ?? 0) : null);

/** @param {readonly TruthRecord[]} among @param {string} method */
export const gainsOf = (among, method) =>
  among.filter((run) => run.method === method).flatMap((run) => gainOf(run) ?? []);

/** Gains of `design` beside a peer's, where both are. @param {readonly TruthRecord[]} shown @param {string} method */
export function pairsOf(shown, method) {
  return shown.filter(isDesign).flatMap((run) => {
    const other = shown.find(
      (peer) => peer.method === method && peer.table === run.table && peer.seed === run.seed,
    );
    const [own, theirs] = [gainOf(run), other ? gainOf(other) : null];
    return own === null || theirs === null ? [] : [{ own, theirs }];
  });
}

/** Whether a method is below the best row as measured, made again. @param {readonly TruthRecord[]} shown @param {TruthRecord} run */
export function isBelowRepeat(shown, run) {
  const repeat = shown.find(
    ({ method, table, seed }) => method === 'repeat' && table === run.table && seed === run.seed,
  );
  const [own, other] = [gainOf(run), repeat ? gainOf(repeat) : null];
  return own === null || other === null ? [] : [own < other - 0.05];
}

/** What `design` said about its proposals, and what came of it. @param {readonly TruthRecord[]} designs */
export function promisesOf(designs) {
  const all = designs.flatMap((run) =>
    run.proposals.flatMap((proposal) => {
      const { truth, expected, lo80, hi80, better, trust } = proposal;
      if (truth === null) return [];
      const sign = run.direction === 'max' ? 1 : -1;
      const isBetter = sign * (truth - run.bestVisible) > 0;
      return [{ truth, expected, lo80, hi80, better, trust, isBetter, sign, deviation: run.deviation }];
    }),
  );
  const held = all.flatMap(({ truth, lo80, hi80, deviation }) =>
    isNumber(lo80) && isNumber(hi80)
      ? [{ isIn: lo80 <= truth && truth <= hi80, width: (hi80 - lo80) / deviation }]
      : [],
  );
  const overs = all.flatMap(({ truth, expected, sign, deviation }) =>
    isNumber(expected) ? [(sign * (expected - truth)) / deviation] : [],
  );
  const likely = designs.filter(({ verdict, proposals }) => verdict === 'likely' && proposals.length > 0);
  return {
    all,
    held: held.map(({ isIn }) => isIn),
    widths: held.map(({ width }) => width),
    overs,
    right: likely.map(({ median: gain }) => (gain ?? 0) > 0),
    labels: ['Guess', 'Stretch', 'Trusted'].map((label) => ({
      label,
      better: all.filter(({ trust }) => trust === label).map(({ isBetter }) => isBetter),
    })),
  };
}

/** @param {unknown} value @returns {value is number} */
export function isNumber(value) {
  return typeof value === 'number' && Number.isFinite(value);
}

export const shareOf = (/** @type {readonly boolean[]} */ all) =>
  all.length === 0 ? Number.NaN : all.filter(Boolean).length / all.length;
export const percent = (/** @type {number} */ share) =>
  Number.isNaN(share) ? '' : `${(100 * share).toFixed(0)} %`;
export const decimal = (/** @type {readonly number[]} */ all, of = mean, digits = 2) =>
  all.length === 0 ? '' : of(all).toFixed(digits);
