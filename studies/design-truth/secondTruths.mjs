// The second judging set: functions that no version of `design` up to the fifth was run on, and that no setting is chosen
// on. They were written down, with their tables, before any method had been run on them. Engineering formulas are textbook
// problems of structural and process design; closed forms those of the Virtual Library of Simulation Experiments
// (Surjanovic & Bingham).
import { foldKey, rootKey, Stream } from '../../dist/numeric/index.js';
import { weak } from './truths.mjs';

/** @typedef {import('./truths.mjs').Truth} Truth */

const { PI, exp, log, sin, cos, sqrt, abs, tanh, max } = Math;

/** @param {Record<string, [number, number]>} ranges @returns {import('./truths.mjs').Column[]} */
const numbers = (ranges) => Object.entries(ranges).map(([name, [lower, upper]]) => ({ name, lower, upper }));
/** @param {number} d @param {number} lower @param {number} upper @returns {import('./truths.mjs').Column[]} */
const cube = (d, lower, upper) => Array.from({ length: d }, (_, i) => ({ name: `x${i + 1}`, lower, upper }));
/** @param {string} family @param {Omit<Truth, 'family'>[]} all @returns {Truth[]} */
const inFamily = (family, all) => all.map((truth) => ({ family, ...truth }));
/** @param {Record<string, number>} cells @param {number} d */
const vector = (cells, d) => Array.from({ length: d }, (_, i) => cells[`x${i + 1}`]);
/** @param {number[]} x @param {(v: number, i: number) => number} value */
const sum = (x, value) => x.reduce((total, v, i) => total + value(v, i), 0);

const engineering = inFamily('engineering', [
  {
    name: 'weldedBeam',
    wanted: 'min',
    columns: numbers({ h: [0.125, 2], l: [0.5, 10], t: [1, 10], b: [0.125, 2] }),
    // cost of the beam, and what is paid where shear or bending stress pass what steel holds
    value: ({ h, l, t, b }) => {
      const cost = 1.10471 * h * h * l + 0.04811 * t * b * (14 + l);
      const shear = 6000 / (sqrt(2) * h * l);
      const bending = 504000 / (b * t * t);
      return cost + 12 * log(1 + exp((shear - 13600) / 3000)) + 12 * log(1 + exp((bending - 30000) / 8000));
    },
  },
  {
    name: 'spring',
    wanted: 'min',
    columns: numbers({ wire: [0.05, 0.2], coil: [0.25, 1.3], turns: [2, 15] }),
    value: ({ wire, coil, turns }) =>
      100 * (turns + 2) * coil * wire ** 2 +
      8 * max(0, 1 - (coil ** 3 * turns) / (71785 * wire ** 4)) +
      30 * wire,
  },
  {
    name: 'evaporator',
    wanted: 'max',
    columns: numbers({
      steam: [100, 400],
      feed: [5, 20],
      solids: [3, 12],
      vacuum: [20, 90],
      preheat: [20, 80],
      film: [0.2, 1.5],
    }),
    value: ({ steam, feed, solids, vacuum, preheat, film }) => {
      const lift = 0.45 * steam * (1 - exp(-3 / (feed * film))) + 0.8 * (preheat - 20);
      const boiled = lift / (1 + exp((solids * 4 - vacuum) / 15));
      return boiled - 0.0009 * steam ** 2 - 0.02 * (vacuum - 55) ** 2 + 1.1 * feed;
    },
  },
  {
    name: 'pump',
    wanted: 'max',
    columns: numbers({ speed: [600, 3600], blade: [15, 40], width: [5, 40], gap: [0.1, 2], flow: [5, 60] }),
    // efficiency: a hill where speed, width and flow fit together
    value: ({ speed, blade, width, gap, flow }) => {
      const match = (flow * 900) / (speed * (width / 20) ** 0.8);
      return (
        88 * exp(-((match - 12) ** 2) / 60) * exp(-(((blade - 26) / 11) ** 2)) * (1 - 0.18 * gap) -
        3e-7 * speed ** 2
      );
    },
  },
  {
    name: 'heatSink',
    wanted: 'min',
    columns: numbers({
      fins: [6, 40],
      height: [5, 60],
      thick: [0.3, 3],
      air: [0.5, 8],
      base: [1, 10],
      length: [20, 120],
      paste: [0.5, 8],
    }),
    value: ({ fins, height, thick, air, base, length, paste }) => {
      const gap = max(0.2, 80 / fins - thick);
      const h = 9 * sqrt(air / length) * (1 - exp(-gap / 1.6)) * 10;
      const m = sqrt((2 * h) / (180 * thick * 1e-3));
      const eta = tanh(m * height * 1e-3) / (m * height * 1e-3);
      const area = fins * 2 * height * length * 1e-6;
      return 1 / (h * area * eta + 0.05) + 0.02 * base + 0.25 / paste + 0.012 * air ** 1.5;
    },
  },
  {
    name: 'steelColumn',
    wanted: 'min',
    columns: numbers({
      b: [200, 400],
      thick: [10, 30],
      height: [100, 500],
      dead: [4e5, 6e5],
      wind: [4e5, 8e5],
      bow: [10, 60],
    }),
    value: ({ b, thick, height, dead, wind, bow }) => {
      const area = 2 * b * thick;
      const modulus = b * thick * height;
      const buckling = (PI ** 2 * 21e4 * 0.5 * b * thick * height ** 2) / 7500 ** 2;
      const load = dead + wind;
      const stress = load / area + (load * bow * buckling) / (modulus * max(1e5, buckling - load));
      return log(1 + abs(stress)) * 100 + 0.004 * area + 0.02 * height;
    },
  },
  {
    name: 'crystal',
    wanted: 'max',
    columns: [
      ...numbers({ cooling: [0.1, 5], seed: [0, 5], stir: [50, 600], start: [40, 90], water: [0, 40] }),
      { name: 'solvent', levels: ['EtOH', 'iPrOH', 'acetone', 'EtOAc'] },
    ],
    value: ({ cooling, seed, stir, start, water, solvent }) => {
      const k = ['EtOH', 'iPrOH', 'acetone', 'EtOAc'].indexOf(solvent);
      const best = [60, 66, 50, 72][k];
      const grow = 100 * exp(-(((start - best) / 16) ** 2)) * exp(-(((water - [12, 8, 20, 4][k]) / 14) ** 2));
      const broken = 1 / (1 + exp((stir - 420) / 40));
      return (grow * (0.55 + 0.45 * (seed / (0.7 + seed))) * broken) / (1 + 0.18 * cooling ** 1.3) + 4 * k;
    },
  },
]);

