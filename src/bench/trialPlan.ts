/** Which trials a benchmark consists of: tasks x variants of algorithms x seeds, from options or from a spec file. */
import { z } from 'zod';
import { ArgumentError } from '../numeric/errors.js';
import { builtIn, type Options, type Registry } from './registry.js';
import type { TrialSpec } from './trial.js';

export interface Variant {
  readonly algorithm: string;
  readonly variant: string;
  /** On top of the preset of that name, or of the defaults. */
  readonly options: Options;
  /** On top of these, on single tasks. */
  readonly onTask?: Readonly<Record<string, Options>>;
}

export interface PlanRequest {
  readonly tasks: readonly string[];
  readonly variants: readonly Variant[];
  readonly seeds: readonly number[];
  readonly curve: TrialSpec['curve'];
}

/** The trials in an order that fills whole tables early: seed by seed. */
export function planTrials(
  { tasks: ids, variants, seeds, curve }: PlanRequest,
  registry: Registry = builtIn,
): TrialSpec[] {
  return seeds.flatMap((seed) =>
    ids.flatMap((task) =>
      variants.map(({ algorithm, variant, options, onTask }) => ({
        task,
        algorithm,
        variant,
        options: { ...registry.presetOptions(algorithm, variant, task), ...options, ...onTask?.[task] },
        seed,
        curve,
      })),
    ),
  );
}

/** "nemo", "nemo@paper". */
export function parseVariant(text: string, registry: Registry = builtIn): Variant {
  const [algorithm = '', variant = 'defaults', ...rest] = text.split('@');
  const known = registry.presetNames(algorithm);
  if (rest.length === 0 && known.includes(variant)) return { algorithm, variant, options: {} };
  throw new ArgumentError(
    'algorithm',
    `${algorithm} has no preset "${[variant, ...rest].join('@')}"; it has ${known.join(', ')}`,
  );
}

/** "0-15", "3" or "0,2,5-7". */
export function parseSeeds(text: string): number[] {
  const seeds = text.split(',').flatMap((part) => {
    const found = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/.exec(part);
    const from = Number(found?.[1] ?? Number.NaN);
    const to = Number(found?.[2] ?? from);
    if (!(from <= to) || !Number.isSafeInteger(to) || to - from >= 10_000)
      throw new ArgumentError('seeds', `"${text}" are no seeds; expected something like "0-15" or "0,3,8"`);
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
  return [...new Set(seeds)];
}

export function parseTasks(text: string, registry: Registry = builtIn): string[] {
  if (text === 'paper') return [...registry.tasks.keys()].filter((id) => registry.paperNameOf(id) !== null);
  return [...new Set(text.split(',').map((id) => registry.taskOf(id.trim()).id))];
}

const optionsSchema = z.record(z.string(), z.unknown()).default({});
/** Further options on single tasks, by their id. */
const onTaskSchema = z.record(z.string(), z.record(z.string(), z.unknown())).default({});

const specSchema = z.strictObject({
  $schema: z.string().optional(),
  title: z.string(),
  /** What the paper says, and what is looked for. */
  question: z.string(),
  tasks: z.array(z.string()).min(1),
  seeds: z.string(),
  curve: z.strictObject({ every: z.number().int().positive(), withScores: z.boolean() }),
  /** For every variant. */
  options: optionsSchema,
  onTask: onTaskSchema,
  variants: z
    .array(
      z.strictObject({
        algorithm: z.string(),
        variant: z.string(),
        options: optionsSchema,
        onTask: onTaskSchema,
      }),
    )
    .min(1),
});

export interface BenchSpec extends PlanRequest {
  readonly title: string;
  readonly question: string;
}

/** A spec file (JSON), such as studies/paper-tasks/spec.json. */
export function parseSpec(text: string, file: string, registry: Registry = builtIn): BenchSpec {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ArgumentError('spec', `${file}: ${error instanceof Error ? error.message : 'no JSON'}`);
  }
  const parsed = specSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ArgumentError('spec', `${file}: ${issue?.path.join('.') || 'the spec'}: ${issue?.message}`);
  }
  const { title, question, seeds, curve, options, onTask: onTaskOfAll, variants } = parsed.data;
  return {
    title,
    question,
    tasks: parsed.data.tasks.map((id) => registry.taskOf(id).id),
    variants: variants.map((own) => {
      requireKnown(own.algorithm, { ...options, ...own.options }, registry);
      const onTask: Record<string, Options> = { ...onTaskOfAll };
      for (const [task, further] of Object.entries(own.onTask))
        onTask[task] = { ...onTask[task], ...further };
      for (const [task, further] of Object.entries(onTask)) {
        registry.taskOf(task);
        requireKnown(own.algorithm, further, registry);
      }
      return { ...own, options: { ...options, ...own.options }, onTask };
    }),
    seeds: parseSeeds(seeds),
    curve,
  };
}

/** Throws on an option that the algorithm does not have. */
export function requireKnown(algorithm: string, options: Options, registry: Registry = builtIn): void {
  const names = Object.keys(registry.algorithmOf(algorithm).defaults);
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    throw new ArgumentError('options', `${algorithm} has no option "${name}"; it has ${names.join(', ')}`);
  }
}

export interface Narrowing {
  readonly tasks?: readonly string[];
  /** "nemo": every row of the algorithm; "nemo@No NML": one of them. */
  readonly rows?: readonly string[];
  readonly seeds?: readonly number[];
}

/** A part of a plan: some of its tasks and rows, or other seeds. Throws where it does not have one of them. */
export function narrow(plan: BenchSpec, { tasks, rows, seeds }: Narrowing): BenchSpec {
  const namesOf = ({ algorithm, variant }: Variant) => [algorithm, `${algorithm}@${variant}`];
  requireAll(plan.title, 'task', tasks ?? [], plan.tasks);
  requireAll(plan.title, 'row', rows ?? [], plan.variants.flatMap(namesOf));
  const kept = {
    tasks: plan.tasks.filter((id) => tasks === undefined || tasks.includes(id)),
    variants: plan.variants.filter(
      (own) => rows === undefined || namesOf(own).some((name) => rows.includes(name)),
    ),
  };
  return { ...plan, ...kept, ...(seeds && { seeds }) };
}

function requireAll(title: string, kind: string, asked: readonly string[], had: readonly string[]): void {
  const missing = asked.find((name) => !had.includes(name));
  if (missing === undefined) return;
  const names = [...new Set(had)].join(', ');
  throw new ArgumentError('spec', `"${title}" has no ${kind} "${missing}"; it has ${names}`);
}
