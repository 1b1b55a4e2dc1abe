// Waves and a formula: an optical coating, an antenna array, a shifted valley.
import { rosenbrock } from '../../dist/tasks/closedForms.js';
import { best } from './best.mjs';
import { step } from './curves.mjs';
import { simulated } from './process.mjs';
import { category, either, number } from './settings.mjs';

const highIndex = { TiO2: 2.32, Ta2O5: 2.1, HfO2: 1.93 };
const crystals = { TiO2: 235, Ta2O5: 320, HfO2: 275 };
const layers = Array.from({ length: 8 }, (_, i) => `layer_${i + 1}`);
const wavelengths = Array.from({ length: 15 }, (_, i) => 420 + 20 * i);

/**
 * Reflected share at normal incidence from air, by the characteristic matrix of the stack (Macleod, Thin-Film Optical
 * Filters, ch. 2); layers from the air side, lossless.
 * @param {readonly number[]} thicknesses nm @param {readonly number[]} indices @param {number} substrate @param {number} wavelength nm
 */
function reflectance(thicknesses, indices, substrate, wavelength) {
  // Fields B (re, im) and C (re, im), from the substrate upwards.
  let [br, bi, cr, ci] = [1, 0, substrate, 0];
  for (let j = thicknesses.length - 1; j >= 0; j--) {
    const index = indices[j];
    const phase = (2 * Math.PI * index * thicknesses[j]) / wavelength;
    const [c, s] = [Math.cos(phase), Math.sin(phase)];
    [br, bi, cr, ci] = [
      c * br - (s * ci) / index,
      c * bi + (s * cr) / index,
      c * cr - s * index * bi,
      c * ci + s * index * br,
    ];
  }
  return ((br - cr) ** 2 + (bi - ci) ** 2) / ((br + cr) ** 2 + (bi + ci) ** 2);
}

/** @param {readonly number[]} thicknesses */
const stack = (thicknesses) => Object.fromEntries(thicknesses.map((value, i) => [layers[i], value]));

export const coating = simulated({
  name: 'coating',
  title: 'An antireflection coating',
  story:
    'Eight layers of two oxides on glass shall reflect and scatter little light from 420 to 700 nm; the loss is in dB of the light that comes in. ' +
    'Some high-index films turn hazy when they are deposited hot.',
  settings: [
    ...layers.map((name) => number(name, 'nm', 5, 160)),
    category('high_index', 'TiO2', 'Ta2O5', 'HfO2'),
    either('ion_assist', 'off', 'on'),
    number('substrate_temp', '°C', 40, 350),
  ],
  goal: { name: 'loss', unit: 'dB', wanted: 'min', decimals: 2 },
  limits: {
    [`${layers.join(' + ')} <= 640`]: (n) => layers.reduce((sum, name) => sum + n(name), 0) - 640,
  },
  points: [
    {
      ...stack([95, 55, 95, 55, 60, 30, 60, 30]),
      high_index: 'TiO2',
      ion_assist: 'off',
      substrate_temp: 200,
    },
    {
      ...stack([85, 120, 30, 25, 40, 20, 60, 40]),
      high_index: 'Ta2O5',
      ion_assist: 'on',
      substrate_temp: 150,
    },
    {
      ...stack([90, 40, 20, 60, 110, 40, 50, 90]),
      high_index: 'HfO2',
      ion_assist: 'off',
      substrate_temp: 250,
    },
  ],
  rows: 500,
  noise: 0.35,
  bestKnownTruth: best.coating,
  response(n, t) {
    const high = t('high_index');
    const [temp, assist] = [n('substrate_temp'), t('ion_assist') === 'on'];
    const dense = 0.86 + 0.1 * (temp / 350) + (assist ? 0.06 : 0);
    const indices = layers.map((_, i) =>
      i % 2 === 0 ? 1.46 : 1 + (highIndex[/** @type {'TiO2'} */ (high)] - 1) * Math.min(1, dense),
    );
    const thicknesses = layers.map(n);
    const reflected =
      wavelengths.reduce((sum, w) => sum + reflectance(thicknesses, indices, 1.52, w), 0) /
      wavelengths.length;
    const film = thicknesses.reduce((sum, v, i) => sum + (i % 2 === 1 ? v : 0), 0);
    const haze =
      (1.8 * film * step(temp + (assist ? 25 : 0), crystals[/** @type {'TiO2'} */ (high)], 7)) / 200;
    const pores = (0.6 * film * Math.max(0, 0.97 - dense)) / 20;
    return 10 * Math.log10(reflected + (haze + pores) / 100);
  },
});

const elements = Array.from({ length: 10 }, (_, i) => i + 1);
const angles = Array.from({ length: 121 }, (_, i) => -90 + 1.5 * i);
const sines = angles.map((angle) => Math.sin((angle * Math.PI) / 180));
const wanted = 24;

