// The page docs/results.md, made from the committed records: every sentence with a number is computed here.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {import('../dist/bench/records.js').TrialRecord} TrialRecord
 * @typedef {import('../dist/bench/summary.js').Cell} Cell
 * @typedef {'100' | '50'} Percentile
 * @typedef {{
 *   summarize: typeof import('../dist/bench/summary.js').summarize,
 *   rowName: typeof import('../dist/bench/summary.js').rowName,
 *   compareRanks: typeof import('../dist/bench/comparison.js').compareRanks,
 *   compareWithNulls: typeof import('../dist/bench/nullComparison.js').compareWithNulls,
 *   nullTables: typeof import('../dist/bench/nullTables.js').nullTables,
 *   resultTables: typeof import('../dist/bench/tables.js').resultTables,
 *   formatTables: typeof import('../dist/bench/tableFormats.js').formatTables,
 *   isNull: typeof import('../dist/bench/nulls/index.js').isNull,
 *   parseSpec: typeof import('../dist/bench/trialPlan.js').parseSpec,
 *   withSecondScorers: typeof import('../dist/bench/rescore.js').withSecondScorers,
 * }} Bench
 */

/** Records of a study; none where it was not run. @param {string} name @returns {TrialRecord[]} */
export function recordsOf(name) {
  return linesOf(`${name}/records.jsonl`);
}

