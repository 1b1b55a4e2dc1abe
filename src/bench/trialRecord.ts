/** What is kept of a trial: one line of JSON. */
import { z } from 'zod';
import type { TrialResult, TrialSpec } from './trial.js';

export const recordVersion = 1;

const percentile = z.number();

const schema = z.object({
  recordVersion: z.literal(recordVersion),
  /** Of the trial: `trialId`. */
  id: z.string(),
  task: z.string(),
  algorithm: z.string(),
  variant: z.string(),
  options: z.record(z.string(), z.unknown()),
  seed: z.number().int(),
  result: z.object({
    step: z.number().int(),
    scores: z.array(z.number()),
    distances: z.array(z.number()),
    designsSha256: z.string(),
    visibleMax: z.number(),
    range: z.object({ worst: z.number(), best: z.number() }),
    curve: z.array(
      z.object({
        iteration: z.number().int(),
        watched: z.record(z.string(), z.number()),
        best: percentile.optional(),
        median: percentile.optional(),
      }),
    ),
  }),
  /** Where and when; never compared. */
  made: z.object({
    version: z.string(),
    commit: z.string().nullable(),
    node: z.string(),
    kernel: z.string(),
    threads: z.number().int(),
    processor: z.string(),
    cores: z.number().int(),
    memoryGB: z.number(),
    platform: z.string(),
    /** ISO time. */
    started: z.string(),
    seconds: z.number(),
    cpuSeconds: z.number(),
    peakMemoryMB: z.number(),
  }),
});

export type TrialRecord = z.output<typeof schema>;

export function makeRecord(
  id: string,
  { task, algorithm, variant, options, seed }: TrialSpec,
  result: TrialResult,
  made: TrialRecord['made'],
): TrialRecord {
  const plain = structuredClone(result) as TrialRecord['result'];
  return { recordVersion, id, task, algorithm, variant, options: { ...options }, seed, result: plain, made };
}

export type ParsedLine =
  | { readonly record: TrialRecord }
  | { readonly fault: 'torn' | 'newer'; readonly reason: string };

/** A line that a killed writer left half done is `torn`; one of a newer nemokit is `newer`. */
export function parseRecord(line: string): ParsedLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { fault: 'torn', reason: 'no whole JSON document' };
  }
  const version = z.object({ recordVersion: z.number() }).safeParse(value).data?.recordVersion;
  if (version !== undefined && version > recordVersion)
    return { fault: 'newer', reason: `a record of version ${version}; this nemokit reads ${recordVersion}` };
  const parsed = schema.safeParse(value);
  if (parsed.success) return { record: parsed.data };
  const [issue] = parsed.error.issues;
  return { fault: 'torn', reason: `${issue?.path.join('.') || 'record'}: ${issue?.message}` };
}
