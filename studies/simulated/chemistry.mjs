// Processes of chemists: a stirred reactor (the demo), a battery electrolyte, an enzyme in its buffer.
import { best } from './best.mjs';
import { arrhenius, bump, look, step } from './curves.mjs';
import { simulated } from './process.mjs';
import { category, decades, either, number, whole } from './settings.mjs';

const activity = { 'Cat A': 0.24, 'Cat B': 0.36, 'Cat C': 0.26, 'Cat D': 0.17 };
const barrier = { 'Cat A': 52, 'Cat B': 61, 'Cat C': 47, 'Cat D': 70 };
/** Temperature (°C) at which the catalyst destroys 5 % of the product per hour. */
const decay = { 'Cat A': 104, 'Cat B': 88, 'Cat C': 80, 'Cat D': 118 };

export const demoProcess = simulated({
  name: 'reactor',
  title: 'A stirred reactor',
  story:
    'A batch reactor turns a starting material into a product that decomposes when it is kept too hot. ' +
    'Past runs stayed near four recipes.',
  settings: [
    number('temperature', '°C', 40, 140),
    number('time', 'h', 0.5, 12),
    whole('stirring', 'rpm', 100, 1200),
    category('catalyst', 'Cat A', 'Cat B', 'Cat C', 'Cat D'),
    number('ethanol', '', 0, 1, 2),
    number('water', '', 0, 1, 2),
    number('toluene', '', 0, 1, 2),
    either('argon', 'off', 'on'),
  ],
  goal: { name: 'yield', unit: '%', wanted: 'max', decimals: 1, least: 0, most: 100 },
  mixtures: [{ columns: ['ethanol', 'water', 'toluene'], sum: 1 }],
  points: [
    {
      temperature: 75,
      time: 4,
      stirring: 300,
      catalyst: 'Cat A',
      ethanol: 0.7,
      water: 0.1,
      toluene: 0.2,
      argon: 'off',
    },
    {
      temperature: 80,
      time: 2.5,
      stirring: 450,
      catalyst: 'Cat B',
      ethanol: 0.3,
      water: 0.1,
      toluene: 0.6,
      argon: 'off',
    },
    {
      temperature: 70,
      time: 6,
      stirring: 350,
      catalyst: 'Cat C',
      ethanol: 0.9,
      water: 0.1,
      toluene: 0,
      argon: 'on',
    },
    {
      temperature: 85,
      time: 5,
      stirring: 300,
      catalyst: 'Cat D',
      ethanol: 0.3,
      water: 0.7,
      toluene: 0,
      argon: 'off',
    },
  ],
  rows: 240,
  noise: 1.5,
  bestKnownTruth: best.reactor,
  /** A -> P -> D, first order both: P = k1 / (k2 - k1) (exp(-k1 t) - exp(-k2 t)), never above 1. */
  response(n, t) {
    const [T, catalyst] = [n('temperature'), t('catalyst')];
    const synergy =
      0.35 +
      2.4 * n('ethanol') * n('water') +
      1.6 * n('ethanol') * n('toluene') +
      7 * n('ethanol') * n('water') * n('toluene');
    const kinetic = look(activity, catalyst) * synergy * arrhenius(T, look(barrier, catalyst), 80);
    // Two liquid phases without enough ethanol: transfer saturates with stirring.
    const split = 4 * n('water') * n('toluene') * (1 - n('ethanol'));
    const transfer =
      (3.5 * (n('stirring') / 400) ** 1.4) / (1 + (n('stirring') / 700) ** 1.4) / (1 + 6 * split);
    const k1 = (kinetic * transfer) / (kinetic + transfer);
    const air = t('argon') === 'on' ? 1 : 1.9;
    const shear = 1 + 1.5 * step(n('stirring'), 1000, 60);
    const k2 = 0.02 + 0.05 * air * shear * (1 + 1.5 * n('water')) * arrhenius(T, 118, look(decay, catalyst));
    const time = n('time');
    const share =
      Math.abs(k2 - k1) < 1e-6 * k1
        ? k1 * time * Math.exp(-k1 * time)
        : (k1 / (k2 - k1)) * (Math.exp(-k1 * time) - Math.exp(-k2 * time));
    return 100 * share;
  },
});

