// Functions whose exact value is known, as experiments would meet them: named columns with ranges or levels, and a
// response. Engineering formulas are those of the Virtual Library of Simulation Experiments (Surjanovic & Bingham).
import { foldKey, rootKey, Stream } from '../../dist/numeric/index.js';

/**
 * @typedef {{ name: string, lower: number, upper: number, decimals?: number } | { name: string, levels: string[] }} Column
 * @typedef {object} Truth
 * @property {string} name
 * @property {string} family
 * @property {'max' | 'min'} wanted
 * @property {Column[]} columns
 * @property {string[]} [mixture] columns that sum to 1
 * @property {number} [rows] of its tables, where they are not drawn
 * @property {number} [clumps] settings around which all rows lie
 * @property {boolean} [history] whether later settings are the best row so far as often as a new one
 * @property {(cells: Record<string, any>) => number} value
 * @property {{ name: string, wanted: 'max' | 'min', value: (cells: Record<string, any>) => number }} [second] another goal
 */

const { PI, exp, log, sin, cos, sqrt, abs, hypot, tanh } = Math;

/** @param {Record<string, [number, number]>} ranges @returns {Column[]} */
export const numbers = (ranges) =>
  Object.entries(ranges).map(([name, [lower, upper]]) => ({ name, lower, upper }));

/** @param {number} d @param {number} lower @param {number} upper @returns {Column[]} */
export const cube = (d, lower, upper) =>
  Array.from({ length: d }, (_, i) => ({ name: `x${i + 1}`, lower, upper }));

/** @param {string} family @param {Omit<Truth, 'family'>[]} all @returns {Truth[]} */
export const inFamily = (family, all) => all.map((truth) => ({ family, ...truth }));

/** @param {Record<string, number>} cells @param {number} d */
export const vector = (cells, d) => Array.from({ length: d }, (_, i) => cells[`x${i + 1}`]);

