/**
 * Records in the order of tables and figures, whichever trial ended first: tasks as in the paper's tables, then the
 * others; algorithms as in the paper's tables, those of plug-ins last; an algorithm's presets, then its other variants.
 */
import { builtIn, paperTasks } from './registry.js';
import type { TrialRecord } from './trialRecord.js';

export function inOrder(records: readonly TrialRecord[]): TrialRecord[] {
  const algorithms = [...builtIn.algorithms.keys()];
  const presetsOf = new Map(algorithms.map((id) => [id, builtIn.presetNames(id)]));
  const paperTask = (id: string) => place(paperTasks, builtIn.paperNameOf(id) ?? id);
  return records.toSorted(
    (a, b) =>
      paperTask(a.task) - paperTask(b.task) ||
      compareNames(a.task, b.task) ||
      place(algorithms, a.algorithm) - place(algorithms, b.algorithm) ||
      compareNames(a.algorithm, b.algorithm) ||
      place(presetsOf.get(a.algorithm), a.variant) - place(presetsOf.get(b.algorithm), b.variant) ||
      compareNames(a.variant, b.variant) ||
      a.seed - b.seed,
  );
}

/** Strangers come last. */
function place(names: readonly string[] = [], name: string): number {
  const at = names.indexOf(name);
  return at < 0 ? names.length : at;
}

/** By letters, with numbers by their value: "5 steps" before "20 steps", "rate 0.0005" before "rate 0.05". */
function compareNames(a: string, b: string): number {
  const [own, others] = [partsOf(a), partsOf(b)];
  for (const [i, part] of own.entries()) {
    const other = others[i];
    if (other === undefined) return 1;
    const difference = i % 2 === 0 ? compareTexts(part, other) : Number(part) - Number(other);
    if (difference !== 0) return difference;
  }
  return own.length - others.length || compareTexts(a, b);
}

/** Texts and numbers in turn, a text first. */
function partsOf(name: string): string[] {
  return name.split(/(\d+(?:\.\d+)?)/);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
