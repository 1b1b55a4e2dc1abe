// The fifth judging set: functions of none of the first four sets, written down with their tables before any method had
// been run on them. Engineering, histories, classes and mixtures have files of their own. Most closed forms stand in the
// collections of Surjanovic & Bingham, of Jamil & Yang 2013, or of More, Garbow & Hillstrom 1981.
import { foldKey, rootKey, Stream } from '../../dist/numeric/index.js';
import { factorials } from './fifthClasses.mjs';
import { engineering } from './fifthEngineering.mjs';
import { histories } from './fifthHistories.mjs';
import { mixtures } from './fifthMixtures.mjs';
import { cube, inFamily, numbers, vector, weak } from './truths.mjs';

/** @typedef {import('./truths.mjs').Truth} Truth */

const { PI, exp, log, log10, sin, cos, sqrt, abs, max, min } = Math;

/** @param {readonly number[]} x @param {(v: number, i: number) => number} value */
const sum = (x, value) => x.reduce((total, v, i) => total + value(v, i), 0);
/** What passes a limit. @param {number} value */
const over = (value) => max(0, value);

const closed = inFamily('closed', [
  {
    // Whitley et al. 1996; -959.6407 at 512, 404.2319
    name: 'eggholder',
    wanted: 'min',
    columns: cube(2, -512, 512),
    value: ({ x1, x2 }) => -(x2 + 47) * sin(sqrt(abs(x2 + x1 / 2 + 47))) - x1 * sin(sqrt(abs(x1 - x2 - 47))),
  },
  {
    // Mishra 2006; -106.7645 at 4.70104, 3.15294
    name: 'bird',
    wanted: 'min',
    columns: cube(2, -2 * PI, 2 * PI),
    value: ({ x1, x2 }) =>
      sin(x1) * exp((1 - cos(x2)) ** 2) + cos(x2) * exp((1 - sin(x1)) ** 2) + (x1 - x2) ** 2,
  },
  {
    // Rastrigin 1974; 0 at 0
    name: 'rastrigin4',
    wanted: 'min',
    columns: cube(4, -3, 5.12),
    value: (c) => 40 + sum(vector(c, 4), (v) => v * v - 10 * cos(2 * PI * v)),
  },
  {
    // Bard 1970, log10 of the squares of a fit; log10 of 8.21487e-3 at 0.08241, 1.1330, 2.3437
    name: 'bard3',
    wanted: 'min',
    columns: cube(3, 0, 3),
    value: ({ x1, x2, x3 }) => {
      const seen = [0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39, 0.37, 0.58, 0.73, 0.96, 1.34, 2.1, 4.39];
      return log10(
        sum(seen, (y, i) => {
          const [u, v] = [i + 1, 15 - i];
          return (y - x1 - u / max(0.05, v * x2 + min(u, v) * x3)) ** 2;
        }),
      );
    },
  },
  {
    // Neumaier's sums of powers, log of 1 more; 0 at 1, 2, 2, 3
    name: 'powerSum4',
    wanted: 'min',
    columns: cube(4, 0, 4),
    value: (c) => log(1 + sum([8, 18, 44, 114], (b, k) => (sum(vector(c, 4), (v) => v ** (k + 1)) - b) ** 2)),
  },
  {
    // Brown & Dennis 1971, log10; log10 of 85822.2 at -11.5944, 13.2036, -0.403439, 0.236779
    name: 'brownDennis4',
    wanted: 'min',
    columns: cube(4, -25, 25),
    value: ({ x1, x2, x3, x4 }) =>
      log10(
        sum(Array(20).fill(0.2), (step, i) => {
          const t = step * (i + 1);
          return ((x1 + t * x2 - exp(t)) ** 2 + (x3 + x4 * sin(t) - cos(t)) ** 2) ** 2;
        }),
      ),
  },
  {
    // Dette & Pepelyshev 2010, three columns
    name: 'dettePepelyshev3',
    wanted: 'max',
    columns: cube(3, 0, 1),
    value: ({ x1, x2, x3 }) =>
      4 * (x1 - 2 + 8 * x2 - 8 * x2 ** 2) ** 2 +
      (3 - 4 * x2) ** 2 +
      16 * sqrt(max(0, x3 + 1)) * (2 * x3 - 1) ** 2,
  },
  {
    // Spedicato 1975, trigonometric, log of 0.1 more; log of 0.1 at 0
    name: 'trigonometric8',
    rows: 2000,
    wanted: 'min',
    columns: cube(8, -1, 2),
    value: (c) => {
      const x = vector(c, 8);
      const cosines = sum(x, cos);
      return log(0.1 + sum(x, (v, i) => (8 - cosines + (i + 1) * (1 - cos(v)) - sin(v)) ** 2));
    },
  },
]);