const engineering = inFamily('engineering', [
  {
    name: 'borehole',
    wanted: 'max',
    columns: numbers({
      rw: [0.05, 0.15],
      r: [100, 50000],
      Tu: [63070, 115600],
      Hu: [990, 1110],
      Tl: [63.1, 116],
      Hl: [700, 820],
      L: [1120, 1680],
      Kw: [9855, 12045],
    }),
    value: ({ rw, r, Tu, Hu, Tl, Hl, L, Kw }) => {
      const ratio = log(r / rw);
      return (2 * PI * Tu * (Hu - Hl)) / (ratio * (1 + (2 * L * Tu) / (ratio * rw * rw * Kw) + Tu / Tl));
    },
  },
  {
    name: 'wing',
    wanted: 'min',
    columns: numbers({
      Sw: [150, 200],
      Wfw: [220, 300],
      A: [6, 10],
      sweep: [-10, 10],
      q: [16, 45],
      taper: [0.5, 1],
      tc: [0.08, 0.18],
      Nz: [2.5, 6],
      Wdg: [1700, 2500],
      Wp: [0.025, 0.08],
    }),
    value: ({ Sw, Wfw, A, sweep, q, taper, tc, Nz, Wdg, Wp }) => {
      const c = cos((sweep * PI) / 180);
      return (
        0.036 *
          Sw ** 0.758 *
          Wfw ** 0.0035 *
          (A / c ** 2) ** 0.6 *
          q ** 0.006 *
          taper ** 0.04 *
          ((100 * tc) / c) ** -0.3 *
          (Nz * Wdg) ** 0.49 +
        Sw * Wp
      );
    },
  },
  {
    name: 'otl',
    wanted: 'max',
    columns: numbers({
      Rb1: [50, 150],
      Rb2: [25, 70],
      Rf: [0.5, 3],
      Rc1: [1.2, 2.5],
      Rc2: [0.25, 1.2],
      beta: [50, 300],
    }),
    value: ({ Rb1, Rb2, Rf, Rc1, Rc2, beta }) => {
      const v = (12 * Rb2) / (Rb1 + Rb2);
      const b = beta * (Rc2 + 9);
      return ((v + 0.74) * b) / (b + Rf) + (11.35 * Rf) / (b + Rf) + (0.74 * Rf * b) / ((b + Rf) * Rc1);
    },
  },
  {
    name: 'piston',
    wanted: 'min',
    columns: numbers({
      M: [30, 60],
      S: [0.005, 0.02],
      V0: [0.002, 0.01],
      k: [1000, 5000],
      P0: [90000, 110000],
      Ta: [290, 296],
      T0: [340, 360],
    }),
    value: ({ M, S, V0, k, P0, Ta, T0 }) => {
      const A = P0 * S + 19.62 * M - (k * V0) / S;
      const V = (S / (2 * k)) * (sqrt(A * A + (4 * k * P0 * V0 * Ta) / T0) - A);
      return 2 * PI * sqrt(M / (k + (S * S * P0 * V0 * Ta) / (T0 * V * V)));
    },
  },
  {
    name: 'robotArm',
    wanted: 'max',
    columns: [
      ...numbers({ t1: [0, 2 * PI], t2: [0, 2 * PI], t3: [0, 2 * PI], t4: [0, 2 * PI] }),
      ...numbers({ L1: [0, 1], L2: [0, 1], L3: [0, 1], L4: [0, 1] }),
    ],
    value: (c) => {
      let [angle, u, v] = [0, 0, 0];
      for (let i = 1; i <= 4; i++) {
        angle += c[`t${i}`];
        u += c[`L${i}`] * cos(angle);
        v += c[`L${i}`] * sin(angle);
      }
      return hypot(u, v);
    },
  },
  {
    name: 'cantilever',
    wanted: 'min',
    columns: numbers({ w: [1, 4], t: [1, 4], E: [2.3e7, 3.5e7], X: [300, 700], Y: [800, 1200] }),
    value: ({ w, t, E, X, Y }) =>
      ((4 * 100 ** 3) / (E * w * t)) * sqrt((Y / t ** 2) ** 2 + (X / w ** 2) ** 2) * 100 + 2 * w * t,
  },
  {
    name: 'flowThrough',
    wanted: 'max',
    columns: numbers({ temp: [20, 120], time: [1, 60], conc: [0.05, 2], cat: [0.2, 10], pH: [3, 11] }),
    // a first reaction makes the product, a second spoils it
    value: ({ temp, time, conc, cat, pH }) => {
      const k1 = 0.03 * exp(0.035 * (temp - 60)) * cat ** 0.7 * exp(-(((pH - 7.4) / 2) ** 2));
      const k2 = 0.004 * exp(0.06 * (temp - 60)) * conc ** 0.4;
      const t = time;
      const made =
        abs(k1 - k2) < 1e-9 ? k1 * t * exp(-k1 * t) : (k1 / (k1 - k2)) * (exp(-k2 * t) - exp(-k1 * t));
      return 100 * made;
    },
  },
  {
    name: 'enzymeHill',
    wanted: 'max',
    columns: numbers({
      substrate: [0.1, 20],
      salt: [0, 500],
      temp: [15, 65],
      pH: [4, 10],
      cofactor: [0, 5],
      glycerol: [0, 30],
    }),
    value: ({ substrate, salt, temp, pH, cofactor, glycerol }) =>
      ((90 *
        (substrate / (1.8 + substrate + substrate ** 2 / 30)) *
        exp(-(((temp - 46) / 12) ** 2)) *
        (1 + 1.4 * (cofactor / (0.8 + cofactor)))) /
        (1 + 10 ** (5.6 - pH) + 10 ** (pH - 8.6)) /
        (1 + (salt / 260) ** 2)) *
      (1 - 0.012 * abs(glycerol - 12)),
  },
  {
    name: 'currin',
    wanted: 'max',
    columns: cube(2, 0, 1),
    value: ({ x1, x2 }) =>
      ((1 - (x2 > 0 ? exp(-1 / (2 * x2)) : 0)) * (2300 * x1 ** 3 + 1900 * x1 ** 2 + 2092 * x1 + 60)) /
      (100 * x1 ** 3 + 500 * x1 ** 2 + 4 * x1 + 20),
  },
  {
    name: 'friedman',
    wanted: 'max',
    columns: cube(7, 0, 1),
    value: ({ x1, x2, x3, x4, x5 }) => 10 * sin(PI * x1 * x2) + 20 * (x3 - 0.5) ** 2 + 10 * x4 + 5 * x5,
  },
]);

