/** A run of the browser as the zip of a run folder, and back. The command line reads what is unpacked from it. */
import { unzipSync, type Zippable, zipSync } from 'fflate';
import { type Run, type Table, version } from '../../../index.js';
import { askOf, openedTable, partsOf, runFromParts, tableParts } from '../../answers/index.js';
import type { RunFileName, RunSummary } from '../../protocol/index.js';
import { type KeptRun, type KeptTable, store } from './store.js';

/** Version of the manifest that is written; docs/run-folder.md lists its fields. */
const MANIFEST_VERSION = 3;
/** Unpacked; more is no run of a browser. */
const MOST_BYTES = 1e9;

export async function fileOf(run: Run, name: RunFileName): Promise<Uint8Array> {
  const parts = await partsOf(run);
  const bytes = parts[name];
  if (!bytes) throw new Error(`the run has no ${name}`);
  return bytes;
}

export async function zipOf(run: Run, { summary }: KeptRun): Promise<Uint8Array> {
  const parts = await partsOf(run);
  const manifest = await manifestOf(run, summary, parts);
  const folder = summary.id;
  const when = new Date(summary.created);
  const files: Zippable = {};
  for (const [name, bytes] of Object.entries({ 'manifest.json': manifest, ...parts }))
    files[`${folder}/${name}`] = [bytes, { mtime: when }];
  return zipSync(files, { level: 6 });
}

async function manifestOf(
  run: Run,
  summary: RunSummary,
  parts: Readonly<Record<string, Uint8Array>>,
): Promise<Uint8Array> {
  const { asked } = run;
  const { table } = asked;
  const files: Record<string, { bytes: number; sha256: string }> = {};
  for (const [name, bytes] of Object.entries(parts))
    files[name] = { bytes: bytes.length, sha256: await sha256Of([bytes]) };
  const cells = await sha256Of([...tableParts(table)].map(toBytes));
  const manifest = {
    manifestVersion: MANIFEST_VERSION,
    version,
    created: summary.created,
    updated: summary.created,
    status: run.run.complete ? 'done' : 'partial',
    argv: [],
    goal: asked.spec.goals.join('; '),
    source: { file: run.data.file, bytes: 0, sha256: run.data.sha256 ?? cells },
    table: { rows: table.rows, columns: table.columns.length, sha256: cells },
    seed: asked.seed,
    method: asked.method,
    effort: asked.effort,
    options: asked.options,
    kernel: run.run.kernel,
    threads: run.run.threads,
    problem: { sha256: files['problem.yaml']!.sha256 },
    node: 'none: a browser',
    platform: 'browser',
    timings: run.run.seconds === undefined ? {} : { run: run.run.seconds },
    files,
  };
  const checksum = await sha256Of([toBytes(JSON.stringify(manifest))]);
  return toBytes(`${JSON.stringify({ ...manifest, checksum }, null, 2)}\n`);
}

/** Keeps the run of a zip. Throws where it is none, or where a file is not what its manifest says. */
export async function keepZip(zip: Uint8Array): Promise<{ kept: KeptRun; table: KeptTable<Table> }> {
  let unpacked = 0;
  let files: Record<string, Uint8Array>;
  try {
    files = unzipSync(Uint8Array.from(zip), {
      filter: ({ originalSize }) => {
        unpacked += originalSize;
        return unpacked <= MOST_BYTES;
      },
    });
  } catch {
    throw new Error('this is no zip file; pack the folder of a run, or save one here');
  }
  if (unpacked > MOST_BYTES) throw new Error('this zip holds more than 1 GB; a run of a page is smaller');
  const at = Object.keys(files).find((name) => /(^|\/)manifest\.json$/.test(name));
  if (at === undefined) throw new Error('this zip holds no run: there is no manifest.json in it');
  const folder = at.slice(0, -'manifest.json'.length);
  const manifest = JSON.parse(new TextDecoder().decode(files[at]!)) as {
    created: string;
    files: Record<string, { sha256: string }>;
  };
  const parts: Record<string, Uint8Array> = {};
  for (const [name, { sha256 }] of Object.entries(manifest.files)) {
    const bytes = files[folder + name];
    if (!bytes) continue;
    if ((await sha256Of([bytes])) !== sha256)
      throw new Error(`${name} has changed since the run wrote it; put the old one back, or design again`);
    parts[name] = bytes;
  }
  const run = await runFromParts(parts);
  const { asked, model, ...document } = run;
  const { table } = asked;
  const cells = await sha256Of([...tableParts(table)].map(toBytes));
  const id = run.run.id ?? (folder.replace(/\/$/, '') || `run-${cells.slice(0, 4)}`);
  const opened = openedTable(table, {
    id: cells.slice(0, 12),
    sha256: run.data.sha256 ?? null,
    bytes: 0,
    sheets: [],
    sheet: null,
  });
  const [first] = run.candidates;
  const summary: RunSummary = {
    id,
    created: manifest.created,
    status: run.run.complete ? 'done' : 'partial',
    goals: asked.spec.goals,
    file: run.data.file,
    rows: run.data.rows,
    batch: asked.batch,
    seed: asked.seed,
    effort: asked.effort,
    verdict: run.verdict,
    best: { known: run.bestKnown.value, expected: first?.expected ?? null, name: run.goal.name },
    progress: null,
    fault: null,
  };
  const kept: KeptRun = { summary, ask: askOf(run), table: opened.id };
  const keptTable = { table, opened };
  await store.put('tables', opened.id, keptTable);
  await store.put('results', id, { asked, model });
  await store.put('documents', id, document);
  await store.put('runs', id, kept);
  return { kept, table: keptTable };
}

function toBytes(part: string | Uint8Array): Uint8Array {
  return typeof part === 'string' ? new TextEncoder().encode(part) : part;
}

async function sha256Of(parts: readonly Uint8Array[]): Promise<string> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  const digest = await crypto.subtle.digest('SHA-256', all);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
