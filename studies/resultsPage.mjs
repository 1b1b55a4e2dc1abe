// The page docs/results.md, made from the committed records: every sentence with a number is computed here.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { claims } from './paperClaims.mjs';
import { besideNulls, counted, linesOf, plainTask, recordsOf, short, withRescored } from './studyRecords.mjs';

/**
 * @typedef {import('../dist/bench/records.js').TrialRecord} TrialRecord
 * @typedef {import('../dist/bench/summary.js').Cell} Cell
 * @typedef {'100' | '50'} Percentile
 * @typedef {{
 *   summarize: typeof import('../dist/bench/summary.js').summarize,
 *   rowName: typeof import('../dist/bench/summary.js').rowName,
 *   compareRanks: typeof import('../dist/bench/comparison.js').compareRanks,
 *   oneVersion: typeof import('../dist/bench/algorithmVersions.js').oneVersion,
 *   compareRows: typeof import('../dist/bench/comparison.js').compareRows,
 *   compareWithNulls: typeof import('../dist/bench/nullComparison.js').compareWithNulls,
 *   nullTables: typeof import('../dist/bench/nullTables.js').nullTables,
 *   resultTables: typeof import('../dist/bench/tables.js').resultTables,
 *   formatTables: typeof import('../dist/bench/tableFormats.js').formatTables,
 *   isNull: typeof import('../dist/bench/nulls/index.js').isNull,
 *   parseSpec: typeof import('../dist/bench/trialPlan.js').parseSpec,
 *   withSecondScorers: typeof import('../dist/bench/rescore.js').withSecondScorers,
 * }} Bench
 */

/** Nothing that was picked by hand, and no ablation. @param {TrialRecord} record */
const isDefault = ({ variant }) => variant === 'defaults';

/**
 * Each method at its defaults, beside the rows without a model: the first table of the page, and its figures. NEMO by its
 * rule was run apart; what the first pass ran as its defaults is the preset `lockstep` now.
 * @param {Bench} bench
 */
export function atDefaults(bench) {
  const pass = recordsOf(bench, 'paper-tasks')
    .filter(isDefault)
    .map((record) => (record.algorithm === 'nemo' ? { ...record, variant: 'lockstep' } : record));
  const rule = withRescored(bench, 'nemo-rule').map((record) => ({ ...record, variant: 'defaults' }));
  const first = [...rule, ...pass];
  const paperIds = new Set(first.map(({ task }) => plainTask(task)));
  const nulls = withRescored(bench, 'nulls').filter(({ task }) => paperIds.has(plainTask(task)));
  return { first, nulls };
}

