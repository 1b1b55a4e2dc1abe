// The third judging set: functions of neither of the first two sets, written down with their tables before any method had
// been run on them. Engineering and classes have files of their own. Closed forms are those of the Virtual Library of
// Simulation Experiments (Surjanovic & Bingham) but where another source is named.
import { foldKey, rootKey, Stream } from '../../dist/numeric/index.js';
import { factorials, mixtures } from './thirdClasses.mjs';
import { engineering, histories } from './thirdEngineering.mjs';
import { cube, inFamily, numbers, vector, weak } from './truths.mjs';

/** @typedef {import('./truths.mjs').Truth} Truth */

const { PI, exp, log, sin, cos, sqrt, abs, min, max } = Math;

/** @param {number[]} x @param {(v: number, i: number) => number} value */
const sum = (x, value) => x.reduce((total, v, i) => total + value(v, i), 0);

const closed = inFamily('closed', [
  {
    // 0 at 3, 0.5
    name: 'beale',
    wanted: 'min',
    columns: cube(2, -4.5, 4.5),
    value: ({ x1: x, x2: y }) =>
      log(1 + (1.5 - x + x * y) ** 2 + (2.25 - x + x * y ** 2) ** 2 + (2.625 - x + x * y ** 3) ** 2),
  },
  {
    // 0 at 1, 1, 1, 1
    name: 'colville',
    wanted: 'min',
    columns: cube(4, -3, 3),
    value: ({ x1, x2, x3, x4 }) =>
      sqrt(
        100 * (x1 ** 2 - x2) ** 2 +
          (x1 - 1) ** 2 +
          (x3 - 1) ** 2 +
          90 * (x3 ** 2 - x4) ** 2 +
          10.1 * ((x2 - 1) ** 2 + (x4 - 1) ** 2) +
          19.8 * (x2 - 1) * (x4 - 1),
      ),
  },
  {
    // 10.5364 near 4, 4, 4, 4
    name: 'shekel10',
    wanted: 'max',
    columns: cube(4, 2.5, 6.5),
    value: (c) => {
      const x = vector(c, 4);
      const rows = [
        [4, 1, 8, 6, 3, 2, 5, 8, 6, 7],
        [4, 1, 8, 6, 7, 9, 3, 1, 2, 3.6],
        [4, 1, 8, 6, 3, 2, 5, 8, 6, 7],
        [4, 1, 8, 6, 7, 9, 3, 1, 2, 3.6],
      ];
      const betas = [0.1, 0.2, 0.2, 0.4, 0.4, 0.6, 0.3, 0.7, 0.5, 0.5];
      return sum(betas, (beta, i) => 1 / (beta + sum(x, (v, j) => (v - rows[j][i]) ** 2)));
    },
  },
  {
    // Clerc 1999; 2.8081 to the power of 3, at 7.917
    name: 'alpine3',
    wanted: 'max',
    columns: cube(3, 0, 10),
    value: (c) => vector(c, 3).reduce((product, v) => product * sqrt(max(0, v)) * sin(v), 1),
  },
  {
    // Himmelblau 1972; -45.7785 at 9.350
    name: 'paviani10',
    wanted: 'min',
    columns: cube(10, 2.001, 9.999),
    value: (c) => {
      const x = vector(c, 10).map((v) => min(9.9999, max(2.0001, v)));
      return sum(x, (v) => log(v - 2) ** 2 + log(10 - v) ** 2) - x.reduce((p, v) => p * v, 1) ** 0.2;
    },
  },
  {
    // Gramacy & Lee 2009; e + 2 at the corner
    name: 'gramacyLee6',
    wanted: 'max',
    columns: cube(6, 0, 1),
    value: ({ x1, x2, x3, x4 }) => exp(sin((0.9 * (x1 + 0.48)) ** 10)) + x2 * x3 + x4,
  },
  {
    // Dette & Pepelyshev 2010, eight columns
    name: 'dettePepelyshev8',
    wanted: 'min',
    columns: cube(8, 0, 1),
    value: (c) => {
      const x = vector(c, 8);
      let [grown, y] = [x[2], 0];
      for (let i = 3; i < 8; i++) {
        grown += x[i];
        y += (i + 1) * log(1 + max(-0.9, grown));
      }
      return (
        4 * (x[0] - 2 + 8 * x[1] - 8 * x[1] ** 2) ** 2 +
        (3 - 4 * x[1]) ** 2 +
        16 * sqrt(max(0, x[2] + 1)) * (2 * x[2] - 1) ** 2 +
        y
      );
    },
  },
  {
    name: 'franke',
    wanted: 'max',
    columns: cube(2, 0, 1),
    value: ({ x1, x2 }) => {
      const [x, y] = [9 * x1, 9 * x2];
      return (
        0.75 * exp(-((x - 2) ** 2 + (y - 2) ** 2) / 4) +
        0.75 * exp(-((x + 1) ** 2) / 49 - (y + 1) / 10) +
        0.5 * exp(-((x - 7) ** 2 + (y - 3) ** 2) / 4) -
        0.2 * exp(-((x - 4) ** 2) - (y - 7) ** 2)
      );
    },
  },
  {
    // Park 1991, the first; 25.589 at the corner
    name: 'park4',
    wanted: 'max',
    columns: cube(4, 0.01, 1),
    value: ({ x1, x2, x3, x4 }) =>
      (x1 / 2) * (sqrt(max(0, 1 + ((x2 + x3 ** 2) * x4) / x1 ** 2)) - 1) + (x1 + 3 * x4) * exp(1 + sin(x3)),
  },
]);

