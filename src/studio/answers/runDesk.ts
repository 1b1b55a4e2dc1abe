/** Questions to one finished run, with its judges kept open: a curve follows a finger within a few milliseconds. */

import { advisorOf, type Run } from '../../design/run.js';
import type { Assessed, AssessedRow, AssessedRows, Profile } from '../../design/runDocument.js';
import type { Advisor } from '../../judging/advisor.js';
import { movedDesigns } from '../../judging/alongRecipe.js';
import { assessRows } from '../../judging/assessRows.js';
import { type CandidateExplanation, explainCandidate } from '../../judging/explainCandidate.js';
import { profilesOf, quickProfilesOf } from '../../judging/profiles.js';
import type { Engine } from '../../numeric/engine.js';
import { ArgumentError } from '../../numeric/errors.js';
import { encodeCell } from '../../problem/buildSpace.js';
import { type Problem, placeOf, toCells, toDesigns } from '../../problem/index.js';
import { InfeasibleError, projector, violations } from '../../space/index.js';
import type { Space } from '../../space/space.js';
import type {
  Cells,
  ContourAnswer,
  ContourQuestion,
  ProfileAnswer,
  ProfileQuestion,
} from '../protocol/index.js';
import { tableOf } from './computeAsk.js';

/** Columns that get a curve, at most. */
const CURVES = 24;
/** Past values that are shown for a column. */
const MOST_PAST = 400;
/** Points along each side of a contour. */
const SIDE = 21;

export class RunDesk {
  private constructor(
    readonly run: Run,
    private readonly advisor: Advisor,
  ) {}

  /** The engine stays open as long as the desk is used. Throws `UnsupportedError` where the run has no model. */
  static async open(run: Run, engine: Engine): Promise<RunDesk> {
    return new RunDesk(run, await advisorOf(run, engine));
  }

  async score(rows: readonly Cells[]): Promise<AssessedRows> {
    return assessRows(this.advisor, await tableOf(rows, 'rows'));
  }

  explain(row: number): Promise<CandidateExplanation> {
    const candidate = this.run.candidates.find((one) => one.row === row);
    if (!candidate) throw new ArgumentError('row', `the run proposed no row ${row}`);
    return explainCandidate(this.advisor, candidate, { count: 3, seed: this.run.asked.seed });
  }

  async profile({
    cells,
    move,
    locked = [],
    columns,
    isQuick = false,
    onSteps = false,
  }: ProfileQuestion): Promise<ProfileAnswer> {
    const { problem } = this.advisor;
    const start = await this.designOf(cells);
    const moved = move ? await this.moved(start, move, locked) : start;
    const design = onSteps ? Float64Array.from((await projector(problem.space)).project(moved)) : moved;
    const names = columns ?? this.movable().slice(0, CURVES);
    const profiles: Profile[] = isQuick ? await quickProfilesOf(this.advisor, design, names) : [];
    for (const name of isQuick ? [] : names) {
      for (const profile of await profilesOf(this.advisor, design, [name])) profiles.push(profile);
      await others();
    }
    return { design: await this.assess(design), profiles, past: pastOf(problem, profiles) };
  }

  async contour({ cells, x, y }: ContourQuestion): Promise<ContourAnswer> {
    const { problem } = this.advisor;
    const design = await this.designOf(cells);
    const d = design.length;
    const [xs, ys] = [x, y].map((name) => this.valuesAlong(name)) as [number[], number[]];
    const [atX, atY] = [placeOf(problem.columns, x)!, placeOf(problem.columns, y)!];
    const feasible: (Float64Array | null)[] = [];
    for (const value of ys) {
      const { designs } = await movedDesigns(problem.space, design, atY, [value]);
      for (const other of xs) {
        const moved = designs[0] && (await movedDesigns(problem.space, designs[0], atX, [other])).designs[0];
        const keepsBoth = moved && Math.abs(moved[atY]! - value) <= 1e-6 * Math.max(1, Math.abs(value));
        feasible.push(keepsBoth && holds(problem.space, moved) ? moved : null);
      }
    }
    const all = feasible.filter((one) => one !== null);
    const judged: Assessed[] = [];
    for (let from = 0; from < all.length; from += SIDE) {
      const part = all.slice(from, from + SIDE);
      const flat = new Float64Array(part.length * d);
      part.forEach((one, i) => {
        flat.set(one, i * d);
      });
      for (const one of await this.advisor.assess(flat)) judged.push(one);
      await others();
    }
    let next = 0;
    const answers = feasible.map((one) => (one ? judged[next++]! : null));
    return {
      xs,
      ys,
      expected: answers.map((answer) => answer?.expected ?? null),
      trust: answers.map((answer) => answer?.trust ?? null),
    };
  }

