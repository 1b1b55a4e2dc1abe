// Classes and mixtures of the third judging set. What a class does follows from published properties of the ligand,
// element, ion, residue or solvent that it names; which ones suit each other follows from a formula.
import { foldKey, rootKey, Stream } from '../../dist/numeric/index.js';
import { inFamily } from './truths.mjs';

/** @typedef {import('./truths.mjs').Truth} Truth */

const { exp, log, sqrt, abs, max } = Math;

/** @param {readonly number[]} all */
const total = (all) => all.reduce((sum, v) => sum + v, 0);
/** A hill of height 1. @param {number} off @param {number} width */
const hill = (off, width) => exp(-((off / width) ** 2));
/** @param {string} name @param {Record<string, unknown>} table */
const classes = (name, table) => ({ name, levels: Object.keys(table) });

/** Cone angle in degrees and electronic parameter in 1/cm (Tolman 1977). @type {Record<string, [number, number]>} */
const ligands = {
  PMe3: [118, 2064.1],
  PEt3: [132, 2061.7],
  PBu3: [132, 2060.3],
  PiPr3: [160, 2059.2],
  PCy3: [170, 2056.4],
  PtBu3: [182, 2056.1],
  PPh3: [145, 2068.9],
  Potol3: [194, 2066.6],
  POMe3: [107, 2079.5],
  POiPr3: [130, 2075.9],
  POPh3: [128, 2085.3],
  PF3: [104, 2110.8],
};
/** Relative permittivity and Gutmann's donor number. @type {Record<string, [number, number]>} */
const solvents = {
  toluene: [2.38, 0.1],
  dioxane: [2.25, 14.8],
  THF: [7.58, 20],
  acetone: [20.7, 17],
  ethanol: [24.5, 19.2],
  DMF: [36.7, 26.6],
  MeCN: [37.5, 14.1],
  DMSO: [46.7, 29.8],
};

/** A volcano over size and electrons of the ligand; polar solvents ask for smaller ones. @param {string} ligand @param {string} solvent */
function coupling(ligand, solvent) {
  const [cone, electrons] = ligands[ligand];
  const [permittivity, donor] = solvents[solvent];
  const polar = (permittivity - 1) / (2 * permittivity + 1);
  const size = hill(cone - (205 - 130 * polar), 34);
  return (
    size * hill(electrons - 2060 - 0.25 * donor, 11) * (0.45 + 0.55 * hill(donor - 18, 14)) + 0.12 * polar
  );
}

/** Radius in pm, valence electrons, melting point in K. @type {Record<string, [number, number, number]>} */
const elements = {
  Al: [143, 3, 933],
  Ti: [146, 4, 1941],
  Zr: [160, 4, 2128],
  V: [134, 5, 2183],
  Nb: [143, 5, 2750],
  Ta: [143, 5, 3290],
  Cr: [125, 6, 2180],
  Mo: [136, 6, 2896],
  W: [137, 6, 3695],
  Mn: [127, 7, 1519],
  Fe: [124, 8, 1811],
  Co: [125, 9, 1768],
  Ni: [125, 10, 1728],
  Cu: [128, 11, 1358],
};

/** Shannon's radii in angstrom. @type {Record<string, Record<string, number>>} */
const ions = {
  A: { 'Na+': 1.39, 'K+': 1.64, 'Rb+': 1.72, 'Cs+': 1.88, 'MA+': 2.17, 'FA+': 2.53 },
  B: { Mg: 0.72, Ge: 0.73, Zn: 0.74, Mn: 0.83, Cd: 0.95, Ca: 1, Sn: 1.15, Sr: 1.18, Pb: 1.19, Ba: 1.35 },
  X: { F: 1.33, Cl: 1.81, Br: 1.96, I: 2.2 },
};
/** Pauling's electronegativity. @type {Record<string, number>} */
const pulls = {
  ...{ Mg: 1.31, Ge: 2.01, Zn: 1.65, Mn: 1.55, Cd: 1.69, Ca: 1, Sn: 1.96, Sr: 0.95, Pb: 2.33, Ba: 0.89 },
  ...{ F: 3.98, Cl: 3.16, Br: 2.96, I: 2.66 },
};

