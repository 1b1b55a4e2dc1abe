// Classes of the fifth judging set. What a class does follows from published properties of the acid, oxide,
// polymer, steel or adhesive that it names; which ones suit each other follows from a formula.
import { foldKey, rootKey, Stream } from '../../dist/numeric/index.js';
import { inFamily } from './truths.mjs';

/** @typedef {import('./truths.mjs').Truth} Truth */

const { exp, log, sqrt, max, min } = Math;

/** A hill of height 1. @param {number} off @param {number} width */
const hill = (off, width) => exp(-((off / width) ** 2));
/** A share that falls from 1 to 0. @param {number} value @param {number} at @param {number} width */
const below = (value, at, width) => 1 / (1 + exp((value - at) / width));
/** What passes a limit. @param {number} value */
const over = (value) => max(0, value);
/** @param {string} name @param {Record<string, unknown>} table */
const classes = (name, table) => ({ name, levels: Object.keys(table) });

/** Drago & Wayland 1965, electrostatic and covalent, sqrt of kcal/mol. @type {Record<string, [number, number]>} */
const acids = {
  iodine: [1, 1],
  iodineBromide: [2.41, 1.56],
  iodineChloride: [5.1, 0.83],
  phenol: [4.33, 0.44],
  butanol: [2.04, 0.3],
  chloroform: [3.02, 0.16],
  pyrrole: [2.54, 0.3],
  trifluoroethanol: [3.88, 0.45],
  sulphurDioxide: [0.92, 0.81],
  trimethylborane: [6.14, 1.7],
  trifluoroborane: [9.88, 1.62],
  antimonyChloride: [7.38, 5.13],
};
/** As above, and how bulky the place of the pair is. @type {Record<string, [number, number, number]>} */
const bases = {
  pyridine: [1.17, 6.4, 0.1],
  ammonia: [1.36, 3.46, 0],
  methylamine: [1.3, 5.88, 0.1],
  dimethylamine: [1.09, 8.73, 0.4],
  trimethylamine: [0.81, 11.54, 1],
  acetonitrile: [0.89, 1.34, 0],
  acetone: [0.99, 2.33, 0.1],
  ethylAcetate: [0.98, 1.74, 0.1],
  ether: [0.96, 3.25, 0.5],
  furane: [0.98, 4.27, 0.2],
  sulphoxide: [1.34, 2.85, 0.1],
  sulphide: [0.34, 7.4, 0.5],
};
/** A medium's own hold on acids. @type {Record<string, [number, number]>} */
const mediums = { hexane: [0, 0], benzene: [0.49, 0.71], dioxane: [0.9, 2.38] };

/** Heat of formation in kJ/mol, atoms of metal and oxygen, atomic mass, boiling point of the metal in K. @type {Record<string, [number, number, number, number, number]>} */
const oxides = {
  Fe2O3: [-824, 2, 3, 55.8, 3134],
  Fe3O4: [-1118, 3, 4, 55.8, 3134],
  CuO: [-157, 1, 1, 63.5, 2835],
  Cu2O: [-169, 2, 1, 63.5, 2835],
  MnO2: [-520, 1, 2, 54.9, 2334],
  MoO3: [-745, 1, 3, 95.9, 4912],
  WO3: [-843, 1, 3, 183.8, 5828],
  NiO: [-240, 1, 1, 58.7, 3186],
  Cr2O3: [-1140, 2, 3, 52, 2944],
  V2O5: [-1551, 2, 5, 50.9, 3680],
  PbO: [-219, 1, 1, 207.2, 2022],
  Bi2O3: [-574, 2, 3, 209, 1837],
  SnO2: [-581, 1, 2, 118.7, 2875],
};
/** The fuel's oxide: heat in kJ/mol, atoms, atomic mass; kelvin at which the fuel lights. @type {Record<string, [number, number, number, number, number]>} */
const fuels = {
  Al: [-1676, 2, 3, 27, 1250],
  Mg: [-602, 1, 1, 24.3, 900],
  Ti: [-944, 1, 2, 47.9, 1050],
  Zr: [-1100, 1, 2, 91.2, 700],
  Si: [-911, 1, 2, 28.1, 1550],
  B: [-1273, 2, 3, 10.8, 1450],
  Ca: [-635, 1, 1, 40.1, 820],
};
/** Share of void, and how fast grains meet. @type {Record<string, [number, number]>} */
const packings = { loose: [0.55, 0.7], pressed: [0.3, 1], milled: [0.4, 1.5], nano: [0.6, 2.2] };

