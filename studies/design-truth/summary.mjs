// Tables of records.jsonl and noise.jsonl, per half and version of `design`, printed and written to summary.md.
//   node studies/design-truth/summary.mjs
import { writeFileSync } from 'node:fs';
import { extent, mean, median } from '../../dist/numeric/index.js';
import { openRecords } from '../lineFile.mjs';
import { peers } from './peers.mjs';
import { halves, tables } from './tables.mjs';

/**
 * @typedef {import('./run.mjs').TruthRecord} TruthRecord
 * @typedef {import('./run.mjs').Proposal} Proposal
 */

/** @type {ReturnType<typeof openRecords<TruthRecord>>} */
const { runs } = openRecords(new URL('records.jsonl', import.meta.url));
/** @type {ReturnType<typeof openRecords<import('./noise.mjs').NoiseRecord>>} */
const { runs: noise } = openRecords(new URL('noise.jsonl', import.meta.url));

const trusts = ['Guess', 'Stretch', 'Trusted'];
const isDesign = (/** @type {TruthRecord} */ { method }) => method === 'design';
const peerRuns = runs.filter((run) => !isDesign(run) && run.version === 'peers');

/**
 * What a table counts at least in a second mean: where the best visible row is close to the best there is, a share of the
 * way between them is a number without end. A design that the truth refuses counts as much.
 */
const LEAST = -1;

/** Tables that only promises are judged by: a gain is a matter of luck there. @param {{ family: string }} of */
const isWeak = ({ family }) => family === 'weak signal';

/** Doing nothing where a method showed no design. @param {TruthRecord} run */
const gainOf = (run) => (run.skipped === undefined ? (run.median ?? 0) : null);
const shareOf = (/** @type {readonly boolean[]} */ all) =>
  all.length === 0 ? Number.NaN : all.filter(Boolean).length / all.length;
const percent = (/** @type {number} */ share) => (Number.isNaN(share) ? '' : `${(100 * share).toFixed(0)} %`);
const decimal = (/** @type {readonly number[]} */ all, of = mean, digits = 2) =>
  all.length === 0 ? '' : of(all).toFixed(digits);