/** Hydropathy (Kyte & Doolittle 1982), volume (Zamyatnin 1972), charge. @type {Record<string, [number, number, number]>} */
const residues = {
  Ile: [4.5, 166.7, 0],
  Val: [4.2, 140, 0],
  Phe: [2.8, 189.9, 0],
  Ala: [1.8, 88.6, 0],
  Gly: [-0.4, 60.1, 0],
  Ser: [-0.8, 89, 0],
  Trp: [-0.9, 227.8, 0],
  His: [-3.2, 153.2, 0.1],
  Glu: [-3.5, 138.4, -1],
  Lys: [-3.9, 168.6, 1],
};

/** Kauffman & Weinberger 1989: each site's share depends on its own class and those of the next sites. @param {number} sites @param {number} levels @param {number} others @param {number} seed @returns {Omit<Truth, 'family'>} */
function landscape(sites, levels, others, seed) {
  const stream = new Stream(foldKey(rootKey(seed), 'landscape'));
  const shares = Array.from({ length: sites }, () =>
    Array.from({ length: levels ** (others + 1) }, () => stream.uniform()),
  );
  const names = Array.from({ length: sites }, (_, i) => `site${i + 1}`);
  const letters = 'ACGT'.slice(0, levels).split('');
  return {
    name: `landscape${sites}x${levels}k${others}`,
    wanted: 'max',
    columns: names.map((name) => ({ name, levels: letters })),
    value: (cells) => {
      const at = names.map((name) => letters.indexOf(cells[name]));
      const own = at.map((_, i) => {
        let place = 0;
        for (let k = 0; k <= others; k++) place = place * levels + at[(i + k) % sites];
        return shares[i][place];
      });
      return (100 * total(own)) / sites;
    },
  };
}

/** Two levels of eight settings: main effects, and products more often of those that matter (Chipman 1996). @param {number} seed @returns {Omit<Truth, 'family'>} */
function yates(seed) {
  const stream = new Stream(foldKey(rootKey(seed), 'yates'));
  const names = ['pH', 'heat', 'salt', 'speed', 'feed', 'oxygen', 'shear', 'seed'];
  const main = names.map(() => (stream.uniform() < 0.6 ? 3 * stream.normal() : 0.3 * stream.normal()));
  const pairs = names.flatMap((_, i) =>
    names.slice(i + 1).map((__, k) => {
      const parents = Number(abs(main[i]) > 1) + Number(abs(main[i + 1 + k]) > 1);
      return {
        i,
        j: i + 1 + k,
        by: stream.uniform() < [0.02, 0.2, 0.5][parents] ? 2.5 * stream.normal() : 0,
      };
    }),
  );
  return {
    name: 'yates8',
    wanted: 'max',
    columns: names.map((name) => ({ name, levels: ['low', 'high'] })),
    value: (cells) => {
      const x = names.map((name) => (cells[name] === 'high' ? 1 : -1));
      return 40 + total(x.map((v, i) => v * main[i])) + total(pairs.map(({ i, j, by }) => by * x[i] * x[j]));
    },
  };
}

