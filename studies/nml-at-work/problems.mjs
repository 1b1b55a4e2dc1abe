// Problems of this study: the worse part of a table is visible, the true score is asked by the study alone. None is a
// task of the paper. Closed forms; TFBind8, which is a tuning task; and fresh ones that stand for kinds of tables: many
// correlated columns with a fitted scorer, mutants of one protein, fingerprints, weights of a policy, bodies with a gait.
import { fitBoosting } from '../../dist/models/gradientBoosting.js';
import { predictTrees } from '../../dist/models/trees.js';
import { foldKey, quantile, rootKey, Stream } from '../../dist/numeric/index.js';
import { branin, hartmann6, levy, rosenbrock } from '../../dist/tasks/closedForms.js';
import { tfbind8 } from '../nemo-choices/problems.mjs';

/** @typedef {(x: Float64Array) => number} Score */
/** @typedef {import('../../dist/space/space.js').Space} Space */
/** @typedef {{ data: import('../../dist/space/space.js').Dataset, space: Space, score(x: Float64Array): ArrayLike<number> | Promise<ArrayLike<number>>, range: [number, number] }} Problem */

/**
 * Rows whose score lies in a band of shares are visible.
 * @param {Space} space @param {Float64Array[]} rows @param {ArrayLike<number>} y @param {[number, number]} band
 * @param {(x: Float64Array) => ArrayLike<number>} score @returns {Problem}
 */
function seenIn(space, rows, y, [from, to], score) {
  const values = Array.from(y);
  const [low, high] = [quantile(values, from), quantile(values, to)];
  const visible = rows.flatMap((x, i) => {
    const v = Number(y[i]);
    return v >= low && v <= high ? [{ x, v }] : [];
  });
  const d = space.columns.length;
  const x = new Float64Array(visible.length * d);
  visible.forEach((row, i) => {
    x.set(row.x, i * d);
  });
  return {
    data: { x, y: Float64Array.from(visible, ({ v }) => v) },
    space,
    score,
    range: [quantile(values, 0), quantile(values, 1)],
  };
}

/** @param {number} d @param {Score} f */
const each = (d, f) => (/** @type {Float64Array} */ x) =>
  Float64Array.from({ length: x.length / d }, (_, i) => f(x.subarray(i * d, (i + 1) * d)));

/** @param {number} d @param {number} lower @param {number} upper @returns {Space} */
const cube = (d, lower, upper) => ({
  columns: Array.from({ length: d }, () => ({ kind: 'continuous', lower, upper })),
});

/** @param {number} d @param {number} classes @returns {Space} */
const letters = (d, classes) => ({
  columns: Array.from({ length: d }, () => ({ kind: 'categorical', classes })),
});

/** @param {number} d @param {number} lower @param {number} upper @param {number} rows @param {number} share @param {Score} f @param {number} seed */
function drawn(d, lower, upper, rows, share, f, seed) {
  const stream = new Stream(foldKey(rootKey(seed), d));
  const all = Array.from({ length: rows }, () =>
    Float64Array.from({ length: d }, () => lower + (upper - lower) * stream.uniform()),
  );
  return seenIn(cube(d, lower, upper), all, all.map(f), [0, share], each(d, f));
}

/** Minus the Styblinski-Tang function. @type {Score} */
function styblinskiTang(x) {
  let sum = 0;
  for (const v of x) sum += v ** 4 - 16 * v * v + 5 * v;
  return -sum / 2;
}

/** Minus the Ackley function. @type {Score} */
function ackley(x) {
  let [squares, waves] = [0, 0];
  for (const v of x) {
    squares += v * v;
    waves += Math.cos(2 * Math.PI * v);
  }
  return 20 * Math.exp(-0.2 * Math.sqrt(squares / x.length)) + Math.exp(waves / x.length) - 20 - Math.E;
}

/**
 * 60 correlated columns made of 8 hidden parts of a mixture (means, extremes, spreads, as of the elements of an alloy), a
 * response with noise, and boosted trees of all rows as the scorer.
 * @param {number} seed
 */
