// Tables made from known truths as a user would have them: some rows, noise, cells with few digits, and the best rows
// missing. In every family the truths are ordered by a hash of their names; every other one is for tuning, the rest is
// for judging. So nobody chose them, and a truth is never on both sides. A second judging set (secondTruths.mjs) was made
// when versions 1 to 5 had been judged; from then on both halves of the first are for tuning. A third (thirdTruths.mjs)
// was made when version 6 had been judged on the second, a fourth (fourthTruths.mjs) when version 7 had been judged on the
// third, a fifth (fifthTruths.mjs) when version 8 had been judged on the fourth; sets that have been judged are for tuning
// since.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { foldKey, rootKey, Stream } from '../../dist/numeric/index.js';
import { simulatedProblems } from '../simulated/index.mjs';
import { fifthTruths } from './fifthTruths.mjs';
import { fourthTruths } from './fourthTruths.mjs';
import { secondTruths } from './secondTruths.mjs';
import { thirdTruths } from './thirdTruths.mjs';
import { truths } from './truths.mjs';

/**
 * @typedef {import('./truths.mjs').Truth} Truth
 * @typedef {keyof typeof halves} Half
 * @typedef {object} TruthTable
 * @property {string} name
 * @property {string} family
 * @property {Half} half
 * @property {number} rows visible rows
 * @property {number} noise standard deviation of a measurement, as a share of that of the true values
 * @property {number} hidden share of the rows that is hidden, the best ones as measured
 * @property {Record<string, any>} words the question in the words of a problem file
 * @property {() => Record<string, any>[]} make visible rows
 * @property {(cells: Record<string, any>) => Record<string, number>} values exact value of each goal; may throw
 * @property {number} [bestVisible] the best exact value of the visible rows, where cells of some are empty
 * @property {number | null} best the best value there is, of a single goal; null for several goals
 * @property {(stream: Stream) => Record<string, any>} draw a design of the domain
 */

/** The halves of the first set and the sets after it, as pages call them. */
export const halves = {
  tuning: 'tuning half',
  judging: 'judging half',
  second: 'second judging set',
  third: 'third judging set',
  fourth: 'fourth judging set',
  fifth: 'fifth judging set',
};

const hashOf = (/** @type {string} */ name) =>
  createHash('sha256').update(`design-truth/${name}`).digest('hex');

/** Whether a table is one of the third on which slow peers run. @param {string} name */
export const isOfThird = (name) => Number.parseInt(hashOf(name).slice(0, 8), 16) % 3 === 0;

/** @param {readonly string[]} names of one family @param {string} name @returns {'tuning' | 'judging'} */
function halfOf(names, name) {
  const place = names.filter((other) => hashOf(other) < hashOf(name)).length;
  return place % 2 === 0 ? 'tuning' : 'judging';
}

const bestFile = new URL('best.json', import.meta.url);
/** Written by best.mjs. @type {Record<string, number>} */
const best = existsSync(bestFile) ? JSON.parse(readFileSync(bestFile, 'utf8')) : {};

/** Families with a single table for each truth. */
const once = ['factorial', 'strong signal', 'weak signal'];

/** Rows that a table may have, by family. @type {Record<string, number[] | undefined>} */
const sizes = {
  engineering: [60, 120, 250, 600],
  closed: [50, 100, 200, 400, 2000],
  sparse: [150, 300, 600],
  'cliffs and ridges': [60, 120, 250, 500],
  mixture: [40, 80, 160],
  'several goals': [80, 160],
  'weak signal': [20, 30, 45, 70],
  clumped: [90, 180, 360],
};

/** @param {Truth} truth @param {Stream} stream */
export function drawDesign(truth, stream) {
  /** @type {Record<string, any>} */
  const cells = {};
  for (const column of truth.columns) {
    if ('levels' in column)
      cells[column.name] = column.levels[Math.floor(stream.uniform() * column.levels.length)];
    else
      cells[column.name] = rounded(column, column.lower + (column.upper - column.lower) * stream.uniform());
  }
  const { mixture } = truth;
  if (mixture) {
    const parts = mixture.map(() => -Math.log(1 - stream.uniform()));
    const sum = parts.reduce((a, b) => a + b);
    let rest = 100;
    mixture.forEach((name, i) => {
      const part = i === mixture.length - 1 ? rest : Math.min(rest, Math.round((100 * parts[i]) / sum));
      rest -= part;
      cells[name] = part / 100;
    });
  }
  return cells;
}