/** Few of many columns matter, and one of six classes: saturation, inhibited where there is too much (Haldane). @param {number} d @param {number} active @param {number} seed @returns {Truth} */
function assay(d, active, seed) {
  const stream = new Stream(foldKey(rootKey(seed), 'assay'));
  const places = Array.from(stream.choose(d - 6, active));
  const tops = places.map(() => 0.25 + 0.75 * stream.uniform());
  const blunt = places.map(() => 0.4 + 1.2 * stream.uniform());
  const kind = stream.integer(6) + 1;
  const levels = ['a', 'b', 'c', 'd'];
  const effects = levels.map(() => 6 * stream.normal());
  const shifts = levels.map(() => 0.3 * (stream.uniform() - 0.5));
  return {
    name: `assay${d}of${active + 1}`,
    family: 'sparse',
    wanted: 'max',
    columns: [
      ...cube(d - 6, 0, 1),
      ...Array.from({ length: 6 }, (_, i) => ({ name: `kind${i + 1}`, levels })),
    ],
    value: (cells) => {
      const level = levels.indexOf(cells[`kind${kind}`]);
      const shares = places.map((j, i) => {
        const top = max(0.1, tops[i] + (i === 0 ? shifts[level] : 0));
        const x = max(0, cells[`x${j + 1}`]);
        const [k, m] = [top * blunt[i], top / blunt[i]];
        // the top is at sqrt(k m), where the fraction is 1 / (1 + 2 blunt)
        return ((1 + 2 * blunt[i]) * x) / (k + x + x ** 2 / m);
      });
      return 50 * shares.reduce((product, v) => product * v, 1) + 8 * sum(shares, (v) => v) + effects[level];
    },
  };
}

/** Welch et al. 1992, 20 columns. @type {Truth} */
const welch = {
  name: 'welch20',
  family: 'sparse',
  wanted: 'max',
  columns: cube(20, -0.5, 0.5),
  value: (c) => {
    const small = [
      0, 0.05, 0.08, 0, 1, -0.03, 0.03, 0, -0.09, -0.01, -0.07, 0, 0, -0.04, 0.06, 0, -0.01, -0.03,
    ];
    return (
      (5 * c.x12) / (1 + c.x1) +
      5 * (c.x4 - c.x20) ** 2 +
      40 * c.x19 ** 3 -
      5 * c.x19 +
      0.25 * c.x13 ** 2 +
      sum(small, (a, i) => a * c[`x${i + 1}`])
    );
  },
};

