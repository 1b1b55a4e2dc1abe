// How a simulated process is defined: its settings, its limits and its truth; and what is wrong with a design of it.

/** @typedef {number | string} Cell */
/** @typedef {Record<string, Cell>} Cells */
/** @typedef {(name: string) => number} Numbers */
/** @typedef {(name: string) => string} Texts */
/** @typedef {{ name: string, unit: string, type: 'number' | 'integer', lower: number, upper: number, decimals: number, isLog: boolean }} NumberSetting */
/** @typedef {{ name: string, unit: string, type: 'category' | 'ordered' | 'boolean', levels: readonly string[] }} LevelSetting */
/** @typedef {{ name: string, unit: string, type: 'sequence', length: number, letters: string }} SequenceSetting */
/** @typedef {NumberSetting | LevelSetting | SequenceSetting} Setting */

/**
 * @typedef {object} Definition
 * @property {string} name
 * @property {string} title
 * @property {string} story
 * @property {readonly Setting[]} settings
 * @property {{ name: string, unit: string, wanted: 'max' | 'min', decimals: number, least?: number, most?: number, detectable?: number }} goal
 *   What is measured. `least` and `most` are where the instrument's scale ends; values below `detectable` are "<...".
 * @property {readonly { columns: readonly string[], sum: number }[]} [mixtures]
 * @property {readonly { columns: readonly string[], most: number }[]} [groups] at most so many of them are not zero
 * @property {Readonly<Record<string, (n: Numbers, t: Texts) => number>>} [limits]
 *   Constraints in nemokit's words, each with by how much a design breaks it (0 or less: it holds).
 * @property {string} [context] a setting that designs do not choose
 * @property {string} [patchy] a setting that was not always written down
 * @property {readonly Cells[]} points where people have been working; the first value of `context` is the usual one
 * @property {number} rows visible runs
 * @property {number} noise standard deviation of a measurement, in the goal's unit
 * @property {(n: Numbers, t: Texts) => number} response the truth
 * @property {number} [bestKnownTruth]
 */

/** @param {string} name @param {string} unit @param {number} lower @param {number} upper @param {number} [decimals] @returns {NumberSetting} */
export const number = (name, unit, lower, upper, decimals = 1) => ({
  name,
  unit,
  type: 'number',
  lower,
  upper,
  decimals,
  isLog: false,
});

/** Over decades. @param {string} name @param {string} unit @param {number} lower @param {number} upper @param {number} decimals @returns {NumberSetting} */
export const decades = (name, unit, lower, upper, decimals) => ({
  ...number(name, unit, lower, upper, decimals),
  isLog: true,
});

/** @param {string} name @param {string} unit @param {number} lower @param {number} upper @returns {NumberSetting} */
export const whole = (name, unit, lower, upper) => ({
  ...number(name, unit, lower, upper, 0),
  type: 'integer',
});

/** @param {string} name @param {...string} levels @returns {LevelSetting} */
export const category = (name, ...levels) => ({ name, unit: '', type: 'category', levels });

/** From low to high. @param {string} name @param {...string} levels @returns {LevelSetting} */
export const ordered = (name, ...levels) => ({ name, unit: '', type: 'ordered', levels });

/** @param {string} name @param {string} no @param {string} yes @returns {LevelSetting} */
export const either = (name, no, yes) => ({ name, unit: '', type: 'boolean', levels: [no, yes] });

/** @param {string} name @param {number} length @returns {SequenceSetting} */
export const dna = (name, length) => ({ name, unit: '', type: 'sequence', length, letters: 'ACGT' });

/** @param {Readonly<Record<string, unknown>>} cells @returns {Numbers} */
export const numbersOf = (cells) => (name) => {
  const value = cells[name];
  if (typeof value !== 'number') throw new Error(`"${name}" is ${value}; expected a number`);
  return value;
};

/** @param {Readonly<Record<string, unknown>>} cells @returns {Texts} */
export const textsOf = (cells) => (name) => {
  const value = cells[name];
  if (typeof value !== 'string') throw new Error(`"${name}" is ${value}; expected a text`);
  return value;
};

/** What is wrong with one cell, if anything. @param {Setting} setting @param {unknown} value */
function faultOf(setting, value) {
  const { name } = setting;
  if ('lower' in setting) {
    if (typeof value !== 'number' || !Number.isFinite(value))
      return `"${name}" is ${value}; expected a number`;
    const slack = 1e-9 * Math.max(1, Math.abs(setting.lower), Math.abs(setting.upper));
    if (value < setting.lower - slack || value > setting.upper + slack)
      return `"${name}" is ${value}; expected ${setting.lower} to ${setting.upper}`;
    if (setting.type === 'integer' && !Number.isInteger(value))
      return `"${name}" is ${value}; expected a whole number`;
    return undefined;
  }
  if (setting.type === 'sequence') {
    const isRight =
      typeof value === 'string' &&
      value.length === setting.length &&
      [...value].every((letter) => setting.letters.includes(letter));
    return isRight
      ? undefined
      : `"${name}" is ${value}; expected ${setting.length} letters of ${setting.letters}`;
  }
  const isLevel = typeof value === 'string' && setting.levels.includes(value);
  return isLevel ? undefined : `"${name}" is ${value}; expected one of ${setting.levels.join(', ')}`;
}

/** What is wrong with a design, in sentences. @param {Definition} definition @param {Readonly<Record<string, unknown>>} cells */
export function faults({ settings, mixtures = [], groups = [], limits = {} }, cells) {
  const names = settings.map(({ name }) => name);
  const found = [
    ...Object.keys(cells)
      .filter((name) => !names.includes(name))
      .map((name) => `"${name}" is no setting of this process`),
    ...settings.flatMap((setting) => faultOf(setting, cells[setting.name]) ?? []),
  ];
  if (found.length > 0) return found;
  const n = numbersOf(cells);
  for (const { columns, sum } of mixtures) {
    const total = columns.reduce((so, name) => so + n(name), 0);
    if (Math.abs(total - sum) > 1e-6 * Math.max(1, sum))
      found.push(`${columns.join(' + ')} is ${total}; expected ${sum}`);
  }
  for (const { columns, most } of groups) {
    const present = columns.filter((name) => Math.abs(n(name)) > 1e-9).length;
    if (present > most)
      found.push(`${present} of ${columns.join(', ')} are not zero; at most ${most} may be`);
  }
  for (const [label, excess] of Object.entries(limits))
    if (excess(n, textsOf(cells)) > 1e-6) found.push(`it breaks ${label}`);
  return found;
}