const closed = inFamily('closed', [
  {
    name: 'camel',
    wanted: 'min',
    columns: [
      { name: 'x1', lower: -2, upper: 2 },
      { name: 'x2', lower: -1, upper: 1 },
    ],
    value: ({ x1, x2 }) =>
      (4 - 2.1 * x1 ** 2 + x1 ** 4 / 3) * x1 ** 2 + x1 * x2 + (-4 + 4 * x2 ** 2) * x2 ** 2,
  },
  {
    name: 'dixonPrice5',
    wanted: 'min',
    columns: cube(5, -5, 5),
    value: (c) => {
      const x = vector(c, 5);
      return (x[0] - 1) ** 2 + sum(x.slice(1), (v, i) => (i + 2) * (2 * v * v - x[i]) ** 2);
    },
  },
  {
    name: 'zakharov4',
    wanted: 'min',
    columns: cube(4, -4, 6),
    value: (c) => {
      const x = vector(c, 4);
      const s = sum(x, (v, i) => 0.5 * (i + 1) * v);
      return log(1 + sum(x, (v) => v * v) + s ** 2 + s ** 4);
    },
  },
  {
    name: 'trid6',
    wanted: 'min',
    columns: cube(6, -20, 20),
    value: (c) => {
      const x = vector(c, 6);
      return sum(x, (v) => (v - 1) ** 2) - sum(x.slice(1), (v, i) => v * x[i]);
    },
  },
  {
    name: 'griewank3',
    wanted: 'min',
    columns: cube(3, -8, 10),
    value: (c) => {
      const x = vector(c, 3);
      return sum(x, (v) => v * v) / 40 - x.reduce((p, v, i) => p * cos(v / sqrt(i + 1)), 1) + 1;
    },
  },
  {
    name: 'hartmann3',
    wanted: 'max',
    columns: cube(3, 0, 1),
    value: (c) => {
      const x = vector(c, 3);
      const A = [
        [3, 10, 30],
        [0.1, 10, 35],
        [3, 10, 30],
        [0.1, 10, 35],
      ];
      const P = [
        [3689, 1170, 2673],
        [4699, 4387, 7470],
        [1091, 8732, 5547],
        [381, 5743, 8828],
      ];
      return sum([1, 1.2, 3, 3.2], (a, i) => a * exp(-sum(x, (v, j) => A[i][j] * (v - P[i][j] / 1e4) ** 2)));
    },
  },
  {
    name: 'michalewicz4',
    wanted: 'max',
    columns: cube(4, 0, PI),
    value: (c) => sum(vector(c, 4), (v, i) => sin(v) * sin(((i + 1) * v * v) / PI) ** 4),
  },
  {
    name: 'powell4',
    wanted: 'min',
    columns: cube(4, -3, 4),
    value: ({ x1, x2, x3, x4 }) =>
      sqrt((x1 + 10 * x2) ** 2 + 5 * (x3 - x4) ** 2 + (x2 - 2 * x3) ** 4 + 10 * (x1 - x4) ** 4),
  },
  {
    name: 'ishigami',
    wanted: 'max',
    columns: cube(3, -PI, PI),
    value: ({ x1, x2, x3 }) => sin(x1) + 7 * sin(x2) ** 2 + 0.1 * x3 ** 4 * sin(x1),
  },
  {
    name: 'morris12',
    wanted: 'max',
    columns: cube(12, 0, 1),
    // main effects, a few products, and curves in some columns
    value: (c) => {
      const x = vector(c, 12);
      return (
        sum(x, (v, i) => [8, -6, 5, 0, 4, 0, -3, 2, 0, 1, 0, 0][i] * v) +
        14 * x[0] * x[4] -
        12 * (x[3] - 0.35) ** 2 -
        9 * x[1] * x[2] +
        5 * sin(3 * x[6] + x[7])
      );
    },
  },
]);

