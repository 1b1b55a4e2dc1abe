// Histories of laboratories in the fifth judging set: processes with published formulas, their sources beside them.
import { inFamily, numbers } from './truths.mjs';

const { PI, exp, log, sqrt, abs, min, max } = Math;

/** What passes a limit. @param {number} value */
const over = (value) => max(0, value);
/** A share that falls from 1 to 0. @param {number} value @param {number} at @param {number} width */
const below = (value, at, width) => 1 / (1 + exp((value - at) / width));
/** A hill of height 1. @param {number} off @param {number} width */
const hill = (off, width) => exp(-((off / width) ** 2));

/** Fastest growth per hour, best temperature in C, biomass from glucose, glucose in g/l that halves growth. @type {Record<string, [number, number, number, number]>} */
const strains = {
  coli: [0.9, 37, 0.42, 55],
  yeast: [0.42, 30, 0.5, 130],
  bacillus: [0.7, 39, 0.4, 70],
  mould: [0.2, 27, 0.46, 160],
};
/** Rate at 1600 K, activation of closing pores and of growing grains in kJ/mol, hardness of dense grains of 1 um in GPa. @type {Record<string, [number, number, number, number]>} */
const powders = {
  alumina: [0.5, 480, 560, 17],
  zirconia: [1.1, 540, 640, 12.5],
  spinel: [0.35, 500, 520, 15],
  yttria: [0.25, 590, 500, 8],
};
/** Partition of the neutral acid at 25 C, kJ/mol of it, share that dissolves in water, price. @type {Record<string, [number, number, number, number]>} */
const extractants = {
  butylAcetate: [14, -9, 0.007, 5],
  octanol: [9, -4, 0.001, 7],
  ether: [6, -12, 0.06, 3],
  ketone: [22, -7, 0.019, 8],
};
/** Pressure of vapour at 25 C in kPa, viscosity in mPa s, how much water clouds it. @type {Record<string, [number, number, number]>} */
const thinners = {
  toluene: [3.8, 0.56, 0.1],
  PGMEA: [0.5, 1.1, 0.4],
  anisole: [0.47, 1.05, 0.2],
  acetone: [30.6, 0.31, 1],
  cyclohexanone: [0.6, 2, 0.6],
};