export const factorials = inFamily('factorial', [
  {
    name: 'phosphine',
    wanted: 'max',
    columns: [classes('ligand', ligands), classes('solvent', solvents)],
    value: ({ ligand, solvent }) => 100 * coupling(ligand, solvent),
  },
  {
    // the same classes at a temperature and for hours: made by one Arrhenius rate, lost by a steeper one
    name: 'phosphineRun',
    wanted: 'max',
    columns: [
      classes('ligand', ligands),
      classes('solvent', solvents),
      { name: 'celsius', lower: 20, upper: 140, decimals: 0 },
      { name: 'hours', lower: 0.5, upper: 24, decimals: 1 },
      { name: 'load', lower: 0.2, upper: 5, decimals: 1 },
    ],
    value: ({ ligand, solvent, celsius, hours, load }) => {
      const lean = 1 / (celsius + 273.15) - 1 / 353.15;
      const k1 = 0.9 * coupling(ligand, solvent) * sqrt(load) * exp(-7500 * lean);
      const k2 = 0.02 * exp(-13000 * lean) + 1e-6;
      const made =
        abs(k1 - k2) < 1e-9
          ? k1 * hours * exp(-k1 * hours)
          : (k1 / (k1 - k2)) * (exp(-k2 * hours) - exp(-k1 * hours));
      return 100 * made - 2 * load;
    },
  },
  {
    // hardness of three metals in equal parts: mismatch of size hardens (Labusch) up to 6.6 % (Zhang 2008), bcc below 6.87
    // valence electrons (Guo 2011)
    name: 'alloy',
    wanted: 'max',
    columns: [
      { name: 'base', levels: ['Fe', 'Co', 'Ni', 'Cr', 'Mn', 'Cu', 'V'] },
      { name: 'second', levels: ['Ti', 'Nb', 'Ta', 'Mo', 'W', 'Zr', 'Al'] },
      { name: 'third', levels: ['Al', 'V', 'Cr', 'Ni', 'Cu', 'Mo', 'Ti'] },
    ],
    value: ({ base, second, third }) => {
      const all = [base, second, third].map((name) => elements[name]);
      const radius = total(all.map(([r]) => r)) / 3;
      const mismatch = 100 * sqrt(total(all.map(([r]) => (1 - r / radius) ** 2)) / 3);
      const electrons = total(all.map(([, v]) => v)) / 3;
      const melts = total(all.map(([, , t]) => t)) / 3;
      const bcc = 1 / (1 + exp((electrons - 6.87) / 0.4));
      const whole = 1 / (1 + exp((mismatch - 6.6) / 0.5));
      return 120 + 0.06 * melts + (38 * mismatch ** (4 / 3) + 160 * bcc) * (0.25 + 0.75 * whole);
    },
  },
  {
    // Goldschmidt's tolerance and octahedral factors of ABX3, and a gap that follows electronegativity
    name: 'perovskite',
    wanted: 'max',
    columns: ['A', 'B', 'X'].map((site) => classes(site, ions[site])),
    value: ({ A, B, X }) => {
      const [a, b, x] = [ions.A[A], ions.B[B], ions.X[X]];
      const stable = hill((a + x) / (Math.SQRT2 * (b + x)) - 0.93, 0.11) * hill(b / x - 0.57, 0.14);
      const gap = 0.5 + 1.6 * (pulls[X] - pulls[B]) + 0.15 * (2.2 - a);
      return 70 * stable + 30 * stable * hill(gap - 1.9, 0.7) + 10 * hill(gap - 1.9, 1.2);
    },
  },
  {
    // three residues of a loop: they fill a pocket, the outer two like water, opposite charges bind
    name: 'peptide',
    wanted: 'max',
    columns: ['left', 'middle', 'right'].map((place) =>
      classes(
        place,
        place === 'middle' ? Object.fromEntries(Object.entries(residues).slice(0, 7)) : residues,
      ),
    ),
    value: ({ left, middle, right }) => {
      const [a, b, c] = [left, middle, right].map((name) => residues[name]);
      const fit = hill(a[1] + b[1] + c[1] - 455, 70);
      return (
        60 * fit +
        4 * b[0] -
        0.9 * (a[0] + c[0]) -
        14 * a[2] * c[2] -
        0.05 * abs(a[1] - c[1]) -
        3 * abs(a[0] - c[0]) * (1 - fit)
      );
    },
  },
  landscape(4, 4, 1, 41),
  landscape(5, 3, 2, 42),
  yates(43),
]);

/** @param {string[]} names @param {(x: number[]) => number} value @returns {Pick<Truth, 'columns' | 'mixture' | 'value'>} */
const parts = (names, value) => ({
  columns: names.map((name) => ({ name, lower: 0, upper: 1, decimals: 2 })),
  mixture: names,
  value: (cells) => value(names.map((name) => cells[name])),
});
/** @param {readonly number[]} x @param {readonly number[]} of */
const average = (x, of) => total(x.map((v, i) => v * of[i]));

