// The gallery: what `check` reads in tables of many kinds, asserted whole.
import { describe, expect, it } from 'vitest';
import { csvOf, type GalleryTable, on, readingOf, shares } from './roleTables.js';

const pick = <T>(list: readonly T[], at: number) => list[at % list.length]!;
const y = (value: number, digits = 2) => value.toFixed(digits);

const tables: GalleryTable[] = [
  {
    name: 'fractions to two decimals',
    csv: csvOf(50, (_i, s) => {
      const p = shares(s, 4, 1, 2);
      return {
        sand: p[0]!,
        lime: p[1]!,
        clay: p[2]!,
        soda: p[3]!,
        temp: on(s, 900, 1100, 25),
        strength: y(10 + 20 * p[1]! + s.uniform()),
      };
    }),
    spec: { goals: ['max strength'] },
    reading: [
      'sand: number step 0.01',
      'lime: number step 0.01',
      'clay: number step 0.01',
      'soda: number step 0.01',
      'temp: integer step 25',
      'strength: number goal',
      'sand + lime + clay + soda = 1',
      'strength in 0..',
    ],
  },
  {
    name: 'percent to whole numbers',
    csv: csvOf(60, (_i, s) => {
      const p = shares(s, 3, 100, 0);
      return {
        PVA: p[0]!,
        PEG: p[1]!,
        glycerol: p[2]!,
        rpm: on(s, 200, 900, 50),
        'Viscosity (mPas)': y(5 * p[0]!),
      };
    }),
    spec: { goals: ['min "Viscosity (mPas)"'] },
    reading: [
      'PVA: integer step 1',
      'PEG: integer step 1',
      'glycerol: integer step 1',
      'rpm: integer step 50',
      'Viscosity (mPas): integer goal',
      'PVA + PEG + glycerol = 100',
      'Viscosity (mPas) in 0..',
    ],
  },
  {
    name: 'parts of 1000 g',
    csv: csvOf(40, (_i, s) => {
      const p = shares(s, 4, 1000, 0);
      return {
        flour: p[0]!,
        water: p[1]!,
        sugar: p[2]!,
        butter: p[3]!,
        oven: on(s, 160, 220, 10),
        rating: on(s, 1, 9, 0.5),
      };
    }),
    spec: { goals: ['max rating'] },
    reading: [
      'flour: integer step 1',
      'water: integer step 1',
      'sugar: integer step 1',
      'butter: integer step 1',
      'oven: integer step 10',
      'rating: number goal',
      'flour + water + sugar + butter = 1000',
      'rating in 0..',
    ],
  },
  {
    name: 'a partial recipe between other columns',
    csv: csvOf(50, (_i, s) => {
      const p = shares(s, 3, 1, 3);
      return {
        temp: on(s, 20, 80, 1),
        x_water: p[0]!,
        time: on(s, 1, 9, 0.5),
        x_ethanol: p[1]!,
        pH: on(s, 3, 9, 0.1),
        x_glycerol: p[2]!,
        titer: y(s.uniform() * 4),
      };
    }),
    spec: { goals: ['max titer'] },
    reading: [
      'temp: integer step 1',
      'x_water: number step 0.001',
      'time: number step 0.5',
      'x_ethanol: number step 0.001',
      'pH: number step 0.1',
      'x_glycerol: number step 0.001',
      'titer: number goal',
      'x_water + x_ethanol + x_glycerol = 1',
      'titer in 0..',
    ],
  },
  {
    name: 'a recipe with two rows typed wrong',
    csv: csvOf(60, (i, s) => {
      const p = shares(s, 3, 1, 2);
      return {
        a: i === 7 ? 0.01 : p[0]!,
        b: p[1]!,
        c: i === 30 ? 0.99 : p[2]!,
        hours: on(s, 1, 24, 1),
        y: y(s.uniform() - 0.5, 3),
      };
    }),
    spec: { goals: ['max y'] },
    reading: [
      'a: number step 0.01',
      'b: number step 0.01',
      'c: number step 0.01',
      'hours: integer step 1',
      'y: number goal',
      'a + b + c = 1, 2 off',
    ],
  },
  {
    name: 'a surface that is walls and twice the roof',
    csv: csvOf(100, (_i, s) => {
      const X3 = 245 + 24.5 * s.integer(8);
      const X4 = pick([110.25, 122.5, 147, 220.5], s.integer(4));
      const Y = X3 / 10 - X4 / 20 + s.uniform();
      return {
        X1: y(0.6 + 0.4 * s.uniform()),
        X2: X3 + 2 * X4,
        X3,
        X4,
        X5: pick([3.5, 7], s.integer(2)),
        X6: 2 + s.integer(4),
        Y1: y(Y),
        Y2: y(1.1 * Y + 2 + 0.2 * s.uniform()),
      };
    }),
    spec: { goals: ['min Y1'] },
    reading: [
      'X1: number step 0.01',
      'X2: number left out (follows)',
      'X3: number step 24.5',
      'X4: number step 12.25',
      'X5: number step 0.5',
      'X6: integer step 1',
      'Y1: number goal',
      'Y2: number left out (outcome)',
      'X2 = X3 + 2*X4',
    ],
  },
  {
    name: 'a copy in another unit, a total and a ratio',
    csv: csvOf(40, (_i, s) => {
      const c = on(s, 10, 90, 1);
      const a = on(s, 1, 9, 0.1);
      const b = on(s, 1, 9, 0.01);
      return {
        celsius: c,
        kelvin: y(c + 273.15),
        acid: a,
        base: b,
        total: y(a + b),
        'acid/base': y(a / b, 3),
        result: y(s.uniform() * 9 - 3),
      };
    }),
    spec: { goals: ['max result'] },
    reading: [
      'celsius: integer step 1',
      'kelvin: number left out (follows)',
      'acid: number step 0.1',
      'base: number step 0.01',
      'total: number left out (follows)',
      'acid/base: number left out (follows)',
      'result: number goal',
      'kelvin = celsius + 273.15',
      'total = acid + base',
      '"acid/base" = acid/base',
    ],
  },
  {
    name: 'a weighted sum to rounding',
    csv: csvOf(60, (_i, s) => {
      const a = on(s, 1, 9, 0.1);
      const b = on(s, 10, 50, 1);
      const c = on(s, 0, 3, 0.01);
      return {
        resin: a,
        filler: b,
        pigment: c,
        mass: y(1.2 * a + 0.5 * b + c, 1),
        speed: on(s, 1, 5, 1),
        gloss: y(80 + 10 * s.uniform(), 1),
      };
    }),
    spec: { goals: ['max gloss'] },
    reading: [
      'resin: number step 0.1',
      'filler: integer step 1',
      'pigment: number step 0.01',
      'mass: number left out (follows)',
      'speed: integer step 1',
      'gloss: number goal',
      'mass = 0.5*filler + pigment + 1.2*resin',
    ],
  },
  {
    name: 'a fractional factorial of coded levels',
    csv: csvOf(32, (i, s) => {
      const [A, B, C] = [i & 1, (i >> 1) & 1, (i >> 2) & 1].map((v) => 2 * v - 1);
      return { A: A!, B: B!, C: C!, D: A! * B! * C!, y: y(s.normal()) };
    }),
    spec: { goals: ['max y'] },
    reading: [
      'A: integer step 1',
      'B: integer step 1',
      'C: integer step 1',
      'D: integer step 1',
      'y: number goal',
    ],
  },
  {
    name: 'entries with gaps',
    csv: csvOf(60, (i, s) => ({
      entry: 3 * i + 1 + s.integer(2),
      reactant: pick(['R1', 'R2'], s.integer(2)),
      ligand: pick(['L1', 'L2', 'L3'], s.integer(3)),
      base: pick(['KOH', 'CsF'], s.integer(2)),
      solvent: pick(['MeCN', 'THF'], s.integer(2)),
      yield: y(100 * s.uniform(), 1),
    })),
    spec: { goals: ['max yield'] },
    reading: [
      'entry: integer left out (counter)',
      'reactant: category',
      'ligand: category',
      'base: category',
      'solvent: category',
      'yield: number goal',
      'yield in 0..100',
    ],
  },
  {
    name: 'run order at random',
    csv: csvOf(24, (i, s) => ({
      'Std Order': ((7 * i) % 24) + 1,
      Run: i + 1,
      temp: on(s, 20, 60, 10),
      time: on(s, 1, 9, 1),
      Conversion: y(0.2 + 0.7 * s.uniform(), 3),
    })),
    spec: { goals: ['max Conversion'] },
    reading: [
      'Std Order: integer left out (counter)',
      'Run: integer left out (counter)',
      'temp: integer step 10',
      'time: integer step 1',
      'Conversion: number goal',
      'Conversion in 0..1',
    ],
  },
  {
    name: 'samples that were measured twice',
    csv: csvOf(40, (i, s) => ({
      Probe: `P${(i >> 1) + 10}`,
      temp: on(s, 20, 60, 1),
      druck: on(s, 1, 9, 0.1),
      Festigkeit: y(20 + 9 * s.uniform(), 1),
    })),
    spec: { goals: ['max Festigkeit'] },
    reading: [
      'Probe: category left out (counter)',
      'temp: integer step 1',
      'druck: number step 0.1',
      'Festigkeit: number goal',
      'Festigkeit in 0..',
    ],
  },
  {
    name: 'a German sheet',
    csv: csvOf(40, (i, s) => ({
      'Lfd. Nr.': i + 1,
      'Temperatur [°C]': on(s, 20, 90, 5),
      'Zeit [min]': on(s, 10, 120, 10),
      Katalysator: pick(['Pd', 'Ni', 'Pt'], s.integer(3)),
      'Zugabe [mL]': on(s, 1, 9, 0.5),
      Bediener: pick(['Ina', 'Uwe'], s.integer(2)),
      Charge: 100 + s.integer(5),
      'Ausbeute [%]': on(s, 20, 95, 0.1),
      'Reinheit [%]': on(s, 90, 99, 0.1),
      'Kosten [EUR]': on(s, 2, 9, 0.01),
      Bemerkung: pick(['', '', 'schäumt', 'trübe'], s.integer(4)),
    })),
    spec: { goals: ['max "Ausbeute [%]"'] },
    reading: [
      'Lfd. Nr.: identifier left out',
      'Temperatur [°C]: integer step 5',
      'Zeit [min]: integer step 10',
      'Katalysator: category',
      'Zugabe [mL]: number step 0.5',
      'Bediener: category context (context)',
      'Charge: integer context (context)',
      'Ausbeute [%]: number goal',
      'Reinheit [%]: number left out (outcome)',
      'Kosten [EUR]: number left out (outcome)',
      'Bemerkung: category left out (note)',
      'Ausbeute [%] in 0..100',
    ],
  },
  {
    name: 'a French sheet',
    csv: csvOf(40, (i, s) => ({
      essai: i + 1,
      'température (°C)': on(s, 20, 90, 1),
      'durée (h)': on(s, 1, 9, 0.5),
      solvant: pick(['eau', 'EtOH'], s.integer(2)),
      opérateur: pick(['Luc', 'Eve'], s.integer(2)),
      'rendement (%)': y(90 * s.uniform(), 1),
      'pureté (%)': y(90 + 9 * s.uniform(), 1),
      coût: y(3 + s.uniform()),
      remarques: pick(['', 'trouble', 'mousse'], s.integer(3)),
    })),
    spec: { goals: ['max "rendement (%)"'] },
    reading: [
      'essai: identifier left out',
      'température (°C): integer step 1',
      'durée (h): number step 0.5',
      'solvant: category',
      'opérateur: category context (context)',
      'rendement (%): number goal',
      'pureté (%): number left out (outcome)',
      'coût: number left out (outcome)',
      'remarques: category left out (note)',
      'rendement (%) in 0..100',
    ],
  },
  {
    name: 'a Spanish sheet',
    csv: csvOf(40, (i, s) => ({
      muestra: i + 1,
      temperatura: on(s, 20, 90, 5),
      tiempo: on(s, 5, 60, 5),
      catalizador: pick(['A', 'B'], s.integer(2)),
      lote: pick(['L1', 'L2', 'L3'], s.integer(3)),
      rendimiento: y(90 * s.uniform(), 1),
      pureza: y(90 + 9 * s.uniform(), 1),
      observaciones: pick(['', 'turbia', 'espuma'], s.integer(3)),
    })),
    spec: { goals: ['max rendimiento'] },
    reading: [
      'muestra: identifier left out',
      'temperatura: integer step 5',
      'tiempo: integer step 5',
      'catalizador: category',
      'lote: category context (context)',
      'rendimiento: number goal',
      'pureza: number left out (outcome)',
      'observaciones: category left out (note)',
      'rendimiento in 0..100',
    ],
  },
  {
    name: 'outcomes before and after the goal',
    csv: csvOf(60, (i, s) => ({
      No: i + 1,
      Cement: on(s, 137, 374, 0.1),
      Slag: on(s, 0, 193, 1),
      Water: on(s, 160, 240, 0.1),
      SP: on(s, 4.5, 19, 0.5),
      'SLUMP(cm)': on(s, 0, 29, 0.5),
      'FLOW(cm)': on(s, 20, 78, 0.5),
      'Compressive Strength (28-day)(Mpa)': y(17 + 40 * s.uniform()),
    })),
    spec: { goals: ['max "Compressive Strength (28-day)(Mpa)"'] },
    reading: [
      'No: identifier left out',
      'Cement: number step 0.1',
      'Slag: integer step 1',
      'Water: number step 0.1',
      'SP: number step 0.5',
      'SLUMP(cm): number left out (outcome)',
      'FLOW(cm): number left out (outcome)',
      'Compressive Strength (28-day)(Mpa): number goal',
      'Compressive Strength (28-day)(Mpa) in 0..',
    ],
  },
  {
    name: 'yield, impurity and cost',
    csv: csvOf(30, (_i, s) => ({
      temp: on(s, 20, 90, 5),
      conc: on(s, 0.1, 0.9, 0.05),
      equiv: on(s, 1, 3, 0.1),
      yield: y(95 * s.uniform(), 1),
      impurity: y(3 * s.uniform()),
      cost: y(5 + s.uniform()),
    })),
    spec: { goals: ['max yield'] },
    reading: [
      'temp: integer step 5',
      'conc: number step 0.05',
      'equiv: number step 0.1',
      'yield: number goal',
      'impurity: number left out (outcome)',
      'cost: number left out (outcome)',
      'yield in 0..100',
    ],
  },
  {
    name: 'settings after a goal in the middle',
    csv: csvOf(40, (_i, s) => ({
      x1: s.uniform(),
      x2: s.uniform(),
      y: s.uniform() * 3 - 1,
      x3: s.uniform(),
    })),
    spec: { goals: ['max y'] },
    reading: ['x1: number', 'x2: number', 'y: number goal', 'x3: number'],
  },
  {
    name: 'the goal first',
    csv: csvOf(40, (_i, s) => ({
      yield: y(100 * s.uniform(), 1),
      cement: on(s, 1, 9, 0.1),
      hours: on(s, 1, 9, 1),
      grade: pick('ABC'.split(''), s.integer(3)),
    })),
    spec: { goals: ['max yield'] },
    reading: [
      'yield: number goal',
      'cement: number step 0.1',
      'hours: integer step 1',
      'grade: category',
      'yield in 0..100',
    ],
  },
  {
    name: 'named settings after the goal',
    csv: csvOf(40, (_i, s) => ({
      acid: on(s, 1, 9, 0.1),
      salt: on(s, 1, 5, 0.1),
      activity: y(10 * s.uniform()),
      'stirring speed': on(s, 100, 900, 100),
      appearance: pick(['clear', 'cloudy'], s.integer(2)),
    })),
    spec: { goals: ['max activity'] },
    reading: [
      'acid: number step 0.1',
      'salt: number step 0.1',
      'activity: number goal',
      'stirring speed: integer step 100',
      'appearance: category left out (outcome)',
      'activity in 0..',
    ],
  },
  {
    name: 'an outcome that repeats the goal',
    csv: csvOf(40, (_i, s) => {
      const v = 10 + 30 * s.uniform();
      return {
        temp: on(s, 20, 60, 1),
        dose: on(s, 1, 9, 0.1),
        rpm: on(s, 100, 900, 50),
        peak: y(2 * v + 0.2 * s.uniform()),
        area: y(v),
      };
    }),
    spec: { goals: ['max area'] },
    reading: [
      'temp: integer step 1',
      'dose: number step 0.1',
      'rpm: integer step 50',
      'peak: number left out (outcome)',
      'area: number goal',
      'area in 0..',
    ],
  },
  {
    name: 'free text',
    csv: csvOf(30, (i, s) => ({
      temp: on(s, 20, 60, 1),
      flow: on(s, 1, 9, 0.1),
      what: `the run number ${i % 8} was ${pick(['slow', 'fast'], i)}`,
      yield: y(60 * s.uniform()),
    })),
    spec: { goals: ['max yield'] },
    reading: [
      'temp: integer step 1',
      'flow: number step 0.1',
      'what: category left out (note)',
      'yield: number goal',
      'yield in 0..100',
    ],
  },
  {
    name: 'operator, plate and day',
    csv: csvOf(48, (i, s) => ({
      temp: on(s, 20, 60, 1),
      dose: on(s, 1, 9, 0.1),
      operator: pick(['ann', 'bob'], i),
      plate: 1 + (i >> 4),
      day: 1 + (i % 5),
      'batch size': on(s, 100, 500, 50),
      'Age (day)': pick([3, 7, 14, 28, 90], s.integer(5)),
      signal: y(100 + 9 * s.normal()),
    })),
    spec: { goals: ['max signal'] },
    reading: [
      'temp: integer step 1',
      'dose: number step 0.1',
      'operator: category context (context)',
      'plate: integer context (context)',
      'day: integer context (context)',
      'batch size: integer step 50',
      'Age (day): integer step 1',
      'signal: number goal',
    ],
  },
  {
    name: 'steps of a half, five and a quarter',
    csv: csvOf(40, (_i, s) => ({
      'volume (mL)': on(s, 0.5, 9.5, 0.5),
      'T (°C)': on(s, 20, 95, 5),
      'load (kg)': on(s, 0, 4, 0.25),
      'c (mol/L)': on(s, 0.01, 0.5, 0.001),
      z: y(s.normal()),
    })),
    spec: { goals: ['max z'] },
    reading: [
      'volume (mL): number step 0.5',
      'T (°C): integer step 5',
      'load (kg): number step 0.25',
      'c (mol/L): number step 0.001',
      'z: number goal',
    ],
  },
  {
    name: 'three levels each',
    csv: csvOf(36, (_i, s) => ({
      temp: pick([20, 40, 60], s.integer(3)),
      time: pick([1, 2, 4], s.integer(3)),
      pressure: pick([1, 5], s.integer(2)),
      dose: pick([0.1, 0.25, 0.4], s.integer(3)),
      loss: y(5 + s.normal()),
    })),
    spec: { goals: ['min loss'] },
    reading: [
      'temp: integer step 20',
      'time: integer step 1',
      'pressure: integer step 1',
      'dose: number step 0.15',
      'loss: number goal',
    ],
  },
  {
    name: 'a loading over decades',
    csv: csvOf(50, (_i, s) => ({
      loading: y(10 ** (-3 + 4 * s.uniform()), 3),
      temp: on(s, 20, 90, 1),
      rate: y(9 * s.uniform()),
      'log k': y(s.normal()),
    })),
    spec: { goals: ['max "log k"'] },
    reading: [
      'loading: number step 0.001',
      'temp: integer step 1',
      'rate: number step 0.01',
      'log k: number goal',
    ],
  },
  {
    name: 'numbers of a program',
    csv: csvOf(40, (_i, s) => ({ width: s.uniform(), depth: 3 * s.uniform(), 'ΔE (eV)': s.uniform() })),
    spec: { goals: ['max "ΔE (eV)"'] },
    reading: ['width: number', 'depth: number', 'ΔE (eV): number goal'],
  },
  {
    name: 'an energy that was never negative',
    csv: csvOf(40, (_i, s) => ({ a: s.uniform(), b: s.uniform(), 'energy (kWh)': y(0.2 + 9 * s.uniform()) })),
    spec: { goals: ['min "energy (kWh)"'] },
    reading: ['a: number', 'b: number', 'energy (kWh): number goal', 'energy (kWh) in 0..'],
  },
  {
    name: 'a yield in tonnes',
    csv: csvOf(40, (i, s) => ({
      'N (kg/ha)': on(s, 0, 200, 20),
      variety: pick(['v1', 'v2'], i),
      block: 1 + (i % 4),
      'grain yield (t/ha)': y(2 + 6 * s.uniform()),
    })),
    spec: { goals: ['max "grain yield (t/ha)"'] },
    reading: [
      'N (kg/ha): integer step 20',
      'variety: category',
      'block: integer context (context)',
      'grain yield (t/ha): number goal',
      'grain yield (t/ha) in 0..',
    ],
  },
  {
    name: 'limits and roles as said',
    csv: csvOf(30, (_i, s) => ({
      temp: on(s, 20, 90, 5),
      conc: on(s, 0.1, 0.9, 0.05),
      yield: y(95 * s.uniform(), 1),
      purity: y(90 + 5 * s.uniform(), 1),
      cost: y(5 + s.uniform()),
    })),
    spec: {
      goals: ['max yield'],
      columns: { cost: { role: 'design' }, purity: { role: 'context' } },
      limits: { yield: [0, 98] },
    },
    reading: [
      'temp: integer step 5',
      'conc: number step 0.05',
      'yield: number goal',
      'purity: number context',
      'cost: number step 0.01',
      'yield in 0..98',
    ],
  },
  {
    name: 'nothing assumed',
    csv: csvOf(30, (i, s) => ({
      id: 3 * i + s.integer(2),
      temp: on(s, 20, 90, 5),
      conc: on(s, 0.1, 0.9, 0.05),
      yield: y(95 * s.uniform(), 1),
      cost: y(5 + s.uniform()),
    })),
    spec: { goals: ['max yield'], assume: false },
    reading: [
      'id: identifier left out',
      'temp: integer step 1',
      'conc: number',
      'yield: number goal',
      'cost: number',
    ],
  },
];

describe('a table is read as a person would read it', () => {
  it.each(tables.map((table) => [table.name, table] as const))('%s', async (_, { csv, spec, reading }) => {
    expect(await readingOf(csv, spec)).toEqual(reading);
  });
});
