// A simulated process as a user meets it: words and a table. Its truth is for the experimenter only.
import { collect } from './collect.mjs';
import { faults, numbersOf, textsOf } from './settings.mjs';

/** @typedef {import('./settings.mjs').Cell} Cell */
/** @typedef {import('./settings.mjs').Definition} Definition */
/** @typedef {import('./settings.mjs').Setting} Setting */

/**
 * @typedef {object} SimulatedTable
 * @property {Record<string, Cell | null>[]} rows visible runs, as a spreadsheet has them
 * @property {number} truthOfBestVisible
 * @property {number} noise standard deviation of a measurement
 * @property {number} withheldAbove every run at least this good (for `min`: this low) by truth is withheld
 */

/**
 * @typedef {object} SimulatedProblem
 * @property {string} name
 * @property {string} title
 * @property {string} story
 * @property {{ name: string, unit: string, type: Setting['type'] }[]} columns what a design sets, in order
 * @property {import('../../dist/problem/index.js').ProblemSpec} words
 * @property {number} rows
 * @property {(seed: number) => SimulatedTable} makeTable
 * @property {(cells: Readonly<Record<string, unknown>>) => number} truth
 *   Noise-free value of a design in the goal's unit. Throws if the design is infeasible or has other columns.
 * @property {number | undefined} bestKnownTruth see best.mjs
 * @property {'max' | 'min'} wanted
 * @property {Definition} definition for searches that may ask the truth
 */

/** @param {Setting} setting @param {boolean} isContext @returns {import('../../dist/problem/index.js').ColumnSpec | undefined} */
function wordsOf(setting, isContext) {
  if (isContext) return { role: 'context' };
  if (setting.type === 'number' || setting.type === 'integer')
    return { bounds: [setting.lower, setting.upper], ...(setting.isLog && { log: true }) };
  return setting.type === 'ordered' ? { type: 'ordered', levels: setting.levels } : undefined;
}

/** @param {Definition} definition @returns {SimulatedProblem} */
export function simulated(definition) {
  const { name, title, story, settings, goal, context, rows, bestKnownTruth } = definition;
  const { mixtures = [], groups = [], limits = {} } = definition;
  const columns = settings.flatMap((setting) => {
    const words = wordsOf(setting, setting.name === context);
    return words ? [/** @type {const} */ ([setting.name, words])] : [];
  });
  const constraints = [
    ...groups.map((group) => `at most ${group.most} of ${group.columns.join(', ')}`),
    ...Object.keys(limits),
  ];
  return {
    name,
    title,
    story,
    columns: settings.map((setting) => ({ name: setting.name, unit: setting.unit, type: setting.type })),
    words: {
      goals: [`${goal.wanted} ${goal.name}`],
      columns: Object.fromEntries(columns),
      ...(mixtures.length > 0 && { mixtures }),
      ...(constraints.length > 0 && { constraints }),
    },
    rows,
    makeTable: (seed) => collect(definition, seed),
    truth(cells) {
      const [fault] = faults(definition, cells);
      if (fault) throw new Error(`${name}: ${fault}`);
      return definition.response(numbersOf(cells), textsOf(cells));
    },
    bestKnownTruth,
    wanted: goal.wanted,
    definition,
  };
}
