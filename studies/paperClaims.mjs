// The paper's claims about NEMO (§5, App. A.3), and what the committed records say of each.
import { counted, recordsOf, short } from './studyRecords.mjs';

/**
 * @typedef {import('../dist/bench/summary.js').Cell} Cell
 * @typedef {'100' | '50'} Percentile
 * @typedef {{
 *   summarize: typeof import('../dist/bench/summary.js').summarize,
 *   rowName: typeof import('../dist/bench/summary.js').rowName,
 *   isNull: typeof import('../dist/bench/nulls/index.js').isNull,
 *   oneVersion: typeof import('../dist/bench/algorithmVersions.js').oneVersion,
 *   compareRows: typeof import('../dist/bench/comparison.js').compareRows,
 * }} Bench
 * @typedef {readonly [here: string, nothing: string, verdict: string]} Finding
 */

/** Rows that a claim about being first is decided by, at least. */
const LEAST_ROWS = 4;

/** @param {Bench} bench @returns {string[]} lines of Markdown */
export function claims(bench) {
  const { summarize, rowName, isNull, compareRows } = bench;
  const of = (/** @type {string} */ study) => summarize(recordsOf(bench, study));
  const passes = [
    { cells: of('as-published'), variant: 'published', name: 'as published' },
    { cells: of('paper-tasks'), variant: 'paper', name: 'first pass' },
  ];
  const nulls = of('nulls');
  const named = (/** @type {Cell[]} */ all, /** @type {string} */ task, /** @type {string} */ variant) =>
    all.find((cell) => cell.task === task && cell.algorithm === 'nemo' && cell.variant === variant);

  /** The newest pass that has NEMO and enough others on a task. @param {string} task */
  const passOf = (task) =>
    passes
      .map(({ cells, variant, name }) => ({
        own: named(cells, task, variant),
        others: cells.filter(
          (cell) => cell.task === task && cell.algorithm !== 'nemo' && !isNull(cell.algorithm),
        ),
        name,
      }))
      .find(({ own, others }) => own !== undefined && others.length >= LEAST_ROWS);
  /** The best that no model reaches. @param {string} task @param {Percentile} percentile */
  const topNull = (task, percentile) =>
    nulls
      .filter((cell) => cell.task === task)
      .toSorted((a, b) => b.raw[percentile].mean - a.raw[percentile].mean)[0];
  const nothing = (/** @type {string} */ task, /** @type {Percentile} */ percentile) => {
    const top = topNull(task, percentile);
    return top ? `${rowName(top)} ${short(top.raw[percentile].mean)}` : 'not run';
  };
  const seedsOf = (/** @type {Cell} */ cell) =>
    `${counted(cell.seeds.length, 'seed')}${cell.changed.length > 0 ? ', settings reduced' : ''}`;

  /** Whether a is better than b, by the 95 % interval of the difference. @param {Cell} a @param {Cell} b @param {Percentile} percentile */
  const verdict = (a, b, percentile) => {
    const cells = [
      { ...a, algorithm: 'a', variant: 'defaults' },
      { ...b, algorithm: 'b', variant: 'defaults' },
    ];
    const [found] = compareRows(cells, 'a', 'b', percentile);
    if (!found || found.pairs < 3) return `not decided: ${counted(found?.pairs ?? 0, 'pair')} of seeds`;
    if (found.low > 0) return 'reproduced';
    return found.high < 0 ? 'not reproduced' : 'not decided: the interval of the difference holds 0';
  };

  /** @param {string} task @param {Percentile} percentile @returns {Finding} */
  const first = (task, percentile) => {
    const pass = passOf(task);
    const top = pass?.others.toSorted((a, b) => b.raw[percentile].mean - a.raw[percentile].mean)[0];
    if (!pass?.own || !top) return ['not run', nothing(task, percentile), 'not tested'];
    const { own, name } = pass;
    const none = topNull(task, percentile);
    const among = verdict(own, top, percentile);
    // being first among methods says nothing where no method is needed
    const isBeaten = none !== undefined && none.raw[percentile].mean >= own.raw[percentile].mean;
    return [
      `${short(own.raw[percentile].mean)} (${name}, ${seedsOf(own)}); best other row: ${rowName(top)} ${short(top.raw[percentile].mean)}`,
      nothing(task, percentile),
      among === 'reproduced' && isBeaten ? `first among the methods, but not above ${rowName(none)}` : among,
    ];
  };
  /** @param {string} task @returns {Finding} */
  const beyond = (task) => {
    const pass = passOf(task);
    if (!pass?.own) return ['not run', nothing(task, '50'), 'not tested'];
    const { own, name } = pass;
    const start = nulls.find((cell) => cell.task === task && cell.algorithm === 'start');
    if (!start) return ['the start was not scored', nothing(task, '50'), 'not tested'];
    // by the scorer, as the designs are: a measured maximum is on another scale where the truth is learned
    const line = start.raw[100].mean;
    const isAbove = own.raw[100].mean > line;
    return [
      `best design ${short(own.raw[100].mean)}, median ${short(own.raw[50].mean)} (${name}, ${seedsOf(own)}); best visible row by the scorer ${short(line)}`,
      nothing(task, '50'),
      isAbove && own.raw[50].mean > line
        ? 'reproduced'
        : isAbove
          ? 'reproduced for the best design only'
          : 'not reproduced',
    ];
  };
  /**
   * Two rows of an ablation, the first of which should be better.
   * @param {string} study @param {string} task @param {string} a @param {string} b @param {Percentile} percentile
   * @returns {Finding}
   */
  const above = (study, task, a, b, percentile) => {
    const all = of(study);
    const [one, two] = [named(all, task, a), named(all, task, b)];
    if (!one || !two) return ['not run', '', 'not tested'];
    const [x, y] = [one.raw[percentile].mean, two.raw[percentile].mean];
    return [
      `${short(x)} against ${short(y)} (${counted(Math.min(one.seeds.length, two.seeds.length), 'seed')})`,
      '',
      verdict(one, two, percentile),
    ];
  };

  const sc = 'superconductor-gbdt-v1';
  const own = 'paper-ablations';
  /** @type {[string, Finding][]} */
  const rows = [
    ['Superconductor: first, 100th percentile', first(sc, '100')],
    ['Superconductor: first, 50th percentile', first(sc, '50')],
    ['Hopper: first, 100th percentile', first('hopper-controller-v1', '100')],
    ['Superconductor: many designs better than the dataset', beyond(sc)],
    ['GFP: many designs better than the dataset', beyond('gfp-gp-v1')],
    ['Molecules, Ant, D’Kitty: in line with the best', ['our tasks are stand-ins', '', 'not testable']],
    [
      "Superconductor: the median suffers without NML; the paper's settings",
      above(own, sc, 'paper, NML', 'paper, no NML', '50'),
    ],
    ['the same; our settings', above('effect-of-nml', sc, 'NML', 'No NML', '50')],
    [
      "Superconductor: the median suffers with a softmax; the paper's settings",
      above(own, sc, 'paper, logistic', 'paper, softmax', '50'),
    ],
    ['the same; our settings', above('architecture', sc, 'discretised logistic', 'categorical', '50')],
    [
      "Superconductor: more model steps help at rate 0.0005; the paper's settings",
      above(own, sc, 'paper, rate 0.0005, 20 steps', 'paper, rate 0.0005, 1 steps', '100'),
    ],
    [
      'the same; our settings',
      above('steps-ratio', sc, 'rate 0.0005, 20 model steps', 'rate 0.0005, 1 model steps', '100'),
    ],
    [
      "Superconductor: fewer are better at rate 0.05; the paper's settings",
      above(own, sc, 'paper, rate 0.05, 1 steps', 'paper, rate 0.05, 20 steps', '100'),
    ],
    [
      'the same; our settings',
      above('steps-ratio', sc, 'rate 0.05, 1 model steps', 'rate 0.05, 20 model steps', '100'),
    ],
  ];
  return [
    '| claim | here | best without a model | verdict |',
    '| --- | --- | --- | --- |',
    ...rows.map(([claim, cells]) => `| ${[claim, ...cells].join(' | ')} |`),
  ];
}