/** Steered to `angle` degrees. @param {number} angle @param {(i: number) => number} amplitude @param {number} spacing wavelengths */
function array(angle, amplitude, spacing) {
  const turn = 360 * Math.sin((angle * Math.PI) / 180);
  return Object.fromEntries(
    elements.flatMap((i) => {
      const phase = -turn * spacing * (i - 1);
      return [
        [`amplitude_${i}`, Number(amplitude(i).toFixed(2))],
        [`phase_${i}`, Number((phase - 360 * Math.round(phase / 360)).toFixed(1))],
        [`shift_${i}`, Number(((spacing - 0.55) * (i - 5.5)).toFixed(3))],
      ];
    }),
  );
}

export const antenna = simulated({
  name: 'antenna',
  title: 'An antenna array',
  story:
    'Ten elements, each with amplitude, phase and a shift along the line, shall send towards 24° and little elsewhere. ' +
    'The figure of merit is directivity less a part of the highest side lobe.',
  settings: elements.flatMap((i) => [
    number(`amplitude_${i}`, '', 0.1, 1, 2),
    number(`phase_${i}`, '°', -180, 180),
    number(`shift_${i}`, 'wavelengths', -0.2, 0.2, 3),
  ]),
  goal: { name: 'merit', unit: 'dB', wanted: 'max', decimals: 2 },
  limits: {
    [`${elements.map((i) => `amplitude_${i}`).join(' + ')} <= 8`]: (n) =>
      elements.reduce((sum, i) => sum + n(`amplitude_${i}`), 0) - 8,
  },
  points: [
    array(17, () => 0.75, 0.55),
    array(31, (i) => 0.9 - 0.04 * i, 0.53),
    array(24, (i) => (i % 2 ? 0.9 : 0.2), 0.57),
  ],
  rows: 1500,
  noise: 0.5,
  bestKnownTruth: best.antenna,
  response(n) {
    const parts = elements.map((i) => ({
      amplitude: n(`amplitude_${i}`),
      phase: (n(`phase_${i}`) * Math.PI) / 180,
      place: 2 * Math.PI * (0.55 * (i - 1) + n(`shift_${i}`)),
    }));
    /** @param {number} sine */
    const power = (sine) => {
      let [re, im] = [0, 0];
      for (const { amplitude, phase, place } of parts) {
        re += amplitude * Math.cos(phase + place * sine);
        im += amplitude * Math.sin(phase + place * sine);
      }
      return re * re + im * im;
    };
    let [total, weight, side] = [0, 0, 0];
    angles.forEach((angle, i) => {
      const strength = power(sines[i]);
      const share = Math.sqrt(1 - sines[i] ** 2);
      total += strength * share;
      weight += share;
      if (Math.abs(angle - wanted) > 15) side = Math.max(side, strength);
    });
    const main = power(Math.sin((wanted * Math.PI) / 180));
    /** @param {number} ratio no less than -25 dB, where other faults of the room take over */
    const decibel = (ratio) => 10 * Math.log10(ratio + 10 ** -2.5);
    // A main lobe that vanishes counts as one 15 dB below its side lobe.
    return decibel((main * weight) / total) - 0.35 * decibel(side / (main + side / 30));
  },
});

const shift = [1.3, -0.8, 2.1, 0.4, -1.9, 1.1, -2.4, 0.7];
const axes = shift.map((_, i) => `x${i + 1}`);

export const valley = simulated({
  name: 'valley',
  title: 'A shifted curved valley with ripples',
  story:
    'Rosenbrock’s curved valley under the ripples of Ackley, moved so that its floor lies off the centre. ' +
    'A formula without a story, for comparison.',
  settings: axes.map((name) => number(name, '', -5, 5, 2)),
  goal: { name: 'value', unit: '', wanted: 'max', decimals: 3 },
  points: [
    Object.fromEntries(axes.map((name) => [name, -1])),
    Object.fromEntries(axes.map((name, i) => [name, i % 2 ? 3 : -3])),
    Object.fromEntries(axes.map((name, i) => [name, i < 4 ? 3.5 : 1])),
  ],
  rows: 800,
  noise: 0.15,
  bestKnownTruth: best.valley,
  /** 10 - log(1 + Rosenbrock(z) / 20) - ripples, z = (x - shift) / 2 + 1; greatest value 10 at x = shift. */
  response(n) {
    const z = axes.map((name, i) => (n(name) - shift[i]) / 2 + 1);
    const waves = z.reduce((sum, v) => sum + Math.cos(2 * Math.PI * (v - 1)), 0) / z.length;
    return 10 - Math.log(1 - rosenbrock(Float64Array.from(z)) / 20) - 0.5 * (Math.E - Math.exp(waves));
  },
});