  private async designOf(cells: Cells): Promise<Float64Array> {
    return toDesigns(this.advisor.problem, await tableOf([cells], 'design')).x;
  }

  private async assess(design: Float64Array): Promise<AssessedRow> {
    const { problem } = this.advisor;
    const [assessed] = await this.advisor.assess(design);
    const [cells] = toCells(problem, design);
    return { row: 1, cells: cells!, ...assessed!, breaks: violations(problem.space, design, 1e-6) };
  }

  /** Columns that are not fixed, in the table's order. */
  private movable(): string[] {
    const { columns, space } = this.advisor.problem;
    const fixed = new Set((space.fixed ?? []).map(({ column }) => column));
    return columns.map(({ name }) => name).filter((name) => !fixed.has(placeOf(columns, name)!));
  }

  /** The nearest feasible design with the column there; the recipe and what is not locked make room. */
  private async moved(
    start: Float64Array,
    { column: name, value }: NonNullable<ProfileQuestion['move']>,
    locked: readonly string[],
  ): Promise<Float64Array> {
    const { columns, space } = this.advisor.problem;
    const column = columns.find((one) => one.name === name);
    const at = placeOf(columns, name);
    if (!column || at === undefined) throw new ArgumentError('column', `designs do not set "${name}"`);
    const set = start.slice();
    encodeCell(column, value, 'value').forEach((number, i) => {
      set[at + i] = number;
    });
    const hold = (names: readonly string[]): Space => ({
      ...space,
      fixed: [
        ...(space.fixed ?? []).filter(({ column: j }) => !names.some((n) => placeOf(columns, n) === j)),
        ...names.map((n) => {
          const j = placeOf(columns, n)!;
          return { column: j, value: set[j]!, label: `${n} is held` };
        }),
      ],
    });
    // the wished value and the locks first, then the locks alone, then what is nearest
    for (const held of [[...locked.filter((n) => n !== name), name], locked.filter((n) => n !== name), []]) {
      try {
        if (held.includes(name) && held.length === 1) {
          const { designs } = await movedDesigns(space, start, at, [set[at]!]);
          if (designs[0] && holds(space, designs[0])) return designs[0];
        }
        return Float64Array.from((await projector(hold(held))).project(set));
      } catch (error) {
        if (!(error instanceof InfeasibleError) && !(error instanceof ArgumentError)) throw error;
      }
    }
    return start;
  }

  private valuesAlong(name: string): number[] {
    const { columns, space } = this.advisor.problem;
    const column = columns.find((one) => one.name === name);
    if (column?.kind !== 'number' && column?.kind !== 'integer')
      throw new ArgumentError('column', `"${name}" has no range; choose a column of numbers`);
    const bounds = space.columns[placeOf(columns, name)!]!;
    const [low, high] =
      bounds.kind === 'continuous' && Number.isFinite(bounds.lower) && Number.isFinite(bounds.upper)
        ? [bounds.lower, bounds.upper]
        : [column.min, column.max];
    const values = Array.from({ length: SIDE }, (_, i) => low + ((high - low) * i) / (SIDE - 1));
    return column.kind === 'integer' ? [...new Set(values.map(Math.round))] : values;
  }
}

/** Lets other questions in: a value that is dragged on does not wait until all curves are exact. */
function others(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Steps aside, which are finer than what is drawn. */
function holds(space: Space, x: Float64Array): boolean {
  const columns = space.columns.map((column) => {
    if (column.kind !== 'continuous') return column;
    const { step: _, ...open } = column;
    return open;
  });
  return violations({ ...space, columns }, x, 1e-6).length === 0;
}

function pastOf({ columns, data, space }: Problem, profiles: readonly Profile[]): ProfileAnswer['past'] {
  const d = space.columns.length;
  const N = data.y.length;
  const every = Math.max(1, Math.ceil(N / MOST_PAST));
  return Object.fromEntries(
    profiles
      .filter(({ kind }) => kind === 'number')
      .map(({ column }) => {
        const at = placeOf(columns, column)!;
        const rows = Array.from({ length: Math.ceil(N / every) }, (_, i) => i * every);
        return [column, rows.map((row) => data.x[row * d + at]!)];
      }),
  );
}
