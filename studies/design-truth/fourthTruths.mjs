// The fourth judging set: functions of none of the first three sets, written down with their tables before any method had
// been run on them. Engineering and classes have files of their own. Closed forms are those of the Virtual Library of
// Simulation Experiments (Surjanovic & Bingham) but where another source is named.
import { foldKey, rootKey, Stream } from '../../dist/numeric/index.js';
import { factorials, mixtures } from './fourthClasses.mjs';
import { engineering, histories, root } from './fourthEngineering.mjs';
import { cube, inFamily, numbers, vector, weak } from './truths.mjs';

/** @typedef {import('./truths.mjs').Truth} Truth */

const { PI, exp, log, log10, sin, cos, sqrt, abs, max } = Math;

/** @param {readonly number[]} x @param {(v: number, i: number) => number} value */
const sum = (x, value) => x.reduce((total, v, i) => total + value(v, i), 0);
/** What passes a limit. @param {number} value */
const over = (value) => max(0, value);

const closed = inFamily('closed', [
  {
    // Bekey & Ung 1974; -2.3458 at 4, 2
    name: 'hosaki',
    wanted: 'min',
    columns: numbers({ x1: [0, 5], x2: [0, 6] }),
    value: ({ x1, x2 }) =>
      (1 - 8 * x1 + 7 * x1 ** 2 - (7 / 3) * x1 ** 3 + 0.25 * x1 ** 4) * x2 ** 2 * exp(-x2),
  },
  {
    // -1.9132 at -0.5472, -1.5472
    name: 'mccormick',
    wanted: 'min',
    columns: numbers({ x1: [-1.5, 4], x2: [-3, 4] }),
    value: ({ x1, x2 }) => sin(x1 + x2) + (x1 - x2) ** 2 - 1.5 * x1 + 2.5 * x2 + 1,
  },
  {
    // Breiman & Cutler 1993; 0.5 at 0
    name: 'cosineMixture5',
    wanted: 'max',
    columns: cube(5, -1, 0.8),
    value: (c) => sum(vector(c, 5), (v) => 0.1 * cos(5 * PI * v) - v * v),
  },
  {
    // Kowalik & Osborne 1968, log10 of the squares of a fit to rates of an enzyme; log10 of 3.0749e-4 at 0.1928, 0.1908, 0.1231, 0.1358
    name: 'kowalik4',
    wanted: 'min',
    columns: cube(4, 0, 0.42),
    value: ({ x1, x2, x3, x4 }) => {
      const rates = [0.1957, 0.1947, 0.1735, 0.16, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246];
      const doses = [0.25, 0.5, 1, 2, 4, 6, 8, 10, 12, 14, 16].map((inverse) => 1 / inverse);
      const rateOf = (/** @type {number} */ b) => (x1 * (b * b + b * x2)) / max(1e-6, b * b + b * x3 + x4);
      return log10(sum(rates, (rate, i) => (rate - rateOf(doses[i])) ** 2));
    },
  },
  {
    // Fletcher & Powell 1963; 0 at 1, 0, 0
    name: 'helicalValley',
    wanted: 'min',
    columns: cube(3, -2, 2),
    value: ({ x1, x2, x3 }) => {
      const turn = Math.atan2(x2, x1) / (2 * PI);
      return log(1 + 100 * ((x3 - 10 * turn) ** 2 + (sqrt(x1 ** 2 + x2 ** 2) - 1) ** 2) + x3 ** 2);
    },
  },
  {
    // Saltelli & Sobol 1995, eight columns of which four matter; 4.0578 at corners
    name: 'gFunction8',
    rows: 2000,
    wanted: 'max',
    columns: cube(8, 0, 1),
    value: (c) => {
      const a = [0, 1, 4.5, 9, 99, 99, 99, 99];
      return vector(c, 8).reduce((product, v, i) => (product * (abs(4 * v - 2) + a[i])) / (1 + a[i]), 1);
    },
  },
  {
    // Loeppky, Sacks & Welch 2009 (2013); 23.9 at the corner
    name: 'loeppky10',
    wanted: 'max',
    columns: cube(10, 0, 1),
    value: ({ x1, x2, x3, x4, x5, x6, x7 }) =>
      6 * x1 +
      4 * x2 +
      5.5 * x3 +
      3 * x1 * x2 +
      2.2 * x1 * x3 +
      1.4 * x2 * x3 +
      x4 +
      0.5 * x5 +
      0.2 * x6 +
      0.1 * x7,
  },
  {
    // 0 at 420.9687
    name: 'schwefel2',
    wanted: 'min',
    columns: cube(2, -500, 500),
    value: (c) => 837.9658 - sum(vector(c, 2), (v) => v * sin(sqrt(abs(v)))),
  },
]);

/**
 * Few of many columns matter: a medium whose scarcest part limits growth (Liebig), parts saturating (Monod), each at a price,
 * and one of them harmful from a dose on. @param {number} d @param {number} active @param {number} seed @returns {Truth}
 */
