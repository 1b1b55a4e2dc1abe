// What NEMO reached on the paper's tasks by its rule, beside doing nothing, its Alg. 2 alone and the best of all others, as Markdown;
// scripts/measured.mjs puts it into NEMO's page and this study's.
import { oneVersion } from '../../dist/bench/algorithmVersions.js';
import { summarize } from '../../dist/bench/summary.js';
import { recordsOf, short } from '../studyRecords.mjs';

/** Best and median that were hoped for. @type {Readonly<Record<string, readonly [number, number]>>} */
const aims = {
  'superconductor-gbdt-v1': [110, 90],
  'gfp-gp-v1': [3.4, 3.26],
  'molecule-activity-forest-v1': [9.2, 8.6],
  'ant-morphology-cpg-v1': [240, 160],
  'dkitty-morphology-cpg-v1': [266, 245],
};
/** Part of a task's range by which the median may be below that of doing nothing. */
const BELOW = 0.01;

/** @typedef {import('../../dist/bench/summary.js').Cell} Cell */

/** @returns {{ rule: Cell[], start: Cell[], lockstep: Cell[], others: Cell[] }} */
function cells() {
  const of = (/** @type {string} */ study) => recordsOf({ oneVersion }, study);
  const first = summarize(of('paper-tasks').filter(({ variant }) => variant === 'defaults'));
  return {
    rule: summarize(of('nemo-rule')),
    start: summarize(of('nulls').filter(({ algorithm }) => algorithm === 'start')),
    lockstep: first.filter(({ algorithm }) => algorithm === 'nemo'),
    others: first.filter(({ algorithm }) => algorithm !== 'nemo'),
  };
}

/** @param {Cell | undefined} cell */
const both = (cell) => (cell ? `${short(cell.raw[100].mean)} / ${short(cell.raw[50].mean)}` : 'not run');

/** @returns {readonly [head: string[], rows: string[][]]} */
export function ruleTable() {
  const { rule, start, lockstep, others } = cells();
  const rows = rule.map((cell) => {
    const of = (/** @type {readonly Cell[]} */ some) => some.find(({ task }) => task === cell.task);
    const best = (/** @type {100 | 50} */ percentile) =>
      others
        .filter(({ task }) => task === cell.task)
        .reduce((most, { raw }) => Math.max(most, raw[percentile].mean), Number.NEGATIVE_INFINITY);
    const aim = aims[cell.task];
    return [
      cell.task,
      `${cell.seeds.length}`,
      both(cell),
      both(of(start)),
      both(of(lockstep)),
      `${short(best(100))} / ${short(best(50))}`,
      aim ? `${aim[0]} / ${aim[1]}` : '',
    ];
  });
  const [version] = new Set(rule.map((cell) => cell.version));
  return [
    ['task', 'seeds', `rule ${version}`, 'doing nothing', 'lockstep', 'best of others', 'hoped for'],
    rows,
  ];
}

/** The same in sentences. */
export function ruleSentence() {
  const { rule, start } = cells();
  const compared = rule.flatMap((cell) => {
    const nothing = start.find(({ task }) => task === cell.task);
    if (!nothing) return [];
    const width = cell.range.best - cell.range.worst;
    return [
      {
        task: cell.task,
        isBetter: cell.raw[100].mean > nothing.raw[100].mean,
        median: (cell.raw[50].mean - nothing.raw[50].mean) / width,
      },
    ];
  });
  const better = compared.filter(({ isBetter }) => isBetter).length;
  const above = compared.filter(({ median }) => median > 0).length;
  const below = compared.filter(({ median }) => median < -BELOW);
  const named = below.map(({ task, median }) => `${task} (${(100 * median).toFixed(1)} %)`).join(', ');
  return `Its best design is better than doing nothing on ${better} of ${compared.length} tasks, its median on ${above}; it is below by more than 1 % of the scores' range on ${below.length}${below.length > 0 ? `: ${named}` : ''}.`;
}
