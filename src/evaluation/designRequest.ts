/** What is asked of a run, checked. */
import { algorithms } from '../algorithms/index.js';
import { ArgumentError } from '../numeric/errors.js';
import { nearestName, type ProblemWords, type Table } from '../table/index.js';
import { type Plan, type Preset, presets } from './plan.js';

export interface DesignRequest {
  readonly table: Table;
  readonly words: ProblemWords;
  /** Designs are rows of this table only. */
  readonly choices?: Table;
  /** How many designs to propose. */
  readonly batch: number;
  readonly seed: number;
  readonly method: string;
  readonly preset: Preset;
  /** Options of the method by name; others are set from the data. */
  readonly options: Readonly<Record<string, unknown>>;
}

export type MethodName = keyof typeof algorithms;

/** Designs that are searched for at once: many more than are asked for, so that a varied batch can be chosen. */
const SEARCHED = 128;

export function requireMethod(method: string): MethodName {
  if (Object.hasOwn(algorithms, method)) return method as MethodName;
  const known = Object.keys(algorithms);
  throw new ArgumentError(
    'method',
    `no method is called "${method}"${suggest(method, known)}; expected ${known.join(', ')}`,
  );
}

export function requirePreset(preset: string): Preset {
  const found = presets.find((name) => name === preset);
  if (found) return found;
  throw new ArgumentError(
    'preset',
    `no preset is called "${preset}"${suggest(preset, presets)}; expected ${presets.join(', ')}`,
  );
}

/** The method's options: its defaults, then the plan's, then those that were asked for. */
export function optionsFor(
  { method, batch, options }: Pick<DesignRequest, 'method' | 'batch' | 'options'>,
  plan: Plan,
  trainingSteps: number,
): Record<string, unknown> {
  const { defaults } = algorithms[requireMethod(method)];
  const planned = {
    bins: plan.bins,
    headroom: plan.headroom,
    hidden: plan.hidden,
    minibatch: plan.minibatch,
    pretrainRate: plan.trainingRate,
    pretrainSteps: trainingSteps,
    steps: plan.steps,
    batchSize: Math.max(SEARCHED, 2 * batch),
  };
  requireOptions(options, defaults as unknown as Record<string, unknown>, method);
  return { ...defaults, ...planned, ...options };
}

function requireOptions(
  options: Readonly<Record<string, unknown>>,
  defaults: Readonly<Record<string, unknown>>,
  method: string,
): void {
  const names = Object.keys(defaults);
  for (const [name, given] of Object.entries(options)) {
    if (!Object.hasOwn(defaults, name)) {
      throw new ArgumentError(
        'options',
        `${method} has no option "${name}"${suggest(name, names)}; it has ${names.join(', ')}`,
      );
    }
    const usual = defaults[name];
    const isWord = typeof given === 'string' || typeof given === 'number' || given === null;
    const fits = Array.isArray(usual)
      ? Array.isArray(given) && given.every((item) => typeof item === 'number')
      : typeof usual === 'number' && !acceptsWords.has(name)
        ? typeof given === 'number' || (given === null && name === 'box')
        : isWord;
    if (!fits) {
      throw new ArgumentError(
        'options',
        `option ${name} is ${JSON.stringify(given)}; expected something like ${JSON.stringify(usual)}`,
      );
    }
  }
}

/** Options that are numbers or a word. */
const acceptsWords = new Set(['queryWeight', 'scale', 'designRate']);

function suggest(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  return near ? `; did you mean "${near}"?` : '';
}
