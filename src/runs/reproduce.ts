/** Whether two runs found the same, bit for bit, and if not, what differs. */
import type { RunDocument } from '../design/runDocument.js';

export interface Difference {
  /** Such as `candidates[0].cells["temp in C"]`. */
  readonly path: string;
  /** Undefined where this side has nothing. */
  readonly a: unknown;
  readonly b: unknown;
}

export interface Comparison {
  readonly isSame: boolean;
  readonly differences: readonly Difference[];
  /** Kernels round differently: where they differ, other differences are to be expected. */
  readonly kernels: { readonly a: string; readonly b: string } | null;
}

/** What may differ between two runs of the same thing. Threads never change a result. */
const ignored: readonly string[] = ['run.id', 'run.created', 'run.seconds', 'run.threads', 'run.kernel'];

/** Compares what `candidates.json` would hold: values that JSON writes alike are alike. */
export function compareRuns(documentA: RunDocument, documentB: RunDocument): Comparison {
  const differences: Difference[] = [];
  collect(asJson(documentA), asJson(documentB), '', differences);
  const [a, b] = [documentA.run.kernel, documentB.run.kernel];
  return { isSame: differences.length === 0, differences, kernels: a === b ? null : { a, b } };
}

function asJson(document: RunDocument): unknown {
  return JSON.parse(JSON.stringify(document));
}

function collect(a: unknown, b: unknown, path: string, differences: Difference[]): void {
  if (Object.is(a, b) || ignored.includes(path)) return;
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let i = 0; i < Math.max(a.length, b.length); i++) collect(a[i], b[i], `${path}[${i}]`, differences);
    return;
  }
  if (!isObject(a) || !isObject(b)) {
    differences.push({ path, a, b });
    return;
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [ownA, ownB] = [a, b].map((side) => (Object.hasOwn(side, key) ? side[key] : undefined));
    collect(ownA, ownB, join(path, key), differences);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function join(path: string, key: string): string {
  if (!/^[A-Za-z_]\w*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
