/**
 * Designs and scores as CSV, one file per task: what `bench export` writes and `bench import` reads. Numbers are written so
 * that reading them gives the same bits.
 */
import { createHash } from 'node:crypto';
import Papa from 'papaparse';
import { ArgumentError } from '../numeric/errors.js';
import type { DataSource, TaskDefinition } from '../tasks/index.js';
import { version } from '../version.js';
import { DataDistance } from './dataDistance.js';
import { type DesignTable, designsHash } from './designFile.js';
import { recordVersion, type TrialRecord } from './records.js';
import type { Registry } from './registry.js';
import { trialId } from './trial.js';

const named = ['task', 'algorithm', 'variant', 'version', 'seed', 'design', 'score', 'distance'] as const;

/** Names of the columns of a task's designs. */
export function designColumns(space: { readonly columns: readonly { readonly name?: string }[] }): string[] {
  return space.columns.map(({ name }, j) => name ?? `x${j}`);
}

/** Trials of one task as CSV; designs where they were kept. */
export function exportCsv(
  trials: readonly { readonly record: TrialRecord; readonly designs: DesignTable | undefined }[],
  columns: readonly string[],
): string {
  const lines = trials.flatMap(({ record, designs }) => {
    const { task, algorithm, algorithmVersion = '0.1.0', variant, seed, result } = record;
    return result.scores.map((score, i) => [
      task,
      algorithm,
      variant,
      algorithmVersion,
      seed,
      i,
      score,
      result.distances[i] ?? '',
      ...columns.map((_, j) => (designs ? numberText(designs.designs[i * columns.length + j]!) : '')),
    ]);
  });
  return `${Papa.unparse([[...named, ...columns], ...lines], { newline: '\n' })}\n`;
}

/** Shortest text with the same bits; String(-0) would be "0". */
function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

export interface ImportOptions {
  readonly source: DataSource;
  readonly registry: Registry;
  /** Name of the row, in place of the one in the file. */
  readonly as?: string;
}

export interface Imported {
  readonly record: TrialRecord;
  /** Null where only scores were given. */
  readonly designs: DesignTable | null;
}

/** Version of rows that came from elsewhere. */
export const importedVersion = 'imported';

