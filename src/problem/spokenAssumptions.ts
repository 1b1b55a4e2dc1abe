/** What was assumed about columns, in sentences with the option that changes it, and what relations ask of designs. */
import { powerOfTen } from '../numeric/portable.js';
import { extent } from '../numeric/stats.js';
import type { DesignColumn } from './buildSpace.js';
import type { ProblemOutline, RoledColumn } from './columnRoles.js';
import type { LinearStatement } from './expressions.js';
import { sumText } from './relations.js';
import { quoteName } from './tokens.js';

/** Names in options stand in double quotes where they hold more than letters, so single ones go around them. */
export function option(flag: string, text: string): string {
  return `${flag} ${/^[\w.-]+$/.test(text) ? text : `'${text}'`}`;
}

/** Which option gives a column another part. */
export function howToChange({ assumed }: Pick<ProblemOutline, 'assumed'>, { name }: RoledColumn): string {
  const change = option('--design', quoteName(name));
  const goal = assumed.get(name)?.goal;
  const aim = goal === undefined ? '' : `, ${option('--goal', goal)} makes it a goal`;
  return `${change} makes it a setting${aim}`;
}

export function relationNotes({ relations }: Pick<ProblemOutline, 'relations'>): string[] {
  return relations.map(({ label, column, rows, off }) => {
    const where = off.length === 0 ? 'all' : `${rows - off.length} of`;
    return `${label} in ${where} ${rows} rows, but for rounding: ${quoteName(column)} is computed from the others`;
  });
}

/** A column that follows stays in the range that was seen, as a constraint on those it follows from. */
export function followingBounds(
  { relations, table, spec }: Pick<ProblemOutline, 'relations' | 'table' | 'spec'>,
  columns: readonly DesignColumn[],
): LinearStatement[] {
  return relations.flatMap((relation) => {
    const { column, kind, terms, constant, decimals } = relation;
    const source = table.columns.find(({ name }) => name === column);
    // who moves the bounds of a member means to leave the range
    const isSaid = terms.some(({ column: name }) => spec.columns?.[name]?.bounds !== undefined);
    if (kind !== 'sum' || source?.kind !== 'number' || isSaid) return [];
    const seen = extent(source.values.filter((value) => !Number.isNaN(value)));
    let [low, high] = [constant, constant];
    for (const { column: name, weight } of terms) {
      const member = columns.find((candidate) => candidate.name === name);
      if (member?.kind !== 'number' && member?.kind !== 'integer') return [];
      low += Math.min(weight * member.min, weight * member.max);
      high += Math.max(weight * member.min, weight * member.max);
    }
    const room = 0.5 * powerOfTen(-decimals);
    const text = sumText(terms, constant);
    const bounds: LinearStatement[] = [];
    const add = (relation: '<=' | '>=', end: number) =>
      bounds.push({
        kind: 'linear',
        terms,
        relation,
        bound: end - constant,
        label: `${text} ${relation} ${end}`,
      });
    if (high > seen.max + room) add('<=', seen.max);
    if (low < seen.min - room) add('>=', seen.min);
    return bounds;
  });
}
