// Classes and mixtures of the fourth judging set. What a class does follows from published properties of the substituent,
// reagent, metal, base or electrode that it names; which ones suit each other follows from a formula.
import { foldKey, rootKey, Stream } from '../../dist/numeric/index.js';
import { inFamily } from './truths.mjs';

/** @typedef {import('./truths.mjs').Truth} Truth */

const { exp, log, sqrt, abs, tanh, max } = Math;

/** @param {readonly number[]} all */
const total = (all) => all.reduce((sum, v) => sum + v, 0);
/** A hill of height 1. @param {number} off @param {number} width */
const hill = (off, width) => exp(-((off / width) ** 2));
/** A share that falls from 1 to 0. @param {number} value @param {number} at @param {number} width */
const below = (value, at, width) => 1 / (1 + exp((value - at) / width));
/** @param {string} name @param {Record<string, unknown>} table */
const classes = (name, table) => ({ name, levels: Object.keys(table) });

/** Hammett's sigma, meta and para, lipophilicity pi, molar refraction (Hansch, Leo & Taft 1991). @type {Record<string, [number, number, number, number]>} */
const groups = {
  H: [0, 0, 0, 1.03],
  Me: [-0.07, -0.17, 0.56, 5.65],
  tBu: [-0.1, -0.2, 1.98, 19.62],
  OMe: [0.12, -0.27, -0.02, 7.87],
  OH: [0.12, -0.37, -0.67, 2.85],
  NH2: [-0.16, -0.66, -1.23, 5.42],
  F: [0.34, 0.06, 0.14, 0.92],
  Cl: [0.37, 0.23, 0.71, 6.03],
  Br: [0.39, 0.23, 0.86, 8.88],
  CF3: [0.43, 0.54, 0.88, 5.02],
  CN: [0.56, 0.66, -0.57, 6.33],
  NO2: [0.71, 0.78, -0.28, 7.36],
};
/** pKa of the ammonium, and its lipophilicity. @type {Record<string, [number, number]>} */
const amines = {
  ammonia: [9.2, -1.2],
  methylamine: [10.6, -0.6],
  morpholine: [8.4, -0.9],
  piperidine: [11.1, 0.8],
};

/** Mayr's electrophilicity of benzhydryl cations (2001). @type {Record<string, number>} */
const cations = {
  lil: -10.04,
  ind: -8.76,
  thq: -8.22,
  pyr: -7.69,
  dma: -7.02,
  mpa: -5.89,
  mor: -5.53,
  dpa: -4.72,
  mfa: -3.85,
  pfa: -3.14,
};
/** Mayr's nucleophilicity N and slope s. @type {Record<string, [number, number]>} */
const nucleophiles = {
  allylsilane: [1.68, 1],
  methylfuran: [3.61, 1.11],
  silylether: [5.21, 1],
  indole: [5.55, 1.09],
  methylpyrrole: [5.85, 1.03],
  ketenacetal: [8.23, 0.81],
  ketenacetal2: [10.32, 0.79],
  morpholinoenamine: [11.4, 0.83],
  piperidinoenamine: [13.36, 0.81],
  pyrrolidinoenamine: [14.91, 0.86],
};

/** Centre of the d band in eV (Ruban et al. 1997), radius in pm. @type {Record<string, [number, number]>} */
const metals = {
  Fe: [-0.92, 126],
  Co: [-1.17, 125],
  Ni: [-1.29, 124],
  Cu: [-2.67, 128],
  Ru: [-1.41, 134],
  Rh: [-1.73, 134],
  Pd: [-1.83, 137],
  Ag: [-4.3, 144],
  Re: [-0.51, 137],
  Ir: [-2.11, 136],
  Pt: [-2.25, 139],
  Au: [-3.56, 144],
};
/** pH, and how firmly anions hold to the surface. @type {Record<string, [number, number]>} */
const media = { perchlorate: [1, 0], sulphate: [1, 0.35], phosphate: [7, 0.25], hydroxide: [13, 0.1] };

/** Enthalpy in kcal/mol and entropy in cal/mol/K of neighbours (SantaLucia 1998). @type {Record<string, [number, number]>} */
const neighbours = {
  ...{ AA: [-7.9, -22.2], TT: [-7.9, -22.2], AT: [-7.2, -20.4], TA: [-7.2, -21.3] },
  ...{ CA: [-8.5, -22.7], TG: [-8.5, -22.7], GT: [-8.4, -22.4], AC: [-8.4, -22.4] },
  ...{ CT: [-7.8, -21], AG: [-7.8, -21], GA: [-8.2, -22.2], TC: [-8.2, -22.2] },
  ...{ CG: [-10.6, -27.2], GC: [-9.8, -24.4], GG: [-8, -19.9], CC: [-8, -19.9] },
};