/** Morris 1991: ten of twenty columns act strongly, six of them in pairs; the rest of the coefficients as in Saltelli et al. 2008. @type {Truth} */
const morris = {
  name: 'morris20of10',
  family: 'sparse',
  wanted: 'max',
  columns: cube(20, 0, 1),
  value: (c) => {
    const w = vector(c, 20).map((v, i) =>
      [2, 4, 6].includes(i) ? 2 * ((1.1 * max(0, v)) / (max(0, v) + 0.1) - 0.5) : 2 * (v - 0.5),
    );
    let total = 0;
    for (let i = 0; i < 20; i++) {
      total += (i < 10 ? 20 : (-1) ** (i + 1)) * w[i];
      for (let j = i + 1; j < 20; j++) {
        total += (j < 6 ? -15 : (-1) ** (i + j)) * w[i] * w[j];
        for (let k = j + 1; k < 5; k++) total -= 10 * w[i] * w[j] * w[k];
      }
    }
    return total + 5 * w[0] * w[1] * w[2] * w[3];
  },
};

/**
 * Few of many columns matter, by hinges and products of hinges as regression splines have them (Friedman 1991): a line up
 * to a knot, another after it. @param {number} d @param {number} active @param {number} seed @returns {Truth}
 */
function hinges(d, active, seed) {
  const stream = new Stream(foldKey(rootKey(seed), 'hinges'));
  const places = Array.from(stream.choose(d, active));
  const knots = places.map(() => 15 + 70 * stream.uniform());
  const rises = places.map(() => 0.4 * stream.normal());
  const falls = places.map(() => -0.2 - 0.4 * stream.uniform());
  const pairs = places.slice(1).map((_, i) => ({ i, j: i + 1, by: 0.012 * stream.normal() }));
  return {
    name: `hinges${d}of${active}`,
    family: 'sparse',
    wanted: 'max',
    columns: Array.from({ length: d }, (_, i) => ({
      name: `setting${i + 1}`,
      lower: 0,
      upper: 100,
      decimals: 1,
    })),
    value: (cells) => {
      const x = places.map((j) => cells[`setting${j + 1}`]);
      const before = x.map((v, i) => over(knots[i] - v));
      const after = x.map((v, i) => over(v - knots[i]));
      return (
        100 +
        sum(before, (v, i) => -rises[i] * v) +
        sum(after, (v, i) => falls[i] * v) +
        pairs.reduce((total, { i, j, by }) => total + by * before[i] * after[j], 0)
      );
    },
  };
}

