/**
 * What holds for a batch as a whole while it is put together: no two designs are the same experiment, columns that are
 * to be shared have few values, the sum of costs stays inside the budget, and nothing is like what is to be avoided.
 */

import { ArgumentError } from '../numeric/errors.js';
import { encodeCell } from '../problem/buildSpace.js';
import type { BatchSettings, Cost, Problem, SharedColumn } from '../problem/index.js';
import { costOf, placeOf, sharedColumns } from '../problem/index.js';
import { columnCalled } from '../table/cellText.js';
import { cellAt, type Table, TableError } from '../table/table.js';
import { apartIn, chosenPlaces, differences } from './apart.js';

export type Numbers = ArrayLike<number>;

/** Room for rounding in a sum of costs. */
const ROUNDING = 1e-9;

export class BatchRules {
  /** Whether two designs are two experiments. */
  readonly areApart: (a: Numbers, b: Numbers) => boolean;
  private readonly isLikeAvoided: (x: Numbers) => boolean;
  /** The least that a design costs, as far as is known. */
  private cheapest = Number.NEGATIVE_INFINITY;

  private constructor(
    readonly same: readonly SharedColumn[],
    readonly cost: Cost | null,
    /** How many designs are wanted. */
    readonly batch: number,
    problem: Problem,
    avoid: Table | undefined,
  ) {
    this.areApart = apartIn(problem);
    this.isLikeAvoided = avoid ? likeRowsOf(problem, avoid) : () => false;
  }

  /** Throws `ExpressionError`, `ArgumentError` or `TableError`. */
  static of(
    problem: Problem,
    asked: BatchSettings & { readonly batch: number; readonly avoid?: Table },
  ): BatchRules {
    const same = sharedColumns(problem, asked);
    return new BatchRules(same, costOf(problem, asked), asked.batch, problem, asked.avoid);
  }

  /** Whether a design may be in any batch. */
  isWanted(x: Numbers): boolean {
    return !this.isLikeAvoided(x);
  }

  /** Tells what there is to choose from, so that the first designs leave enough of the budget for the others. */
  expect(designs: readonly Numbers[]): void {
    const { cost } = this;
    if (!cost) return;
    this.cheapest = designs.reduce((least, x) => Math.min(least, cost.of(x)), Number.POSITIVE_INFINITY);
  }

  /** Whether a design may join those chosen so far. */
  allows(chosen: readonly Numbers[], candidate: Numbers): boolean {
    return this.isAffordable(chosen, candidate) && this.isNew(chosen, candidate);
  }

  /** `allows`, the budget aside. */
  isNew(chosen: readonly Numbers[], candidate: Numbers): boolean {
    return (
      chosen.every((one) => this.areApart(one, candidate)) &&
      this.same.every(({ places, most }) => valuesOf([...chosen, candidate], places).size <= most)
    );
  }

  private isAffordable(chosen: readonly Numbers[], candidate: Numbers): boolean {
    if (!this.cost || this.cost.budget === null) return true;
    const spent = this.total([...chosen, candidate]);
    const others = Math.max(0, this.batch - chosen.length - 1);
    // where the cheapest are too dear for a whole batch, it becomes smaller
    const isFull = this.batch * this.cheapest <= this.cost.budget;
    const reserve = isFull && this.cheapest > 0 ? others * this.cheapest : 0;
    return spent + reserve <= this.cost.budget * (1 + ROUNDING);
  }

  /** What some designs cost together. */
  total(designs: readonly Numbers[]): number {
    return designs.reduce((sum, x) => sum + (this.cost?.of(x) ?? 0), 0);
  }

  /** Whether some designs keep to the budget. */
  isPaid(designs: readonly Numbers[]): boolean {
    const budget = this.cost?.budget ?? null;
    return budget === null || this.total(designs) <= budget * (1 + ROUNDING);
  }

  /** The rules in words, and what these designs cost. */
  labels(designs: readonly Numbers[]): string[] {
    const { cost } = this;
    const total = Number(this.total(designs).toPrecision(6));
    return [
      ...this.same.map(({ column, most }) =>
        most === 1
          ? `one value of ${column} in the batch`
          : `at most ${most} values of ${column} in the batch`,
      ),
      ...(cost?.budget ? [`sum of ${cost.label} at most ${cost.budget} (it is ${total})`] : []),
    ];
  }
}

/** The different values that designs have in some places. */
export function valuesOf(designs: readonly Numbers[], places: readonly number[]): Map<string, number[]> {
  return new Map(
    designs.map((x) => {
      const values = places.map((j) => x[j]!);
      return [values.join(), values];
    }),
  );
}

/** Throws where designs that are to be kept break a rule by themselves. */
export function requireKept(rules: BatchRules, kept: readonly Numbers[]): void {
  const { same, batch, cost } = rules;
  if (kept.length > batch)
    throw new ArgumentError(
      'keep',
      `${kept.length} designs are to be kept, and the batch has ${batch}; ask for a larger batch`,
    );
  const at = kept.findIndex((x) => !rules.isWanted(x));
  if (at >= 0)
    throw new ArgumentError(
      'keep',
      `design ${at + 1} of those to be kept is like one to be avoided; take it out of one of the two tables`,
    );
  for (const { column, places, most } of same) {
    const { size } = valuesOf(kept, places);
    if (size > most)
      throw new ArgumentError(
        'keep',
        `the designs to be kept have ${size} values of "${column}", and the batch may have ${most}`,
      );
  }
  if (!rules.isPaid(kept))
    throw new ArgumentError(
      'budget',
      `the designs to be kept cost ${Number(rules.total(kept).toPrecision(6))}, and the budget is ${cost!.budget}`,
    );
}

/**
 * Whether a design is like a row of a table, in the columns that the row has: an absent column and an empty cell stand
 * for any value. Throws `TableError` where the table has none of the columns.
 */
function likeRowsOf(problem: Problem, table: Table): (x: Numbers) => boolean {
  const differs = differences(problem);
  const chosen = new Set(chosenPlaces(problem));
  const sources = problem.columns.flatMap((column) => {
    const source = columnCalled(table.columns, column.name);
    const start = placeOf(problem.columns, column.name)!;
    return source && chosen.has(start) ? [{ column, source, start }] : [];
  });
  if (sources.length === 0)
    throw new TableError(`${table.name} has none of the columns that designs set, so nothing is avoided`, {
      file: table.name,
    });
  const rows = Array.from({ length: table.rows }, (_, row) => {
    const held: { at: number; value: number }[] = [];
    for (const { column, source, start } of sources) {
      const cell = cellAt(source, row);
      if (cell === null) continue;
      try {
        encodeCell(column, cell, 'avoid').forEach((value, i) => held.push({ at: start + i, value }));
      } catch {
        // what no design can have need not be avoided
        return [];
      }
    }
    return held;
  }).filter((held) => held.length > 0);
  return (x) => rows.some((held) => held.every(({ at, value }) => !differs[at]!(x[at]!, value)));
}