export const electrolyte = simulated({
  name: 'electrolyte',
  title: 'An electrolyte for lithium cells',
  story:
    'Four solvents, a salt and a few additives decide how much capacity a cell keeps after 300 cycles. ' +
    'At most two additives may be used.',
  settings: [
    number('ec', 'vol%', 5, 60),
    number('emc', 'vol%', 0, 80),
    number('dmc', 'vol%', 0, 80),
    number('fec', 'vol%', 0, 20),
    number('salt', 'mol/L', 0.5, 2, 2),
    number('vc', 'wt%', 0, 4, 2),
    number('borate', 'wt%', 0, 3, 2),
    number('sultone', 'wt%', 0, 3, 2),
    number('phosphite', 'wt%', 0, 2, 2),
    decades('formation_rate', '1/h', 0.02, 1, 3),
    number('formation_temp', '°C', 15, 60),
    number('cutoff', 'V', 4.1, 4.5, 2),
  ],
  goal: { name: 'retention', unit: '%', wanted: 'max', decimals: 1, least: 0, most: 100 },
  mixtures: [{ columns: ['ec', 'emc', 'dmc', 'fec'], sum: 100 }],
  groups: [{ columns: ['vc', 'borate', 'sultone', 'phosphite'], most: 2 }],
  limits: { '2*vc + fec <= 20': (n) => 2 * n('vc') + n('fec') - 20 },
  points: [
    {
      ec: 30,
      emc: 70,
      dmc: 0,
      fec: 0,
      salt: 1,
      vc: 2,
      borate: 0,
      sultone: 0,
      phosphite: 0,
      formation_rate: 0.1,
      formation_temp: 25,
      cutoff: 4.3,
    },
    {
      ec: 45,
      emc: 0,
      dmc: 50,
      fec: 5,
      salt: 1.2,
      vc: 0,
      borate: 1,
      sultone: 0,
      phosphite: 0,
      formation_rate: 0.33,
      formation_temp: 30,
      cutoff: 4.4,
    },
    {
      ec: 20,
      emc: 40,
      dmc: 40,
      fec: 0,
      salt: 0.8,
      vc: 0,
      borate: 0,
      sultone: 1,
      phosphite: 0.5,
      formation_rate: 0.2,
      formation_temp: 45,
      cutoff: 4.2,
    },
  ],
  rows: 360,
  noise: 1.2,
  bestKnownTruth: best.electrolyte,
  response(n) {
    const viscosity = 0.5 + 0.028 * n('ec') + 0.02 * n('fec') + 0.009 * n('emc') + 0.5 * n('salt') ** 3;
    const ions = n('salt') * (0.25 + n('ec') / 45 + n('fec') / 60);
    const conductivity = ions / viscosity;
    const transport = conductivity / (conductivity + 0.05);
    // The film on the anode: good additives saturate, too much of any is resistance.
    const film =
      0.35 +
      (0.5 * n('vc')) / (n('vc') + 0.8) +
      (0.45 * n('fec')) / (n('fec') + 5) +
      0.25 * (n('sultone') > 0 ? n('vc') / (n('vc') + 1) : 0) +
      0.2 * bump(n('borate'), 0.9, 0.7);
    const resistance = 0.025 * (n('vc') + n('borate') + n('sultone') + 0.05 * n('fec')) ** 2;
    const formed =
      bump(Math.log10(n('formation_rate')), -1.35 + 0.25 * n('borate'), 0.75) *
      bump(n('formation_temp'), 38 - 0.4 * n('fec'), 22);
    const anode = (1 - Math.exp(-2.8 * film * (0.45 + 0.55 * formed))) / (1 + resistance);
    const guard = 1 + 0.9 * bump(n('phosphite'), 0.8, 0.6) + 0.5 * bump(n('sultone'), 1.2, 0.9);
    const oxidation = (0.1 * Math.exp((n('cutoff') - 4.3) * 9) * (1 + n('emc') / 90)) / guard;
    const used = 0.86 + 0.5 * (n('cutoff') - 4.1);
    // Above a share of EC the electrolyte freezes in the cold test and the cell fails.
    const frozen = step(n('ec') - 0.25 * n('dmc') - 10 * (n('salt') - 1), 44, 1.2);
    return 100 * transport * anode * Math.exp(-oxidation) * Math.min(1, used) * (1 - 0.7 * frozen);
  },
});