function fittedTable(seed) {
  const stream = new Stream(foldKey(rootKey(seed), 'fitted table'));
  const [parts, kinds, rows] = [8, 10, 5000];
  const property = Array.from({ length: parts * kinds }, () => stream.normal());
  const all = [];
  const y = [];
  for (let n = 0; n < rows; n++) {
    const active = 2 + stream.integer(4);
    const share = new Float64Array(parts);
    for (let a = 0; a < active; a++) share[stream.integer(parts)] = -Math.log(1 - stream.uniform());
    const total = share.reduce((sum, v) => sum + v, 0);
    const x = new Float64Array(6 * kinds);
    for (let k = 0; k < kinds; k++) {
      let [mean, plain, count, low, high, square] = [0, 0, 0, Infinity, -Infinity, 0];
      for (let p = 0; p < parts; p++) {
        const s = Number(share[p]) / total;
        if (s === 0) continue;
        const v = Number(property[p * kinds + k]);
        mean += s * v;
        square += s * v * v;
        plain += v;
        count++;
        low = Math.min(low, v);
        high = Math.max(high, v);
      }
      x.set(
        [mean, plain / count, high - low, high, Math.sqrt(Math.max(0, square - mean * mean)), mean * mean],
        6 * k,
      );
    }
    const at = (/** @type {number} */ j) => Number(x[j]);
    const heat = at(0) * at(6) + 1.5 * at(12) - at(19) * at(24) + Math.max(0, at(30)) * at(37) + 0.7 * at(44);
    y.push(20 * Math.log1p(Math.exp(heat)) + 5 * stream.normal());
    all.push(x);
  }
  const d = 6 * kinds;
  const x = new Float64Array(rows * d);
  all.forEach((row, i) => {
    x.set(row, i * d);
  });
  const trees = fitBoosting(
    { x, y: Float64Array.from(y), columns: d },
    { trees: 120, depth: 9, rate: 0.08, rowShare: 0.5, minLeaf: 1 },
    foldKey(rootKey(seed), 'scorer'),
  );
  const score = (/** @type {Float64Array} */ asked) => predictTrees(trees, asked);
  return seenIn(cube(d, -20, 20), all, y, [0, 0.8], score);
}

/**
 * Mutants of one sequence of 48 letters out of 20, one to eight changes each, of which the middle fifth by score is
 * visible: most changes harm, some help, neighbours interact, and the whole folds or does not.
 * @param {number} seed
 */
function mutants(seed) {
  const stream = new Stream(foldKey(rootKey(seed), 'mutants'));
  const [L, C, rows] = [48, 20, 12_000];
  const wild = Float64Array.from({ length: L }, () => stream.integer(C));
  const single = Float64Array.from({ length: L * C }, () => {
    const size = stream.uniform();
    return size < 0.25 ? 0.35 * stream.uniform() : -2.2 * size * size * stream.uniform();
  });
  const pair = Float64Array.from({ length: L * C * C }, () =>
    stream.uniform() < 0.2 ? 0.8 * stream.normal() : 0,
  );
  /** @type {Score} */
  const f = (x) => {
    let energy = 2;
    for (let p = 0; p < L; p++) {
      const changed = x[p] !== wild[p];
      if (changed) energy += Number(single[p * C + Number(x[p])]);
      const next = (p + 5) % L;
      if (changed && x[next] !== wild[next])
        energy += Number(pair[(p * C + Number(x[p])) * C + Number(x[next])]);
    }
    return 4 / (1 + Math.exp(-energy)) + 0.05 * energy;
  };
  const all = Array.from({ length: rows }, () => {
    const x = wild.slice();
    const changes = 1 + stream.integer(8);
    for (let c = 0; c < changes; c++) x[stream.integer(L)] = stream.integer(C);
    return x;
  });
  return seenIn(letters(L, C), all, all.map(f), [0.4, 0.6], each(L, f));
}

/**
 * 256 bits, sparse and correlated by fragments, with a boosted scorer of all rows.
 * @param {number} seed
 */
