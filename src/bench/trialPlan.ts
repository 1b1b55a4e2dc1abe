/** Which trials a benchmark consists of: tasks x variants of algorithms x seeds, from options or from a spec file. */
import { z } from 'zod';
import { requirePreset } from '../algorithm.js';
import { ArgumentError } from '../numeric/errors.js';
import { optionsJsonSchema } from '../options/optionDocs.js';
import { optionFaults, parseOption, printOption, requireOptions } from '../options/requireOptions.js';
import { builtIn, type Options, type Registry } from './registry.js';
import type { TrialSpec } from './trial.js';

export interface Variant {
  readonly algorithm: string;
  /** Its name in tables. */
  readonly variant: string;
  /** Default: the preset that the variant is called by, or the defaults. */
  readonly preset?: string;
  /** On top of the preset. */
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

/** The trials in an order that fills whole tables early: seed by seed. Throws on options that are not as declared. */
export function planTrials(
  { tasks: ids, variants, seeds, curve }: PlanRequest,
  registry: Registry = builtIn,
): TrialSpec[] {
  const rows = ids.flatMap((task) =>
    variants.map((row) => {
      const { algorithm, variant, options, onTask } = row;
      const preset = registry.presetOptions(algorithm, presetOf(row, registry), task);
      const all = { ...preset, ...options, ...onTask?.[task] };
      requireOptions(algorithm, registry.algorithmOf(algorithm).options, all);
      const { version: algorithmVersion } = registry.algorithmOf(algorithm);
      return { task, algorithm, algorithmVersion, variant, options: all };
    }),
  );
  return seeds.flatMap((seed) => rows.map((row) => ({ ...row, seed, curve })));
}

function presetOf({ algorithm, variant, preset }: Variant, registry: Registry): string {
  return preset ?? (registry.presetNames(algorithm).includes(variant) ? variant : 'defaults');
}

/** A variant with options of `--set` on top, under a name that says so: "tuned, modelRate=0". */
export function withSet(row: Variant, set: readonly string[], registry: Registry = builtIn): Variant {
  if (set.length === 0) return row;
  const { options } = registry.algorithmOf(row.algorithm);
  const given = Object.fromEntries(set.map((text) => parseOption('--set', row.algorithm, options, text)));
  const changes = Object.entries(given).map(([name, value]) => printOption(name, value));
  return {
    ...row,
    preset: presetOf(row, registry),
    variant: `${row.variant === 'defaults' ? '' : `${row.variant}, `}${changes.join(' ')}`,
    options: { ...row.options, ...given },
  };
}

/** "nemo", "nemo@paper". */
export function parseVariant(text: string, registry: Registry = builtIn): Variant {
  const [algorithm = '', ...rest] = text.split('@');
  const variant = rest.length === 0 ? 'defaults' : rest.join('@');
  requirePreset(registry.algorithmOf(algorithm), variant);
  return { algorithm, variant, options: {} };
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
        /** Default: the preset of the variant's name, or the defaults. */
        preset: z.string().optional(),
        options: optionsSchema,
        onTask: onTaskSchema,
      }),
    )
    .min(1),
});

/** JSON Schema (draft 2020-12) of a spec file, for editors. */
export function specJsonSchema(registry: Registry = builtIn): Record<string, unknown> {
  const { $schema, properties, ...rest } = z.toJSONSchema(specSchema, { io: 'input' });
  const { variants } = properties as { variants: { items: { properties: Record<string, object> } } };
  const names = [...registry.algorithms.keys()];
  const items = {
    ...variants.items,
    properties: { ...variants.items.properties, algorithm: { enum: names } },
    allOf: names.map((name) => ({
      if: { properties: { algorithm: { const: name } } },
      // biome-ignore lint/suspicious/noThenProperty: a key of JSON Schema
      then: {
        properties: {
          options: { $ref: `#/$defs/${name}` },
          onTask: { type: 'object', additionalProperties: { $ref: `#/$defs/${name}` } },
          preset: { enum: registry.presetNames(name) },
        },
      },
    })),
  };
  const declared = names.map((name) => [name, optionsJsonSchema(registry.algorithmOf(name).options)]);
  return {
    $schema,
    title: 'nemokit spec file',
    ...rest,
    properties: { ...properties, variants: { ...variants, items } },
    $defs: Object.fromEntries(declared),
  };
}

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
    tasks: parsed.data.tasks.map((id, i) => inPlace(`${file}: tasks[${i}]`, () => registry.taskOf(id).id)),
    variants: variants.map(({ preset, ...row }, i) => {
      const at = (path: readonly string[]) => `${file}: ${path.join('.')}`;
      const check = (options: Options, ...path: readonly string[]) => {
        const declared = registry.algorithmOf(row.algorithm).options;
        const [fault] = optionFaults(row.algorithm, declared, options);
        if (fault) throw new ArgumentError('spec', `${at([...path, fault.name])}: ${fault.message}`);
      };
      const variant = `variants[${i}]`;
      inPlace(at([variant, 'algorithm']), () => registry.algorithmOf(row.algorithm));
      if (preset !== undefined)
        inPlace(at([variant, 'preset']), () => requirePreset(registry.algorithmOf(row.algorithm), preset));
      check(options, 'options');
      check(row.options, variant, 'options');
      for (const [task, further] of Object.entries(onTaskOfAll)) {
        inPlace(at(['onTask']), () => registry.taskOf(task));
        check(further, 'onTask', task);
      }
      const onTask: Record<string, Options> = { ...onTaskOfAll };
      for (const [task, further] of Object.entries(row.onTask)) {
        inPlace(at([variant, 'onTask']), () => registry.taskOf(task));
        check(further, variant, 'onTask', task);
        onTask[task] = { ...onTask[task], ...further };
      }
      return {
        ...row,
        ...(preset !== undefined && { preset }),
        options: { ...options, ...row.options },
        onTask,
      };
    }),
    seeds: inPlace(`${file}: seeds`, () => parseSeeds(seeds)),
    curve,
  };
}

/** What `read` gives; where it throws, with the place in a file before the message. */
function inPlace<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    // of a class that a plug-in has from another copy of nemokit, too
    if (!(error instanceof Error && 'argument' in error)) throw error;
    throw new ArgumentError('spec', `${place}: ${error.message}`);
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
      (row) => rows === undefined || namesOf(row).some((name) => rows.includes(name)),
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
