// Designs of a simulated process, drawn or changed a little; always feasible, settings rounded as people set them.
import { faults } from './settings.mjs';

/** @typedef {import('./settings.mjs').Definition} Definition */
/** @typedef {import('./settings.mjs').Setting} Setting */
/** @typedef {import('./settings.mjs').NumberSetting} NumberSetting */
/** @typedef {import('./settings.mjs').Cells} Cells */
/** @typedef {import('./settings.mjs').Cell} Cell */
/** @typedef {import('../../dist/numeric/index.js').Stream} Stream */

/** Place of a value between the bounds, 0 to 1; of logarithms where the setting spans decades. @param {NumberSetting} setting @param {number} value */
const placeOf = ({ lower, upper, isLog }, value) =>
  isLog ? Math.log(value / lower) / Math.log(upper / lower) : (value - lower) / (upper - lower);

/** @param {NumberSetting} setting @param {number} place */
function valueAt({ lower, upper, isLog, decimals }, place) {
  const inside = Math.min(1, Math.max(0, place));
  const value = isLog ? lower * (upper / lower) ** inside : lower + (upper - lower) * inside;
  return Math.min(upper, Math.max(lower, Number(value.toFixed(decimals))));
}

/** @param {Setting} setting @returns {setting is NumberSetting} */
export const isNumeric = (setting) => setting.type === 'number' || setting.type === 'integer';

/** @param {Definition} definition @param {string} name */
const isGrouped = ({ groups = [] }, name) => groups.some(({ columns }) => columns.includes(name));

/** @template T @param {readonly T[]} list @param {Stream} stream @returns {T} */
export const pick = (list, stream) => /** @type {T} */ (list[stream.integer(list.length)]);

/** Anything the setting can be. @param {Definition} definition @param {Setting} setting @param {Stream} stream @returns {Cell} */
function anyValue(definition, setting, stream) {
  if (isNumeric(setting)) {
    if (isGrouped(definition, setting.name) && stream.boolean(0.4)) return 0;
    return valueAt(setting, stream.uniform());
  }
  if (setting.type === 'sequence')
    return Array.from({ length: setting.length }, () => pick([...setting.letters], stream)).join('');
  return pick(setting.levels, stream);
}

/**
 * A value near another: `size` is the standard deviation in widths, and how likely a level or letter is to change.
 * @param {Definition} definition @param {Setting} setting @param {Cell} value @param {number} size @param {Stream} stream
 * @returns {Cell}
 */
export function nearValue(definition, setting, value, size, stream) {
  if (isNumeric(setting)) {
    if (isGrouped(definition, setting.name) && stream.boolean(0.25))
      return value === 0 ? anyValue(definition, setting, stream) : 0;
    const moved = valueAt(setting, placeOf(setting, Number(value)) + size * stream.normal());
    if (setting.type === 'number' || moved !== value) return moved;
    return Math.min(setting.upper, Math.max(setting.lower, moved + (stream.boolean() ? 1 : -1)));
  }
  if (setting.type === 'sequence') {
    const rate = Math.max(size, 1 / setting.length);
    return [...String(value)]
      .map((letter) => (stream.boolean(rate) ? pick([...setting.letters], stream) : letter))
      .join('');
  }
  const at = setting.levels.indexOf(String(value));
  if (setting.type !== 'ordered') return pick(setting.levels, stream);
  const next = at + (stream.boolean() ? 1 : -1);
  return setting.levels[Math.min(setting.levels.length - 1, Math.max(0, next))] ?? value;
}

