/** Computes what was asked of a table, from the start or from a saved state: the same bits as the command line. */
import { computeRun, documentOf } from '../../design/computeRun.js';
import { type DesignRequest, requestOf } from '../../design/designRequest.js';
import type { DesignState } from '../../design/designRun.js';
import type { DriveOptions } from '../../design/drive.js';
import { askedOf, type Run } from '../../design/run.js';
import type { Progress } from '../../design/work.js';
import type { Engine } from '../../numeric/engine.js';
import { settingsOf, specOf } from '../../problem/problemSpec.js';
import { stateFor } from '../../problem/question.js';
import { readTable } from '../../table/readTable.js';
import type { Table } from '../../table/table.js';
import type { Ask, Cells } from '../protocol/index.js';

export interface ComputeControl
  extends Pick<DriveOptions<DesignState>, 'from' | 'signal' | 'stop' | 'now' | 'onState' | 'every'> {
  /** Awaited: a run pauses while this does. */
  readonly onProgress: (
    progress: Progress,
    watched: Readonly<Record<string, number>> | null,
  ) => Promise<void>;
}

export async function requestFor(table: Table, ask: Ask): Promise<DesignRequest> {
  const problem = await stateFor(table, specOf(ask));
  const keep = ask.keep?.length ? await tableOf(ask.keep, 'keep') : undefined;
  const avoid = ask.avoid?.length ? await tableOf(ask.avoid, 'avoid') : undefined;
  return requestOf(problem, settingsOf(ask), { ...(keep && { keep }), ...(avoid && { avoid }) });
}

/** Rows as a table; texts stay as they are written. */
export function tableOf(rows: readonly Cells[], name: string): Promise<Table> {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const text = names.filter((column) => rows.some((row) => typeof row[column] === 'string'));
  return readTable(rows, { name, text, missing: [] });
}

/** Null where it was aborted, or stopped before there was any design: the last state was handed to `onState`. */
export async function computeAsk(
  table: Table,
  ask: Ask,
  engine: Engine,
  control: ComputeControl,
): Promise<Run | null> {
  const request = await requestFor(table, ask);
  const computed = await computeRun(request, engine, control);
  if (!('result' in computed)) return null;
  const { findings, model } = computed.result;
  return { ...documentOf(findings, engine, { file: table.name }), asked: askedOf(request), model };
}
