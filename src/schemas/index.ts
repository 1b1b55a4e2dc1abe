/**
 * JSON Schemas (draft 2020-12) of what nemokit reads and writes as JSON. `npm run schemas` writes them to schemas/;
 * nothing else imports this folder but tests, so that no command loads it.
 */
import type { z } from 'zod';
import { recordSchema } from '../bench/records.js';
import { specJsonSchema } from '../bench/trialPlan.js';
import { methodOptions } from '../design/designRequest.js';
import { problemJsonSchema } from '../problem/index.js';
import { runDocument } from '../runs/documentSchema.js';
import { manifestFileSchema } from '../runs/manifest.js';
import { modelDescription } from '../runs/modelSchema.js';
import { benchCompareDocument, benchListDocument, benchTableDocument } from './bench.js';
import { checkReport } from './check.js';
import { conformDocument } from './conform.js';
import { dataListDocument, dataVerifyDocument } from './data.js';
import { designEvent } from './designEvents.js';
import { doctorReport } from './doctor.js';
import { errorDocument } from './error.js';
import { explainDocument } from './explain.js';
import { type JsonSchema, toJsonSchema } from './jsonSchema.js';
import { rehearsalDocument } from './rehearse.js';
import { reproduceDocument } from './reproduce.js';
import { runEvent } from './runEvents.js';
import { runProgressDocument, runsDocument } from './runs.js';
import { scoreDocument } from './score.js';

/** What nemokit writes, by the name of its file in schemas/. */
const written: Readonly<Record<string, z.ZodType>> = {
  candidates: runDocument,
  manifest: manifestFileSchema.meta({ title: 'manifest.json', description: 'What a run folder is.' }),
  model: modelDescription,
  events: runEvent,
  records: recordSchema.meta({ title: 'records.jsonl', description: 'One line: a trial of the benchmark.' }),
  check: checkReport,
  'design-events': designEvent,
  score: scoreDocument,
  explain: explainDocument,
  rehearse: rehearsalDocument,
  'runs-list': runsDocument,
  'runs-show': runProgressDocument,
  reproduce: reproduceDocument,
  'bench-list': benchListDocument,
  'bench-table': benchTableDocument,
  'bench-compare': benchCompareDocument,
  'bench-conform': conformDocument,
  'data-list': dataListDocument,
  'data-verify': dataVerifyDocument,
  doctor: doctorReport,
  error: errorDocument,
};

/** Every schema by the name of its file, such as `check.schema.json`. */
export function schemaFiles(): Record<string, JsonSchema> {
  return {
    // what nemokit reads
    'problem.schema.json': problemJsonSchema(methodOptions),
    'spec.schema.json': specJsonSchema(),
    ...Object.fromEntries(
      Object.entries(written).map(([name, schema]) => [`${name}.schema.json`, toJsonSchema(name, schema)]),
    ),
  };
}
