// What is known about a table and told to no method: the exact value of every design, of the best visible row, and the
// best there is. Values are in the goal's units; for several goals they are the score of the problem's own rule.
import { followingCells } from '../../dist/design/doableDesigns.js';
import { foldKey, rootKey, Stream } from '../../dist/numeric/index.js';
import { scoreOf } from '../../dist/problem/desirability.js';

/** Draws among which the best is found where goals are several. */
const DRAWS = 50_000;

/**
 * @param {import('./tables.mjs').TruthTable} table
 * @param {Pick<import('../../dist/problem/index.js').Problem, 'rule' | 'relations'>} problem
 * @param {readonly Record<string, any>[]} rows visible rows
 */
export function exactTruth(table, { rule, relations }, rows) {
  const columns = rule.kind === 'value' ? [rule.goal.column] : rule.parts.map(({ goal }) => goal.column);
  const sign = rule.kind === 'value' ? rule.sign : 1;
  const exactOf = (/** @type {Record<string, any>} */ cells) => {
    const values = table.values(cells);
    return rule.kind === 'value'
      ? values[columns[0]]
      : scoreOf(
          rule,
          columns.map((name) => values[name]),
        );
  };
  const greatest = (/** @type {number[]} */ values) =>
    sign * values.reduce((most, v) => Math.max(most, sign * v), Number.NEGATIVE_INFINITY);
  const bestVisible = table.bestVisible ?? greatest(rows.map(exactOf));
  const stream = new Stream(foldKey(rootKey(3), `design-truth best ${table.name}`));
  const best = table.best ?? greatest(Array.from({ length: DRAWS }, () => exactOf(table.draw(stream))));
  return {
    sign,
    bestVisible,
    best,
    /** The value of a design; null where the truth refuses it. @param {Readonly<Record<string, any>>} cells */
    truthOf(cells) {
      try {
        const value = exactOf(followingCells({ relations }, cells));
        return Number.isFinite(value) ? value : null;
      } catch {
        return null;
      }
    },
    /** Share of the way from the best visible value to the best there is. @param {number | null} truth */
    gainOf: (truth) => (truth === null ? -1 : (truth - bestVisible) / (best - bestVisible)),
  };
}