const hard = inFamily('cliffs and ridges', [
  {
    // Floudas & Pardalos 1990, a thin crescent between two circles, beside it nothing; -6961.814 at 14.095, 0.84296
    name: 'crescent',
    wanted: 'min',
    columns: numbers({ x1: [13, 18], x2: [0, 8] }),
    value: ({ x1, x2 }) => {
      const past = over(100 - (x1 - 5) ** 2 - (x2 - 5) ** 2) + over((x1 - 6) ** 2 + (x2 - 5) ** 2 - 82.81);
      return past > 0 ? 40 * past - 1000 : (x1 - 10) ** 3 + (x2 - 20) ** 3;
    },
  },
  {
    // Schoenauer & Xanthakis 1993, waves within two parabolas, in thousandths; 95.825 at 1.22797, 4.24537
    name: 'xanthakis',
    wanted: 'max',
    columns: numbers({ x1: [0.5, 3], x2: [2, 6] }),
    value: ({ x1, x2 }) => {
      if (x1 ** 2 - x2 + 1 > 0 || 1 - x1 + (x2 - 4) ** 2 > 0) return -20;
      return (1000 * sin(2 * PI * x1) ** 3 * sin(2 * PI * x2)) / (x1 ** 3 * (x1 + x2));
    },
  },
  {
    // Nesterov's function with kinks (Gurbuzbalaban & Overton 2012); 0 at 1
    name: 'nesterov4',
    wanted: 'min',
    columns: cube(4, -2, 2),
    value: (c) => {
      const x = vector(c, 4);
      return abs(x[0] - 1) / 4 + sum(x.slice(1), (v, i) => abs(v - 2 * abs(x[i]) + 1));
    },
  },
  {
    // Moore & Greitzer 1986: a compressor lifts more the less flows, until it surges; percent of the power it was built for
    name: 'surge',
    wanted: 'max',
    columns: numbers({ flow: [0.2, 0.9], speed: [0.5, 1.1], vanes: [-10, 50], kelvin: [260, 320] }),
    value: ({ flow, speed, vanes, kelvin }) => {
      const wide = 0.28 * (1 - 0.009 * vanes);
      const corrected = speed / sqrt(kelvin / 288);
      const off = flow / max(0.02, wide * corrected) - 1;
      const lift = 0.15 + 0.22 * (1 - 0.004 * abs(vanes)) * (1 + max(-1, 1.5 * off - 0.5 * off ** 3));
      const choked = min(1, over(off - 1.7) ** 2);
      if (off < 0.97) return 12 + 15 * flow;
      const lost = 0.035 * (off - 1.2) ** 2 + 0.00003 * vanes ** 2;
      return (
        100 * corrected ** 2 * (lift - lost - 0.3 * choked) +
        40 * flow * corrected -
        60 * over(corrected - 1.02)
      );
    },
  },
  {
    // a bed of titanium powder under a laser: pools by Rosenthal 1946 that must overlap (Tang 2017), keyholes by King 2014
    name: 'powderBed',
    wanted: 'max',
    columns: numbers({
      ...{ watts: [80, 400], speed: [200, 2500], hatch: [50, 180] },
      ...{ layer: [20, 90], spot: [50, 130], preheat: [20, 500] },
    }),
    value: ({ watts, speed, hatch, layer, spot, preheat }) => {
      const power = 0.48 * max(1, watts);
      const lifted = 1655 - preheat;
      const metres = max(0.02, speed / 1000);
      const pool = 1e6 * sqrt((8 * power) / (PI * Math.E * 4430 * 750 * metres * lifted));
      const enthalpy =
        power / (PI * 4430 * 750 * lifted * sqrt(8e-6 * metres * (max(10, spot) * 0.5e-6) ** 3));
      const deep = (pool / 2) * (1 + 0.12 * over(enthalpy - 5));
      const joined = (hatch / pool) ** 2 + (layer / deep) ** 2;
      const built = metres * hatch * layer * 1e-3;
      if (joined > 1) return 8 + 0.5 * built - 2 * min(4, joined);
      const pores = enthalpy > 11 ? 0.45 : 1;
      const rough = 0.12 * layer + 0.02 * over(spot - pool) ** 1.2;
      return (30 + 14 * sqrt(built)) * pores - rough - 0.012 * preheat;
    },
  },
]);

