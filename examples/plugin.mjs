// An algorithm and a task of your own, for the benchmark:
//   nemokit bench run --plugin examples/plugin.mjs --task sphere5-v1,branin-v1 --algorithm jitter,nemo --seeds 0-3
// docs/plugins.md says what every function has to do;
//   nemokit bench conform examples/plugin.mjs
// checks that it does.
import { ArgumentError, defineAlgorithm, option, rootKey, SearchSpace, Stream } from 'nemokit/research';
import { requireDesigns } from 'nemokit/tasks';

/** The best visible designs, each moved a little, step by step: what any method should beat. */
const jitter = defineAlgorithm({
  id: 'jitter',
  options: {
    batchSize: option.count(128, 'M, designs that are proposed'),
    startFrom: option.choice('best', 'Which visible designs are moved', {
      best: 'those with the highest scores',
      worst: 'those with the lowest scores',
    }),
    steps: option.count(10, 'How often they are moved'),
    size: option.number(0.1, 'How far, in standard deviations of the columns', { least: 0 }),
  },
  presets: { bold: { help: 'steps five times as large', options: { size: 0.5 } } },

  length: ({ options }) => ({ training: 0, search: options.steps }),

  async init({ data, space, options }, key) {
    const search = new SearchSpace(data, space, { box: null });
    await search.prepare();
    const designs = search.start(options, key);
    return { iteration: 0, designs, proposals: search.settle(designs), stream: new Stream(key).state() };
  },

  async step(state, { data, space, options }, iterations = 1) {
    if (!Number.isInteger(iterations) || iterations < 0)
      throw new ArgumentError('iterations', `iterations is ${iterations}; expected a whole number >= 0`);
    const search = new SearchSpace(data, space, { box: null });
    await search.prepare();
    const stream = new Stream(state.stream);
    const designs = state.designs.slice();
    for (let t = 0; t < iterations; t++) {
      for (let i = 0; i < designs.length; i++) designs[i] += options.size * stream.normal();
      search.hold(designs);
    }
    return {
      iteration: state.iteration + iterations,
      designs,
      proposals: search.settle(designs),
      stream: stream.state(),
    };
  },

  propose: (state) => state.proposals.slice(),
  watch: async (state) => ({ iteration: state.iteration }),
});

/** Minus the squared distance to 0.7 in five columns; the better half is hidden. */
const sphere = {
  id: 'sphere5-v1',
  title: 'Sphere-5',
  summary: 'A design is five numbers from 0 to 1. Its score is minus its squared distance to 0.7.',
  paper: null,
  datasets: [],
  provenance: { data: '400 designs drawn uniformly, seed 0', scorer: 'the formula itself', labels: 'scored' },
  isForTuning: true,
  async open() {
    const d = 5;
    const stream = new Stream(rootKey(0));
    const x = Float64Array.from({ length: 400 * d }, () => stream.uniform());
    const score = (/** @type {Float64Array} */ designs) =>
      Float64Array.from({ length: designs.length / d }, (_, i) =>
        designs.subarray(i * d, (i + 1) * d).reduce((sum, v) => sum - (v - 0.7) ** 2, 0),
      );
    const y = score(x);
    const middle = y.toSorted()[200] ?? 0;
    const visible = [...y.keys()].filter((row) => (y[row] ?? 0) < middle);
    /** @type {import('nemokit/tasks').Task['space']} */
    const space = { columns: Array.from({ length: d }, () => ({ kind: 'continuous', lower: 0, upper: 1 })) };
    return {
      data: {
        x: Float64Array.from(visible.flatMap((row) => [...x.subarray(row * d, (row + 1) * d)])),
        y: Float64Array.from(visible, (row) => y[row] ?? 0),
      },
      space,
      range: { worst: y.reduce((a, b) => Math.min(a, b)), best: y.reduce((a, b) => Math.max(a, b)) },
      async score(/** @type {Float64Array} */ designs) {
        requireDesigns(space, designs);
        return score(designs);
      },
    };
  },
};

export default { algorithms: [jitter], tasks: [sphere] };
