/** What every task guarantees, one check each. docs/plugins.md describes them for authors of plug-ins. */
import { rowOf } from '../numeric/rows.js';
import { requireSpace, violations } from '../space/index.js';
import { datasets } from '../tasks/datasets.js';
import type { DataSource, Task, TaskDefinition } from '../tasks/task.js';
import { type Check, demand, firstDifference, messageOf, NotAsked } from './check.js';

export interface TaskContext {
  readonly definition: TaskDefinition;
  /** Ids of other tasks. */
  readonly taken: readonly string[];
  readonly source: DataSource;
  /** Visible designs to score: again and again, and once. Scorers may take their time. */
  readonly rows?: { readonly few: number; readonly many: number };
}

export interface TaskCheck extends Check<TaskContext> {
  /** Whether it opens the task. */
  readonly needsData: boolean;
}

const usualRows = { few: 16, many: 100 };

/** Rows that are checked in spaces where a check is slow. */
const mostListed = 1000;

/** Once per context: many checks share a task that is slow to open or to score. */
function once<T>(make: (context: TaskContext) => Promise<T>): (context: TaskContext) => Promise<T> {
  const made = new WeakMap<TaskContext, Promise<T>>();
  return (context) => {
    const known = made.get(context) ?? make(context);
    made.set(context, known);
    return known;
  };
}

/** The task of a context, opened once. */
export const openOnce = once(async ({ definition, source }) => {
  const task = await definition.open(source);
  const parts = ['data', 'space', 'range'] as const;
  const missing = parts.filter((part) => typeof task?.[part] !== 'object' || task[part] === null);
  demand(
    missing.length === 0 && typeof task.score === 'function',
    () => `open() gave no ${missing[0] ?? 'score()'}; expected { data, space, range, score }.`,
  );
  return task;
});

/** Rows spread evenly over the visible ones. */
function spreadRows(task: Task, most: number): { x: Float64Array; y: Float64Array; d: number } {
  const d = task.space.columns.length;
  const N = task.data.y.length;
  const n = Math.min(most, N);
  const rows = Array.from({ length: n }, (_, i) => Math.floor((i * N) / n));
  return {
    x: Float64Array.from(rows.flatMap((row) => [...rowOf(task.data.x, d, row)])),
    y: Float64Array.from(rows, (row) => task.data.y[row]!),
    d,
  };
}

async function scored(task: Task, x: Float64Array): Promise<Float64Array> {
  const scores = await task.score(x);
  const n = x.length / task.space.columns.length;
  demand(
    scores instanceof Float64Array && scores.length === n,
    () =>
      `score() of ${n} designs gave ${scores instanceof Float64Array ? `${scores.length} numbers` : 'no Float64Array'}; expected a Float64Array with one score each.`,
  );
  const bad = scores.findIndex((score) => !Number.isFinite(score));
  demand(bad < 0, () => `score() of design ${bad} is ${scores[bad]}; expected finite scores of all designs.`);
  return scores;
}

/** A few visible designs and their scores. */
const fewScored = once(async (context) => {
  const task = await openOnce(context);
  const { x, d } = spreadRows(task, (context.rows ?? usualRows).few);
  const given = x.slice();
  const scores = (await scored(task, given)).slice();
  const changed = firstDifference(x, given);
  demand(changed === null, () => `score() changed the designs it was given: ${changed}.`);
  return { x, d, scores };
});

const description: Check<TaskContext>[] = [
  {
    name: 'has an id of its own that carries a version',
    level: 'must',
    async check({ definition: { id }, taken }) {
      demand(
        /^[a-z0-9]+(-[a-z0-9]+)*-v[1-9]\d*$/.test(id),
        () =>
          `its id is "${id}"; expected small letters, digits and hyphens, and a version at the end, such as "my-task-v1". Another truth, space or visible part is another version.`,
      );
      demand(!taken.includes(id), () => `there is a task "${id}" already; give yours another id.`);
    },
  },
  {
    name: 'says what it is and where it comes from',
    level: 'must',
    async check({ definition }) {
      const { title, summary, paper, provenance, isForTuning } = definition;
      const isText = (value: unknown) => typeof value === 'string' && value.trim() !== '';
      for (const [name, value] of Object.entries({ title, summary }))
        demand(isText(value), () => `"${name}" is ${JSON.stringify(value)}; expected a text.`);
      demand(
        isText(provenance?.data) && isText(provenance.scorer),
        () => '"provenance" needs texts "data" and "scorer": where the rows and the scores come from.',
      );
      demand(
        ['scored', 'measured'].includes(provenance.labels),
        () =>
          `provenance.labels is ${JSON.stringify(provenance.labels)}; expected "scored" where visible scores are the scorer's own, else "measured".`,
      );
      demand(
        paper === null || isText(paper),
        () => '"paper" has to be null, or the name of a task in the paper\'s tables.',
      );
      demand(
        typeof isForTuning === 'boolean',
        () => '"isForTuning" has to be true or false: may a method be chosen by looking at its scores?',
      );
    },
  },
  {
    name: 'needs datasets that are in the catalogue',
    level: 'must',
    async check({ definition }) {
      const known = datasets.map(({ id }) => id);
      const unknown = Array.isArray(definition.datasets)
        ? definition.datasets.filter((id) => !known.includes(id))
        : ['no list'];
      demand(
        unknown.length === 0,
        () =>
          `"datasets" has ${unknown.join(', ')}; expected a list of some of ${known.join(', ')}, [] for data of your own.`,
      );
    },
  },
];