/** @param {string} path @returns {any[]} */
function linesOf(path) {
  const file = fileURLToPath(new URL(path, import.meta.url));
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Rows without a model, and what second scorers say of them. @param {Bench} bench */
export function nullRecords({ withSecondScorers }) {
  return withSecondScorers(recordsOf('nulls'), linesOf('nulls/rescored.jsonl'));
}

/** Nothing that was picked by hand, and no ablation. @param {TrialRecord} record */
const isDefault = ({ variant }) => variant === 'defaults';

/** @param {Bench} bench @returns {string} Markdown */
export function resultsPage(bench) {
  const { summarize, rowName, compareRanks, compareWithNulls, nullTables, resultTables, formatTables } =
    bench;
  const first = recordsOf('paper-tasks');
  const paperIds = new Set(first.map(({ task }) => task));
  const isPaper = (/** @type {{ task: string }} */ { task }) => paperIds.has(task.split(' by ')[0] ?? task);
  const nulls = nullRecords(bench).filter(isPaper);
  const defaults = [...first.filter(isDefault), ...nulls];
  const cells = summarize(defaults);
  const models = cells.filter(({ algorithm, task }) => !bench.isNull(algorithm) && paperIds.has(task));
  const tasks = [...new Set(models.map(({ task }) => task))];
  const find = (/** @type {readonly Cell[]} */ all, /** @type {string} */ task, /** @type {string} */ row) =>
    all.find((cell) => cell.task === task && rowName(cell) === row);

  const published = recordsOf('as-published');
  const publishedSpec = specOf('as-published/spec.json');
  const asPublished = [
    ...published,
    ...first.filter(
      ({ id, algorithm, variant }) =>
        publishedSpec.variants.some(
          (row) => row.algorithm === algorithm && row.variant === variant && variant !== 'defaults',
        ) && !published.some((record) => record.id === id),
    ),
    ...nulls,
  ];
  const blind = recordsOf('blind');

  const compared = compareWithNulls(defaults).filter(({ task }) => paperIds.has(task));
  /** How many cells are better, worse, undecided and without a null. @param {'start' | 'noise'} against @param {Percentile} percentile */
  const tally = (against, percentile) => {
    const own = compared.filter((one) => one.against === against);
    const decided = own.filter(({ differences }) => (differences?.[percentile].pairs ?? 0) >= 3);
    const better = decided.filter(({ differences }) => (differences?.[percentile].low ?? 0) > 0).length;
    const worse = decided.filter(({ differences }) => (differences?.[percentile].high ?? 0) < 0).length;
    return { all: own.length, decided: decided.length, better, worse };
  };
  /** @param {'start' | 'noise'} against @param {string} what */
  const tallied = (against, what) => {
    const [best, middle] = [tally(against, '100'), tally(against, '50')];
    if (best.decided === 0)
      return `- **${what}** Not decided for any of ${best.all} cells: too few nulls were run.`;
    const missing = best.all - best.decided;
    return `- **${what}** At the 100th percentile ${best.better} of ${best.decided} cells are better, with the whole 95 % interval above 0, and ${best.worse} are worse. At the 50th, ${middle.better} are better and ${middle.worse} are worse.${missing > 0 ? ` For ${missing} further cells there are fewer than three seeds of that null.` : ''}`;
  };

  // rows that have all tasks: a row that lacks one would take the task out of the ranks
  const whole = cells.filter(
    ({ task, ...cell }) =>
      paperIds.has(task) && tasks.every((id) => find(cells, id, rowName(cell)) !== undefined),
  );
  /** @param {Percentile} percentile */
  const ranked = (percentile) => {
    const ranks = compareRanks(whole, percentile);
    if (!ranks) return `- **Ranks, ${percentile}th percentile.** Too few rows have all tasks.`;
    const place = ranks.rows.findIndex(({ name }) => name === 'start') + 1;
    const lead = ranks.rows.slice(0, 3).map(({ name, rank }) => `${name} ${rank.toFixed(2)}`);
    const doing = place > 0 ? ` Doing nothing is number ${place}.` : '';
    return `- **Mean ranks, ${percentile}th percentile**, ${ranks.rows.length} rows on ${ranks.tasks.length} tasks: ${lead.join(', ')}.${doing} Friedman's p is ${ranks.chance.toPrecision(1)}.`;
  };

  const perTask = tasks.map((task) => {
    const top = (/** @type {Percentile} */ percentile) =>
      models
        .filter((cell) => cell.task === task)
        .toSorted((a, b) => b.raw[percentile].mean - a.raw[percentile].mean)[0];
    const [best, middle] = [top('100'), top('50')];
    const start = find(cells, task, 'start');
    const noisy = cells
      .filter((cell) => cell.task === task && bench.isNull(cell.algorithm) && cell.algorithm !== 'start')
      .toSorted((a, b) => b.raw[100].mean - a.raw[100].mean)[0];
    const nothing = start
      ? `; doing nothing ${short(start.raw[100].mean)} and ${short(start.raw[50].mean)}`
      : '; doing nothing: not run';
    const chance = noisy
      ? `; ${rowName(noisy)} ${short(noisy.raw[100].mean)} and ${short(noisy.raw[50].mean)} (${noisy.seeds.length} ${noisy.seeds.length === 1 ? 'seed' : 'seeds'})`
      : '; noise: not run';
    return `- **${task}.** Best design: ${best && `${rowName(best)} ${short(best.raw[100].mean)}`}. Best median: ${middle && `${rowName(middle)} ${short(middle.raw[50].mean)}`}${nothing}${chance}.`;
  });

  return [
    '# Results',
    '',
    '<!-- made by node studies/render.mjs from the committed records; a test compares -->',
    '',
    '## What was asked',
    '',
    'Each algorithm sees the worse part of a dataset and proposes 128 designs. A hidden scorer scores them once: the best (100th percentile) and the median (50th) count',
    '([protocol](bench.md)). Three questions: is a row better than **doing nothing**, that is proposing the best visible rows as they are? Is it better than **noise** on those',
    "rows, as far from the data as its own designs? And are the paper's claims about NEMO reproduced?",
    '',
    '## What was found',
    '',
    `Algorithms at their defaults, versions as noted, some settings reduced to save time (a star): ${first.filter(isDefault).length} trials of the first pass, beside ${nulls.filter(({ task }) => paperIds.has(task)).length} without a model.`,
    '',
    tallied('start', 'Better than doing nothing?'),
    tallied('noise', 'Better than noise at the same distance?'),
    ranked('100'),
    ranked('50'),
    '',
    ...perTask,
    '',
    ...earlierNoise(),
    '',
    'So a score without its null says little. On Hopper in particular, a small change decides when a policy falls, and among 128 tries some are lucky. Superconductor and',
    'molecules are scored by learned models. [Second scorers](bench.md#second-scorers) are there for these three tasks; the trials of the first pass kept no designs to score again.',
    '',
    '<!-- tables -->',
    '',
    formatTables([...resultTables(cells, { scale: 'raw' }), ...nullTables(compareWithNulls(defaults))], 'md'),
    '<!-- end of tables -->',
    '',
    "## NEMO against the paper's claims",
    '',
    ...claims(bench, summarize(first)),
    '',
    '## As published',
    '',
    `Each method at its published settings, unreduced ([spec](../studies/as-published/spec.json)). ${published.length} trials of this pass are done; starred cells come from the first pass at reduced settings. A cell that was not run says so.`,
    '',
    formatTables(
      resultTables(summarize(asPublished), { scale: 'raw', planned: publishedSpec.variants }),
      'md',
    ),
    '## Blind',
    '',
    `Twelve settings per method by [one rule](../studies/blind/settings.json), whose author knew these tables; rehearsals on visible rows pick one ([protocol](../studies/blind/README.md)). ${blind.length === 0 ? 'No trial was run yet.' : `${blind.length} trials.`}`,
    '',
    ...(blind.length > 0
      ? [formatTables(resultTables(summarize([...blind, ...nulls]), { scale: 'raw' }), 'md')]
      : []),
    'Presets picked by hand (`nemo@tuned`) are in neither table: see [the notebook](../studies/nemo-choices/notebook.md#tuned-presets) and the [first pass](../studies/paper-tasks/tables.md).',
    '',
    '## To repeat or extend',
    '',
    'Recorded trials are not run again; any of these can be stopped and started.',
    '',
    '    NEMOKIT_DATA=<folder> nemokit bench run --task paper --algorithm nulls --match studies/paper-tasks --seeds 0-15 --designs --out studies/nulls',
    '    NEMOKIT_DATA=<folder> nemokit bench run --spec studies/as-published/spec.json --seeds 0-15 --designs --out studies/as-published',
    '    NEMOKIT_DATA=<folder> node studies/blind/run.mjs && nemokit bench run --spec studies/blind/spec.json --out studies/blind',
    '    node studies/render.mjs',
    '',
    'Figures: [ranks](results/paper-tasks/ranks-100.svg), [predicted and true](results/paper-tasks/promises.svg), [distance and score](results/paper-tasks/distances.svg),',
    '[cost](results/paper-tasks/cost.svg). [Tasks beyond the paper](../studies/other-tasks/tables.md), [effect of NML](../studies/effect-of-nml/README.md),',
    '[architecture](../studies/architecture/README.md), [steps](../studies/steps-ratio/README.md). [How to cite](bench.md#how-to-cite).',
    '',
  ].join('\n');

  /** @param {string} path */
  function specOf(path) {
    return bench.parseSpec(readFileSync(new URL(path, import.meta.url), 'utf8'), path);
  }
}

/** The paper's claims (§5, App. A.3) and what the records say. @param {Bench} bench @param {Cell[]} cells */
function claims({ summarize, rowName }, cells) {
  const of = (/** @type {string} */ study) => summarize(recordsOf(study));
  const nml = of('effect-of-nml');
  const heads = of('architecture');
  const ratio = of('steps-ratio');
  const paperAblations = recordsOf('paper-ablations').length;
  const named = (/** @type {Cell[]} */ all, /** @type {string} */ task, /** @type {string} */ variant) =>
    all.find((cell) => cell.task === task && cell.algorithm === 'nemo' && cell.variant === variant);
  /** @param {string} task @param {Percentile} percentile */
  const lead = (task, percentile) => {
    const own = named(cells, task, 'paper');
    const others = cells.filter((cell) => cell.task === task && cell.algorithm !== 'nemo');
    const top = others.toSorted((a, b) => b.raw[percentile].mean - a.raw[percentile].mean)[0];
    if (!own || !top) return ['not run', 'not tested'];
    const isFirst = own.raw[percentile].mean > top.raw[percentile].mean;
    const reduced = own.changed.length > 0 ? ', settings reduced' : '';
    return [
      `${short(own.raw[percentile].mean)} (${own.seeds.length} seeds${reduced}); best other row: ${rowName(top)} ${short(top.raw[percentile].mean)}`,
      isFirst ? 'reproduced' : 'not reproduced',
    ];
  };
  /** @param {string} task */
  const beyond = (task) => {
    const own = named(cells, task, 'paper');
    if (!own) return ['not run', 'not tested'];
    const above = own.raw[100].mean > own.visibleMax;
    return [
      `best design ${short(own.raw[100].mean)}, median ${short(own.raw[50].mean)}; best visible score ${short(own.visibleMax)}`,
      above && own.raw[50].mean > own.visibleMax
        ? 'reproduced'
        : above
          ? 'reproduced for the best design only'
          : 'not reproduced',
    ];
  };
  /** @param {Cell[]} all @param {string} task @param {string} a @param {string} b @param {Percentile} percentile */
  const above = (all, task, a, b, percentile) => {
    const [one, two] = [named(all, task, a), named(all, task, b)];
    if (!one || !two) return ['not run', 'not tested'];
    return [
      `${short(one.raw[percentile].mean)} against ${short(two.raw[percentile].mean)}, our settings`,
      one.raw[percentile].mean > two.raw[percentile].mean ? 'reproduced' : 'not reproduced',
    ];
  };
  const sc = 'superconductor-gbdt-v1';
  const rows = [
    ['Superconductor: first, 100th percentile', lead(sc, '100')],
    ['Superconductor: first, 50th percentile', lead(sc, '50')],
    ['Hopper: first, 100th percentile', lead('hopper-controller-v1', '100')],
    ['Superconductor: many designs better than the dataset', beyond(sc)],
    ['GFP: many designs better than the dataset', beyond('gfp-gp-v1')],
    ['Molecules, Ant, D’Kitty: in line with the best', ['our tasks are stand-ins', 'not testable']],
    ['Superconductor: the median suffers without NML', above(nml, sc, 'NML', 'No NML', '50')],
    [
      'Superconductor: the median suffers with a softmax',
      above(heads, sc, 'discretised logistic', 'categorical', '50'),
    ],
    [
      'Superconductor: more model steps help at rate 0.0005',
      above(ratio, sc, 'rate 0.0005, 20 model steps', 'rate 0.0005, 1 model steps', '100'),
    ],
    [
      'Superconductor: fewer are better at rate 0.05',
      above(ratio, sc, 'rate 0.05, 1 model steps', 'rate 0.05, 20 model steps', '100'),
    ],
  ];
  return [
    '| claim | here | verdict |',
    '| --- | --- | --- |',
    ...rows.map(([claim, [here, verdict]]) => `| ${claim} | ${here} | ${verdict} |`),
    '',
    `The first five use \`nemo@paper\`, the last four the ablations at our settings from the worst starts. Ablations at the paper's settings ([specs](../studies/paper-ablations/README.md)): ${paperAblations === 0 ? 'not run yet' : `${paperAblations} trials`}.`,
  ];
}

/** Rows with noise on the robots, of the study that was before these nulls. @returns {string[]} */
function earlierNoise() {
  /** @type {{ task: string, noise: number, best: number, median: number }[]} */
  const batches = linesOf('no-model/records.jsonl').filter(({ noise }) => noise > 0);
  const mean = (/** @type {number[]} */ values) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const parts = [...new Set(batches.map(({ task }) => task))].map((task) => {
    const sizes = [...new Set(batches.filter((one) => one.task === task).map(({ noise }) => noise))];
    const [top] = sizes
      .map((noise) => {
        const own = batches.filter((one) => one.task === task && one.noise === noise);
        const [best, middle] = [mean(own.map((one) => one.best)), mean(own.map((one) => one.median))];
        return { noise, best, middle, count: own.length };
      })
      .toSorted((a, b) => b.best - a.best);
    if (!top) return '';
    return `${task} ${short(top.best)} and ${short(top.middle)} (noise ${top.noise}, ${top.count} ${top.count === 1 ? 'batch' : 'batches'})`;
  });
  return [
    `[An earlier study](../studies/no-model/README.md) added noise of ${new Set(batches.map(({ noise }) => noise)).size} sizes, in standard deviations of each column, to the best rows of the robots. The size with the best design of each: ${parts.join('; ')}.`,
  ];
}

/** Four digits. @param {number} value */
function short(value) {
  return Math.abs(value) >= 1000 ? value.toFixed(0) : value.toPrecision(4);
}
