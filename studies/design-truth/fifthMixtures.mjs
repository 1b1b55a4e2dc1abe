// Mixtures of the fifth judging set: published rules of blending, their sources beside them.
import { inFamily } from './truths.mjs';

/** @typedef {import('./truths.mjs').Truth} Truth */

const { exp, log, sqrt, abs, max, min } = Math;

/** A hill of height 1. @param {number} off @param {number} width */
const hill = (off, width) => exp(-((off / width) ** 2));
/** A share that falls from 1 to 0. @param {number} value @param {number} at @param {number} width */
const below = (value, at, width) => 1 / (1 + exp((value - at) / width));
/** What passes a limit. @param {number} value */
const over = (value) => max(0, value);

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
const average = (x, of) => x.reduce((sum, v, i) => sum + v * of[i], 0);

const oil = parts(['light', 'heavy', 'ester', 'bright'], (x, { improver }) => {
  // cSt at 40 and 100 C, blended by Refutas (Maples 2000); pour point by Hu & Burns 1970
  const blended = (/** @type {number[]} */ of) => {
    const index = average(
      x,
      of.map((cSt) => 14.534 * log(log(cSt + 0.8)) + 10.975),
    );
    return exp(exp((index - 10.975) / 14.534)) - 0.8;
  };
  const [warm, hot] = [blended([20, 95, 24, 480]), blended([4.1, 11, 5.3, 32])];
  const thick = 1 + 0.09 * over(improver) ** 1.1;
  const pour =
    average(
      x,
      [255, 264, 218, 268].map((kelvin) => kelvin ** 12.5),
    ) **
      (1 / 12.5) -
    273.15;
  const index = 100 + 260 * (log(hot * thick) / log(warm * sqrt(thick)) - 0.5);
  const swells = 14 * over(x[2] - 0.35) ** 1.2 * 10;
  return (
    60 * hill(log((hot * thick) / 11), 0.35) + 0.25 * index - 0.4 * pour - 28 * x[2] - 1.1 * improver - swells
  );
});

export const mixtures = inFamily('mixture', [
  {
    // Cornell 1990: elongation of yarn of polyethylene, polystyrene and polypropylene; his fit
    name: 'yarn3',
    wanted: 'max',
    ...parts(
      ['PE', 'PS', 'PP'],
      ([e, s, p]) => 11.7 * e + 9.4 * s + 16.4 * p + 19 * e * s + 11.4 * e * p - 9.6 * s * p,
    ),
  },
  {
    // an oil of 11 cSt at 100 C that stays so, pours in the cold and swells no seal; prices are ours
    name: 'lubricant4',
    wanted: 'max',
    ...oil,
    columns: [...oil.columns, { name: 'improver', lower: 0, upper: 10, decimals: 1 }],
  },
  {
    // a glass sealed to a metal: expansion by Appen 1949 at 9 ppm/K, boron in fours where alkali is; water, crystals and heat take
    name: 'glass5',
    wanted: 'max',
    ...parts(['SiO2', 'B2O3', 'Na2O', 'Al2O3', 'CaO'], (x) => {
      const free = x[2] + 0.5 * x[4] - x[3];
      const fours = min(1, over(free) / max(0.01, x[1]));
      const expands = average(x, [3.8, -5 * fours, 39.5, -3, 13]);
      const melts = 1750 * x[0] + 750 * x[1] - 900 * x[2] + 2400 * x[3] + 600 * x[4] + 150;
      const washed = below(0.24 + 0.5 * x[3] + 0.2 * x[4], x[2] + 0.6 * x[1] * (1 - fours), 0.03);
      const crystals = below(0.22, x[4], 0.03) + below(0.2, x[3], 0.03) + below(0.82, x[0], 0.02);
      return (
        70 * hill(expands - 9, 3) * (1 - 0.7 * washed) * (1 - 0.25 * crystals) -
        0.02 * over(abs(melts - 1150) - 100) -
        20 * x[1]
      );
    }),
  },
]);