/** Groups keep their greatest members, mixtures are scaled to their sum and rounded. @param {Definition} definition @param {Cells} cells @returns {Cells} */
function repaired({ settings, groups = [], mixtures = [] }, cells) {
  const result = { ...cells };
  const numeric = new Map(settings.filter(isNumeric).map((setting) => [setting.name, setting]));
  /** @param {string} name */
  const share = (name) => Math.abs(Number(result[name])) / (numeric.get(name)?.upper ?? 1);
  for (const { columns, most } of groups)
    for (const name of columns.toSorted((a, b) => share(b) - share(a)).slice(most)) result[name] = 0;
  for (const { columns, sum } of mixtures) {
    const total = columns.reduce((so, name) => so + Number(result[name]), 0);
    let rest = sum;
    columns.forEach((name, i) => {
      const decimals = numeric.get(name)?.decimals ?? 3;
      const value = i + 1 < columns.length ? (Number(result[name]) * sum) / total : rest;
      result[name] = Number(value.toFixed(decimals));
      rest -= Number(result[name]);
    });
  }
  return result;
}

/** The first feasible of many tries, else `otherwise`. @param {Definition} definition @param {Cells} otherwise @param {() => Cells} draw */
function feasible(definition, otherwise, draw) {
  for (let tries = 0; tries < 300; tries++) {
    const cells = repaired(definition, draw());
    if (faults(definition, cells).length === 0) return cells;
  }
  return otherwise;
}

/** @param {Definition} definition @param {Cells} otherwise @param {Stream} stream */
export function anywhere(definition, otherwise, stream) {
  return feasible(definition, otherwise, () =>
    Object.fromEntries(
      definition.settings.map((setting) => [setting.name, anyValue(definition, setting, stream)]),
    ),
  );
}

/**
 * Each number and sequence is moved with probability `rate`, each level with probability `levelRate`.
 * @param {Definition} definition @param {Cells} cells @param {{ size: number, rate: number, levelRate: number }} how
 * @param {Stream} stream
 */
export function near(definition, cells, { size, rate, levelRate }, stream) {
  return feasible(definition, cells, () =>
    Object.fromEntries(
      definition.settings.map((setting) => {
        const value = /** @type {Cell} */ (cells[setting.name]);
        const moves = stream.boolean('levels' in setting ? levelRate : rate);
        return [setting.name, moves ? nearValue(definition, setting, value, size, stream) : value];
      }),
    ),
  );
}

/** Between a design and any other: `reach` of the way there in numbers, that likely in levels. @param {Definition} definition @param {Cells} from @param {number} reach @param {Stream} stream */
export function towardsAnywhere(definition, from, reach, stream) {
  return feasible(definition, from, () =>
    Object.fromEntries(
      definition.settings.map((setting) => {
        const start = /** @type {Cell} */ (from[setting.name]);
        const end = anyValue(definition, setting, stream);
        if (isNumeric(setting) && !isGrouped(definition, setting.name)) {
          const [a, b] = [placeOf(setting, Number(start)), placeOf(setting, Number(end))];
          return [setting.name, valueAt(setting, a + reach * (b - a))];
        }
        if (setting.type === 'sequence') {
          const letters = [...String(end)].map((letter, i) =>
            stream.boolean(reach) ? letter : String(start)[i],
          );
          return [setting.name, letters.join('')];
        }
        return [setting.name, stream.boolean(reach) ? end : start];
      }),
    ),
  );
}

/** One setting at equal steps over part of its range, the rest as it was. @param {Definition} definition @param {Cells} cells @param {Stream} stream @returns {Cells[]} */
export function oneAtATime(definition, cells, stream) {
  const setting = pick(definition.settings, stream);
  const { name } = setting;
  const from = isNumeric(setting) ? placeOf(setting, Number(cells[name])) : 0;
  const reach = 0.15 + 0.3 * stream.uniform();
  /** @type {Cell[]} */
  let values = [];
  if (isNumeric(setting)) values = [-1, -0.5, 0.5, 1].map((t) => valueAt(setting, from + reach * t));
  else if (setting.type === 'sequence')
    values = [0, 0, 0, 0].map(() => nearValue(definition, setting, String(cells[name]), 0, stream));
  else values = [...setting.levels];
  return [...new Set(values)]
    .map((value) => repaired(definition, { ...cells, [name]: value }))
    .filter((design) => faults(definition, design).length === 0);
}