/** Share that passes sieves of 0.15 to 19 mm. */
const stones = {
  gravel: [0, 0, 0, 1, 2, 8, 45, 97],
  chips: [0, 1, 2, 3, 12, 60, 98, 100],
  sand: [4, 18, 50, 80, 95, 100, 100, 100],
  dust: [12, 20, 32, 48, 70, 98, 100, 100],
  filler: [90, 98, 100, 100, 100, 100, 100, 100],
};
const sieves = [0.15, 0.3, 0.6, 1.18, 2.36, 4.75, 9.5, 19];

export const mixtures = inFamily('mixture', [
  {
    // Hansen's distance of a blend to a polymer at 18.6, 10.5, 7.5
    name: 'hansen5',
    wanted: 'min',
    ...parts(['toluene', 'acetone', 'ethanol', 'DMSO', 'hexane'], (x) => {
      const d = average(x, [18, 15.5, 15.8, 18.4, 14.9]) - 18.6;
      const p = average(x, [1.4, 10.4, 8.8, 16.4, 0]) - 10.5;
      const h = average(x, [2, 7, 19.4, 10.2, 0]) - 7.5;
      return sqrt(4 * d * d + p * p + h * h);
    }),
  },
  {
    // Healy's RT-70 octane blending (1959), vapour pressure by powers of 1.25; prices are ours
    name: 'octane5',
    wanted: 'max',
    ...parts(['reformate', 'cracked', 'alkylate', 'butane', 'isomerate'], (x) => {
      const [ron, sense, olefin] = [
        [98, 92, 95, 93.6, 83],
        [10, 12, 2, 3.5, 2],
        [1, 32, 0.5, 0, 0],
      ];
      const [r, s, o] = [ron, sense, olefin].map((of) => average(x, of));
      const both =
        average(
          x,
          ron.map((v, i) => v * sense[i]),
        ) -
        r * s;
      const squares =
        average(
          x,
          olefin.map((v) => v * v),
        ) -
        o * o;
      const vapour =
        average(
          x,
          [3.5, 6, 5, 52, 13].map((v) => v ** 1.25),
        ) ** 0.8;
      const price = average(x, [99, 84, 103, 55, 80]);
      return (
        2.4 * (r + 0.03224 * both + 0.00101 * squares) -
        price -
        2.5 * max(0, vapour - 9) -
        0.5 * max(0, o - 9) ** 1.5
      );
    }),
  },
  {
    // vapour pressure in mmHg at 75 C of a regular solution (Scatchard & Hildebrand), Antoine's constants
    name: 'azeotrope4',
    wanted: 'max',
    ...parts(['benzene', 'cyclohexane', 'ethanol', 'MEK'], (x) => {
      const volumes = [89.4, 108.7, 58.5, 90.1];
      const deltas = [18.6, 16.8, 26.5, 19];
      const antoine = [
        [6.90565, 1211.033, 220.79],
        [6.8413, 1201.53, 222.65],
        [8.20417, 1642.89, 230.3],
        [7.06356, 1261.34, 221.97],
      ];
      const volume = average(x, volumes);
      const delta = total(x.map((v, i) => v * volumes[i] * deltas[i])) / volume;
      return total(
        x.map((v, i) => {
          const [a, b, c] = antoine[i];
          return (
            v * exp((volumes[i] * (deltas[i] - delta) ** 2) / (8.314 * 348.15)) * 10 ** (a - b / (75 + c))
          );
        }),
      );
    }),
  },
  {
    // stones blended towards the 0.45 power curve of densest packing (Fuller & Thompson 1907, FHWA), with a price
    name: 'grading5',
    wanted: 'min',
    ...parts(Object.keys(stones), (x) => {
      const passes = Object.values(stones);
      const off = sieves.map(
        (size, k) => total(x.map((v, i) => v * passes[i][k])) - 100 * (size / 19) ** 0.45,
      );
      return sqrt(total(off.map((v) => v * v)) / sieves.length) + log(1 + 6 * x[4]);
    }),
  },
]);