function fingerprints(seed) {
  const stream = new Stream(foldKey(rootKey(seed), 'fingerprints'));
  const [d, fragments, rows] = [256, 60, 2500];
  const bits = Array.from({ length: fragments }, () => Array.from({ length: 6 }, () => stream.integer(d)));
  const worth = Array.from({ length: fragments }, () => 0.5 * stream.normal());
  const together = Array.from({ length: fragments }, () => 0.8 * stream.normal());
  const y = [];
  const all = [];
  for (let n = 0; n < rows; n++) {
    const x = new Float64Array(d);
    let score = 6;
    let last = stream.integer(fragments);
    const size = 4 + stream.integer(6);
    for (let c = 0; c < size; c++) {
      const next = stream.uniform() < 0.5 ? (last * 7 + 3) % fragments : stream.integer(fragments);
      for (const bit of bits[next] ?? []) x[bit] = 1;
      score += Number(worth[next]) + ((last + next) % 3 === 0 ? Number(together[next]) : 0);
      last = next;
    }
    y.push(score + 0.4 * stream.normal());
    all.push(x);
  }
  const x = new Float64Array(rows * d);
  all.forEach((row, i) => {
    x.set(row, i * d);
  });
  const trees = fitBoosting(
    { x, y: Float64Array.from(y), columns: d },
    { trees: 150, depth: 7, rate: 0.1, rowShare: 0.6, minLeaf: 2 },
    foldKey(rootKey(seed), 'scorer'),
  );
  return seenIn(letters(d, 2), all, y, [0, 0.8], (asked) => predictTrees(trees, asked));
}

/**
 * 800 weights of a policy, recorded along 20 runs of learning. The score grows along a few directions until the policy
 * falls: where one of 12 balances is lost, the time until then counts. Rough near the edge.
 * @param {number} seed
 */
function policies(seed) {
  const stream = new Stream(foldKey(rootKey(seed), 'policies'));
  const [d, balances, runs, records] = [800, 12, 20, 90];
  const unit = () => {
    const v = Float64Array.from({ length: d }, () => stream.normal());
    const length = Math.sqrt(v.reduce((sum, a) => sum + a * a, 0));
    return v.map((a) => a / length);
  };
  const speed = unit();
  const edges = Array.from({ length: balances }, () => ({
    direction: unit(),
    room: 0.35 + 0.5 * stream.uniform(),
    phase: 7 * stream.uniform(),
  }));
  const inner = (/** @type {Float64Array} */ a, /** @type {Float64Array} */ b) => {
    let sum = 0;
    for (let j = 0; j < d; j++) sum += Number(a[j]) * Number(b[j]);
    return sum;
  };
  /** @type {Score} */
  const f = (x) => {
    const pace = Math.max(0.1, 1 + 0.8 * inner(speed, x));
    let lost = 0;
    for (const { direction, room, phase } of edges) {
      const lean = inner(direction, x);
      const rough = 0.1 * Math.sin(40 * lean + phase) * Math.sin(23 * pace + phase);
      lost += Math.max(0, Math.abs(lean - 0.4) - room + 0.12 * pace + rough);
    }
    return pace * 1000 * (lost === 0 ? 1 : Math.exp(-3 * lost));
  };
  const all = [];
  for (let r = 0; r < runs; r++) {
    let x = Float64Array.from({ length: d }, () => 0.07 * stream.normal());
    for (let t = 0; t < records; t++) {
      const trial = x.map((v, j) => v + 0.012 * stream.normal() + 0.025 * Number(speed[j]));
      for (const { direction } of edges) {
        const lean = inner(direction, trial);
        for (let j = 0; j < d; j++) trial[j] = Number(trial[j]) + 0.04 * (0.4 - lean) * Number(direction[j]);
      }
      if (f(trial) >= 0.8 * f(x)) x = trial;
      all.push(x.slice());
    }
  }
  return seenIn(cube(d, -4, 4), all, all.map(f), [0, 0.75], each(d, f));
}

/**
 * 40 measures of a body with a fixed gait: each of four legs pushes as its lengths fit its rhythm, legs disturb each
 * other, and a body that drags scores little. Drawn widely around a default body; the worse 40 % visible.
 * @param {number} seed
 */