const line = (/** @type {readonly (string | number)[]} */ cells) => `| ${cells.join(' | ')} |`;
const grid = (/** @type {string[]} */ head, /** @type {(string | number)[][]} */ rows) =>
  [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');

/** @type {string[]} */
const parts = [
  '# Tables of records.jsonl and noise.jsonl',
  'Written by `node studies/design-truth/summary.mjs`.',
];
for (const [half, title] of Object.entries(halves)) {
  const ofHalf = (/** @type {TruthRecord} */ run) => run.half === half;
  const versions = [
    ...new Set(runs.filter((run) => isDesign(run) && ofHalf(run)).map(({ version }) => version)),
  ];
  for (const version of versions.length > 0 ? versions : [null]) {
    const designs = runs.filter((run) => isDesign(run) && ofHalf(run) && run.version === version);
    const shown = [...designs, ...peerRuns.filter(ofHalf)];
    if (shown.length === 0) continue;
    parts.push(`## ${title}, ${version === null ? 'peers' : `design version ${version}`}`);
    const strong = (/** @type {TruthRecord} */ run) => !isWeak(run);
    parts.push(gainTable(shown, half), methodTable(shown.filter(strong), designs.filter(strong)));
    if (designs.length > 0) {
      for (const part of promises(designs)) parts.push(part);
      parts.push(noiseLine(version, half, designs.filter(strong)));
    }
  }
}
const text = `${parts.join('\n\n')}\n`;
writeFileSync(new URL('summary.md', import.meta.url), text);
process.stdout.write(text);

/** Mean over tables of the batch's median gain, per family and overall. @param {TruthRecord[]} shown @param {string} half */
function gainTable(shown, half) {
  const methods = methodsOf(shown);
  const families = [...new Set(tables.filter((table) => table.half === half).map(({ family }) => family))];
  const rowOf = (/** @type {string} */ name, /** @type {(run: TruthRecord) => boolean} */ isIn) => {
    const inRow = shown.filter(isIn);
    const count = new Set(inRow.map(({ table }) => table)).size;
    // a method that was not run on all tables says on how many
    const shownOf = (/** @type {string} */ method) => {
      const found = gains(inRow, method);
      const tablesRun = found.length < count && found.length > 0 ? ` (${found.length} tables)` : '';
      return `${decimal(found)}${tablesRun}`;
    };
    return [name, count, ...methods.map(shownOf)];
  };
  return `Mean over tables of the batch's median gain: 0 is the best visible row, 1 the best there is.\n\n${grid(
    ['family', 'tables', ...methods],
    [
      ...families.map((family) => rowOf(family, (run) => run.family === family)),
      rowOf('all others', (run) => !isWeak(run)),
    ],
  )}`;
}

/** @param {TruthRecord[]} shown */
function methodsOf(shown) {
  return ['design', ...Object.keys(peers)].filter((method) => shown.some((run) => run.method === method));
}

/** @param {TruthRecord[]} among @param {string} method */
function gains(among, method) {
  return among.filter((run) => run.method === method).flatMap((run) => gainOf(run) ?? []);
}

/** One row per method. @param {TruthRecord[]} shown @param {TruthRecord[]} designs */
function methodTable(shown, designs) {
  const rows = methodsOf(shown).map((method) => {
    const own = shown.filter((run) => run.method === method);
    const all = gains(shown, method);
    const best = own.flatMap(({ max }) => max ?? []);
    const pairs = designs.flatMap((run) => {
      const other = own.find(({ table, seed }) => table === run.table && seed === run.seed);
      const [a, b] = [gainOf(run), other && gainOf(other)];
      return a === null || b === null || b === undefined ? [] : [a > b];
    });
    return [
      method,
      decimal(all),
      decimal(all.map((gain) => Math.max(LEAST, gain))),
      decimal(all, median),
      decimal(best),
      percent(shareOf(all.map((gain) => gain < -0.05))),
      percent(shareOf(own.flatMap((run) => isBelowRepeat(shown, run)))),
      method === 'design' ? '' : percent(shareOf(pairs)),
      own.filter(({ skipped }) => skipped !== undefined).length,
      own.reduce((sum, { proposals }) => sum + proposals.filter(({ truth }) => truth === null).length, 0),
      decimal(
        own.map(({ cpuSeconds }) => cpuSeconds),
        median,
        1,
      ),
      decimal(
        own.map(({ cpuSeconds }) => cpuSeconds),
        (all) => extent(all).max,
        1,
      ),
    ];
  });
  return grid(
    [
      'method',
      'mean gain',
      'mean gain, none below -1',
      'median gain',
      'mean of best of batch',
      'tables below -0.05',
      'below repeat by over 0.05',
      'tables where design is ahead',
      'skipped',
      'designs the truth refuses',
      'CPU s, median',
      'CPU s, most',
    ],
    rows,
  );
}

/** Whether the best row as measured, made again, is truly better. @param {TruthRecord[]} shown @param {TruthRecord} run */
function isBelowRepeat(shown, run) {
  const repeat = shown.find(
    ({ method, table, seed }) => method === 'repeat' && table === run.table && seed === run.seed,
  );
  const [own, other] = [gainOf(run), repeat && gainOf(repeat)];
  return own === null || other === null || other === undefined ? [] : [own < other - 0.05];
}

/** What `design` said about its proposals, and what came of it. @param {TruthRecord[]} designs */
function promises(designs) {
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
  const right = likely.map(({ median: gain }) => (gain ?? 0) > 0);
  const facts = [
    ['80 % intervals that hold the truth', percent(shareOf(held.map(({ isIn }) => isIn))), held.length],
    [
      'median width of intervals, standard deviations of visible y',
      decimal(
        held.map(({ width }) => width),
        median,
      ),
      held.length,
    ],
    ['proposals without an interval', all.length - held.length, all.length],
    ['median over-promise (expected less truth), standard deviations', decimal(overs, median), overs.length],
    [
      'verdict likely and the median design better than the best visible row',
      percent(shareOf(right)),
      right.length,
    ],
    ...['likely', 'unclear', 'unsupported'].map((level) => [
      `verdict ${level}`,
      designs.filter(({ verdict }) => verdict === level).length,
      designs.length,
    ]),
    ...trusts.map((label) => {
      const own = all.filter(({ trust }) => trust === label);
      return [
        `${label}: truly better than the best visible row`,
        percent(shareOf(own.map(({ isBetter }) => isBetter))),
        own.length,
      ];
    }),
  ];
  const bins = Array.from({ length: 10 }, (_, bin) => {
    const own = all.flatMap(({ better, isBetter }) =>
      isNumber(better) && Math.min(9, Math.floor(10 * better)) === bin ? [{ better, isBetter }] : [],
    );
    return [
      `${(bin / 10).toFixed(1)} to ${((bin + 1) / 10).toFixed(1)}`,
      own.length,
      percent(own.length === 0 ? Number.NaN : mean(own.map(({ better }) => better))),
      percent(shareOf(own.map(({ isBetter }) => isBetter))),
    ];
  });
  const widths = [0.5, 0.7, 0.85, 1, 1.25].map((factor) => {
    const own = all.flatMap(({ truth, expected, lo80, hi80, deviation }) => {
      if (!isNumber(expected) || !isNumber(lo80) || !isNumber(hi80)) return [];
      const [low, high] = [lo80, hi80].map((end) => expected + factor * (end - expected));
      return [{ isIn: low <= truth && truth <= high, width: (high - low) / deviation }];
    });
    return [
      factor,
      percent(shareOf(own.map(({ isIn }) => isIn))),
      decimal(
        own.map(({ width }) => width),
        median,
      ),
    ];
  });
  return [
    grid(['of design', 'value', 'of'], facts),
    `If all intervals were narrower or wider by a factor:\n\n${grid(
      ['factor', 'hold the truth', 'median width, standard deviations'],
      widths,
    )}`,
    grid(['chance of better', 'proposals', 'said', 'came true'], bins),
  ];
}

/** @param {unknown} value @returns {value is number} */
function isNumber(value) {
  return typeof value === 'number' && Number.isFinite(value);
}

/** @param {string | null} version @param {string} half @param {TruthRecord[]} designs */
function noiseLine(version, half, designs) {
  const set = half === 'fourth' ? half : undefined;
  const own = noise.filter((run) => run.version === version && run.set === set);
  const open = own.filter(({ verdict }) => verdict !== 'unsupported').length;
  const refused = designs.filter(({ verdict }) => verdict === 'unsupported').length;
  return `Tables of noise not refused: ${open} of ${own.length}. Tables with signal refused: ${refused} of ${designs.length}.`;
}