function medium(d, active, seed) {
  const stream = new Stream(foldKey(rootKey(seed), 'medium'));
  const places = Array.from(stream.choose(d, active));
  const halves = places.map(() => 0.1 + 0.5 * stream.uniform());
  const needs = places.map(() => 0.5 + stream.uniform());
  const prices = places.map(() => 2 + 8 * stream.uniform());
  const dose = 0.35 + 0.3 * stream.uniform();
  return {
    name: `medium${d}of${active}`,
    family: 'sparse',
    wanted: 'max',
    columns: cube(d, 0, 1),
    value: (cells) => {
      const x = places.map((j) => max(0, cells[`x${j + 1}`]));
      const supplies = x.map((v, i) => 0.02 + v / (halves[i] + v) / needs[i]);
      const scarce = (sum(supplies, (v) => v ** -3) / active) ** (-1 / 3);
      return 60 * scarce * exp(-(over((x[0] - dose) / 0.25) ** 2)) - sum(x, (v, i) => prices[i] * v);
    },
  };
}

/** Linkletter et al. 2006, two of thirty columns; 1.8415 at 1, pi / 10. @type {Truth} */
const linkletter = {
  name: 'linkletter30',
  family: 'sparse',
  wanted: 'max',
  columns: cube(30, 0, 1),
  value: ({ x1, x2 }) => sin(x1) + sin(5 * x2),
};

const hard = inFamily('cliffs and ridges', [
  {
    // 0 at -10, 1
    name: 'bukin6',
    wanted: 'min',
    columns: numbers({ x1: [-15, -5], x2: [-3, 3] }),
    value: ({ x1, x2 }) => 100 * sqrt(abs(x2 - 0.01 * x1 * x1)) + 0.01 * abs(x1 + 10),
  },
  {
    // Floudas & Pardalos 1999, two islands beside which a third is left; 5.50801 at 2.3295, 3.1785
    name: 'islands',
    wanted: 'max',
    columns: numbers({ x1: [0, 3], x2: [0, 4] }),
    value: ({ x1: x, x2: y }) => {
      const first = -2 * x ** 4 + 8 * x ** 3 - 8 * x ** 2 + y - 2;
      const second = -4 * x ** 4 + 32 * x ** 3 - 88 * x ** 2 + 96 * x + y - 36;
      return (x + y) * (first <= 0 && second <= 0 ? 1 : 0.33);
    },
  },
  {
    // Rosen & Suzuki 1965, what passes three limits costs 5 at once; -44 at 0, 1, 2, -1
    name: 'rosenSuzuki4',
    wanted: 'min',
    columns: cube(4, -2, 3),
    value: ({ x1: a, x2: b, x3: c, x4: d }) => {
      const past =
        over(a ** 2 + b ** 2 + c ** 2 + d ** 2 + a - b + c - d - 8) +
        over(a ** 2 + 2 * b ** 2 + c ** 2 + 2 * d ** 2 - a - d - 10) +
        over(2 * a ** 2 + b ** 2 + c ** 2 + 2 * a - b - d - 5);
      return (
        a ** 2 + b ** 2 + 2 * c ** 2 + d ** 2 - 5 * a - 5 * b - 21 * c + 7 * d + 6 * past + (past > 0 ? 5 : 0)
      );
    },
  },
  {
    // seconds of impulse (Sutton, Elements): the wider the nozzle the better, until the jet leaves its wall (Summerfield 1954)
    name: 'nozzle',
    wanted: 'max',
    columns: numbers({ bar: [10, 100], widening: [3, 60], mixture: [1.5, 4], km: [0, 15] }),
    value: ({ bar, widening, mixture, km }) => {
      const k = 1.21;
      const outside = 1.01325 * exp(-km / 7.6);
      const hot = 3550 * (1 - 0.09 * (mixture - 2.7) ** 2);
      const molar = 17 + 2.6 * mixture;
      const power = (k + 1) / (2 * (k - 1));
      const mach = root(
        (m) => widening - ((2 / (k + 1)) * (1 + ((k - 1) / 2) * m * m)) ** power / m,
        1.01,
        9,
      );
      const exit = bar * (1 + ((k - 1) / 2) * mach ** 2) ** (-k / (k - 1));
      const choked = (2 / (k + 1)) ** power;
      const speed = sqrt(((8314 / molar) * hot) / k) / choked;
      const pushed =
        k * choked * sqrt((2 / (k - 1)) * (1 - (exit / bar) ** ((k - 1) / k))) +
        ((exit - outside) / bar) * widening;
      const left = exit < 0.4 * outside ? 0.75 : 1;
      return (speed * pushed * left) / 9.80665 - 0.1 * bar - 0.35 * widening;
    },
  },
  {
    // Semenov 1928: a batch runs away where heat comes faster than it can go, and its product is lost
    name: 'runaway',
    wanted: 'max',
    columns: numbers({
      coolant: [20, 120],
      molar: [0.5, 6],
      catalyst: [0.1, 2],
      stirring: [50, 600],
      hours: [1, 12],
    }),
    value: ({ coolant, molar, catalyst, stirring, hours }) => {
      const kelvin = coolant + 273.15;
      const rate = 0.32 * max(0, catalyst) ** 0.8 * exp(-9200 * (1 / kelvin - 1 / 343.15));
      const taken = 28 * max(1, stirring) ** 0.4;
      const semenov = (9200 * 95 * rate * molar) / (taken * kelvin ** 2);
      const made = 1 - exp(-rate * hours);
      if (semenov > exp(-1)) return 12 * made;
      const spoiled = exp(-0.012 * hours * exp((coolant - 70) / 28));
      return (30 * molar * made * spoiled) / sqrt(hours + 2) - 0.012 * stirring - 4 * catalyst;
    },
  },
]);

