// Processes of materials people: concrete, heat-treated steel, printed parts.
import { best } from './best.mjs';
import { bump, look, step } from './curves.mjs';
import { simulated } from './process.mjs';
import { category, either, number, ordered, whole } from './settings.mjs';

export const concrete = simulated({
  name: 'concrete',
  title: 'A concrete mix',
  story:
    'Seven parts fill a cubic metre; less water makes stronger concrete until it can no longer be compacted. ' +
    'Strength is tested after 28 days.',
  settings: [
    number('cement', 'kg/m3', 120, 540),
    number('slag', 'kg/m3', 0, 280),
    number('ash', 'kg/m3', 0, 200),
    number('water', 'kg/m3', 125, 230),
    number('plasticiser', 'kg/m3', 0, 15),
    number('coarse', 'kg/m3', 700, 1200),
    number('sand', 'kg/m3', 500, 950),
    number('curing_temp', '°C', 5, 60),
  ],
  goal: { name: 'strength', unit: 'MPa', wanted: 'max', decimals: 1, least: 0 },
  mixtures: [{ columns: ['cement', 'slag', 'ash', 'water', 'plasticiser', 'coarse', 'sand'], sum: 2350 }],
  limits: {
    'cement + slag + ash <= 580': (n) => n('cement') + n('slag') + n('ash') - 580,
    'ash <= 0.5*cement': (n) => n('ash') - 0.5 * n('cement'),
  },
  points: [
    { cement: 380, slag: 0, ash: 0, water: 180, plasticiser: 0, coarse: 1040, sand: 750, curing_temp: 20 },
    { cement: 240, slag: 100, ash: 0, water: 165, plasticiser: 4, coarse: 1000, sand: 841, curing_temp: 20 },
    { cement: 300, slag: 0, ash: 100, water: 165, plasticiser: 4, coarse: 1080, sand: 701, curing_temp: 25 },
  ],
  rows: 420,
  noise: 1.6,
  bestKnownTruth: best.concrete,
  response(n) {
    const binder = n('cement') + 0.85 * n('slag') + 0.55 * n('ash');
    const solids = n('cement') + n('slag') + n('ash');
    // Abrams: strength falls exponentially with water over binder.
    const abrams = 165 * Math.exp((-2.3 * n('water')) / binder);
    const slag = n('slag') / solids;
    const ash = n('ash') / solids;
    const blend = 1 + 0.3 * bump(slag, 0.32, 0.18) + 0.16 * bump(ash, 0.15, 0.1) - 0.5 * slag * ash;
    const sandShare = n('sand') / (n('sand') + n('coarse'));
    const packing = bump(sandShare, 0.41 + 0.02 * (n('plasticiser') / 10), 0.16);
    const effect = 52 * (1 - Math.exp(-n('plasticiser') / 5));
    const demand = 118 + 0.14 * solids + 130 * (sandShare - 0.4) ** 2 - 0.12 * n('ash') - effect;
    // Too dry: it cannot be compacted. Too wet for its plasticiser: it segregates.
    const compacted = 0.15 + 0.85 * step(n('water'), demand, 4);
    const segregated = step(n('water') + 5 * Math.max(0, n('plasticiser') - 7), demand + 85, 6);
    const retarded = step(n('plasticiser'), 11, 0.8);
    const cured = bump(n('curing_temp'), 26 + 45 * slag + 60 * ash, 34);
    return abrams * blend * packing * compacted * (1 - 0.5 * segregated) * (1 - 0.4 * retarded) * cured;
  },
});

const severity = { air: 0.15, oil: 0.45, polymer: 0.65, water: 1 };

