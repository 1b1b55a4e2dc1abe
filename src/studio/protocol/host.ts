/**
 * What the app asks of whoever computes for it. Two hosts answer: web workers inside the page, which keep runs in the
 * browser, and `nemokit studio`, which keeps them in a folder. Both build on the same library, so the answers are the
 * same; `calls.ts` says how they travel over HTTP. A call that fails throws an `Error` with the message for people and
 * the name of the library's error.
 */

import type { AssessedRows } from '../../design/runDocument.js';
import type { CandidateExplanation } from '../../judging/explainCandidate.js';
import type { MoleculeDrawing } from '../../problem/platform/rdkit.js';
import type { Ask, Cells } from './ask.js';
import type {
  BenchFolder,
  ContourAnswer,
  ContourQuestion,
  Measured,
  OpenedRun,
  ProfileAnswer,
  ProfileQuestion,
  RunEvent,
  RunFileName,
  RunSummary,
} from './runs.js';
import type { OpenedTable, Stated, TableChange, TableRows, TableSource } from './tables.js';

export interface About {
  readonly kind: 'page' | 'server';
  readonly version: string;
  /** Kernel and threads that runs are computed with. */
  readonly kernel: string;
  readonly threads: number;
  /** Where runs are kept, for people: "this browser", or the folder's name. */
  readonly keeps: string;
  /** The run to show first, for `nemokit studio RUN`. */
  readonly open: string | null;
  /** Tables of the folder that can be opened by path. */
  readonly tables: readonly string[];
  /** Folders of benchmark records. */
  readonly benches: readonly string[];
  /** Largest file that is taken, in bytes. */
  readonly mostBytes: number;
}

export interface Host {
  about(): Promise<About>;

  openTable(source: TableSource): Promise<OpenedTable>;
  table(id: string): Promise<OpenedTable>;
  rows(table: string, from: number, count: number): Promise<TableRows>;
  /** The table with some cells written over, or other units, beside the one as it was. */
  changeTable(table: string, changes: readonly TableChange[]): Promise<OpenedTable>;
  /** What a question means. Without goals the likeliest one is assumed. Never throws for what a person wrote. */
  state(table: string, ask: Ask): Promise<Stated>;

  startRun(table: string, ask: Ask): Promise<RunSummary>;
  pauseRun(id: string): Promise<RunSummary>;
  /** Goes on with a paused or interrupted run. */
  resumeRun(id: string): Promise<RunSummary>;
  /** Ends the search with what it has; the run is then `partial`, or `interrupted` if it had no design yet. */
  stopRun(id: string): Promise<RunSummary>;
  /** Returns what ends the watching. */
  watchRun(id: string, listen: (event: RunEvent) => void): () => void;

  listRuns(): Promise<readonly RunSummary[]>;
  openRun(id: string): Promise<OpenedRun>;
  deleteRun(id: string): Promise<void>;
  /** A file of the run as the command line writes it. */
  runFile(id: string, name: RunFileName): Promise<Uint8Array>;
  /** The run folder as a zip. */
  saveRun(id: string): Promise<Uint8Array>;
  /** A run folder from elsewhere, as a zip. */
  addRun(zip: Uint8Array): Promise<RunSummary>;

  /** What the run expects of rows. */
  score(run: string, rows: readonly Cells[]): Promise<AssessedRows>;
  explain(run: string, row: number): Promise<CandidateExplanation>;
  /** Drawings of the molecules of the run, by SMILES; none where RDKit is not there. */
  molecules(run: string): Promise<Readonly<Record<string, MoleculeDrawing>>>;
  profile(run: string, question: ProfileQuestion): Promise<ProfileAnswer>;
  contour(run: string, question: ContourQuestion): Promise<ContourAnswer>;
  /** The table of the run with measured candidates below its rows: what the next round starts from. */
  addRound(run: string, measured: readonly Measured[]): Promise<OpenedTable>;

  openBench(id: string): Promise<BenchFolder>;
}