const closed = inFamily('closed', [
  {
    name: 'branin',
    wanted: 'min',
    columns: [
      { name: 'x1', lower: -5, upper: 10 },
      { name: 'x2', lower: 0, upper: 15 },
    ],
    value: ({ x1, x2 }) =>
      (x2 - (5.1 / (4 * PI ** 2)) * x1 ** 2 + (5 / PI) * x1 - 6) ** 2 +
      10 * (1 - 1 / (8 * PI)) * cos(x1) +
      10,
  },
  {
    name: 'hartmann6',
    wanted: 'max',
    columns: cube(6, 0, 1),
    value: (c) => {
      const x = vector(c, 6);
      const A = [
        [10, 3, 17, 3.5, 1.7, 8],
        [0.05, 10, 17, 0.1, 8, 14],
        [3, 3.5, 1.7, 10, 17, 8],
        [17, 8, 0.05, 10, 0.1, 14],
      ];
      const P = [
        [1312, 1696, 5569, 124, 8283, 5886],
        [2329, 4135, 8307, 3736, 1004, 9991],
        [2348, 1451, 3522, 2883, 3047, 6650],
        [4047, 8828, 8732, 5743, 1091, 381],
      ];
      return [1, 1.2, 3, 3.2].reduce(
        (sum, a, i) => sum + a * exp(-x.reduce((s, v, j) => s + A[i][j] * (v - P[i][j] / 1e4) ** 2, 0)),
        0,
      );
    },
  },
  { name: 'ackley5', wanted: 'min', columns: cube(5, -10, 15), value: (c) => ackley(vector(c, 5)) },
  { name: 'rosenbrock6', wanted: 'min', columns: cube(6, -2, 2), value: (c) => rosenbrock(vector(c, 6)) },
  {
    name: 'levy8',
    wanted: 'min',
    columns: cube(8, -6, 8),
    value: (c) => {
      const w = vector(c, 8).map((v) => 1 + (v - 1) / 4);
      const middle = w.slice(0, -1).reduce((s, v) => s + (v - 1) ** 2 * (1 + 10 * sin(PI * v + 1) ** 2), 0);
      return sin(PI * w[0]) ** 2 + middle + (w[7] - 1) ** 2 * (1 + sin(2 * PI * w[7]) ** 2);
    },
  },
  {
    name: 'styblinski4',
    wanted: 'min',
    columns: cube(4, -5, 5),
    value: (c) => vector(c, 4).reduce((s, v) => s + (v ** 4 - 16 * v * v + 5 * v) / 2, 0),
  },
  {
    name: 'quadratic10',
    wanted: 'max',
    columns: cube(10, -3, 3),
    value: (c) =>
      vector(c, 10).reduce((s, v, i) => s - (1 + i / 3) * (v - 1.5 * cos(i)) ** 2, 0) + 0.8 * c.x1 * c.x2,
  },
  {
    name: 'goldstein',
    wanted: 'min',
    columns: cube(2, -2, 2),
    value: ({ x1: x, x2: y }) =>
      log(
        (1 + (x + y + 1) ** 2 * (19 - 14 * x + 3 * x * x - 14 * y + 6 * x * y + 3 * y * y)) *
          (30 + (2 * x - 3 * y) ** 2 * (18 - 32 * x + 12 * x * x + 48 * y - 36 * x * y + 27 * y * y)),
      ),
  },
  {
    name: 'product4',
    wanted: 'max',
    columns: cube(4, 0.1, 4),
    value: ({ x1, x2, x3, x4 }) => (x1 * x2) / (1 + 0.3 * x3 * x3) + 0.5 * x4 * exp(-x4 / 2) * x1,
  },
  {
    name: 'twoPeaks',
    wanted: 'max',
    columns: cube(3, 0, 10),
    value: (c) =>
      60 * bell(c, [2.5, 3, 6], 2.2) + 95 * bell(c, [7.8, 6.5, 3], 1.6) + 8 * tanh((c.x1 - 5) / 4),
  },
]);

/** @param {number[]} x */
function ackley(x) {
  const d = x.length;
  return (
    -20 * exp(-0.2 * sqrt(x.reduce((s, v) => s + v * v, 0) / d)) -
    exp(x.reduce((s, v) => s + cos(2 * PI * v), 0) / d) +
    20 +
    Math.E
  );
}