/** Rows of somebody else. Throws `ArgumentError` with file and line where something is missing or wrong. */
export async function importCsv(
  text: string,
  file: string,
  { source, registry, as }: ImportOptions,
): Promise<Imported[]> {
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: true });
  const [head = [], ...lines] = data;
  const fault = (line: number, column: string, reason: string) =>
    new ArgumentError('file', `${file}:${line}${column === '' ? '' : `, column ${column}`}: ${reason}`);
  const at = new Map(head.map((name, j) => [name.trim(), j]));
  if (!at.has('task')) throw fault(1, 'task', 'there is none; it names the task of the benchmark');
  if (!at.has('algorithm') && as === undefined)
    throw fault(1, 'algorithm', 'there is none; it names the row, or give --as <name>');
  if (lines.length === 0) throw fault(1, '', 'there are no designs below the heading');
  interface Group {
    readonly task: string;
    readonly algorithm: string;
    readonly variant: string;
    readonly seed: number;
    readonly lines: { readonly line: number; readonly cells: readonly string[] }[];
  }
  const groups = new Map<string, Group>();
  lines.forEach((cells, i) => {
    const line = i + 2;
    const cell = (name: string) => (at.has(name) ? (cells[at.get(name)!] ?? '').trim() : '');
    const algorithm = as ?? cell('algorithm');
    // one name for several algorithms would make one batch of theirs
    const [one, other] = [(lines[0]![at.get('algorithm') ?? -1] ?? '').trim(), cell('algorithm')];
    if (as !== undefined && other !== one)
      throw fault(line, 'algorithm', `is "${other}" after "${one}"; --as names the rows of one algorithm`);
    if (algorithm === '') throw fault(line, 'algorithm', 'is empty');
    if (registry.algorithms.has(algorithm))
      throw fault(
        line,
        'algorithm',
        `"${algorithm}" is an algorithm of nemokit; name the row otherwise with --as <name>`,
      );
    const seed = cell('seed') === '' ? 0 : Number(cell('seed'));
    if (!Number.isSafeInteger(seed)) throw fault(line, 'seed', `"${cell('seed')}" is no whole number`);
    const group = { task: cell('task'), algorithm, variant: cell('variant') || 'defaults', seed };
    const key = JSON.stringify(group);
    const found = groups.get(key) ?? { ...group, lines: [] };
    found.lines.push({ line, cells });
    groups.set(key, found);
  });
  const imported: Imported[] = [];
  for (const { task: id, algorithm, variant, seed, lines: own } of groups.values()) {
    const [first] = own;
    let definition: TaskDefinition;
    try {
      definition = registry.taskOf(id);
    } catch (error) {
      throw fault(first!.line, 'task', error instanceof Error ? error.message : String(error));
    }
    const task = await definition.open(source);
    const columns = designColumns(task.space);
    const numberAt = ({ line, cells }: (typeof own)[number], name: string) => {
      const written = (cells[at.get(name)!] ?? '').trim();
      const value = written === '' ? Number.NaN : Number(written);
      if (!Number.isFinite(value))
        throw fault(line, name, written === '' ? 'is empty' : `"${written}" is no finite number`);
      return value;
    };
    const missing = columns.filter((name) => !at.has(name));
    const isFilled =
      missing.length === 0 && columns.some((name) => (first!.cells[at.get(name)!] ?? '').trim() !== '');
    const given = at.has('score') ? own.map((one) => numberAt(one, 'score')) : null;
    if (!isFilled && !given)
      throw fault(
        1,
        '',
        `${id} has neither a column "score" nor the ${columns.length} columns of its designs (${missing.slice(0, 3).join(', ')}${missing.length > 3 ? ', ...' : ''} are not there)`,
      );
    let [scores, distances, designs]: [number[], number[], DesignTable | null] = [given ?? [], [], null];
    if (isFilled) {
      const x = new Float64Array(own.length * columns.length);
      own.forEach((one, i) => {
        columns.forEach((name, j) => {
          x[i * columns.length + j] = numberAt(one, name);
        });
      });
      scores = [...(await task.score(x))];
      const other = given?.findIndex((score, i) => !Object.is(score, scores[i])) ?? -1;
      if (other >= 0)
        throw fault(
          own[other]!.line,
          'score',
          `is ${given![other]}; the scorer of ${id} says ${scores[other]}. Leave the column out to take the scorer's`,
        );
      distances = Array.from(new DataDistance(task.data, task.space).of(x), (apart) =>
        Number(apart.toPrecision(6)),
      );
      designs = { designs: x, columns: columns.length };
    }
    const hash = designs
      ? designsHash(designs.designs)
      : createHash('sha256').update(JSON.stringify(scores)).digest('hex');
    const spec = {
      task: id,
      algorithm,
      algorithmVersion: importedVersion,
      variant,
      options: { [designs ? 'designs' : 'scores']: hash.slice(0, 16) },
      seed,
      curve: { every: 50, withScores: false },
    };
    const { curve: _, ...rest } = spec;
    imported.push({
      designs,
      record: {
        recordVersion,
        id: trialId(spec),
        ...rest,
        result: {
          step: 0,
          scores,
          distances,
          designsSha256: designs ? hash : '',
          visibleMax: task.data.y.reduce((most, y) => Math.max(most, y)),
          range: task.range,
          curve: [],
        },
        made: {
          version,
          commit: null,
          node: process.version,
          kernel: 'none',
          threads: 1,
          processor: 'unknown',
          cores: 1,
          memoryGB: 0,
          platform: process.platform,
          started: new Date().toISOString(),
          seconds: 0,
          cpuSeconds: 0,
          peakMemoryMB: 0,
        },
      },
    });
  }
  return imported;
}