const hard = inFamily('cliffs and ridges', [
  {
    // Nowacki 1974, three-bar truss; 263.896 at 0.7887, 0.4082
    name: 'threeBar',
    wanted: 'min',
    columns: numbers({ outer: [0.2, 1], inner: [0, 1] }),
    value: ({ outer: a, inner: b }) => {
      const whole = max(0.01, sqrt(2) * a * a + 2 * a * b);
      const limits = [(sqrt(2) * a + b) / whole, b / whole, 1 / (sqrt(2) * b + a)];
      return 100 * (2 * sqrt(2) * a + b) + sum(limits, (v) => 600 * min(1, max(0, v - 1)));
    },
  },
  {
    // Himmelblau 1972, five columns and three limits that cost at once when passed; -30665.54 at 78, 33, 29.995, 45, 36.776
    name: 'himmelblau5',
    wanted: 'min',
    columns: [
      { name: 'x1', lower: 78, upper: 102 },
      { name: 'x2', lower: 33, upper: 45 },
      ...cube(5, 27, 45).slice(2),
    ],
    value: ({ x1, x2, x3, x4, x5 }) => {
      const u = 85.334407 + 0.0056858 * x2 * x5 + 0.0006262 * x1 * x4 - 0.0022053 * x3 * x5;
      const v = 80.51249 + 0.0071317 * x2 * x5 + 0.0029955 * x1 * x2 + 0.0021813 * x3 ** 2;
      const w = 9.300961 + 0.0047026 * x3 * x5 + 0.0012547 * x1 * x3 + 0.0019085 * x3 * x4;
      const past = max(0, u - 92) + max(0, -u) + max(0, v - 110, 90 - v) + max(0, w - 25, 20 - w);
      return (
        5.3578547 * x3 ** 2 +
        0.8356891 * x1 * x5 +
        37.293239 * x1 -
        40792.141 +
        (past > 0 ? 600 : 0) +
        900 * past
      );
    },
  },
  {
    // Keane 1994, four columns, product above 0.75; 0.62228
    name: 'keane4',
    wanted: 'max',
    columns: cube(4, 0.2, 6),
    value: (c) => {
      const x = vector(c, 4);
      if (x.reduce((p, v) => p * v, 1) <= 0.75) return 0;
      const bump = sum(x, (v) => cos(v) ** 4) - 2 * x.reduce((p, v) => p * cos(v) ** 2, 1);
      return abs(bump) / sqrt(sum(x, (v, i) => (i + 1) * v * v));
    },
  },
  {
    // a sharp ridge as Hansen et al. 2009 have it, along a slanted line; 0 at the place
    name: 'sharpRidge5',
    wanted: 'min',
    columns: cube(5, -5, 5),
    value: (c) => {
      const z = vector(c, 5).map((v, i) => v - [1.5, -2, 0.5, 3, -1][i]);
      const along = [0.6, -0.4, 0.5, 0.3, 0.374165738677394];
      const on = sum(z, (v, i) => v * along[i]);
      return on ** 2 + 10 * sqrt(sum(z, (v, i) => (v - on * along[i]) ** 2));
    },
  },
  {
    // a chemostat: Andrews' growth (1968), cardinal temperatures of Rosso 1993, Levenspiel's factor; what grows too slowly is washed out
    name: 'chemostat',
    wanted: 'max',
    columns: numbers({ dilution: [0.02, 0.8], sugar: [2, 100], celsius: [18, 46], pH: [4.5, 9] }),
    value: ({ dilution: q, sugar, celsius: t, pH }) => {
      const [least, best, most] = [10, 37, 45];
      const warm =
        t <= least || t >= most
          ? 0
          : ((t - most) * (t - least) ** 2) /
            ((best - least) * ((best - least) * (t - best) - (best - most) * (best + least - 2 * t)));
      const thick = max(0, 1 - sugar / 130);
      const growth = (0.9 * warm * thick) / (1 + 10 ** (5.4 - pH) + 10 ** (pH - 8));
      // q = growth s / (0.4 + s + s^2 / 60), the lower root
      const half = growth - q;
      const root = half ** 2 - (4 * 0.4 * q * q) / 60;
      const left = half > 0 && root >= 0 ? ((half - sqrt(root)) * 60) / (2 * q) : sugar;
      return 10 * q * 0.5 * max(0, sugar - left) - 0.25 * sugar;
    },
  },
  {
    // ageing of an aluminium alloy (Shercliff & Ashby 1990): a ridge of time against temperature; it melts above 548 C
    name: 'ageing',
    wanted: 'max',
    columns: numbers({ celsius: [120, 260], hours: [0.5, 100], solution: [440, 570], copper: [2, 6] }),
    value: ({ celsius, hours, solution, copper }) => {
      const kelvin = celsius + 273;
      const slow = (/** @type {number} */ at) => exp(-130000 / (8.314 * at)) / at;
      const aged = (max(0, hours) * slow(kelvin)) / (10 * slow(463));
      const solved = min(copper, 5.7 * exp(-5000 * (1 / (solution + 273) - 1 / 821)));
      const driven = sqrt(max(0, 1 - exp((-30000 / 8.314) * (1 / kelvin - 1 / 640))));
      const hard = (2 * aged ** (1 / 6)) / (1 + sqrt(aged));
      return 60 + 130 * sqrt(max(0, solved)) * driven * hard + 6 * copper - (solution > 548 ? 130 : 0);
    },
  },
]);