/** @param {number[]} x */
function rosenbrock(x) {
  return x.slice(0, -1).reduce((s, v, i) => s + 100 * (x[i + 1] - v * v) ** 2 + (1 - v) ** 2, 0);
}

/** @param {Record<string, number>} c @param {number[]} at @param {number} width */
function bell(c, at, width) {
  return exp(-at.reduce((s, a, i) => s + (c[`x${i + 1}`] - a) ** 2, 0) / (2 * width * width));
}

/** Few of many columns matter. @param {number} d @param {number} active @param {number} seed @returns {Truth} */
function sparse(d, active, seed) {
  const stream = new Stream(foldKey(rootKey(seed), 'sparse'));
  const places = Array.from(stream.choose(d, active));
  const slopes = places.map(() => stream.uniform() * 2 - 1);
  const tops = places.map(() => 0.15 + 0.7 * stream.uniform());
  return {
    name: `sparse${d}of${active}`,
    family: 'sparse',
    wanted: 'max',
    columns: cube(d, 0, 1),
    value: (c) => {
      const x = places.map((j) => c[`x${j + 1}`]);
      const bumps = x.reduce(
        (s, v, i) => s + (i % 2 === 0 ? 12 * exp(-(((v - tops[i]) / 0.3) ** 2)) : 9 * slopes[i] * v),
        0,
      );
      return bumps + 10 * x[0] * (1 - abs(x[1] - tops[1]));
    },
  };
}

/** Classes with main effects and interactions, and a saturating yield. @param {number[]} levels @param {number} seed @param {number} numericColumns @returns {Truth} */
function factorial(levels, seed, numericColumns = 0) {
  const stream = new Stream(foldKey(rootKey(seed), 'factorial'));
  const names = ['ligand', 'base', 'solvent', 'halide', 'additive'];
  const columns = levels.map((count, i) => ({
    name: names[i],
    levels: Array.from({ length: count }, (_, k) => `${names[i][0].toUpperCase()}${k + 1}`),
  }));
  const main = levels.map((count) => Array.from({ length: count }, () => stream.normal()));
  // classes have hidden properties; interactions are products of them
  const hidden = levels.map((count) =>
    Array.from({ length: count }, () => [stream.normal(), stream.normal()]),
  );
  const extra = Array.from({ length: numericColumns }, (_, i) => ({
    name: ['temp', 'time'][i],
    lower: [20, 1][i],
    upper: [110, 24][i],
    decimals: 0,
  }));
  const best = Array.from({ length: numericColumns }, () => 0.25 + 0.5 * stream.uniform());
  return {
    name: `factorial${levels.join('x')}${numericColumns ? `n${numericColumns}` : ''}s${seed}`,
    family: 'factorial',
    wanted: 'max',
    columns: [...columns, ...extra],
    value: (c) => {
      const k = columns.map(({ name, levels: all }) => all.indexOf(c[name]));
      let z = k.reduce((s, level, i) => s + 0.9 * main[i][level], 0);
      for (let i = 0; i < k.length; i++) {
        for (let j = i + 1; j < k.length; j++) {
          z +=
            0.6 * (hidden[i][k[i]][0] * hidden[j][k[j]][0] + 0.5 * hidden[i][k[i]][1] * hidden[j][k[j]][1]);
        }
      }
      extra.forEach(({ name, lower, upper }, i) => {
        const u = (c[name] - lower) / (upper - lower);
        const shift = 0.25 * Math.tanh(hidden[0][k[0]][1]);
        z -= 6 * (u - best[i] - shift) ** 2;
      });
      return 100 / (1 + exp(0.6 - 0.8 * z));
    },
  };
}