const strong = inFamily('strong signal', [
  {
    // 0 at 0
    name: 'matyas',
    wanted: 'min',
    columns: cube(2, -10, 10),
    value: ({ x1, x2 }) => 0.26 * (x1 ** 2 + x2 ** 2) - 0.48 * x1 * x2,
  },
  {
    // Planck 1900: light of a grey body, most at 2898 um K (Wien)
    name: 'planck',
    wanted: 'max',
    columns: numbers({ micrometres: [0.5, 6], kelvin: [800, 2200], emissivity: [0.2, 0.95] }),
    value: ({ micrometres, kelvin, emissivity }) => {
      const wave = max(0.1, micrometres);
      return (emissivity * 1.191e5) / wave ** 5 / (exp(14388 / (wave * kelvin)) - 1);
    },
  },
  {
    // kW of Pelton's wheel (1880): most where its buckets run half as fast as the jet
    name: 'pelton',
    wanted: 'max',
    columns: numbers({ head: [50, 300], wheel: [10, 50], angle: [90, 175] }),
    value: ({ head, wheel, angle }) => {
      const jet = 0.97 * sqrt(19.62 * max(0, head));
      return 50 * 1e-3 * wheel * (jet - wheel) * (1 - 0.9 * cos((PI * angle) / 180));
    },
  },
  {
    // fluorescence that a dense sample takes back (Lakowicz 2006), quenched as Stern & Volmer 1919 have it
    name: 'innerFilter',
    wanted: 'max',
    columns: numbers({ micromolar: [1, 200], cell: [0.2, 1], quencher: [0, 20] }),
    value: ({ micromolar, cell, quencher }) => {
      const absorbs = 0.02 * micromolar * cell;
      return (1000 * (1 - 10 ** -absorbs) * 10 ** (-0.35 * absorbs)) / (1 + 0.06 * quencher) / cell ** 0.2;
    },
  },
]);

const severalGoals = inFamily('several goals', [
  {
    // a train of four gears for a ratio of 1 / 6.931 (Sandgren 1990; Deb, Pratap & Moitra 2000): octaves off, and the largest gear
    name: 'gearTrain',
    wanted: 'min',
    columns: ['driver1', 'driver2', 'driven1', 'driven2'].map((name) => ({
      ...{ name, lower: 12, upper: 60 },
      decimals: 0,
    })),
    value: ({ driver1, driver2, driven1, driven2 }) =>
      abs(Math.log2((6.931 * driver1 * driver2) / (driven1 * driven2))),
    second: {
      name: 'largest',
      wanted: 'min',
      value: ({ driver1, driver2, driven1, driven2 }) => max(driver1, driver2, driven1, driven2),
    },
  },
  {
    // Kursawe 1990
    name: 'kursawe3',
    wanted: 'min',
    columns: cube(3, -5, 5),
    value: ({ x1, x2, x3 }) =>
      -10 * (exp(-0.2 * sqrt(x1 ** 2 + x2 ** 2)) + exp(-0.2 * sqrt(x2 ** 2 + x3 ** 2))),
    second: {
      name: 'ripples',
      wanted: 'min',
      value: (c) => sum(vector(c, 3), (v) => abs(v) ** 0.8 + 5 * sin(v ** 3)),
    },
  },
  {
    // leaching of shrinking cores (Levenspiel): percent of the metal won, and kg of acid that metal and rock take
    name: 'leach',
    wanted: 'max',
    columns: numbers({
      ...{ acid: [5, 120], celsius: [20, 95], hours: [0.5, 24] },
      ...{ micrometres: [20, 300], solids: [5, 45] },
    }),
    value: (c) => 100 * leached(c),
    second: {
      name: 'acidUsed',
      wanted: 'min',
      value: (c) => {
        const rock = 0.25 * (1 - exp(-0.02 * c.hours * exp(0.03 * (c.celsius - 50)) * (c.acid / 50)));
        return 12 + 60 * leached(c) + 180 * rock + (0.35 * c.acid * (100 - c.solids)) / max(1, c.solids);
      },
    },
  },
]);

/** Share of a core that has gone: 1 - (1 - share)^(1/3) rises with time. @param {Record<string, number>} cells */
function leached({ acid, celsius, hours, micrometres, solids }) {
  const rate = 5.5 * exp(-5200 * (1 / (celsius + 273.15) - 1 / 333.15));
  const free = max(0, acid) * (1 - 0.012 * solids);
  const gone = min(1, (rate * (over(free) / 50) ** 0.6 * max(0, hours)) / max(5, micrometres));
  return 0.96 * (1 - (1 - gone) ** 3);
}

/** @type {readonly Truth[]} */
export const fifthTruths = [
  ...engineering,
  ...closed,
  ...factorials,
  ...mixtures,
  morris,
  hinges(35, 5, 81),
  hinges(55, 6, 82),
  ...hard,
  ...strong,
  ...severalGoals,
  ...histories,
  ...Array.from({ length: 18 }, (_, i) => weak(80 + i)),
];
