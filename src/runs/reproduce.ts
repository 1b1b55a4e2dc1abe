/** Runs again what a folder was asked, in memory, and compares what comes out with what the folder holds. */
import { computeRun } from '../design/computeRun.js';
import { type Run, requestFrom } from '../design/run.js';
import type { RunDocument } from '../design/runDocument.js';
import type { Progress } from '../design/work.js';
import type { Engine } from '../numeric/engine.js';
import type { Manifest } from './manifest.js';
import { keptDocument } from './runInFolder.js';

export interface RepeatControl {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** Undefined if `signal` stopped it. Writes nothing. */
export async function repeatRun(
  path: string,
  { run, manifest }: { readonly run: Pick<Run, 'asked'>; readonly manifest: Manifest },
  engine: Engine,
  { signal, onProgress }: RepeatControl = {},
): Promise<RunDocument | undefined> {
  const computed = await computeRun(await requestFrom(run.asked), engine, {
    ...(signal && { signal }),
    ...(onProgress && { onProgress: (progress) => onProgress(progress) }),
  });
  if (computed.outcome !== 'done') return undefined;
  return keptDocument(computed.result.findings, path, manifest, engine);
}

export interface Difference {
  /** Such as `candidates[0].cells["temp in C"]`. */
  readonly path: string;
  /** Absent where this side lacks it. */
  readonly a?: unknown;
  readonly b?: unknown;
}

export interface Comparison {
  readonly isSame: boolean;
  readonly differences: readonly Difference[];
  /** Set where the kernels differ. Kernels round differently, so other differences are expected then. */
  readonly kernels: { readonly a: string; readonly b: string } | null;
}

/** Fields that may differ between two runs of one request. Threads never change a result. */
const ignored: readonly string[] = ['run.id', 'run.created', 'run.seconds', 'run.threads', 'run.kernel'];

/** Compares the two as `candidates.json` would hold them: values that JSON writes alike are equal. */
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
    const [valueA, valueB] = [a, b].map((side) => (Object.hasOwn(side, key) ? side[key] : undefined));
    collect(valueA, valueB, join(path, key), differences);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function join(path: string, key: string): string {
  if (!/^[A-Za-z_]\w*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
