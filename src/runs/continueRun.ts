/** Which run a request goes on with. */
import type { DesignRequest } from '../design/designRequest.js';
import { ArgumentError } from '../numeric/errors.js';
import type { Table } from '../table/table.js';
import { type Manifest, readManifest } from './manifest.js';
import { sha256Of, tableHash } from './runFiles.js';
import { listRuns } from './runsFolder.js';
import { problemFileOf } from './runTexts.js';

/** Path of the last run in `folder`, of this table and goal, that has not ended; undefined where there is none. */
export async function lastUnfinished(
  folder: string,
  { problem: { table, spec } }: DesignRequest,
): Promise<string | undefined> {
  const hash = tableHash(table);
  const goal = spec.goals.join('; ');
  const open = (await listRuns(folder)).filter(
    ({ manifest, status }) =>
      manifest && status !== 'done' && manifest.table.sha256 === hash && manifest.goal === goal,
  );
  return open.sort((a, b) => (a.manifest!.updated < b.manifest!.updated ? 1 : -1))[0]?.path;
}

/** Whether the designs to keep and to avoid are those of the run. */
async function areInputsSame({ keep, avoid }: DesignRequest, { files }: Manifest): Promise<boolean> {
  if (!keep && !avoid) return true;
  const { encodeTable } = await import('./tableParquet.js');
  const isSame = (table: Table | undefined, name: string) =>
    !table || sha256Of(encodeTable(table)) === files[name]?.sha256;
  return isSame(keep, 'keep.parquet') && isSame(avoid, 'avoid.parquet');
}

/** A run goes on with what it was started with: throws `ArgumentError` where the request says something else. */
export async function requireSame(path: string, request: DesignRequest): Promise<void> {
  const manifest = await readManifest(path);
  const given = {
    table: tableHash(request.problem.table),
    goal: request.problem.spec.goals.join('; '),
    seed: request.seed,
    method: request.method,
    effort: request.effort,
    options: JSON.stringify(request.options),
  };
  const begun = {
    table: manifest.table.sha256,
    goal: manifest.goal,
    seed: manifest.seed,
    method: manifest.method,
    effort: manifest.effort,
    options: JSON.stringify(manifest.options),
  };
  const other = (Object.keys(given) as (keyof typeof given)[]).filter((name) => given[name] !== begun[name]);
  const file = problemFileOf(request);
  // 0.1 wrote `preset:` for `effort:`
  const isSame = [file, file.replace(/^effort:/m, 'preset:')].some(
    (text) => sha256Of(text) === manifest.problem.sha256,
  );
  if (other.length === 0 && !(isSame && (await areInputsSame(request, manifest)))) other.push('table');
  if (other.length === 0) return;
  const what = other.map((name) =>
    name === 'table' ? 'another table or other constraints' : `another ${name}`,
  );
  throw new ArgumentError('--resume', `${path} was started with ${what.join(' and ')}`);
}