/** Highest filled level and gap of a donor in eV. @type {Record<string, [number, number]>} */
const donors = {
  P3HT: [-5, 1.9],
  MEHPPV: [-5.3, 2.1],
  MDMOPPV: [-5.35, 2.2],
  PCDTBT: [-5.5, 1.88],
  PCPDTBT: [-5.2, 1.45],
  PTB7: [-5.15, 1.64],
  PBDTTT: [-5.22, 1.61],
  PFO: [-5.8, 2.9],
  F8T2: [-5.5, 2.4],
  DPPT: [-5.17, 1.35],
  PM6: [-5.5, 1.81],
};
/** Lowest empty level of an acceptor in eV, what light of its own it takes, mobility. @type {Record<string, [number, number, number]>} */
const acceptors = {
  PC61BM: [-3.9, 0.05, 1],
  PC71BM: [-3.95, 0.15, 0.9],
  bisPCBM: [-3.75, 0.05, 0.5],
  ICBA: [-3.7, 0.04, 0.6],
  N2200: [-3.95, 0.2, 0.6],
  ITIC: [-3.85, 0.35, 0.7],
  perylene: [-4, 0.12, 0.3],
  F8BT: [-3.4, 0.1, 0.2],
};
/** Levels of the two contacts in eV. @type {Record<string, [number, number]>} */
const contacts = { plain: [-4.7, -4.2], PEDOT: [-5.1, -4.2], calcium: [-5.1, -3], molybdate: [-5.6, -3.9] };

/** Chromium and nickel equivalents in percent (Schaeffler 1949), sulphur and phosphorus in 0.01 %. @type {Record<string, [number, number, number]>} */
const steels = {
  mild: [0.3, 6, 5],
  pressure: [2.5, 5, 3],
  304: [19, 11, 4],
  316: [20, 14, 4],
  310: [26, 23, 3],
  430: [17.5, 3, 4],
  2205: [26, 8, 2],
};
/** @type {Record<string, [number, number, number]>} */
const fillers = {
  308: [20.5, 11.5, 2],
  309: [24.5, 14.5, 2],
  '309Mo': [27.5, 14.5, 2],
  310: [27, 23.5, 2],
  312: [30.5, 13, 2],
  316: [21.5, 13.5, 2],
  430: [18, 2.5, 3],
  plain: [0.5, 4.5, 3],
};

/** Surface energies in mJ/m2, dispersive and polar (Owens & Wendt 1969). @type {Record<string, [number, number]>} */
const plastics = {
  PTFE: [18.6, 0.5],
  PVDF: [23.2, 7.1],
  PP: [30.2, 0.1],
  PE: [32, 1.1],
  PS: [41.4, 0.6],
  PMMA: [35.9, 4.3],
  PET: [37.8, 3.5],
  PVC: [40, 1.5],
  nylon: [35.9, 6.7],
  PC: [33.5, 0.7],
};
/** As above, shrinkage in percent, strength in MPa, stiffness in GPa. @type {Record<string, [number, number, number, number, number]>} */
const glues = {
  epoxy: [30, 15, 3, 45, 3],
  cyanoacrylate: [29, 7, 8, 30, 1.8],
  acrylic: [28, 6, 6, 28, 1.1],
  urethane: [29, 9, 2, 24, 0.3],
  silicone: [20, 1, 1, 6, 0.01],
  hotMelt: [27, 1.5, 4, 9, 0.1],
  polyester: [31, 9, 9, 35, 2.6],
  rubber: [27, 3, 1, 8, 0.02],
};
/** Polar energy that it adds, share of the weak layer that it leaves, and damage. @type {Record<string, [number, number, number]>} */
const treatments = {
  none: [0, 1, 0],
  abraded: [0.5, 0.4, 0.02],
  flame: [8, 0.5, 0.12],
  plasma: [14, 0.15, 0.06],
  primer: [5, 0.25, 0],
};

/** Bases a second, magnesium wanted in mM, how much it stands of additives. @type {Record<string, [number, number, number]>} */
const polymerases = {
  taq: [60, 1.8, 0.6],
  pfu: [25, 2.2, 0.8],
  kod: [120, 1.5, 0.7],
  phusion: [80, 2, 1.3],
  bst: [40, 4, 1],
};
/** Celsius by which melting falls, percent of GC that it opens, and harm. @type {Record<string, [number, number, number]>} */
const additives = {
  none: [0, 0, 0],
  DMSO: [3.5, 10, 0.25],
  betaine: [1.5, 14, 0.08],
  glycerol: [2.5, 5, 0.1],
  formamide: [4, 8, 0.4],
};
/** Melting of the primers in celsius, percent of GC, bases of the product. @type {Record<string, [number, number, number]>} */
const targets = {
  short: [58, 45, 250],
  long: [62, 48, 3200],
  rich: [68, 69, 700],
  poor: [51, 31, 900],
  promoter: [65, 74, 1400],
};