/** @param {Bench} bench @returns {string} Markdown */
export function resultsPage(bench) {
  const { summarize, isNull, resultTables, formatTables, nullTables, compareWithNulls } = bench;
  const { first, nulls } = atDefaults(bench);
  const paperIds = new Set(first.map(({ task }) => plainTask(task)));
  const defaults = [...first, ...nulls];
  // all tasks: one that no method was run on says so
  const published = [...withRescored(bench, 'as-published'), ...nulls];
  const isModel = (/** @type {TrialRecord} */ { algorithm, task }) =>
    !isNull(algorithm) && paperIds.has(task);
  const blind = recordsOf(bench, 'blind');
  const beyond = besideNulls(bench, 'other-tasks').filter(
    (record) => isNull(record.algorithm) || isDefault(record),
  );
  const spec = specOf(bench, 'as-published/spec.json');
  const own = published.filter(isModel).length;
  /** @param {readonly TrialRecord[]} records @param {import('../dist/bench/tables.js').TableOptions['planned']} [planned] */
  const tables = (records, planned) =>
    formatTables(
      [
        ...resultTables(summarize(records), { scale: 'raw', ...(planned && { planned }) }),
        ...nullTables(compareWithNulls(records)),
      ],
      'md',
    );

  return [
    '# Results',
    '',
    '<!-- made by node studies/render.mjs from the committed records; a test compares -->',
    '',
    '## What was asked',
    '',
    'Each algorithm sees the worse part of a dataset and proposes 128 designs, scored once by a hidden scorer: the best (100th percentile) and the median (50th) count',
    '([protocol](bench.md)). Is a row better than **doing nothing**, the best visible rows? Than **noise** on them, as far from',
    "the data? Are the paper's claims reproduced?",
    '',
    '## What was found',
    '',
    'A cell is decided where the whole 95 % interval of the difference lies on one side, of three seeds or more.',
    '',
    `**At their defaults** (${counted(first.filter(isModel).length, 'trial')}, ${nulls.filter(({ task }) => paperIds.has(task)).length} without a model; a star: reduced settings):`,
    '',
    ...tallies(bench, defaults),
    ranked(bench, defaults, '100'),
    ranked(bench, defaults, '50'),
    '',
    '`nemo` is [its rule](algorithms/nemo.md#the-rule), `nemo (lockstep)` Alg. 2 alone.',
    '',
    ...(own === 0
      ? ['**At their published settings**: not run yet.']
      : [
          `**At their published settings** (${counted(own, 'trial')} so far, ${seedsText(summarize(published.filter(isModel)))}):`,
          '',
          ...tallies(bench, published),
        ]),
    '',
    `**Tasks beyond the paper** ([tables](../studies/other-tasks/tables.md)), mean ranks: ${leaders(bench, beyond, '100')}; ${leaders(bench, beyond, '50')}.`,
    '',
    '**Per task**, at their defaults:',
    '',
    ...perTask(bench, defaults),
    '',
    `${averaged(nulls)}${thrown(nulls)}`.trim(),
    '',
    ...agreement([...nulls, ...published.filter(({ algorithm }) => !isNull(algorithm))]),
    ...nmlAtWork(),
    '## Tables',
    '',
    'A cell that was not run says so. Presets picked by hand (`nemo@tuned`) are in none of these tables: see [the notebook](../studies/nemo-choices/notebook.md#tuned-presets) and the',
    '[first pass](../studies/paper-tasks/tables.md).',
    '',
    "### NEMO against the paper's claims",
    '',
    ...claims(bench),
    '',
    '"As published" are trials at the published settings, where NEMO and enough others were run; else the first pass. Ablations start from the worst visible designs.',
    '',
    '## Defaults',
    '',
    'The first pass kept no designs, so second scorers say nothing of its rows.',
    '',
    tables(defaults),
    '## As published',
    '',
    `Each method at its published settings, epochs counted by the rows of each task ([spec](../studies/as-published/spec.json)). "reduced": a trial would take more than 15 minutes, so its networks are narrower (RaM: shorter and fewer lists, too). ${counted(own, 'trial')} of ${spec.variants.length * spec.tasks.length * spec.seeds.length} are done.`,
    '',
    tables(published, spec.variants),
    '## Blind',
    '',
    `Four settings per method by [one rule](../studies/blind/settings.json), whose author knew these tables; rehearsals on visible rows pick one ([protocol](../studies/blind/README.md)). ${blind.length === 0 ? `No trial was run yet; ${counted(linesOf('blind/rehearsals.jsonl').length, 'rehearsal')}.` : `${counted(blind.length, 'trial')}.`}`,
    '',
    ...(blind.length > 0 ? [tables([...withRescored(bench, 'blind'), ...nulls])] : []),
    '## To repeat or extend',
    '',
    'Recorded trials are not run again; this can be stopped and started.',
    '',
    '    NEMOKIT_DATA=<folder> node studies/passes.mjs',
    '    node studies/render.mjs',
    '',
    `Figures: ${figures().join(', ')}. [Tasks beyond the paper](../studies/other-tasks/tables.md), [effect of NML](../studies/effect-of-nml/README.md),`,
    '[architecture](../studies/architecture/README.md), [steps](../studies/steps-ratio/README.md). [How to cite](bench.md#how-to-cite).',
    '',
  ].join('\n');
}

/** @param {Bench} bench @param {string} path */
function specOf({ parseSpec }, path) {
  return parseSpec(readFileSync(new URL(path, import.meta.url), 'utf8'), path);
}

/** @param {readonly Cell[]} cells */
function seedsText(cells) {
  const counts = cells.map(({ seeds }) => seeds.length).toSorted((a, b) => a - b);
  const [least = 0, most = 0] = [counts[0], counts.at(-1)];
  return least === most ? counted(most, 'seed') : `${least} to ${most} seeds`;
}

/** How many cells are better than the nulls. @param {Bench} bench @param {readonly TrialRecord[]} records */
function tallies({ compareWithNulls }, records) {
  const compared = compareWithNulls(records).filter(({ task }) => plainTask(task) === task);
  /** @type {readonly (readonly ['start' | 'noise', string])[]} */
  const questions = [
    ['start', 'Better than doing nothing?'],
    ['noise', 'Better than noise at the same distance?'],
  ];
  return questions.map(([against, what]) => {
    const cells = compared.filter((one) => one.against === against);
    const decided = cells.flatMap(({ differences }) =>
      differences && differences[100].pairs >= 3 ? [differences] : [],
    );
    const missing = cells.length - decided.length;
    if (decided.length === 0)
      return `- **${what}** None of ${counted(cells.length, 'cell')} has three seeds of both.`;
    const fewest = decided.reduce((least, one) => Math.min(least, one[100].pairs), Number.POSITIVE_INFINITY);
    const chance = fewest < 4 ? ` (of ${fewest} pairs; one in ${2 ** fewest} by chance)` : '';
    const better = (/** @type {Percentile} */ p) => decided.filter((one) => one[p].low > 0).length;
    const worse = (/** @type {Percentile} */ p) => decided.filter((one) => one[p].high < 0).length;
    const first = `Of ${counted(decided.length, 'cell')} ${better('100')} ${better('100') === 1 ? 'is' : 'are'} better at the 100th percentile${chance} and ${worse('100')} worse`;
    return `- **${what}** ${first}; at the 50th ${better('50')} and ${worse('50')}.${missing > 0 ? ` ${missing} lack three seeds.` : ''}`;
  });
}