/** What a laboratory's history leaves: clumps around a first setting, around the best so far, or around a new try. */
export const histories = inFamily('clumped', [
  {
    // oxygen by van 't Riet 1979, growth by Monod and Andrews, flooding by Nienow 1977: g/l of biomass an hour, less power
    name: 'fermenter',
    clumps: 5,
    wanted: 'max',
    columns: [
      ...numbers({ turns: [2, 16], air: [0.1, 2], celsius: [20, 45], glucose: [2, 120] }),
      { name: 'strain', levels: Object.keys(strains) },
    ],
    value: ({ turns, air, celsius, glucose, strain }) => {
      const [fast, warm, makes, halves] = strains[strain];
      const flooded = below(30 * (turns / 10) ** 2.2, 9 * air, 4);
      const watts = 3.2 * turns ** 3 * 0.35 * (0.4 + 0.6 * exp(-1.2 * air));
      const transfer =
        3600 * 0.026 * max(1, watts) ** 0.4 * (0.012 * max(0.02, air)) ** 0.5 * (1 - 0.7 * flooded);
      const oxygen = transfer * 0.0072 * (1 - 0.014 * (celsius - 25)) * 1.05;
      const bell = hill(celsius - warm, celsius > warm ? 5 : 11);
      const growth = fast * bell * (glucose / (0.4 + glucose * (1 + glucose / halves)));
      const dense = makes * glucose * 0.8;
      const wants = growth * dense;
      // what grows needs a gram of oxygen for a gram and more
      const grows = (wants ** -4 + (0.9 * oxygen) ** -4) ** -0.25;
      return 10 * grows * below(turns, 14, 0.8) - 0.0009 * watts - 0.6 * air - 0.012 * glucose;
    },
  },
  {
    // Coble 1961: pores close and grains grow, each by its Arrhenius rate; hardness of Hall & Petch, weakened by pores (Knudsen 1959)
    name: 'sintering',
    clumps: 6,
    wanted: 'max',
    columns: [
      ...numbers({
        kelvin: [1350, 1950],
        hours: [0.3, 20],
        MPa: [0, 50],
        dopant: [0, 1.5],
        green: [0.4, 0.65],
      }),
      { name: 'powder', levels: Object.keys(powders) },
    ],
    value: ({ kelvin, hours, MPa, dopant, green, powder }) => {
      const [speed, closing, growing, hard] = powders[powder];
      const lean = 1 / 1600 - 1 / kelvin;
      const pinned = 1 / (1 + 6 * max(0, dopant));
      const long = max(0.01, hours);
      const grain =
        (0.3 ** 3 + 0.6 * speed * pinned * long * exp((growing * 1000 * lean) / 8.314)) ** (1 / 3);
      const closed = speed * (1 + 0.12 * MPa) * (1 + 0.8 * dopant) * exp((closing * 1000 * lean) / 8.314);
      const dense = 1 - (1 - green) * exp(-1.5 * (closed * long) ** 0.4);
      // pressed green bodies keep their cracks
      const cracks = 1 - 0.35 * below(0.6, green, 0.015);
      return (
        hard * (0.8 + 0.2 / sqrt(grain)) * exp(-6 * (1 - dense)) * cracks -
        0.9 * over(dopant - 0.4) -
        0.03 * MPa -
        0.08 * long
      );
    },
  },
  {
    // Kremser 1930: stages that take a weak acid (pKa 4.2) from water, neutral as far as the pH lets it; pence a litre
    name: 'extraction',
    clumps: 4,
    wanted: 'max',
    columns: [
      ...numbers({ pH: [1, 7], ratio: [0.1, 2], celsius: [10, 60], salt: [0, 3] }),
      { name: 'stages', lower: 1, upper: 10, decimals: 0 },
      { name: 'solvent', levels: Object.keys(extractants) },
    ],
    value: ({ pH, ratio, celsius, salt, stages, solvent }) => {
      const [partition, heat, wet, price] = extractants[solvent];
      const neutral = 1 / (1 + 10 ** (pH - 4.2 + 0.01 * (celsius - 25)));
      const lean = 1 / 298.15 - 1 / (celsius + 273.15);
      const factor =
        max(0.01, ratio) *
        0.35 *
        partition *
        exp((heat * 1000 * lean) / 8.314) *
        10 ** (0.15 * salt) *
        neutral;
      const works = 0.55 + 0.3 * (1 - exp(-(celsius - 5) / 15));
      const n = works * stages;
      const left = abs(factor - 1) < 1e-6 ? 1 / (n + 1) : (factor - 1) / (factor ** (n + 1) - 1);
      // below pH 2.5 the acid of the stirring tank decays, and much salt makes an emulsion
      const decays = 1 - 0.45 * below(pH, 2.3, 0.25) * (1 + (celsius - 25) / 60);
      const emulsion = 1 - 0.5 * below(2.2, salt, 0.15) * below(0.5, ratio, 0.1);
      return (
        100 * (1 - left) * decays * emulsion -
        price * ratio * 3 -
        60 * wet * price * 10 ** (-0.2 * salt) * 0.3 -
        2.2 * stages -
        3 * salt
      );
    },
  },
  {
    // Meyerhofer 1978: a spun film thins until its solvent has left; marks for 1 um, evenness and clearness
    name: 'spinCoating',
    clumps: 5,
    wanted: 'max',
    columns: [
      ...numbers({
        turns: [500, 6000],
        solids: [2, 30],
        celsius: [15, 50],
        humidity: [5, 80],
        seconds: [5, 90],
      }),
      { name: 'solvent', levels: Object.keys(thinners) },
    ],
    value: ({ turns, solids, celsius, humidity, seconds, solvent }) => {
      const [vapour, thin, cloudy] = thinners[solvent];
      const fast = (2 * PI * turns) / 60;
      const c = max(0.005, solids / 100);
      const viscosity = 1e-3 * thin * exp(30 * c - 45 * c ** 2) * exp(-0.018 * (celsius - 25));
      const leaves = 3e-8 * vapour ** 0.65 * exp(0.045 * (celsius - 25)) * sqrt(fast);
      const micrometres =
        1e6 * c * ((3 * viscosity * leaves) / (2 * 900 * fast ** 2 * (1 - c))) ** (1 / 3) * 1.15;
      const dry = 1 - exp((-seconds * leaves) / (8e-6 * sqrt(c)));
      const stripes = below(-13.3, log(leaves), 0.4);
      const clouds = cloudy * below(48, humidity, 6) * (vapour / (vapour + 3) + 0.3);
      return (
        100 *
          hill(log(micrometres), 0.75) *
          (0.3 + 0.7 * dry) *
          (1 - 0.5 * stripes) *
          (1 - 0.5 * min(1, clouds)) -
        0.05 * seconds -
        0.1 * solids
      );
    },
  },
]).map((truth) => ({ ...truth, history: true }));