const strong = inFamily('strong signal', [
  {
    // Carr 1960, isomerisation of pentane as Bates & Watts fit it
    name: 'isomerisation',
    wanted: 'max',
    columns: numbers({ hydrogen: [100, 470], pentane: [60, 350], isopentane: [10, 150] }),
    value: ({ hydrogen, pentane, isopentane }) =>
      (35.92 * 0.0377 * (pentane - isopentane / 1.632)) /
      (1 + 0.0708 * hydrogen + 0.0377 * pentane + 0.1671 * isopentane),
  },
  {
    // 0 at 1, 3
    name: 'booth',
    wanted: 'min',
    columns: cube(2, -10, 10),
    value: ({ x1, x2 }) => (x1 + 2 * x2 - 7) ** 2 + (2 * x1 + x2 - 5) ** 2,
  },
  {
    // Novikov 1958: power of an engine with a real heater, most at an efficiency of 1 - sqrt(cold / hot)
    name: 'realEngine',
    wanted: 'max',
    columns: numbers({ hot: [450, 900], cold: [280, 340], efficiency: [0.05, 0.55] }),
    value: ({ hot, cold, efficiency }) => efficiency * (hot - cold / (1 - efficiency)),
  },
  {
    // Manning 1891: litres per second in a round pipe, most where it is filled to 0.938
    name: 'sewer',
    wanted: 'max',
    columns: numbers({ filled: [0.1, 1], diameter: [0.2, 1], permille: [1, 20] }),
    value: ({ filled, diameter, permille }) => {
      const angle = 2 * Math.acos(Math.max(-1, Math.min(1, 1 - 2 * filled)));
      const area = (diameter ** 2 / 8) * (angle - sin(angle));
      const wetted = max(1e-6, (diameter * angle) / 2);
      return (1000 / 0.013) * area * (area / wetted) ** (2 / 3) * sqrt(max(0, permille) / 1000);
    },
  },
]);

const severalGoals = inFamily('several goals', [
  {
    // two-bar truss (Palli et al. 1998; Deb 2001): volume in litres, and the greater stress in MPa
    name: 'twoBar',
    wanted: 'min',
    columns: numbers({ bar1: [8, 100], bar2: [8, 100], height: [1, 3] }),
    value: ({ bar1, bar2, height: y }) => 0.1 * (bar1 * sqrt(16 + y * y) + bar2 * sqrt(1 + y * y)),
    second: {
      name: 'stress',
      wanted: 'min',
      value: ({ bar1, bar2, height: y }) =>
        max((200 * sqrt(16 + y * y)) / (y * bar1), (800 * sqrt(1 + y * y)) / (y * bar2)),
    },
  },
  {
    // a servo of second order (Ogata): seconds until it has settled to 2 %, and by how much it overshoots
    name: 'servo',
    wanted: 'min',
    columns: numbers({ gain: [1, 40], rate: [0, 1], inertia: [0.2, 2], friction: [0.2, 4] }),
    value: (c) => {
      const { fast, damped } = servo(c);
      return 4 / (fast * (damped < 1 ? damped : damped - sqrt(damped ** 2 - 1)));
    },
    second: {
      name: 'overshoot',
      wanted: 'min',
      value: (c) => {
        const { damped } = servo(c);
        return damped < 1 ? 100 * exp((-PI * damped) / sqrt(1 - damped ** 2)) : 0;
      },
    },
  },
]);

/** @param {Record<string, number>} cells */
function servo({ gain, rate, inertia, friction }) {
  return {
    fast: sqrt(gain / inertia),
    damped: (friction + gain * max(0, rate)) / (2 * sqrt(gain * inertia)),
  };
}

/** @type {readonly Truth[]} */
export const fourthTruths = [
  ...engineering,
  ...closed,
  ...factorials,
  ...mixtures,
  linkletter,
  medium(25, 5, 71),
  medium(45, 6, 72),
  ...hard,
  ...strong,
  ...severalGoals,
  ...histories,
  ...Array.from({ length: 12 }, (_, i) => weak(60 + i)),
];