const visible: Check<TaskContext>[] = [
  {
    name: 'has data of the shape of its space, all numbers within its range',
    level: 'must',
    async check(context) {
      const { data, space, range } = await openOnce(context);
      try {
        requireSpace(space);
      } catch (error) {
        demand(false, () => `its space is not valid: ${messageOf(error)}.`);
      }
      demand(
        data.x instanceof Float64Array && data.y instanceof Float64Array && data.y.length > 0,
        () => 'data.x and data.y have to be Float64Arrays, with at least one row.',
      );
      const [N, d] = [data.y.length, space.columns.length];
      demand(
        data.x.length === N * d,
        () => `data.x has ${data.x.length} numbers; expected ${N} rows (scores) x ${d} columns = ${N * d}.`,
      );
      for (const [name, values] of Object.entries({ x: data.x, y: data.y })) {
        const bad = values.findIndex((value) => !Number.isFinite(value));
        demand(bad < 0, () => `data.${name}[${bad}] is ${values[bad]}; every number has to be finite.`);
      }
      const { worst, best } = range ?? {};
      demand(
        Number.isFinite(worst) && Number.isFinite(best) && worst < best,
        () =>
          `range is worst ${worst}, best ${best}; expected two finite numbers, worst below best: scores are normalised by them.`,
      );
      const out = data.y.findIndex((y) => y < worst || y > best);
      demand(
        out < 0,
        () =>
          `the visible score ${data.y[out]} of row ${out} is outside the range ${worst} to ${best}, which is of the whole dataset, hidden part included.`,
      );
    },
  },
  {
    name: 'has visible rows that are feasible designs',
    level: 'must',
    async check(context) {
      const task = await openOnce(context);
      const { space, data } = task;
      const isLong = (space.listed?.length ?? 0) > 0 || space.choices !== undefined;
      const { x, d } = isLong ? spreadRows(task, mostListed) : { x: data.x, d: space.columns.length };
      for (let i = 0; i < x.length; i += d) {
        const [broken] = violations(space, x.subarray(i, i + d));
        demand(
          broken === undefined,
          () =>
            `visible row ${isLong ? x.subarray(i, i + d).join(', ') : i / d} is outside the space: ${broken}. Searches begin at visible rows; widen the space or leave the row out.`,
        );
      }
    },
  },
];

