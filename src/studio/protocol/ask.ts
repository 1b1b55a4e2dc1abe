/** What a person asks of a table: a problem file without its paths. Checked where it crosses a wire. */
import { z } from 'zod';
import type { ProblemSpec, RunSettings } from '../../problem/problemSpec.js';

/** Values of a design by column. */
export type Cells = Readonly<Record<string, number | string>>;

/** The words of a problem file (docs/problem-file.md), with designs to keep and to avoid as rows. */
export interface Ask extends ProblemSpec, RunSettings {
  /** Designs that are in the batch. */
  readonly keep?: readonly Cells[];
  /** Designs like these are not proposed; an absent column stands for any value. */
  readonly avoid?: readonly Cells[];
}

const MOST_TEXT = 10_000;
const MOST_ENTRIES = 10_000;
const text = z.string().max(MOST_TEXT);
const texts = z.array(text).max(MOST_ENTRIES);
const number = z.number();

export const cellsSchema = z.record(text, z.union([number, text]));

const columnSchema = z.strictObject({
  type: text.optional(),
  levels: texts.optional(),
  bounds: z.tuple([number, number]).optional(),
  step: number.optional(),
  log: z.boolean().optional(),
  role: z.enum(['design', 'context', 'ignore']).optional(),
  fixed: z.union([text, number, z.boolean()]).optional(),
});

/** The shape alone: what the words mean, and whether they are right, the library says. */
export const askSchema = z.strictObject({
  goals: texts,
  columns: z.record(text, columnSchema).optional(),
  mixtures: z.array(z.strictObject({ columns: texts, sum: number })).optional(),
  constraints: texts.optional(),
  limits: z.record(text, z.tuple([number.nullable(), number.nullable()])).optional(),
  allowRepeats: z.boolean().optional(),
  assume: z.boolean().optional(),
  batch: number.optional(),
  risk: z.enum(['cautious', 'balanced', 'bold']).optional(),
  anyway: z.boolean().optional(),
  seed: number.optional(),
  effort: z.enum(['fast', 'balanced', 'thorough']).optional(),
  method: text.optional(),
  options: z.record(text, z.union([number, text, z.boolean(), z.null(), z.array(number)])).optional(),
  same: texts.optional(),
  cost: text.optional(),
  budget: number.optional(),
  tiers: z.array(number).optional(),
  front: z.boolean().optional(),
  simplify: z.boolean().optional(),
  keep: z.array(cellsSchema).max(MOST_ENTRIES).optional(),
  avoid: z.array(cellsSchema).max(MOST_ENTRIES).optional(),
});