/** Reactions as plates show them: some classes poison, many yields are near nothing. @param {number[]} levels @param {number} seed @param {number} poison @returns {Truth} */
function plate(levels, seed, poison) {
  const stream = new Stream(foldKey(rootKey(seed), 'plate'));
  const names = ['catalyst', 'base', 'solvent', 'partner', 'additive'];
  const columns = levels.map((count, i) => ({
    name: names[i],
    levels: Array.from({ length: count }, (_, k) => `${names[i][0]}${String.fromCharCode(65 + k)}`),
  }));
  const effects = levels.map((count) =>
    Array.from({ length: count }, () => (stream.uniform() < poison ? -2.5 : 0.8 * stream.normal())),
  );
  /** A class of one column may suit one of another. @type {Map<string, number>} */
  const suits = new Map();
  for (let i = 0; i < levels.length; i++) {
    for (let j = i + 1; j < levels.length; j++) {
      for (let a = 0; a < levels[i]; a++) {
        for (let b = 0; b < levels[j]; b++) {
          const strength = stream.uniform() < 0.25 ? 1.1 * stream.normal() : 0;
          suits.set(`${i} ${a} ${j} ${b}`, strength);
        }
      }
    }
  }
  return {
    name: `plate${levels.join('x')}s${seed}`,
    family: 'factorial',
    wanted: 'max',
    columns,
    value: (cells) => {
      const k = columns.map(({ name, levels: all }) => all.indexOf(cells[name]));
      let z = sum(k, (level, i) => effects[i][level]);
      for (let i = 0; i < k.length; i++)
        for (let j = i + 1; j < k.length; j++) z += suits.get(`${i} ${k[i]} ${j} ${k[j]}`) ?? 0;
      return 100 * (z > -2.5 ? 1 - exp(-(((z + 2.5) / 4) ** 2)) : 0);
    },
  };
}

/** A mixture whose cubic terms favour a blend, and whose parts have least and most shares. @param {number} parts @param {number} seed @returns {Truth} */
function blend(parts, seed) {
  const stream = new Stream(foldKey(rootKey(seed), 'blend'));
  const names = ['resin', 'filler', 'oil', 'wax', 'pigment'].slice(0, parts);
  const ideal = names.map(() => 0.2 + stream.uniform());
  const all = sum(ideal, (v) => v);
  const steep = names.map(() => 1 + 4 * stream.uniform());
  const slopes = names.map(() => 15 * stream.normal());
  return {
    name: `blend${parts}s${seed}`,
    family: 'mixture',
    wanted: 'max',
    columns: names.map((name) => ({ name, lower: 0, upper: 1, decimals: 2 })),
    mixture: names,
    value: (cells) => {
      const x = names.map((name) => cells[name]);
      const off = sum(x, (v, i) => steep[i] * (v - ideal[i] / all) ** 2);
      return 70 * exp(-2 * off) + sum(x, (v, i) => slopes[i] * v) + 30 * x[0] * x[1] * (1 - x[parts - 1]);
    },
  };
}

/** Few of many columns matter, with steps and products. @param {number} d @param {number} active @param {number} seed @returns {Truth} */
function few(d, active, seed) {
  const stream = new Stream(foldKey(rootKey(seed), 'few'));
  const places = Array.from(stream.choose(d, active));
  const at = places.map(() => 0.2 + 0.6 * stream.uniform());
  const weights = places.map(() => 3 + 6 * stream.uniform());
  return {
    name: `few${d}of${active}`,
    family: 'sparse',
    wanted: seed % 2 === 0 ? 'max' : 'min',
    columns: cube(d, -1, 1),
    value: (cells) => {
      const x = places.map((j) => (cells[`x${j + 1}`] + 1) / 2);
      const z =
        sum(x, (v, i) =>
          i % 3 === 2 ? weights[i] * tanh(6 * (v - at[i])) : -4 * weights[i] * (v - at[i]) ** 2,
        ) +
        8 * x[0] * x[active - 1];
      return seed % 2 === 0 ? z : -z;
    },
  };
}