/** Scheffe polynomials of a mixture. @param {number} parts @param {number} seed @param {boolean} hasProcess @returns {Truth} */
function mixture(parts, seed, hasProcess) {
  const stream = new Stream(foldKey(rootKey(seed), 'mixture'));
  const names = ['water', 'ethanol', 'glycol', 'toluene', 'acetone', 'ester'].slice(0, parts);
  const linear = names.map(() => 20 + 30 * stream.uniform());
  const pairs = names.flatMap((_, i) =>
    names.slice(i + 1).map((__, j) => [i, i + 1 + j, 90 * stream.normal()]),
  );
  const [a, b] = [Math.floor(stream.uniform() * parts), 0.2 + 0.6 * stream.uniform()];
  return {
    name: `mixture${parts}${hasProcess ? 'process' : ''}s${seed}`,
    family: 'mixture',
    wanted: 'max',
    columns: [
      ...names.map((name) => ({ name, lower: 0, upper: 1, decimals: 2 })),
      ...(hasProcess ? [{ name: 'temp', lower: 20, upper: 80, decimals: 0 }] : []),
    ],
    mixture: names,
    value: (c) => {
      const x = names.map((name) => c[name]);
      let y = x.reduce((s, v, i) => s + linear[i] * v, 0);
      for (const [i, j, weight] of pairs) y += weight * x[i] * x[j];
      if (hasProcess) {
        const u = (c.temp - 20) / 60;
        y -= 40 * (u - b) ** 2 * (0.5 + x[a]) - 12 * u * x[(a + 1) % parts];
      }
      return y;
    },
  };
}

const hard = inFamily('cliffs and ridges', [
  {
    name: 'cliff',
    wanted: 'max',
    columns: cube(5, 0, 10),
    value: ({ x1, x2, x3, x4, x5 }) =>
      (x1 + 0.6 * x2 > 11.5 ? -20 : 4 * x1 + 3 * x2) - (x3 - 6) ** 2 + 2 * sqrt(x4) - 0.3 * abs(x5 - 4),
  },
  {
    name: 'ridge',
    wanted: 'max',
    columns: cube(4, -5, 5),
    value: ({ x1, x2, x3, x4 }) => 3 * (x1 + x2) - 4 * (x1 - x2 - 0.3 * x3) ** 2 - 0.5 * x4 ** 2 + 0.8 * x3,
  },
  {
    name: 'banana',
    wanted: 'max',
    columns: cube(3, -2, 3),
    value: ({ x1, x2, x3 }) =>
      50 - 12 * (x2 - x1 * x1 + 1) ** 2 - 3 * (x1 - 1.6) ** 2 - 4 * (x3 - 0.5 * x2) ** 2,
  },
  {
    name: 'plateau',
    wanted: 'max',
    columns: cube(6, 0, 1),
    value: (c) =>
      80 / (1 + exp(-14 * (vector(c, 6).reduce((s, v, i) => s + v * cos(i * 1.3), 0) - 0.7))) + 4 * c.x1,
  },
  {
    name: 'needleSlope',
    wanted: 'max',
    columns: cube(4, 0, 10),
    value: (c) => 2 * c.x1 + c.x2 + 45 * bell(c, [7, 6, 3, 8], 2),
  },
  {
    name: 'toxicDose',
    wanted: 'max',
    columns: cube(3, 0, 10),
    value: ({ x1, x2, x3 }) =>
      ((70 * x1) / (2 + x1)) * exp(-((x2 - 6) ** 2) / 14) * (x1 * x3 > 42 ? 0.25 : 1) + x3,
  },
  {
    name: 'valleyMin',
    wanted: 'min',
    columns: cube(5, -4, 4),
    value: ({ x1, x2, x3, x4, x5 }) =>
      sqrt(1 + 8 * (x1 - 0.7 * x2) ** 2 + 3 * (x3 + x4) ** 2) +
      0.4 * (x2 - 2) ** 2 +
      0.3 * abs(x4 - 1) +
      0.05 * x5,
  },
  {
    name: 'saturate',
    wanted: 'max',
    columns: cube(4, 0, 5),
    value: ({ x1, x2, x3, x4 }) =>
      100 * (1 - exp(-0.5 * x1 * x2)) * (1 / (1 + (x3 / 3) ** 4)) + 3 * sin(2 * x4),
  },
]);