/** @param {Bench} bench @param {readonly TrialRecord[]} records @param {Percentile} percentile */
function leaders(bench, records, percentile) {
  const ranks = ranksOf(bench, records, percentile);
  if (!ranks) return `${percentile}th percentile: too few rows have all tasks`;
  const lead = ranks.rows.slice(0, 2).map(({ name, rank }) => `${name} ${rank.toFixed(2)}`);
  const nemo = ranks.rows.findIndex(({ name }) => name === 'nemo') + 1;
  return `${percentile}th percentile, ${ranks.rows.length} rows: ${lead.join(', ')}; NEMO is number ${nemo}`;
}

/** @param {Bench} bench @param {readonly TrialRecord[]} records @param {Percentile} percentile */
function ranksOf({ summarize, rowName, compareRanks }, records, percentile) {
  const cells = summarize(records).filter(({ task }) => plainTask(task) === task);
  const tasks = [...new Set(cells.map(({ task }) => task))];
  // a row that lacks a task would take the task out of the ranks
  const whole = cells.filter((cell) =>
    tasks.every((task) => cells.some((one) => one.task === task && rowName(one) === rowName(cell))),
  );
  return compareRanks(whole, percentile);
}

/** @param {Bench} bench @param {readonly TrialRecord[]} records @param {Percentile} percentile */
function ranked(bench, records, percentile) {
  const ranks = ranksOf(bench, records, percentile);
  if (!ranks) return `- **Ranks, ${percentile}th percentile.** Too few rows.`;
  const place = ranks.rows.findIndex(({ name }) => name === 'start') + 1;
  const lead = ranks.rows.slice(0, 3).map(({ name, rank }) => `${name} ${rank.toFixed(2)}`);
  const doing = place > 0 ? ` Doing nothing is number ${place}, NEMO` : ' NEMO';
  const nemo = ranks.rows.findIndex(({ name }) => name === 'nemo') + 1;
  return `- **Mean ranks, ${percentile}th percentile**, ${ranks.rows.length} rows on ${ranks.tasks.length} tasks: ${lead.join(', ')}.${doing} ${place > 0 ? '' : 'is '}number ${nemo}. Friedman's p is ${ranks.chance.toPrecision(1)}.`;
}

/** @param {Bench} bench @param {readonly TrialRecord[]} records */
function perTask({ summarize, rowName, isNull }, records) {
  const cells = summarize(records).filter(({ task }) => plainTask(task) === task);
  return [...new Set(cells.map(({ task }) => task))].map((task) => {
    const here = cells.filter((cell) => cell.task === task);
    const models = here.filter(({ algorithm }) => !isNull(algorithm));
    const top = (/** @type {Cell[]} */ all, /** @type {Percentile} */ p) =>
      all.toSorted((a, b) => b.raw[p].mean - a.raw[p].mean)[0];
    const said = (/** @type {Cell | undefined} */ cell, /** @type {Percentile} */ p) =>
      cell ? `${rowName(cell)} ${short(cell.raw[p].mean)}` : 'not run';
    const start = here.find(({ algorithm }) => algorithm === 'start');
    const chance = here.filter(({ algorithm }) => isNull(algorithm) && algorithm !== 'start');
    return `- **${task}.** Best: ${said(top(models, '100'), '100')}; median: ${said(top(models, '50'), '50')}. Doing nothing: ${start ? `${short(start.raw[100].mean)} and ${short(start.raw[50].mean)}` : 'not run'}. Noise or chance: ${said(top(chance, '100'), '100')} and ${said(top(chance, '50'), '50')}.`;
  });
}

/** Whether the best noise of Hopper owes its score to one rollout. @param {readonly TrialRecord[]} nulls */
function averaged(nulls) {
  const again = nulls.filter(({ task }) => task === 'hopper-controller-v1 by noisy-start');
  const best = (/** @type {TrialRecord} */ { result }) =>
    result.scores.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY);
  const [top] = again.toSorted((a, b) => best(b) - best(a));
  const own = top && nulls.find(({ id }) => id === top.id.split(' ')[0]);
  if (!top || !own) return '';
  const name = `${top.algorithm} (${top.variant})`;
  return ` The best of Hopper's ${name} scores ${short(best(own))} in its one rollout; averaged over eight starts the best is ${short(best(top))}.`;
}