const hard = inFamily('cliffs and ridges', [
  {
    name: 'precipice',
    wanted: 'max',
    columns: cube(4, 0, 10),
    value: ({ x1, x2, x3, x4 }) =>
      (x1 + x2 > 13 ? 5 : 6 * sqrt(x1 + 1) + 2.5 * x2) +
      10 * exp(-(((x3 - 4) / 3) ** 2)) -
      0.1 * (x4 - 5) ** 2,
  },
  {
    name: 'crest',
    wanted: 'max',
    columns: cube(5, -3, 3),
    value: ({ x1, x2, x3, x4, x5 }) =>
      2 * x1 + x2 - 6 * abs(x1 - x2 + 0.5 * x3) - (x4 - 0.5 * x5) ** 2 + 0.7 * x5,
  },
  {
    name: 'spiral',
    wanted: 'max',
    columns: cube(2, -4, 4),
    value: ({ x1, x2 }) => {
      const r = sqrt(x1 * x1 + x2 * x2);
      return 6 * cos(r - Math.atan2(x2, x1)) + 2 * r - 0.25 * r * r;
    },
  },
  {
    name: 'window',
    wanted: 'max',
    columns: numbers({ temp: [20, 200], pressure: [1, 50], feed: [0.1, 4], recycle: [0, 0.9] }),
    // above a line the reactor runs away
    value: ({ temp, pressure, feed, recycle }) =>
      (temp * 0.01 + pressure * 0.02 > 2.2 ? 8 : 30 * (1 - exp(-(temp * pressure) / 2500)) * sqrt(feed)) +
      9 * recycle * (1 - 0.7 * recycle),
  },
  {
    name: 'stairs',
    wanted: 'min',
    columns: cube(4, 0, 6),
    value: (c) => sum(vector(c, 4), (v, i) => (i + 1) * abs(Math.floor(v) - (i + 1)) + 0.2 * v),
  },
]);

const strong = inFamily('strong signal', [
  {
    name: 'twoLines',
    wanted: 'max',
    columns: cube(2, 0, 8),
    value: ({ x1, x2 }) => 10 * x1 + 6 * x2 - 0.2 * x1 * x2,
  },
  {
    name: 'buffer',
    wanted: 'max',
    columns: numbers({ pH: [4, 9], salt: [0, 300] }),
    value: ({ pH, salt }) => 60 - 6 * (pH - 7.3) ** 2 + 0.12 * salt - 0.0003 * salt ** 2,
  },
  {
    name: 'bake',
    wanted: 'min',
    columns: numbers({ heat: [150, 260], minutes: [5, 60], water: [40, 90] }),
    value: ({ heat, minutes, water }) =>
      abs(heat - 215) / 8 + ((minutes - 32) / 9) ** 2 + 0.08 * (water - 68) ** 2,
  },
]);

const severalGoals = inFamily('several goals', [
  {
    name: 'purityRate',
    wanted: 'max',
    columns: numbers({ load: [1, 30], flow: [0.2, 4], length: [5, 30], gradient: [1, 40] }),
    value: ({ load, flow, length, gradient }) =>
      99 / (1 + exp(-(0.16 * length - 0.11 * load - 0.9 * flow + 1.6))) - 0.01 * (gradient - 22) ** 2,
    second: {
      name: 'hours',
      wanted: 'min',
      value: ({ flow, length, gradient }) => (0.6 * length) / flow + 12 / gradient,
    },
  },
]);

/**
 * What a campaign leaves: rows around a few settings that somebody tried, each a little changed, most columns at usual
 * values. @param {Truth} truth @param {number} seed @returns {Truth}
 */
function campaign(truth, seed) {
  return { ...truth, name: `${truth.name}Campaign`, family: 'clumped', clumps: 4 + (seed % 4) };
}

/** @type {readonly Truth[]} */
export const secondTruths = [
  ...engineering,
  ...closed,
  plate([8, 5, 4], 11, 0.15),
  plate([12, 4, 3], 12, 0.1),
  plate([5, 5, 5], 13, 0.2),
  plate([4, 4, 3, 5], 14, 0.1),
  plate([20, 6], 15, 0.15),
  plate([15, 8, 3], 16, 0.2),
  plate([3, 4, 4, 3, 2], 18, 0.1),
  blend(3, 21),
  blend(4, 22),
  blend(5, 23),
  few(25, 4, 31),
  few(50, 5, 32),
  ...hard,
  ...strong,
  ...severalGoals,
  ...['evaporator', 'pump', 'heatSink', 'crystal'].map((name, i) =>
    campaign(/** @type {Truth} */ (engineering.find((truth) => truth.name === name)), i),
  ),
  ...Array.from({ length: 12 }, (_, i) => weak(20 + i)),
];
