// How long networks should be trained to tell good designs from better ones they have not seen: NEMO's networks, trained
// without the best fifth of the visible rows and without a tenth of the others, rank what was kept from them. No scorer.
// One line of JSON per run in results/nemo-ranks.jsonl; runs that are there are not repeated.
//   NEMOKIT_DATA=<folder> node studies/nemo-choices/ranks.mjs [task...]
import { presetOptions } from '../../dist/algorithm.js';
import { nemo } from '../../dist/algorithms/index.js';
import { openDataFolder } from '../../dist/data/dataFolder.js';
import { AmortizedCnml, fitQuantizer, SearchSpace } from '../../dist/models/index.js';
import { labelsOf } from '../../dist/models/quantizer.js';
import { foldKey, openEngine, quantile, rootKey, spearman } from '../../dist/numeric/index.js';
import { Stream } from '../../dist/numeric/random.js';
import { takeRows } from '../../dist/numeric/rows.js';
import { encode, modelInputs } from '../../dist/search/encoding.js';
import { tasks } from '../../dist/tasks/index.js';
import { commit, openRecords } from '../lineFile.mjs';

const hiddenShare = 0.2;
const heldShare = 0.1;
/** Of the kept-back rows of either kind, at most this many are ranked, taken evenly. */
const ranked = 1500;
const widest = 128;

const small = { hidden: [64, 64] };
const byWidth = {
  '64-64, 3e-3': { ...small, rate: 3e-3 },
  '256-256, 1e-3': { hidden: [256, 256], rate: 1e-3 },
};
const byRate = {
  '64-64, 3e-3': { ...small, rate: 3e-3 },
  '64-64, 1e-3': { ...small, rate: 1e-3 },
};
const robots = { marks: [100, 200, 400, 600, 1000, 2000], minibatch: 128, settings: byWidth };
const letters = { marks: [100, 200, 400, 800, 1600], minibatch: 64, settings: byRate };
/** @type {Record<string, { marks: number[], minibatch: number, settings: Record<string, { hidden: number[], rate: number }> }>} */
const plans = {
  'superconductor-gbdt-v1': { marks: [100, 250, 500, 1000, 2000], minibatch: 128, settings: byWidth },
  'ant-morphology-cpg-v1': robots,
  'dkitty-morphology-cpg-v1': robots,
  'molecule-activity-forest-v1': letters,
  'gfp-gp-v1': letters,
  'hopper-controller-v1': {
    marks: [100, 200, 400],
    minibatch: 64,
    settings: { '64-64, 3e-3': { ...small, rate: 3e-3 }, '64-64, 3e-4': { ...small, rate: 3e-4 } },
  },
};

const { runs, add } = openRecords(new URL('ranks.jsonl', import.meta.url));
const done = new Set(runs.map(({ task, setting }) => `${task}|${setting}`));
const source = openDataFolder();
const engine = await openEngine();
const wanted = process.argv.slice(2);
for (const [id, { marks, minibatch, settings }] of Object.entries(plans)) {
  if (wanted.length > 0 && !wanted.includes(id)) continue;
  const missing = Object.entries(settings).filter(([setting]) => !done.has(`${id}|${setting}`));
  const definition = tasks.find((known) => known.id === id);
  if (!definition || missing.length === 0) continue;
  const task = await definition.open(source);
  const parts = partsOf(task.data.y);
  for (const [setting, { hidden, rate }] of missing) {
    const networks = networksOf(task, parts.seen, { hidden, minibatch });
    const stream = new Stream(foldKey(rootKey(0), 'minibatches'));
    const curve = [];
    for (let step = 1; step <= (marks.at(-1) ?? 0); step++) {
      await networks.models.pretrain(stream.sampleWithReplacement(parts.seen.length, minibatch), rate);
      if (!marks.includes(step)) continue;
      networks.models.copyToTargets();
      const [above, within] = [await networks.expect(parts.above), await networks.expect(parts.within)];
      curve.push({
        step,
        above: correlation(above, parts.above, task.data.y),
        within: correlation(within, parts.within, task.data.y),
        both: correlation([...above, ...within], [...parts.above, ...parts.within], task.data.y),
      });
    }
    const made = { commit, kernel: engine.kernel };
    add({ task: id, setting, hidden, rate, minibatch, curve, made });
    const words = curve.map(({ step, above, within, both }) => `${step}: ${above} ${within} ${both}`);
    process.stdout.write(`${id} ${setting}; above, within, both: ${words.join(' | ')}\n`);
  }
}
await engine.close();

/** Rows that are seen, better ones that are not, and others that are not. @param {ArrayLike<number>} y */
function partsOf(y) {
  const limit = quantile(y, 1 - hiddenShare);
  const stream = new Stream(foldKey(rootKey(0), 'held out'));
  /** @type {{ seen: number[], above: number[], within: number[] }} */
  const parts = { seen: [], above: [], within: [] };
  for (let i = 0; i < y.length; i++) {
    const part = (y[i] ?? 0) > limit ? 'above' : stream.uniform() < heldShare ? 'within' : 'seen';
    parts[part].push(i);
  }
  return { seen: parts.seen, above: thinned(parts.above), within: thinned(parts.within) };
}

/** @param {number[]} rows */
function thinned(rows) {
  const count = Math.min(ranked, rows.length);
  return Array.from({ length: count }, (_, i) => rows[Math.floor((i * rows.length) / count)] ?? 0);
}

/**
 * @param {import('../../dist/tasks/index.js').Task} task @param {number[]} rows
 * @param {{ hidden: number[], minibatch: number }} shape
 */
function networksOf({ data, space }, rows, { hidden, minibatch }) {
  const d = space.columns.length;
  const seen = { x: takeRows(data.x, d, rows), y: takeRows(data.y, 1, rows) };
  const options = { ...presetOptions(nemo, 'lockstep'), hidden, minibatch };
  const { encoding, parameters } = new SearchSpace(seen, space, options);
  const quantizer = fitQuantizer(seen.y, options);
  const models = new AmortizedCnml(engine, {
    encoding,
    quantizer,
    head: { kind: 'logistic', bins: options.bins, scale: 1 / options.bins },
    hidden,
    objective: 'mu',
    parameters,
    labels: labelsOf(seen.y, quantizer),
    minibatch,
    batchSize: widest,
    queryWeight: 0,
  });
  models.initialize(foldKey(rootKey(0), 'weights'));
  /** The score that the networks expect, on average. @param {number[]} asked */
  const expect = async (asked) => {
    const scores = [];
    for (let from = 0; from < asked.length; from += widest) {
      const designs = encode(encoding, takeRows(data.x, d, asked.slice(from, from + widest)));
      const { mean } = await models.read(modelInputs(encoding, designs));
      for (const score of mean) scores.push(score);
    }
    return scores;
  };
  return { models, expect };
}

/** Networks that expect the same of all rows rank nothing: 0. @param {number[]} expected @param {number[]} rows @param {ArrayLike<number>} y */
function correlation(expected, rows, y) {
  if (expected.every((value) => value === expected[0])) return 0;
  return Number(
    spearman(
      expected,
      rows.map((i) => y[i] ?? 0),
    ).toFixed(3),
  );
}
