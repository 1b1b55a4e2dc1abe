// What it costs to keep designs inside a space: medians of 7 rounds of 128 projections, in milliseconds each.
//   node studies/projection/run.mjs
import { median, rootKey, Stream } from '../../dist/numeric/index.js';
import { projector } from '../../dist/space/index.js';

const numbers = (/** @type {number} */ d, /** @type {object} */ more = {}) =>
  Array.from({ length: d }, () => ({
    kind: /** @type {const} */ ('continuous'),
    lower: 0,
    upper: 1,
    ...more,
  }));
const terms = (/** @type {number} */ d) => Array.from({ length: d }, (_, column) => ({ column, weight: 1 }));
const sum = (/** @type {number} */ d) => ({
  terms: terms(d),
  relation: /** @type {const} */ ('='),
  bound: 1,
  label: 'sum',
});
const group = (/** @type {number} */ d, /** @type {number} */ atMost) => ({
  columns: Array.from({ length: d }, (_, j) => j),
  atLeast: 0,
  atMost,
  label: 'group',
});
/** @type {[string, import('../../dist/space/space.js').Space][]} */
const spaces = [
  ['bounds, 10 columns', { columns: numbers(10) }],
  ['mixture of 10', { columns: numbers(10), linear: [sum(10)] }],
  ['mixture of 80', { columns: numbers(80), linear: [sum(80)] }],
  ['mixture of 10, at most 3', { columns: numbers(10), linear: [sum(10)], cardinality: [group(10, 3)] }],
  ['mixture of 86, at most 9', { columns: numbers(86), linear: [sum(86)], cardinality: [group(86, 9)] }],
  ['mixture of 6 in steps of 0.05', { columns: numbers(6, { step: 0.05 }), linear: [sum(6)] }],
];
for (const [name, space] of spaces) {
  const { project } = await projector(space);
  const stream = new Stream(rootKey(1));
  const d = space.columns.length;
  const rounds = Array.from({ length: 7 }, () => {
    const designs = Array.from({ length: 128 }, () =>
      Float64Array.from({ length: d }, () => stream.uniform()),
    );
    const started = performance.now();
    for (const design of designs) project(design);
    return (performance.now() - started) / designs.length;
  });
  process.stdout.write(`| ${name} | ${median(rounds).toFixed(3)} |\n`);
}