const optimum = { Tris: 8.1, HEPES: 7.5, phosphate: 7.2 };
const capacity = { Tris: 0.92, HEPES: 1, phosphate: 1.12 };

export const enzyme = simulated({
  name: 'enzyme',
  title: 'An enzyme and its buffer',
  story:
    'The activity of an enzyme depends on pH, salts, substrate and what is added to keep it stable. ' +
    'The assay does not see less than 0.5 U/mL.',
  settings: [
    number('pH', '', 5.5, 9.5, 2),
    number('temp', '°C', 20, 70),
    number('salt', 'mmol/L', 0, 500),
    number('magnesium', 'mmol/L', 0, 20),
    decades('substrate', 'mmol/L', 0.01, 30, 3),
    category('buffer', 'Tris', 'HEPES', 'phosphate'),
    number('glycerol', 'vol%', 0, 25),
    number('peg', 'wt%', 0, 10),
    number('albumin', 'mg/mL', 0, 1, 2),
    number('reductant', 'mmol/L', 0, 5, 2),
  ],
  goal: { name: 'activity', unit: 'U/mL', wanted: 'max', decimals: 2, least: 0, detectable: 0.5 },
  groups: [{ columns: ['glycerol', 'peg', 'albumin', 'reductant'], most: 2 }],
  points: [
    {
      pH: 7.5,
      temp: 37,
      salt: 120,
      magnesium: 5,
      substrate: 0.8,
      buffer: 'Tris',
      glycerol: 0,
      peg: 0,
      albumin: 0,
      reductant: 1,
    },
    {
      pH: 7,
      temp: 30,
      salt: 50,
      magnesium: 3,
      substrate: 1,
      buffer: 'phosphate',
      glycerol: 10,
      peg: 0,
      albumin: 0,
      reductant: 0,
    },
    {
      pH: 8,
      temp: 45,
      salt: 180,
      magnesium: 5,
      substrate: 1.5,
      buffer: 'HEPES',
      glycerol: 0,
      peg: 0,
      albumin: 0.2,
      reductant: 0,
    },
  ],
  rows: 220,
  noise: 0.4,
  bestKnownTruth: best.enzyme,
  response(n, t) {
    const buffer = t('buffer');
    // pKa of Tris falls by 0.028 per °C.
    const pH = n('pH') - (buffer === 'Tris' ? 0.028 * (n('temp') - 25) : 0);
    const charge = bump(pH, look(optimum, buffer) + 0.0012 * n('salt') - 0.2, 1.3) * look(capacity, buffer);
    const metal = 0.15 + n('magnesium') / (n('magnesium') + 3) / (1 + (n('magnesium') / 16) ** 2);
    const ionic = bump(n('salt'), 110 + 9 * n('magnesium'), 260);
    const s = n('substrate');
    const affinity = 0.9 / (1 + 0.08 * n('peg'));
    const turnover = s / (affinity + s + s ** 2 / 14); // Haldane
    const melting = 50 + 0.45 * n('glycerol') + 3 * n('albumin') + 0.7 * n('peg') - 0.006 * n('salt');
    const folded = 1 - step(n('temp'), melting, 1.3);
    const living = 0.8 + 0.25 * (1 - Math.exp(-6 * n('albumin'))) + 0.3 * bump(n('reductant'), 1.8, 1.6);
    const thick = 1 + 0.018 * n('glycerol') + 0.05 * n('peg');
    // Magnesium phosphate falls out of solution.
    const clear =
      buffer === 'phosphate' ? 1 - 0.85 * step(n('magnesium') + 2.5 * (n('pH') - 7), 6.5, 0.6) : 1;
    return (
      (26 * charge * metal * ionic * turnover * arrhenius(n('temp'), 38, 37) * folded * living * clear) /
      thick
    );
  },
});