const scoring: Check<TaskContext>[] = [
  {
    name: 'scores the same designs the same, alone or together, in any order',
    level: 'must',
    async check(context) {
      const task = await openOnce(context);
      const { x, d, scores } = await fewScored(context);
      const n = x.length / d;
      const pure =
        'A score may depend on its design alone: no Math.random, no clock, nothing left by earlier calls.';
      const again = firstDifference(scores, await scored(task, x));
      demand(again === null, () => `two calls of score() with the same designs differ: ${again}. ${pure}`);
      const order = Array.from({ length: n }, (_, i) => n - 1 - i);
      const turned = Float64Array.from(order.flatMap((row) => [...rowOf(x, d, row)]));
      const back = firstDifference(scores, (await scored(task, turned)).toReversed());
      demand(back === null, () => `the order of designs changes their scores: ${back}. ${pure}`);
      const one = Math.min(3, n - 1);
      const alone = firstDifference(scores.slice(one, one + 1), await scored(task, rowOf(x, d, one)));
      demand(alone === null, () => `a design alone and among others differ in score: ${alone}. ${pure}`);
    },
  },
  {
    name: 'is the same bits when it is opened again',
    level: 'must',
    async check(context) {
      const task = await openOnce(context);
      const again = await context.definition.open(context.source);
      const parts = ({ data, space, range }: Task) => ({ data, space, range });
      const difference = firstDifference(parts(task), parts(again));
      demand(
        difference === null,
        () =>
          `open() gave something else the second time: ${difference}. A task is the same for everyone; draw with a fixed seed (new Stream(rootKey(0))).`,
      );
      const { x, scores } = await fewScored(context);
      const other = firstDifference(scores, await scored(again, x));
      demand(other === null, () => `scores differ when it is opened a second time: ${other}.`);
    },
  },
  {
    name: 'scores visible rows as they are, where they were scored',
    level: 'must',
    async check(context) {
      const task = await openOnce(context);
      if (context.definition.provenance?.labels === 'measured')
        throw new NotAsked('its visible scores are measurements');
      const { x, y } = spreadRows(task, (context.rows ?? usualRows).many);
      const scores = await scored(task, x);
      scores.forEach((score, i) => {
        // of large scores, their rounding
        const allowed = Math.max(5e-10, 4 * Number.EPSILON * Math.abs(y[i]!));
        demand(
          Math.abs(score - y[i]!) < allowed,
          () =>
            `a visible row has ${y[i]} in the data and ${score} by the scorer; expected the same, or provenance.labels "measured".`,
        );
      });
    },
  },
  {
    name: 'explains visible rows, where they were measured',
    level: 'should',
    async check(context) {
      const task = await openOnce(context);
      if (context.definition.provenance?.labels !== 'measured')
        throw new NotAsked('its visible scores are not measurements');
      const { x, y } = spreadRows(task, (context.rows ?? usualRows).many);
      const r = correlation(await scored(task, x), y);
      demand(
        r > 0.9,
        () =>
          `scores and measurements of visible rows have correlation ${r.toFixed(3)}; above 0.9, a method that trusts the data is not led astray by the scorer.`,
      );
    },
  },
];

const noDesigns = [
  {
    what: 'NaN',
    says: /NaN/,
    make: (x: Float64Array, d: number) => x.with(Math.min(d, x.length - 1), Number.NaN),
  },
  {
    what: 'Infinity',
    says: /Infinity/,
    make: (x: Float64Array, d: number) => x.with(Math.min(d, x.length - 1), Number.POSITIVE_INFINITY),
  },
  {
    what: 'a number too few',
    says: /\b(?:numbers|length|columns)\b/,
    make: (x: Float64Array, d: number) => x.slice(0, d - 1),
  },
] as const;

const refuse = 'requireDesigns(space, x) of nemokit/tasks refuses what is no design.';

interface Refusal {
  readonly what: string;
  readonly says: RegExp;
  /** The message of `score`; null if it gave scores. */
  readonly message: string | null;
}

async function refusalsOf(task: Task): Promise<Refusal[]> {
  const { x, d } = spreadRows(task, 2);
  const refusals: Refusal[] = [];
  for (const { what, says, make } of noDesigns) {
    const broken = make(x, d);
    // one number less than one column is no design at all, and no mistake
    if (broken.length === 0) continue;
    let message: string | null = null;
    try {
      await task.score(broken);
    } catch (error) {
      message = error instanceof Error ? error.message : String(error);
    }
    refusals.push({ what, says, message });
  }
  return refusals;
}

const refusing: Check<TaskContext>[] = [
  {
    name: 'refuses what is no design',
    level: 'must',
    async check(context) {
      const task = await openOnce(context);
      for (const { what, message } of await refusalsOf(task))
        demand(
          message !== null && message !== '',
          () =>
            `score() of designs with ${what} ${message === null ? 'gave scores' : 'threw an error without a message'}; expected an error that says what is wrong. ${refuse}`,
        );
    },
  },
  {
    name: 'says what is wrong with what is no design',
    level: 'should',
    async check(context) {
      const task = await openOnce(context);
      for (const { what, says, message } of await refusalsOf(task))
        demand(
          message !== null && says.test(message),
          () =>
            `of designs with ${what} score() says ${message === null ? 'nothing' : `"${message}"`}. ${refuse}`,
        );
    },
  },
];

function correlation(a: Float64Array, b: Float64Array): number {
  const center = (v: Float64Array) => {
    const mean = v.reduce((sum, value) => sum + value, 0) / v.length;
    return v.map((value) => value - mean);
  };
  const [u, v] = [center(a), center(b)];
  const dot = (s: Float64Array, t: Float64Array) => s.reduce((sum, value, i) => sum + value * t[i]!, 0);
  return dot(u, v) / Math.sqrt(dot(u, u) * dot(v, v));
}

export const taskChecks: readonly TaskCheck[] = [
  ...description.map((check) => ({ ...check, needsData: false })),
  ...[...visible, ...scoring, ...refusing].map((check) => ({ ...check, needsData: true })),
];