export const steel = simulated({
  name: 'steel',
  title: 'A heat-treated steel',
  story:
    'Composition, hardening and tempering of a low-alloy steel; hard steel that is quenched too fast cracks. ' +
    'At most two of the five rare elements may be bought.',
  settings: [
    number('carbon', '%', 0.1, 0.6, 2),
    number('manganese', '%', 0.3, 2, 2),
    number('chromium', '%', 0, 2, 2),
    number('silicon', '%', 0.1, 1.8, 2),
    number('molybdenum', '%', 0, 0.6, 2),
    number('vanadium', '%', 0, 0.2, 3),
    number('niobium', '%', 0, 0.1, 3),
    number('titanium', '%', 0, 0.1, 3),
    number('nickel', '%', 0, 3, 2),
    number('hardening_temp', '°C', 800, 1050),
    whole('hold', 'min', 10, 120),
    ordered('quench', 'air', 'oil', 'polymer', 'water'),
    number('tempering_temp', '°C', 150, 680),
    number('tempering_time', 'h', 0.5, 6),
  ],
  goal: { name: 'strength', unit: 'MPa', wanted: 'max', decimals: 0, least: 0 },
  groups: [{ columns: ['molybdenum', 'vanadium', 'niobium', 'titanium', 'nickel'], most: 2 }],
  limits: {
    // to be weldable
    'carbon + manganese/6 + chromium/5 + molybdenum/5 + vanadium/5 + nickel/15 <= 0.95': (n) =>
      n('carbon') +
      n('manganese') / 6 +
      (n('chromium') + n('molybdenum') + n('vanadium')) / 5 +
      n('nickel') / 15 -
      0.95,
  },
  points: [
    {
      carbon: 0.4,
      manganese: 0.8,
      chromium: 1,
      silicon: 0.3,
      molybdenum: 0.2,
      vanadium: 0,
      niobium: 0,
      titanium: 0,
      nickel: 0,
      hardening_temp: 860,
      hold: 30,
      quench: 'oil',
      tempering_temp: 480,
      tempering_time: 2,
    },
    {
      carbon: 0.2,
      manganese: 1.4,
      chromium: 0.3,
      silicon: 0.4,
      molybdenum: 0,
      vanadium: 0,
      niobium: 0.03,
      titanium: 0.02,
      nickel: 0,
      hardening_temp: 900,
      hold: 45,
      quench: 'water',
      tempering_temp: 450,
      tempering_time: 1,
    },
    {
      carbon: 0.3,
      manganese: 0.6,
      chromium: 0.8,
      silicon: 0.3,
      molybdenum: 0,
      vanadium: 0,
      niobium: 0,
      titanium: 0,
      nickel: 1.8,
      hardening_temp: 840,
      hold: 60,
      quench: 'oil',
      tempering_temp: 420,
      tempering_time: 3,
    },
    {
      carbon: 0.5,
      manganese: 0.7,
      chromium: 1.1,
      silicon: 0.3,
      molybdenum: 0,
      vanadium: 0.1,
      niobium: 0,
      titanium: 0,
      nickel: 0,
      hardening_temp: 870,
      hold: 40,
      quench: 'air',
      tempering_temp: 400,
      tempering_time: 2,
    },
  ],
  rows: 640,
  noise: 25,
  bestKnownTruth: best.steel,
  response(n, t) {
    const [C, Mn, Cr, Mo, V, Ni] = [
      'carbon',
      'manganese',
      'chromium',
      'molybdenum',
      'vanadium',
      'nickel',
    ].map(n);
    const cooling = look(severity, t('quench'));
    const depth = Math.sqrt(C) * (1 + 1.1 * Mn) * (1 + 0.9 * Cr) * (1 + 2.5 * Mo) * (1 + 0.35 * Ni);
    const dissolved = step(n('hardening_temp') + 10 * Math.log(n('hold') / 30), 830 + 35 * Cr + 250 * V, 14);
    const martensite = dissolved * step(depth * cooling, 0.9, 0.22);
    const pinning = 1 + 12 * n('niobium') + 8 * n('titanium') + 3 * V;
    const growth = Math.exp((n('hardening_temp') - 930) / 55) * Math.sqrt(n('hold') / 40);
    const grain = 1 / (1 + 0.25 * (growth / pinning ** 2));
    // Hollomon and Jaffe: tempering is one number of temperature and time.
    const tempering = ((n('tempering_temp') + 273) * (18 + Math.log10(n('tempering_time')))) / 1000;
    const delay = 1.2 * n('silicon') + 0.5 * Cr;
    const softening = step(tempering, 14 + delay, 2.2);
    const secondary =
      (520 * Mo + 1500 * V + 150 * Math.sqrt(Mo * V)) * bump(tempering, 15.6, 1.4) * dissolved;
    const hard = 780 + 2300 * C * (1 - 0.3 * C);
    const soft = 340 + 90 * Mn + 60 * Cr + 70 * n('silicon') + 35 * Ni;
    const metal = martensite * (hard * (1 - 0.75 * softening) + secondary) + (1 - martensite) * soft;
    // Brittle: too little tempering, or the trough near 300 °C that silicon moves.
    const tough = 0.45 + 0.55 * step(tempering - 3 * C + 0.4 * Ni, 9.6, 0.7);
    const trough = 1 - 0.3 * C * bump(n('tempering_temp'), 300 + 90 * n('silicon'), 60);
    const cracked = step(C + 0.12 * Mn + 0.1 * Cr + 0.32 * cooling - 0.02 * Ni, 0.86, 0.018);
    const coarse = 1 - 0.35 * Math.max(0, n('silicon') - 1.3);
    return metal * tough * trough * (0.55 + 0.45 * grain) * coarse * (1 - 0.6 * cracked);
  },
});

