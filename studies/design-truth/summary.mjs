// Tables of records.jsonl and noise.jsonl, per half and version of `design`, printed and written to summary.md; what was
// asked and reached by the latest version on the latest set goes into README.md. A set that no version was judged on stays
// closed: the peers' gains on it are not shown.
//   node studies/design-truth/summary.mjs
//   node studies/design-truth/summary.mjs --half third --version 7    # prints what was asked and reached, writes nothing
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { extent, mean, median } from '../../dist/numeric/index.js';
import {
  decimal,
  gainsOf,
  isBelowRepeat,
  isNumber,
  isWeak,
  judgedRuns,
  noiseOf,
  pairsOf,
  percent,
  promisesOf,
  shareOf,
  versionsOn,
} from './figures.mjs';
import { peers } from './peers.mjs';
import { halves, tables } from './tables.mjs';
import { targetTable, targetTitle, withResult } from './targets.mjs';

/** @typedef {import('./run.mjs').TruthRecord} TruthRecord */

/**
 * What a table counts at least in a second mean: where the best visible row is close to the best there is, a share of the
 * way between them is a number without end. A design that the truth refuses counts as much.
 */
const LEAST = -1;

const line = (/** @type {readonly (string | number)[]} */ cells) => `| ${cells.join(' | ')} |`;
const grid = (/** @type {string[]} */ head, /** @type {(string | number)[][]} */ rows) =>
  [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');

const { values: flags } = parseArgs({ options: { half: { type: 'string' }, version: { type: 'string' } } });
if (flags.half === undefined && flags.version === undefined) writeAll();
else printOne(flags.half ?? '', flags.version ?? '');

function writeAll() {
  const parts = [
    '# Tables of records.jsonl and noise.jsonl',
    'Written by `node studies/design-truth/summary.mjs`.',
    ...Object.entries(halves).flatMap(([half, title]) =>
      versionsOn(half).flatMap((version) => [
        `## ${title}, design version ${version}`,
        ...judged(half, version),
        `## asked and reached: ${title}, design version ${version}`,
        targetTable(half, version),
      ]),
    ),
  ];
  const text = `${parts.join('\n\n')}\n`;
  writeFileSync(new URL('summary.md', import.meta.url), text);
  const { page, made } = withResult();
  writeFileSync(page, made);
  process.stdout.write(text);
}

/** @param {string} half @param {string} version */
function printOne(half, version) {
  if (!versionsOn(half).includes(version)) {
    process.stderr.write(`no version "${version}" of design ran on "${half}"\n`);
    process.exit(2);
  }
  process.stdout.write(`${targetTitle(half, version)}\n\n${targetTable(half, version)}\n`);
}

/** @param {string} half @param {string} version */
function judged(half, version) {
  const { designs, shown } = judgedRuns(half, version);
  const strong = designs.filter((run) => !isWeak(run));
  return [
    gainTable(shown, half),
    methodTable(shown.filter((run) => !isWeak(run))),
    ...promises(designs),
    noiseLine(half, version, strong),
  ];
}

/** Mean over tables of the batch's median gain, per family and overall. @param {TruthRecord[]} shown @param {string} half */
function gainTable(shown, half) {
  const methods = methodsOf(shown);
  const families = [...new Set(tables.filter((table) => table.half === half).map(({ family }) => family))];
  const rowOf = (/** @type {string} */ name, /** @type {(run: TruthRecord) => boolean} */ isIn) => {
    const inRow = shown.filter(isIn);
    const count = new Set(inRow.map(({ table }) => table)).size;
    // a method that was not run on all tables says on how many
    const shownOf = (/** @type {string} */ method) => {
      const found = gainsOf(inRow, method);
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

/** One row per method. @param {TruthRecord[]} shown */
function methodTable(shown) {
  const rows = methodsOf(shown).map((method) => {
    const own = shown.filter((run) => run.method === method);
    const all = gainsOf(shown, method);
    const best = own.flatMap(({ max }) => max ?? []);
    const pairs = pairsOf(shown, method).map(({ own: ours, theirs }) => ours > theirs);
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

/** What `design` said about its proposals, and what came of it. @param {TruthRecord[]} designs */
function promises(designs) {
  const { all, held, widths, overs, right, labels } = promisesOf(designs);
  const facts = [
    ['80 % intervals that hold the truth', percent(shareOf(held)), held.length],
    ['median width of intervals, standard deviations of visible y', decimal(widths, median), held.length],
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
    ...labels.map(({ label, better }) => [
      `${label}: truly better than the best visible row`,
      percent(shareOf(better)),
      better.length,
    ]),
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
  const factors = [0.5, 0.7, 0.85, 1, 1.25].map((factor) => {
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
      factors,
    )}`,
    grid(['chance of better', 'proposals', 'said', 'came true'], bins),
  ];
}

/** @param {string} half @param {string} version @param {TruthRecord[]} designs */
function noiseLine(half, version, designs) {
  const own = noiseOf(half, version);
  const open = own.filter(({ verdict }) => verdict !== 'unsupported').length;
  const refused = designs.filter(({ verdict }) => verdict === 'unsupported').length;
  return `Tables of noise not refused: ${open} of ${own.length}. Tables with signal refused: ${refused} of ${designs.length}.`;
}
