/** A benchmark task: what a method is given, and, apart from it, the truth that only the experimenter asks. */

import { ArgumentError, NotFiniteError, ShapeError } from '../numeric/errors.js';
import type { Fingerprints } from '../problem/molecules.js';
import type { Simulator } from '../simulation/robot.js';
import type { Dataset, Space } from '../space/space.js';
import { violations } from '../space/verify.js';

/** Scores of designs (n x d); larger is better. */
export type Scorer = (x: Float64Array, report?: (share: number) => void) => Promise<Float64Array>;

/** An opened task: visible data, a space, and the hidden scorer. */
export interface Task {
  /** What a method sees. */
  readonly data: Dataset;
  readonly space: Space;
  /**
   * Scores of designs (n x d) by the hidden scorer; larger is better. Never given to a method. Scorers that take their
   * time tell `report` the share that is done, 0 to 1.
   */
  score(x: Float64Array, report?: (share: number) => void): Promise<Float64Array>;
  /**
   * Further scorers by name, which tell how far a result depends on the scorer: another model of the same data, or the same
   * simulation from other starts. `nemokit bench rescore` asks them. Never given to a method.
   */
  readonly secondScorers?: Readonly<Record<string, Scorer>>;
  /** Worst and best score of the whole dataset, hidden part included: scores are normalised by them. */
  readonly range: { readonly worst: number; readonly best: number };
}

/** Files of a data folder, by dataset and name. Throws an error that says how to get a file that is not there. */
export interface DataSource {
  read(dataset: string, file: string): Promise<Uint8Array>;
  /**
   * What `make` gives, kept under `name` for the next time. The name says everything the bytes depend on: version,
   * data, options. `report` may be told the share that is done, 0 to 1.
   */
  cached(name: string, make: (report: (share: number) => void) => Promise<Uint8Array>): Promise<Uint8Array>;
  /** As `openFingerprints` of `nemokit`, for tasks about molecules. */
  fingerprints?(options: { readonly bits: number; readonly radius: number }): Promise<Fingerprints>;
  /** For tasks about robots: the same one at every call. */
  simulator?(): Promise<Simulator>;
}

/** Where a task comes from. Licences, citations and checksums of its files stand in the catalogue of datasets. */
export interface Provenance {
  readonly data: string;
  readonly scorer: string;
  /** Whether the visible scores are the scorer's own, or measurements that a fitted scorer only comes near to. */
  readonly labels: 'scored' | 'measured';
}

/** A task before it is opened: its id, its provenance, and how to open it. */
export interface TaskDefinition {
  /** Such as "tfbind8-exact-v1"; another truth, space or visible part is another version. */
  readonly id: string;
  readonly title: string;
  /** One or two sentences: what a design is, what is scored, and by what. */
  readonly summary: string;
  /** Name in the paper's tables; null beyond the paper. */
  readonly paper: string | null;
  /** Datasets that have to be in the data folder; none for closed forms. */
  readonly datasets: readonly string[];
  readonly provenance: Provenance;
  /** Whether choices of a method may be made by looking at this task's scores. */
  readonly isForTuning: boolean;
  /** The task as it is for everyone: same data, same bits. */
  open(source: DataSource): Promise<Task>;
}

/**
 * Throws a typed error at the first of the designs `x` (n x d) that a scorer has no answer for; returns n. Numbers have
 * to be finite; unless `tolerance` is infinite, designs also have to lie in the space, to this tolerance.
 */
export function requireDesigns(space: Space, x: ArrayLike<number>, tolerance = 1e-9): number {
  const d = space.columns.length;
  if (x.length % d !== 0) {
    throw new ShapeError('x', `x has ${x.length} numbers, not a multiple of the ${d} columns of a design`);
  }
  const row = new Float64Array(d);
  for (let start = 0; start < x.length; start += d) {
    const design = `design ${start / d} (counted from 0)`;
    for (let j = 0; j < d; j++) {
      row[j] = x[start + j]!;
      if (Number.isFinite(row[j])) continue;
      const name = space.columns[j]!.name ?? `column ${j}`;
      throw new NotFiniteError('x', `${design}: ${name} is ${row[j]}; every value must be finite`);
    }
    if (tolerance === Number.POSITIVE_INFINITY) continue;
    const [broken] = violations(space, row, tolerance);
    if (broken !== undefined) throw new ArgumentError('x', `${design}: ${broken}`);
  }
  return x.length / d;
}

/** The simulator of a source. Tasks about robots cannot score designs without one. */
export function requireSimulator(source: DataSource, task: string): Promise<Simulator> {
  if (source.simulator) return source.simulator();
  throw new ArgumentError(
    'source',
    `${task} needs a simulator; run npm install @mujoco/mujoco@3.10.0, and give the source a "simulator"`,
  );
}