/**
 * A row of a campaign: somebody's setting with one to three columns changed, by up to a fifth of their range.
 * @param {Truth} truth @param {readonly Record<string, any>[]} settings @param {Stream} stream
 */
function drawNear(truth, settings, stream) {
  const cells = { ...settings[Math.floor(stream.uniform() * settings.length)] };
  const other = drawDesign(truth, stream);
  const changes = 1 + stream.integer(3);
  for (let change = 0; change < changes; change++) {
    const column = truth.columns[stream.integer(truth.columns.length)];
    if ('levels' in column) cells[column.name] = other[column.name];
    else {
      const width = 0.2 * (column.upper - column.lower) * (2 * stream.uniform() - 1);
      cells[column.name] = rounded(column, cells[column.name] + width);
    }
  }
  return cells;
}

/**
 * Rows of a laboratory in the order it made them: a clump around a first setting, then around the best row so far or, as
 * often, a new setting. @param {Truth} truth @param {number} count @param {Stream} stream
 */
function drawHistory(truth, count, stream) {
  const sign = truth.wanted === 'max' ? 1 : -1;
  const length = Math.ceil(count / (truth.clumps ?? 1));
  /** @type {Record<string, any>[]} */
  const rows = [];
  let setting = drawDesign(truth, stream);
  while (rows.length < count) {
    if (rows.length > 0 && rows.length % length === 0) {
      const best = rows.reduce((a, b) => (sign * truth.value(b) > sign * truth.value(a) ? b : a));
      setting = stream.uniform() < 0.5 ? best : drawDesign(truth, stream);
    }
    rows.push(drawNear(truth, [setting], stream));
  }
  return rows;
}

/** @param {{ lower: number, upper: number, decimals?: number }} column @param {number} value */
export function rounded({ lower, upper, decimals }, value) {
  const places = decimals ?? Math.max(0, 3 - Math.floor(Math.log10(upper - lower)));
  return Number(Math.max(lower, Math.min(upper, value)).toFixed(places));
}

/** Every combination of a truth that has classes alone. @param {Truth} truth */
export function combinations({ columns }) {
  /** @type {Record<string, any>[]} */
  let all = [{}];
  for (const column of columns) {
    if (!('levels' in column)) return null;
    all = all.flatMap((cells) => column.levels.map((level) => ({ ...cells, [column.name]: level })));
  }
  return all;
}

/** @param {Truth} truth @param {number} variant @param {TruthTable['half']} half @returns {TruthTable} */
function tableOf(truth, variant, half) {
  const name = `${truth.name}-${variant}`;
  const stream = new Stream(foldKey(rootKey(0), `design-truth settings ${name}`));
  const among = sizes[truth.family];
  const all = combinations(truth);
  const drawn =
    truth.family === 'strong signal' ? 25 : among ? among[Math.floor(stream.uniform() * among.length)] : 200;
  const rows = truth.rows ?? drawn;
  const noises = truth.family === 'weak signal' ? [0.4, 0.6, 0.9, 1.3] : [0, 0.05, 0.1, 0.2];
  const noise = truth.family === 'strong signal' ? 0.02 : noises[Math.floor(stream.uniform() * 4)];
  const hidden = [0.2, 0.3, 0.3, 0.5][Math.floor(stream.uniform() * 4)];
  const hasBounds = stream.uniform() < 0.5 && !all && !truth.mixture;
  const goals = [
    { name: 'result', wanted: truth.wanted, value: truth.value },
    ...(truth.second ? [truth.second] : []),
  ];
  const make = () => {
    const draws = new Stream(foldKey(rootKey(1), `design-truth rows ${name}`));
    const share = 0.6 + 0.4 * draws.uniform();
    const settings = Array.from({ length: truth.history ? 0 : (truth.clumps ?? 0) }, () =>
      drawDesign(truth, draws),
    );
    const drawRow = () => (truth.clumps ? drawNear(truth, settings, draws) : drawDesign(truth, draws));
    const count = Math.round(rows / (1 - hidden));
    const designs = all
      ? all.filter(() => draws.uniform() < share)
      : truth.history
        ? drawHistory(truth, count, draws)
        : Array.from({ length: count }, drawRow);
    const measured = goals.map(({ value }) => {
      const exact = designs.map(value);
      const mean = exact.reduce((a, b) => a + b) / exact.length;
      const deviation = Math.sqrt(exact.reduce((s, v) => s + (v - mean) ** 2, 0) / exact.length);
      return exact.map((v) => Number((v + noise * deviation * draws.normal()).toPrecision(5)));
    });
    const sign = truth.wanted === 'max' ? 1 : -1;
    const order = designs.map((_, i) => i).sort((i, j) => sign * (measured[0][i] - measured[0][j]) || i - j);
    const visible = new Set(order.slice(0, Math.round(order.length * (1 - hidden))));
    return designs.flatMap((cells, i) =>
      visible.has(i)
        ? [{ ...cells, ...Object.fromEntries(goals.map((goal, g) => [goal.name, measured[g][i]])) }]
        : [],
    );
  };
  const bounded = Object.fromEntries(
    truth.columns.flatMap((column) =>
      'levels' in column ? [] : [[column.name, { bounds: [column.lower, column.upper] }]],
    ),
  );
  return {
    name,
    family: truth.family,
    half,
    rows,
    noise,
    hidden,
    words: {
      goal: goals.map((goal) => `${goal.wanted} ${goal.name}`),
      ...(hasBounds && { columns: bounded }),
    },
    make,
    values: (cells) => Object.fromEntries(goals.map((goal) => [goal.name, goal.value(cells)])),
    best: best[truth.name] ?? null,
    draw: (draws) => drawDesign(truth, draws),
  };
}