/** Winstein & Holness: kcal/mol by which a group prefers the equator. @type {Record<string, number>} */
const sizes = { OMe: 0.6, Me: 1.74, Et: 1.79, iPr: 2.21, CF3: 2.4, Ph: 2.8, SiMe3: 2.5, tBu: 4.7 };
/** Size that a catalyst's pocket fits in kcal/mol, reach, and speed. @type {Record<string, [number, number, number]>} */
const pockets = {
  binol: [2.9, 1.9, 0.5],
  taddol: [2, 1.6, 0.8],
  salen: [3.6, 2.3, 1.1],
  box: [2.3, 2.5, 1.6],
  proline: [1.6, 1.3, 2.2],
  cinchona: [2.7, 1.2, 1.4],
};

/** Volts and mAh/g against lithium. @type {Record<string, Record<string, [number, number]>>} */
const electrodes = {
  plus: {
    LFP: [3.4, 160],
    LCO: [3.9, 145],
    NCA: [3.75, 190],
    NMC: [3.8, 180],
    LMO: [4.05, 115],
    LNMO: [4.7, 135],
  },
  minus: {
    graphite: [0.12, 350],
    hardCarbon: [0.35, 280],
    titanate: [1.55, 165],
    silicon: [0.4, 1500],
    lithium: [0, 2000],
  },
};
/** Volts between which a solvent lasts, and mS/cm. @type {Record<string, [number, number, number]>} */
const solvents = {
  ether: [0, 3.9, 9],
  carbonate: [0.1, 4.4, 10.5],
  fluorinated: [0.05, 4.8, 6.5],
  sulfolane: [0.8, 5.2, 3.2],
  nitrile: [1.2, 4.6, 22],
};
/** Factor of the conductivity, and what it costs in volts. @type {Record<string, [number, number]>} */
const salts = { LiPF6: [1, 0.1], LiTFSI: [0.85, 0.45], LiBF4: [0.5, 0], LiBOB: [0.6, 0.2] };

/** Five settings at three levels: lines and bends of each, products more often of those that matter (Hamada & Wu 1992). @param {number} seed @returns {Omit<Truth, 'family'>} */
function screen(seed) {
  const stream = new Stream(foldKey(rootKey(seed), 'screen'));
  const names = ['die', 'wax', 'heat', 'dwell', 'gate'];
  const lines = names.map(() => (stream.uniform() < 0.6 ? 3 : 0.4) * stream.normal());
  const bends = lines.map((line) => (abs(line) > 1 ? 2 : 0.5) * stream.normal());
  const pairs = names.flatMap((_, i) =>
    names.slice(i + 1).map((__, k) => {
      const parents = Number(abs(lines[i]) > 1) + Number(abs(lines[i + 1 + k]) > 1);
      const by = stream.uniform() < [0.05, 0.3, 0.7][parents] ? 2.2 * stream.normal() : 0;
      return { i, j: i + 1 + k, by };
    }),
  );
  return {
    name: 'screen5x3',
    wanted: 'min',
    columns: names.map((name) => ({ name, levels: ['low', 'middle', 'high'] })),
    value: (cells) => {
      const x = names.map((name) => ['low', 'middle', 'high'].indexOf(cells[name]) - 1);
      return (
        25 +
        total(x.map((v, i) => v * lines[i] + (1.5 * v * v - 1) * bends[i])) +
        total(pairs.map(({ i, j, by }) => by * x[i] * x[j]))
      );
    },
  };
}