const melt = { PLA: 208, PETG: 238, ABS: 248 };
const bedAt = { PLA: 58, PETG: 78, ABS: 102 };
const base = { PLA: 56, PETG: 50, ABS: 44 };
const density = { PLA: 1.24, PETG: 1.27, ABS: 1.05 };
const fanWanted = { PLA: 2.4, PETG: 1.2, ABS: 0.3 };
const thirst = { PLA: 2, PETG: 5, ABS: 4 };

export const printing = simulated({
  name: 'printing',
  title: 'A printed bracket',
  story:
    'Strength over mass of a printed bracket; a cold or fast nozzle clogs and a bad bed lets the part come loose. ' +
    'How long the filament was dried was not always written down.',
  settings: [
    number('nozzle', '°C', 180, 275),
    number('bed', '°C', 20, 115),
    number('speed', 'mm/s', 15, 120),
    number('layer', 'mm', 0.08, 0.36, 2),
    whole('infill', '%', 5, 100),
    whole('walls', '', 1, 8),
    ordered('fan', 'off', 'low', 'medium', 'high'),
    category('material', 'PLA', 'PETG', 'ABS'),
    either('brim', 'no', 'yes'),
    number('drying', 'h', 0, 12),
  ],
  goal: { name: 'specific_strength', unit: 'kN m/kg', wanted: 'max', decimals: 2, least: 0 },
  limits: {
    'speed + 200*layer <= 150': (n) => n('speed') + 200 * n('layer') - 150,
    'forbid material=ABS and fan=high': (_, t) => (t('material') === 'ABS' && t('fan') === 'high' ? 1 : 0),
  },
  patchy: 'drying',
  points: [
    {
      nozzle: 208,
      bed: 50,
      speed: 60,
      layer: 0.2,
      infill: 25,
      walls: 2,
      fan: 'high',
      material: 'PLA',
      brim: 'no',
      drying: 0,
    },
    {
      nozzle: 236,
      bed: 70,
      speed: 50,
      layer: 0.2,
      infill: 40,
      walls: 3,
      fan: 'medium',
      material: 'PETG',
      brim: 'no',
      drying: 2,
    },
    {
      nozzle: 246,
      bed: 95,
      speed: 45,
      layer: 0.25,
      infill: 60,
      walls: 2,
      fan: 'low',
      material: 'ABS',
      brim: 'yes',
      drying: 4,
    },
  ],
  rows: 300,
  noise: 0.8,
  bestKnownTruth: best.printing,
  response(n, t) {
    const material = t('material');
    const fan = ['off', 'low', 'medium', 'high'].indexOf(t('fan'));
    const flow = n('speed') * n('layer') * 0.45;
    const warm = n('nozzle') - look(melt, material) - 2.2 * flow;
    const bonding = bump(warm, 6, 30) * bump(fan, look(fanWanted, material) - 0.04 * warm, 2.6);
    const dry = 1 - Math.exp(-n('drying') / look(thirst, material));
    const water = 0.72 + 0.28 * dry - 0.1 * step(n('drying'), 10, 0.5) * (material === 'PLA' ? 1 : 0);
    const shape = bump(n('layer'), 0.15 + 0.0006 * n('speed'), 0.16);
    const shell = 1 - Math.exp(-n('walls') / 2.2);
    const fill = n('infill') / 100;
    const section = 0.22 + 0.5 * shell + 0.45 * fill ** 1.35 + 0.35 * shell * fill * (1 - fill);
    const stable = 0.4 + 0.6 * step(fill, 0.13, 0.025);
    const mass =
      (0.25 + 0.085 * n('walls') + 0.62 * fill * (1 - 0.05 * n('walls'))) * look(density, material);
    const sticking = n('bed') - look(bedAt, material) + (t('brim') === 'yes' ? 9 : 0) - 14 * fill;
    const loose = step(-sticking, 24, 2.5);
    const sagging = step(n('bed') - look(bedAt, material), 18, 3);
    const clogged = step(-warm, 26, 2.5);
    const strength = look(base, material) * bonding * water * shape * section * stable;
    return ((strength / mass) * (1 - 0.8 * loose) * (1 - 0.4 * sagging) * (1 - 0.9 * clogged)) / 1.2;
  },
});