function bodies(seed) {
  const stream = new Stream(foldKey(rootKey(seed), 'bodies'));
  const [legs, per] = [4, 10];
  const d = legs * per;
  const ideal = Array.from({ length: d }, () => 0.6 * stream.normal());
  const cross = Array.from({ length: d }, () => stream.integer(d));
  /** @type {Score} */
  const f = (x) => {
    let total = 0;
    let drag = 0;
    for (let l = 0; l < legs; l++) {
      let [fit, turn] = [0, 0];
      for (let j = 0; j < per; j++) {
        const at = l * per + j;
        const v = Number(x[at]);
        fit += (v - Number(ideal[at])) ** 2 / per;
        turn += v * Number(x[Number(cross[at])]);
      }
      total += Math.exp(-1.5 * fit) * (1 + 0.4 * Math.sin(turn));
      drag += Math.max(0, Number(x[l * per]) + Number(x[l * per + 1]) - 1);
    }
    return 100 * total - 60 * drag;
  };
  const all = Array.from({ length: 6000 }, () =>
    Float64Array.from({ length: d }, () => Math.max(-2, Math.min(2, 0.8 * stream.normal()))),
  );
  return seenIn(cube(d, -2, 2), all, all.map(f), [0, 0.4], each(d, f));
}

/**
 * 56 measures of a body that walks or falls, drawn around a default body that walks well: what was recorded lies in a
 * clump, its middle is better than what is visible. Pace falls smoothly away from a body near the default along 20
 * directions, is rough, and a body that loses one of 6 balances falls and scores far less.
 * @param {number} seed
 */
function walkers(seed) {
  const stream = new Stream(foldKey(rootKey(seed), 'walkers'));
  const [d, rows] = [56, 6000];
  const directions = (/** @type {number} */ count) =>
    Array.from({ length: count }, () =>
      Float64Array.from({ length: d }, () => stream.normal() / Math.sqrt(d)),
    );
  const inner = (/** @type {Float64Array} */ a, /** @type {Float64Array} */ x) =>
    a.reduce((sum, v, j) => sum + v * Number(x[j]), 0);
  const smooth = directions(20).map((a) => ({ a, middle: 0.5 * stream.normal() }));
  const balances = directions(6).map((a) => ({ a, room: 0.8 + 0.4 * stream.uniform() }));
  const ripples = directions(4);
  /** @type {Score} */
  const f = (x) => {
    let away = 0;
    for (const { a, middle } of smooth) away += (inner(a, x) - middle) ** 2;
    let lost = 0;
    for (const { a, room } of balances) lost += Math.max(0, Math.abs(inner(a, x)) - room);
    const rough = ripples.reduce((sum, a) => sum + Math.sin(9 * inner(a, x)), 0);
    return 300 * Math.exp(-away / 20) + 8 * rough - (lost > 0 ? 150 + 400 * Math.min(1, lost) : 0);
  };
  const all = Array.from({ length: rows }, () =>
    Float64Array.from({ length: d }, () => Math.max(-2, Math.min(2, 0.7 * stream.normal()))),
  );
  return seenIn(cube(d, -2, 2), all, all.map(f), [0, 0.4], each(d, f));
}

/**
 * Each makes a problem; TFBind8 needs the data folder and says so where it is not there.
 * @type {Record<string, (seed: number) => Problem | Promise<Problem | string>>}
 */
export const problems = {
  branin: (seed) => {
    const shifted = (/** @type {Float64Array} */ u) =>
      branin(Float64Array.of(-5 + 15 * Number(u[0]), 15 * Number(u[1])));
    return drawn(2, 0, 1, 400, 0.4, shifted, seed);
  },
  hartmann6: (seed) => drawn(6, 0, 1, 2500, 0.5, hartmann6, seed),
  levy50: (seed) => drawn(50, -10, 10, 5000, 0.5, levy, seed),
  levy20: (seed) => drawn(20, -10, 10, 5000, 0.6, levy, seed),
  styblinski12: (seed) => drawn(12, -5, 5, 4000, 0.8, styblinskiTang, seed),
  rosenbrock15: (seed) => drawn(15, -2, 2, 4000, 0.8, (x) => rosenbrock(x) / 1000, seed),
  rosenbrock20: (seed) => drawn(20, -5, 10, 6000, 0.4, (x) => rosenbrock(x) / 1000, seed),
  ackley30: (seed) => drawn(30, -5, 5, 4000, 0.5, ackley, seed),
  tfbind8: async () => {
    const task = await tfbind8(process.env.NEMOKIT_DATA);
    return typeof task === 'string' ? task : { ...task, range: [0, 1] };
  },
  fittedTable,
  mutants,
  fingerprints,
  policies,
  bodies,
  walkers,
};