const strong = inFamily('strong signal', [
  {
    // Van Slyke 1922: buffer capacity of acetate, in mmol per unit of pH
    name: 'acetate',
    wanted: 'max',
    columns: numbers({ pH: [3.2, 7], molar: [0.01, 0.2] }),
    value: ({ pH, molar }) => {
      const [h, k] = [10 ** -pH, 10 ** -4.76];
      return 2303 * (1e-14 / h + h + (molar * k * h) / (k + h) ** 2);
    },
  },
  {
    // range of a throw from a height, without air
    name: 'throw',
    wanted: 'max',
    columns: numbers({ speed: [5, 30], degrees: [5, 85], height: [0, 20] }),
    value: ({ speed, degrees, height }) => {
      const angle = (degrees * PI) / 180;
      const up = speed * sin(angle);
      return ((speed * cos(angle)) / 9.81) * (up + sqrt(max(0, up ** 2 + 2 * 9.81 * height)));
    },
  },
  {
    // power that a load takes from a source with a resistance
    name: 'matchedLoad',
    wanted: 'max',
    columns: numbers({ load: [1, 60], volts: [5, 24], wire: [0.1, 5] }),
    value: ({ load, volts, wire }) => (volts ** 2 * load) / (12 + load + wire) ** 2,
  },
  {
    // Steele 1962: growth of algae, inhibited by light, with a bell over temperature
    name: 'algae',
    wanted: 'max',
    columns: numbers({ light: [20, 900], celsius: [8, 36], nitrate: [0.5, 40] }),
    value: ({ light, celsius, nitrate }) =>
      (light / 260) * exp(1 - light / 260) * exp(-(((celsius - 25) / 9) ** 2)) * (nitrate / (3 + nitrate)),
  },
]);

const severalGoals = inFamily('several goals', [
  {
    // four-bar truss (Stadler & Dauer 1992; Cheng & Li 1999): volume, and the shift of a joint
    name: 'fourBar',
    wanted: 'min',
    columns: numbers({ a1: [1, 3], a2: [Math.SQRT2, 3], a3: [Math.SQRT2, 3], a4: [1, 3] }),
    value: ({ a1, a2, a3, a4 }) => 200 * (2 * a1 + sqrt(2) * a2 + sqrt(max(0, a3)) + a4),
    second: {
      name: 'shift',
      wanted: 'min',
      value: ({ a1, a2, a3, a4 }) => 10 * (2 / a1 + (2 * sqrt(2)) / a2 - (2 * sqrt(2)) / a3 + 2 / a4),
    },
  },
  {
    // disc brake (Ray & Liew 2002): mass, and the time to stop
    name: 'discBrake',
    wanted: 'min',
    columns: [
      ...numbers({ inner: [55, 75], outer: [80, 110], force: [1000, 3000] }),
      { name: 'discs', lower: 2, upper: 20, decimals: 0 },
    ],
    value: ({ inner, outer, discs }) => 4.9e-5 * (outer ** 2 - inner ** 2) * (discs - 1),
    second: {
      name: 'seconds',
      wanted: 'min',
      value: ({ inner, outer, force, discs }) =>
        (9.82e6 * (outer ** 2 - inner ** 2)) / (force * discs * (outer ** 3 - inner ** 3)),
    },
  },
]);

/** @type {readonly Truth[]} */
export const thirdTruths = [
  ...engineering,
  ...closed,
  ...factorials,
  ...mixtures,
  welch,
  assay(36, 4, 51),
  assay(60, 4, 52),
  ...hard,
  ...strong,
  ...severalGoals,
  ...histories,
  ...Array.from({ length: 18 }, (_, i) => weak(40 + i)),
];
