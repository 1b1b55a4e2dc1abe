/** From a question of the app to a run folder: the same request, and so the same bits, as the command line's. */
import { basename } from 'node:path';
import { planOf } from '../../design/designRun.js';
import { isTooFew } from '../../design/spreadPlan.js';
import type { Engine } from '../../numeric/engine.js';
import type { Manifest } from '../../runs/manifest.js';
import { createRun } from '../../runs/runFolder.js';
import { runRequest } from '../../runs/runInFolder.js';
import { defaultRunPath } from '../../runs/runsFolder.js';
import type { Table } from '../../table/table.js';
import { requestFor } from '../answers/index.js';
import type { Ask } from '../protocol/index.js';
import { studioWord } from './runSummaries.js';

/** Makes the folder of a run, which is yet to be computed; its name. */
export async function createAsked(
  table: Table,
  source: Manifest['source'],
  ask: Ask,
  runsPath: string,
  engine: Pick<Engine, 'kernel' | 'threads'>,
): Promise<string> {
  const request = await requestFor(table, ask);
  if (!isTooFew(request.problem)) planOf(request);
  const path = await defaultRunPath(runsPath, {
    date: new Date(),
    goal: request.problem.goals.map(({ column }) => column).join(' '),
    dataHash: source.sha256,
    seed: request.seed,
  });
  const folder = await createRun(path, await runRequest(request, source, [studioWord], engine));
  await folder.close();
  return basename(path);
}