export const factorials = inFamily('factorial', [
  {
    // Hansch & Fujita 1964: a parabola in lipophilicity, electrons at the para place, room at the meta place, a charge that helps
    name: 'hansch',
    wanted: 'max',
    columns: [classes('meta', groups), classes('para', groups), classes('amine', amines)],
    value: ({ meta, para, amine }) => {
      const [m, p] = [groups[meta], groups[para]];
      const [pKa, oily] = amines[amine];
      const free = 1 / (1 + 10 ** (pKa + 0.9 * (m[0] + p[1]) - 8.6));
      const logP = 0.9 + m[2] + p[2] + oily - 0.8 * (1 - free);
      return (
        4.5 +
        0.9 * logP -
        0.22 * logP ** 2 +
        1.1 * p[1] * tanh(2 * m[0] + 0.3) -
        0.07 * max(0, m[3] - 6) -
        0.004 * (p[3] - 7) ** 2 +
        0.9 * hill(free - 0.35, 0.3)
      );
    },
  },
  {
    // Mayr & Patz 1994, log k = s (N + E): percent of the cation that the nucleophile has within a minute, not water (5.2, 0.89)
    name: 'mayr',
    wanted: 'max',
    columns: [classes('cation', cations), classes('nucleophile', nucleophiles)],
    value: ({ cation, nucleophile }) => {
      const [n, s] = nucleophiles[nucleophile];
      const e = cations[cation];
      const k = 0.05 * 10 ** (s * (n + e));
      const lost = 0.9 * 10 ** (0.89 * (5.2 + e)) + 1e-4;
      // a strong nucleophile takes the product's proton and goes on
      const twice = 0.3 * below(-n, -11, 0.8) * below(-e, 6.5, 1);
      return ((100 * k) / (k + lost)) * (1 - exp(-60 * (k + lost))) * (1 - twice);
    },
  },
  {
    // Hammer & Norskov: a layer of one metal on another, its d band moved by strain; a volcano whose top moves with pH
    name: 'overlayer',
    wanted: 'max',
    columns: [classes('layer', metals), classes('host', metals), classes('medium', media)],
    value: ({ layer, host, medium }) => {
      const [[d, r], [below0, under]] = [metals[layer], metals[host]];
      const [pH, held] = media[medium];
      const strain = (under - r) / r;
      const centre = d + 4.5 * strain + 0.08 * (below0 - d);
      const bound = 0.55 * (centre + 2.45) + 0.012 * (pH - 1);
      const rate = -abs(bound) / 0.059 + 3 * hill(bound, 0.25);
      const dissolves = layer === host ? 0 : 4 * max(0, abs(strain) - 0.06) * 10;
      return 20 + 0.6 * rate - dissolves - 4 * held * below(-centre, 2.2, 0.3);
    },
  },
  {
    // five bases of a probe between GC and TG that shall melt at 35 C (SantaLucia 1998) and not pair with itself
    name: 'probe5',
    wanted: 'max',
    columns: [1, 2, 3, 4, 5].map((i) => ({ name: `base${i}`, levels: ['A', 'C', 'G', 'T'] })),
    value: (cells) => {
      const middle = [1, 2, 3, 4, 5].map((i) => cells[`base${i}`]);
      const bases = ['G', 'C', ...middle, 'T', 'G'];
      const steps = bases.slice(1).map((base, i) => neighbours[bases[i] + base]);
      const heat = total(steps.map(([h]) => h)) + 0.2;
      const order = total(steps.map(([, s]) => s)) - 5.7 - 0.368 * 8 * 2.3;
      const celsius = (1000 * heat) / (order + 1.987 * log(5e-5)) - 273.15;
      const other = /** @type {Record<string, string>} */ ({ A: 'T', T: 'A', C: 'G', G: 'C' });
      const own = total(bases.slice(0, 4).map((base, i) => Number(bases[8 - i] === other[base])));
      const runs = total(middle.slice(1).map((base, i) => Number(base === middle[i])));
      const flanks = 4 * Number(middle[0] === 'A') + 3 * Number(middle[4] === 'C');
      return 60 * hill(celsius - 35, 7) + flanks - 5 * own - 4 * runs ** 1.5;
    },
  },
  screen(73),
  {
    // Eyring: percent of the wanted mirror image made; the groups' difference, seen by a pocket, decides how much of it
    name: 'enantio',
    wanted: 'max',
    columns: [
      classes('large', sizes),
      { name: 'small', levels: ['H', 'OMe', 'Me', 'Et'] },
      classes('catalyst', pockets),
      { name: 'celsius', lower: -78, upper: 60, decimals: 0 },
      { name: 'hours', lower: 0.5, upper: 48, decimals: 1 },
      { name: 'load', lower: 0.5, upper: 15, decimals: 1 },
    ],
    value: ({ large, small, catalyst, celsius, hours, load }) => {
      const kelvin = celsius + 273.15;
      const [fits, reach, speed] = pockets[catalyst];
      const [big, little] = [sizes[large], small === 'H' ? 0 : sizes[small]];
      const apart = reach * tanh(0.6 * (big - little)) * hill(big - fits, 2.2);
      const other = 1 / (1 + exp((1000 * apart) / (1.987 * kelvin)));
      const rate =
        0.25 * speed * sqrt(load) * exp(-6200 * (1 / kelvin - 1 / 273.15)) * exp(-0.5 * (big + little - 2));
      const alone = 0.01 * exp(-8500 * (1 / kelvin - 1 / 273.15));
      const made = 1 - exp(-(rate + alone) * hours);
      const right = (rate * (1 - other) + alone / 2) / (rate + alone);
      return 100 * made * (2 * right - 1) - 0.6 * load;
    },
  },
  {
    // Wh per kg of a cell, as far as its solvent lasts between the electrodes and its ions move
    name: 'battery',
    wanted: 'max',
    columns: [
      classes('plus', electrodes.plus),
      classes('minus', electrodes.minus),
      classes('solvent', solvents),
      classes('salt', salts),
    ],
    value: ({ plus, minus, solvent, salt }) => {
      const [[high, charge], [low, room]] = [electrodes.plus[plus], electrodes.minus[minus]];
      const [least, most, conducts] = solvents[solvent];
      const [moves, costs] = salts[salt];
      const lasts = below(high, most - costs, 0.12) * below(least, low + 0.12, 0.15);
      const volts = high - low - 1.2 / (conducts * moves);
      const swells = minus === 'silicon' && solvent !== 'fluorinated' ? 0.55 : 1;
      const grows = minus === 'lithium' && solvent !== 'ether' ? 0.6 : 1;
      return 0.55 * volts * (1 / (1 / charge + 1 / room)) * (0.2 + 0.8 * lasts) * swells * grows;
    },
  },
]);