const strong = inFamily('strong signal', [
  { name: 'plane', wanted: 'max', columns: cube(3, 0, 5), value: ({ x1, x2, x3 }) => 10 * x1 + 6 * x2 - x3 },
  {
    name: 'bowl',
    wanted: 'min',
    columns: cube(3, -2, 2),
    value: ({ x1, x2, x3 }) => (x1 - 0.9) ** 2 + 2 * (x2 + 0.6) ** 2 + 0.3 * x3,
  },
  {
    name: 'doseTime',
    wanted: 'max',
    columns: [
      { name: 'dose', lower: 0.1, upper: 20, decimals: 1 },
      { name: 'time', lower: 1, upper: 48, decimals: 0 },
    ],
    value: ({ dose, time }) => ((100 * dose) / (4 + dose)) * (1 - exp(-time / 12)) - 0.02 * dose * time,
  },
  {
    name: 'tempPressure',
    wanted: 'max',
    columns: [
      { name: 'temp', lower: 50, upper: 200, decimals: 0 },
      { name: 'pressure', lower: 1, upper: 30, decimals: 1 },
      { name: 'flow', lower: 0.5, upper: 5, decimals: 1 },
    ],
    value: ({ temp, pressure, flow }) =>
      95 - ((temp - 155) / 14) ** 2 / 2 - 0.09 * (pressure - 21) ** 2 - 2 * abs(flow - 1.5),
  },
]);

const severalGoals = inFamily('several goals', [
  {
    name: 'yieldCost',
    wanted: 'max',
    columns: numbers({ temp: [20, 120], time: [1, 24], catalyst: [0.1, 5], excess: [1, 3] }),
    value: ({ temp, time, catalyst, excess }) =>
      100 *
      (1 - exp(-0.02 * time * catalyst * exp((temp - 70) / 40) * sqrt(excess))) *
      exp(-(((temp - 75) / 45) ** 2)),
    second: {
      name: 'cost',
      wanted: 'min',
      value: ({ time, catalyst, excess }) => 4 + 6 * catalyst + 1.5 * excess ** 2 + 0.4 * time,
    },
  },
  {
    name: 'strengthWeight',
    wanted: 'max',
    columns: numbers({ fibre: [0, 0.6], resin: [0.2, 0.9], cure: [60, 180], layers: [2, 12] }),
    value: ({ fibre, resin, cure, layers }) =>
      40 +
      300 * fibre * exp(-(((resin - 0.5) / 0.3) ** 2)) * (1 - exp(-(cure - 50) / 40)) * sqrt(layers / 6) -
      60 * fibre ** 3,
    second: {
      name: 'weight',
      wanted: 'min',
      value: ({ fibre, resin, layers }) => layers * (0.5 + 1.4 * fibre + 0.6 * resin),
    },
  },
]);

/**
 * A smooth function of a few columns, measured so badly (tables.mjs) that the rows hardly show it: what is said about
 * proposals has something to tell apart. @param {number} seed @returns {Truth}
 */
export function weak(seed) {
  const stream = new Stream(foldKey(rootKey(6), `design-truth weak ${seed}`));
  const d = 2 + stream.integer(4);
  const tops = Array.from({ length: d }, () => stream.uniform());
  const weights = Array.from({ length: d }, () => 0.3 + stream.uniform());
  const twist = stream.normal();
  return {
    name: `weak${seed}`,
    family: 'weak signal',
    wanted: seed % 2 === 0 ? 'max' : 'min',
    columns: cube(d, 0, 1),
    value: (cells) => {
      const x = vector(cells, d);
      const bowl = x.reduce((sum, v, j) => sum + weights[j] * (v - tops[j]) ** 2, 0);
      const height = 10 - 8 * bowl + twist * (x[0] - 0.5) * (x[1] - 0.5);
      return seed % 2 === 0 ? height : -height;
    },
  };
}

/** @type {readonly Truth[]} */
export const truths = [
  ...engineering,
  ...closed,
  ...[
    [20, 4, 1],
    [30, 4, 2],
    [40, 6, 3],
    [60, 5, 4],
  ].map(([d, active, seed]) => sparse(d, active, seed)),
  factorial([6, 5, 8], 1),
  factorial([12, 8], 2),
  factorial([4, 4, 4, 5], 3),
  factorial([10, 6, 5], 4),
  factorial([15, 4, 6], 5),
  factorial([5, 4], 6, 2),
  factorial([8, 3], 7, 1),
  factorial([3, 3, 4, 4, 3], 8),
  mixture(3, 1, false),
  mixture(4, 2, true),
  mixture(5, 3, false),
  mixture(6, 4, true),
  ...hard,
  ...strong,
  ...severalGoals,
  ...Array.from({ length: 20 }, (_, seed) => weak(seed)),
];