/** Campaigns of simulated processes: clumps around a few settings. @param {typeof simulatedProblems[number]} simulated @returns {TruthTable} */
function campaign(simulated) {
  const name = `${simulated.name}-campaign`;
  const { goals, ...words } = simulated.words;
  const goal = goals[0].split(' ')[1];
  const { rows: visible, truthOfBestVisible } = simulated.makeTable(21);
  return {
    name,
    family: 'campaigns',
    half: halfOf(
      simulatedProblems.map((one) => one.name),
      simulated.name,
    ),
    rows: simulated.rows,
    noise: Number.NaN,
    hidden: Number.NaN,
    words: { ...words, goal: goals },
    make: () => visible,
    bestVisible: truthOfBestVisible,
    values: (cells) => ({ [goal]: simulated.truth(cells) }),
    best: simulated.bestKnownTruth ?? null,
    draw: () => {
      throw new Error('campaigns have no draws of their own');
    },
  };
}

/** @param {readonly Truth[]} all @param {(truth: Truth) => TruthTable['half']} half */
const tablesOf = (all, half) =>
  all.flatMap((truth) =>
    (once.includes(truth.family) ? [1] : [1, 2]).map((variant) => tableOf(truth, variant, half(truth))),
  );

/**
 * Whether the visible rows leave something to find: a quarter of the deviation of their exact values. Tables of several
 * goals are kept: on those of the fifth set as much of the score is left, which its test looks at, as scores need the
 * stated problem; older sets keep the tables they were judged with. @param {TruthTable} table
 */
function isQuestion(table) {
  if (table.best === null) return true;
  const exact = table.make().map((cells) => Object.values(table.values(cells))[0]);
  const mean = exact.reduce((a, b) => a + b) / exact.length;
  const deviation = Math.sqrt(exact.reduce((s, v) => s + (v - mean) ** 2, 0) / exact.length);
  const left = exact.reduce(
    (least, v) => Math.min(least, Math.abs(/** @type {number} */ (table.best) - v)),
    Infinity,
  );
  return left > deviation / 4;
}

/** @type {readonly TruthTable[]} */
export const tables = [
  ...tablesOf(truths, (truth) =>
    halfOf(
      truths.filter(({ family }) => family === truth.family).map((one) => one.name),
      truth.name,
    ),
  ),
  ...simulatedProblems.map(campaign),
  ...tablesOf(secondTruths, () => 'second').filter(isQuestion),
  ...tablesOf(thirdTruths, () => 'third').filter(isQuestion),
  ...tablesOf(fourthTruths, () => 'fourth').filter(isQuestion),
  ...tablesOf(fifthTruths, () => 'fifth').filter(isQuestion),
];