/** @param {string[]} names @param {(x: number[], cells: Record<string, any>) => number} value @returns {Pick<Truth, 'columns' | 'mixture' | 'value'>} */
const parts = (names, value) => ({
  columns: names.map((name) => ({ name, lower: 0, upper: 1, decimals: 2 })),
  mixture: names,
  value: (cells) =>
    value(
      names.map((name) => cells[name]),
      cells,
    ),
});
/** @param {readonly number[]} x @param {readonly number[]} of */
const average = (x, of) => total(x.map((v, i) => v * of[i]));

const conducting = parts(['EC', 'PC', 'DMC', 'DEC'], (x, { molar }) => {
  // permittivity in proportion, viscosity by Arrhenius 1887 and Jones & Dole 1929; pairs of ions by Bjerrum's length in nm
  const permittivity = average(x, [89.8, 64.9, 3.1, 2.8]);
  const viscosity =
    exp(average(x, [log(1.9), log(2.53), log(0.59), log(0.75)])) *
    (1 + 0.35 * sqrt(max(0, molar)) + 0.75 * molar ** 2);
  const pairs = 0.6 * max(0, molar) * exp(56 / permittivity / 0.62);
  const free = (sqrt(1 + 4 * pairs) - 1) / (2 * pairs + 1e-9);
  const solid = below(x[0], 0.62 - 0.1 * x[1], 0.05);
  return (26 * molar * free * (0.3 + 0.7 * solid)) / viscosity;
});

export const mixtures = inFamily('mixture', [
  {
    // mS/cm of a lithium salt in carbonates
    name: 'carbonates4',
    wanted: 'max',
    ...conducting,
    columns: [...conducting.columns, { name: 'molar', lower: 0.2, upper: 2, decimals: 2 }],
  },
  {
    // Griffin 1949: surfactants whose balance shall be 10.5; those with tails alike pack better, prices are ours
    name: 'emulsion5',
    wanted: 'max',
    ...parts(['span80', 'tween80', 'span60', 'tween60', 'brij35'], (x) => {
      const off = average(x, [4.3, 15, 4.7, 14.9, 16.9]) - 10.5;
      const packs = x[0] * x[1] + 0.8 * x[2] * x[3] + 0.3 * (x[0] * x[3] + x[1] * x[2]);
      return (
        70 * hill(off, 3.2) * (0.4 + 2.2 * packs) +
        18 * x[4] * (1 - x[4]) -
        average(x, [9, 12, 4, 10, 15]) -
        12 * max(0, x[2] + x[3] - 0.5)
      );
    }),
  },
  {
    // Kubelka & Munk 1931: distance in percent of reflection, at 450, 550 and 620 nm, to a green
    name: 'paint5',
    wanted: 'min',
    ...parts(['white', 'black', 'yellow', 'blue', 'red'], (x) => {
      const absorbs = [
        [0.02, 4, 2.2, 0.3, 1.8],
        [0.01, 4, 0.12, 1.1, 1.6],
        [0.01, 4, 0.05, 2.4, 0.15],
      ];
      const scatters = [1, 0.05, 0.5, 0.15, 0.3];
      const off = absorbs.map((of, k) => {
        const ratio = average(x, of) / average(x, scatters);
        return 100 * (1 + ratio - sqrt(ratio ** 2 + 2 * ratio)) - [14, 38, 19][k];
      });
      return sqrt(total(off.map((v) => v * v)) / 3);
    }),
  },
]);