/** How well random bodies of the Ant do that are not thrown. @param {readonly TrialRecord[]} nulls */
function thrown(nulls) {
  const best = (/** @type {string} */ task) =>
    nulls
      .filter((record) => record.task === task && record.algorithm === 'random')
      .flatMap(({ result }) => result.scores)
      .reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY);
  const [own, inside] = [best('ant-morphology-cpg-v1'), best('ant-morphology-cpg-v1 by joints-inside')];
  if (!Number.isFinite(inside)) return '';
  return ` Random bodies of the Ant reach ${short(own)} as their joints [throw them](tasks/ant-morphology.md); else ${short(inside)}.`;
}

/** How far two scorers agree, near the data and far away. @param {readonly TrialRecord[]} records @returns {string[]} */
function agreement(records) {
  const NEAR = 0.1;
  const byId = new Map(records.map((record) => [record.id, record]));
  const parts = [...new Set(records.map(({ task }) => task))]
    .filter((task) => plainTask(task) !== task)
    .map((task) => {
      /** @type {Record<'near' | 'far', number[]>} */
      const apart = { near: [], far: [] };
      for (const record of records.filter((one) => one.task === task)) {
        const own = byId.get(record.id.split(' ')[0] ?? '');
        own?.result.distances.forEach((distance, i) => {
          const difference = Math.abs((record.result.scores[i] ?? 0) - (own.result.scores[i] ?? 0));
          apart[distance < NEAR ? 'near' : 'far'].push(difference);
        });
      }
      const said = [apart.near, apart.far].map((values) =>
        values.length > 0 ? short(middle(values)) : 'not run',
      );
      return `${task} ${said.join(' and ')}`;
    });
  if (parts.length === 0) return [];
  return [
    `**Second scorers** ([what they are](bench.md#second-scorers)), median difference to the task's own, below a distance of ${NEAR} and beyond: ${parts.join('; ')}.`,
    '',
  ];
}

/** @param {readonly number[]} values */
function middle(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2;
}

/** What NML does at the end of searches at the paper's settings. @returns {string[]} */
function nmlAtWork() {
  /** @type {{ task: string, preset: string, seed: number, iteration: number, spread: number, atTop: number }[]} */
  const points = linesOf('nml-along-search/records.jsonl');
  const last = [...new Set(points.map(({ task }) => task))].flatMap((task) => {
    const own = points.filter((one) => one.task === task && one.preset === 'paper');
    const end = own.toSorted((a, b) => b.iteration - a.iteration || a.seed - b.seed)[0];
    return end ? [end] : [];
  });
  if (last.length === 0) return [];
  const share = (/** @type {number} */ value) =>
    value < 5e-4 ? 'less than 0.1 %' : `${(100 * value).toFixed(1)} %`;
  const isFull = (/** @type {{ atTop: number }} */ { atTop }) => atTop >= 0.99;
  const full = last.filter(isFull);
  const parts = [
    ...(full.length > 0
      ? [
          `on ${full.map(({ task }) => task).join(' and ')} all networks say the top bin (median design) and differ by ${share(full.reduce((most, { spread }) => Math.max(most, spread), 0))} of the range at most`,
        ]
      : []),
    ...last
      .filter((one) => !isFull(one))
      .map(
        ({ task, spread, atTop }) =>
          `on ${task} ${Math.round(100 * atTop)} % do, and they differ by ${share(spread)}`,
      ),
  ];
  return [
    `**What NML does** at the end of a search at the paper's settings: ${parts.join('; ')} ([study](../studies/nml-along-search/README.md)).`,
    '',
  ];
}

/** Links to what was drawn. */
function figures() {
  /** @type {readonly (readonly [string, string])[]} */
  const all = [
    ['ranks', 'defaults/ranks-100.svg'],
    ['predicted and true', 'defaults/promises.svg'],
    ['distance and score', 'defaults/distances.svg'],
    ['cost', 'defaults/cost.svg'],
    ['agreement of scorers', 'nulls/agreement.svg'],
    ['ranks, as published', 'as-published/ranks-100.svg'],
    ['distance and score, as published', 'as-published/distances.svg'],
  ];
  return all
    .filter(([, path]) => existsSync(fileURLToPath(new URL(`../docs/results/${path}`, import.meta.url))))
    .map(([name, path]) => `[${name}](results/${path})`);
}