/** Every class is of a hidden kind; kinds suit each other or not (Holland, Laskey & Leinhardt 1983), classes add a little. @param {number[]} counts @param {number} seed @returns {Omit<Truth, 'family'>} */
function kinds(counts, seed) {
  const stream = new Stream(foldKey(rootKey(seed), 'kinds'));
  const names = ['line', 'plot', 'feed'];
  const own = counts.map((count) =>
    Array.from({ length: count }, () => ({ kind: stream.integer(3), by: 1.5 * stream.normal() })),
  );
  const suit = [0, 1, 2].map(() => [0, 1, 2].map(() => [0, 1, 2].map(() => 6 * stream.normal())));
  return {
    name: `kinds${counts.join('x')}`,
    wanted: 'max',
    columns: counts.map((count, i) => ({
      name: names[i],
      levels: Array.from({ length: count }, (_, k) => `${names[i]}${k + 1}`),
    })),
    value: (cells) => {
      const [a, b, c] = own.map((all, i) => all[Number(cells[names[i]].slice(names[i].length)) - 1]);
      return 50 + suit[a.kind][b.kind][c.kind] + a.by + b.by + c.by;
    },
  };
}

export const factorials = inFamily('factorial', [
  {
    // percent of a pair that holds at 25 C and lets go at 110 C, heats by Drago & Wayland, entropy that follows them
    name: 'drago',
    wanted: 'max',
    columns: [classes('acid', acids), classes('base', bases), classes('medium', mediums)],
    value: ({ acid, base, medium }) => {
      const [[ea, ca], [eb, cb, bulk], [em, cm]] = [acids[acid], bases[base], mediums[medium]];
      const crowded = 5 * bulk * over(ca - 1.2);
      const heat = ea * eb + ca * cb - crowded - 0.6 * (ea * em + ca * cm);
      const bound = (/** @type {number} */ kelvin) => {
        const order = 12 + 0.9 * sqrt(over(heat)) + (medium === 'hexane' ? 0 : 1);
        const k = 0.02 * exp(min(40, (1000 * heat - order * kelvin) / (1.987 * kelvin)));
        return 1 + 1 / (2 * k) - sqrt((1 + 1 / (2 * k)) ** 2 - 1);
      };
      return 100 * (bound(298) - bound(383)) + 6 * bound(298);
    },
  },
  {
    // heat of an oxide with a fuel (Fischer & Grubelich 1998), as far as grains meet, it lights and the metal does not boil
    name: 'thermite',
    wanted: 'max',
    columns: [classes('oxide', oxides), classes('fuel', fuels), classes('packing', packings)],
    value: ({ oxide, fuel, packing }) => {
      const [formed, metals, oxygen, heavy, boils] = oxides[oxide];
      const [made, atoms, takes, light, lights] = fuels[fuel];
      const [empty, meets] = packings[packing];
      const units = oxygen / takes;
      const heat = formed - units * made;
      const grams = metals * heavy + 16 * oxygen + units * atoms * light;
      const kilojoule = heat / grams;
      const kelvin = 298 + (1000 * heat) / (28 * (metals + units * (atoms + takes)));
      const gas = below(boils, kelvin, 150);
      const burns = below(0.55 * lights, meets * over(kelvin - 900), 130);
      const held = 1 - gas * (packing === 'pressed' ? 0.75 : 0.35 + 0.2 * empty);
      return 10 * kilojoule * burns * held * (1 - 0.35 * empty);
    },
  },
  {
    // percent of the sun's power by Scharber et al. 2006: levels of donor and acceptor decide volts, gap decides current
    name: 'scharber',
    wanted: 'max',
    columns: [classes('donor', donors), classes('acceptor', acceptors), classes('contact', contacts)],
    value: ({ donor, acceptor, contact }) => {
      const [[filled, gap], [lowest, own, moves]] = [donors[donor], acceptors[acceptor]];
      const [hole, electron] = contacts[contact];
      const pairs = lowest - filled - 0.3;
      const barrier = over(hole - filled - 0.2) + over(lowest - electron - 0.2);
      const volts = max(0, min(pairs, electron - hole + 0.4) - 0.3 * barrier);
      const drive = filled + gap - lowest;
      const parted = below(0.3, drive, 0.05);
      const current = 43.5 * exp(-1.2 * (gap - 1.1)) * (0.65 + own * hill(gap - 1.9, 0.5)) * parted;
      const fill = 0.68 * (1 - 0.25 * (1 - moves)) * (1 - 0.6 * min(1, barrier));
      return volts * current * fill;
    },
  },
  kinds([10, 8, 4], 83),
  {
    // ferrite by Seferian 1959 in a weld of two steels, wanted at 8 %; austenite cracks hot, martensite cold
    name: 'schaeffler',
    wanted: 'max',
    columns: [
      classes('left', steels),
      classes('right', steels),
      classes('filler', fillers),
      { name: 'molten', lower: 8, upper: 60, decimals: 0 },
      { name: 'preheat', lower: 20, upper: 300, decimals: 0 },
    ],
    value: ({ left, right, filler, molten, preheat }) => {
      const share = molten / 200;
      const [chromium, nickel, dirt] = [0, 1, 2].map(
        (i) => share * (steels[left][i] + steels[right][i]) + (1 - 2 * share) * fillers[filler][i],
      );
      const ferrite = 3 * (chromium - 0.93 * nickel - 6.7);
      const martensite = below(chromium + 1.35 * nickel, 27, 1.5);
      const hot = below(ferrite, 3.5, 1.5) * (1 - martensite) * (0.4 + 0.12 * dirt);
      const brittle = below(24, ferrite, 4);
      const cold = martensite * (0.35 + 0.65 * below(preheat, 160, 30));
      return (
        70 * (1 - min(1, hot)) * (1 - 0.7 * brittle) * (1 - 0.8 * cold) +
        15 * hill(ferrite - 8, 6) -
        0.03 * preheat * (1 - martensite) +
        0.12 * molten -
        0.4 * (fillers[filler][1] - 5)
      );
    },
  },
  {
    // work of Owens & Wendt and spreading of a glue on a plastic; MPa of a joint that shrinks as it sets
    name: 'adhesion',
    wanted: 'max',
    columns: [classes('plastic', plastics), classes('glue', glues), classes('treatment', treatments)],
    value: ({ plastic, glue, treatment }) => {
      const [[dry, polar], [dry2, polar2, shrinks, strong, stiff]] = [plastics[plastic], glues[glue]];
      const [adds, weak, harms] = treatments[treatment];
      const more = treatment === 'flame' && dry < 25 ? 0.2 * adds : adds;
      const work = 2 * (sqrt(dry * dry2) + sqrt((polar + more) * polar2));
      const wets = below(-2, work - 2 * (dry2 + polar2), 4);
      const layer = 1 - 0.35 * weak * hill(dry - 31, 8);
      const stress = shrinks * sqrt(stiff) * 0.55;
      const held = 0.45 * work * wets * layer * (1 - harms);
      // the weaker of glue and its hold, less what shrinking takes
      return (
        1 / (1 / strong ** 3 + 1 / max(0.5, held) ** 3) ** (1 / 3) - stress * (0.6 + 0.4 * below(held, 25, 6))
      );
    },
  },
  {
    // ng/ul of a product by polymerase chain reaction: primers hold (Wallace 1979), copies grow until primers end
    name: 'pcr',
    wanted: 'max',
    columns: [
      classes('polymerase', polymerases),
      classes('additive', additives),
      classes('target', targets),
      { name: 'anneal', lower: 42, upper: 72, decimals: 0 },
      { name: 'magnesium', lower: 0.5, upper: 6, decimals: 1 },
      { name: 'seconds', lower: 5, upper: 180, decimals: 0 },
      { name: 'cycles', lower: 18, upper: 40, decimals: 0 },
    ],
    value: ({ polymerase, additive, target, anneal, magnesium, seconds, cycles }) => {
      const [speed, wants, stands] = polymerases[polymerase];
      const [falls, opens, harm] = additives[additive];
      const [melts, rich, letters] = targets[target];
      const melting = melts - falls + 7 * log(max(0.1, magnesium) / 1.5);
      const binds = below(anneal, melting + 1, 1.5);
      const strays = below(anneal, melting - 9, 2.5) + 0.3 * below(3.5, magnesium, 0.4);
      const opened = below(rich - opens, 62, 3);
      const whole = 1 - exp(-1.4 * ((speed * seconds) / letters) ** 1.5);
      const works = hill(log(max(0.1, magnesium) / wants), 0.9) * (1 - min(0.9, harm / stands));
      const gain = 0.97 * binds * opened * whole * works;
      const copies = 1e-5 * (1 + gain) ** cycles;
      const made = (180 * copies) / (180 + copies);
      return (made * (1 - 0.6 * min(1, strays))) / (1 + 0.02 * over(cycles - 30)) - 0.03 * seconds;
    },
  },
]);
