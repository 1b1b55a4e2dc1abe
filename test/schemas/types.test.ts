// The schemas and the interfaces they describe are the same types. The compiler checks it: npm run check
import { expect, it } from 'vitest';
import type { z } from 'zod';
import type { BenchCompareDocument, BenchTableDocument } from '../../src/cli/bench.js';
import type { ConformDocument } from '../../src/cli/benchConform.js';
import type { BenchListDocument } from '../../src/cli/benchList.js';
import type { DataListDocument, DataVerifyDocument } from '../../src/cli/data.js';
import type { DoctorReport } from '../../src/cli/doctor.js';
import type { ErrorDocument } from '../../src/cli/errorDocument.js';
import type { ExplainDocument } from '../../src/cli/explain.js';
import type { DesignEvent } from '../../src/cli/followRun.js';
import type { RehearsalDocument } from '../../src/cli/rehearse.js';
import type { ReproduceDocument } from '../../src/cli/reproduce.js';
import type { RunProgressDocument, RunsDocument } from '../../src/cli/runs.js';
import type { ScoreDocument } from '../../src/cli/score.js';
import type { RunDocument } from '../../src/design/runDocument.js';
import type { ModelDescription } from '../../src/design/savedModel.js';
import type { CheckReport } from '../../src/problem/index.js';
import type { runDocument } from '../../src/runs/documentSchema.js';
import type { RunEvent } from '../../src/runs/events.js';
import type { modelDescription } from '../../src/runs/modelSchema.js';
import type { benchCompareDocument, benchListDocument, benchTableDocument } from '../../src/schemas/bench.js';
import type { checkReport } from '../../src/schemas/check.js';
import type { conformDocument } from '../../src/schemas/conform.js';
import type { dataListDocument, dataVerifyDocument } from '../../src/schemas/data.js';
import type { designEvent } from '../../src/schemas/designEvents.js';
import type { doctorReport } from '../../src/schemas/doctor.js';
import type { errorDocument } from '../../src/schemas/error.js';
import type { explainDocument } from '../../src/schemas/explain.js';
import type { rehearsalDocument } from '../../src/schemas/rehearse.js';
import type { reproduceDocument } from '../../src/schemas/reproduce.js';
import type { runEvent } from '../../src/schemas/runEvents.js';
import type { runProgressDocument, runsDocument } from '../../src/schemas/runs.js';
import type { scoreDocument } from '../../src/schemas/score.js';

/** One shape for every way to write a type: read-only, without intersections, its fields spelled out. */
type Plain<T> = T extends readonly (infer Item)[]
  ? readonly Plain<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Plain<T[Key]> }
    : T;

/** Assignable in both directions, optional fields and all. */
type Same<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;

type Of<Schema extends z.ZodType> = z.output<Schema>;

/** The schema of events refers to that of the document, which is compared by itself. */
type WithoutDocument<Event> = Exclude<Event, { readonly document: unknown }>;

const same: readonly true[] = [
  true satisfies Same<Of<typeof runDocument>, RunDocument>,
  true satisfies Same<Of<typeof modelDescription>, ModelDescription>,
  true satisfies Same<Of<typeof runEvent>, RunEvent>,
  true satisfies Same<Of<typeof checkReport>, CheckReport>,
  true satisfies Same<WithoutDocument<Of<typeof designEvent>>, WithoutDocument<DesignEvent>>,
  true satisfies Same<Of<typeof scoreDocument>, ScoreDocument>,
  true satisfies Same<Of<typeof explainDocument>, ExplainDocument>,
  true satisfies Same<Of<typeof rehearsalDocument>, RehearsalDocument>,
  true satisfies Same<Of<typeof runsDocument>, RunsDocument>,
  true satisfies Same<Of<typeof runProgressDocument>, RunProgressDocument>,
  true satisfies Same<Of<typeof reproduceDocument>, ReproduceDocument>,
  true satisfies Same<Of<typeof benchListDocument>, BenchListDocument>,
  true satisfies Same<Of<typeof benchTableDocument>, BenchTableDocument>,
  true satisfies Same<Of<typeof benchCompareDocument>, BenchCompareDocument>,
  true satisfies Same<Of<typeof conformDocument>, ConformDocument>,
  true satisfies Same<Of<typeof dataListDocument>, DataListDocument>,
  true satisfies Same<Of<typeof dataVerifyDocument>, DataVerifyDocument>,
  true satisfies Same<Of<typeof doctorReport>, DoctorReport>,
  true satisfies Same<Of<typeof errorDocument>, ErrorDocument>,
];

interface Sample {
  readonly a: number;
  readonly b?: readonly string[];
}

const different: readonly false[] = [
  false satisfies Same<Sample, Sample & { readonly c?: number }>,
  false satisfies Same<Sample, { readonly a: number; readonly b: readonly string[] }>,
  false satisfies Same<Sample, { readonly a: number; readonly b?: readonly number[] }>,
  false satisfies Same<{ readonly a: 'x' | 'y' }, { readonly a: 'x' }>,
];

it('holds for every schema', () => {
  expect([same.length, different.length]).toEqual([19, 4]);
  expect(true satisfies Same<Sample, Omit<Sample, 'a'> & { a: number }>).toBe(true);
});
