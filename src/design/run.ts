/** A finished run as plain data: what was asked, what was found, and the model that speaks about other designs. */
import type { Advisor } from '../judging/advisor.js';
import { UnsupportedError } from '../judging/support.js';
import type { Engine } from '../numeric/engine.js';
import { fingerprintsFor } from '../problem/platform/rdkit.js';
import type { ProblemSpec } from '../problem/problemSpec.js';
import { stateProblem } from '../problem/stateProblem.js';
import type { Table } from '../table/table.js';
import type { DesignRequest } from './designRequest.js';
import type { RunDocument } from './runDocument.js';
import { openAdvisor, type SavedModel } from './savedModel.js';

/** What a run was asked: all that its result follows from. Plain data. */
export interface Asked extends Omit<DesignRequest, 'problem'> {
  readonly table: Table;
  /** Designs are rows of this table only. */
  readonly choices?: Table;
  /** Goals, columns and constraints, with the mixtures that were found. */
  readonly spec: ProblemSpec;
}

/** What `design` returns and `readRun` reads: verdict, candidates, what was assumed, and what `score` and `explain` need. */
export interface Run extends RunDocument {
  readonly asked: Asked;
  /** The networks that judge designs. */
  readonly model: SavedModel;
}

/** What was found, without what was asked and the model: what `candidates.json` holds. */
export function documentIn({ asked: _, model: __, ...document }: Run): RunDocument {
  return document;
}

export function askedOf({ problem, ...rest }: DesignRequest): Asked {
  const { table, choices, spec } = problem;
  return { table, ...(choices && { choices }), spec, ...rest };
}

/** States the problem of a run again. */
export async function requestFrom({ table, choices, spec, ...rest }: Asked): Promise<DesignRequest> {
  const options = { ...(choices && { choices }), ...(await fingerprintsFor(table)) };
  return { problem: stateProblem(table, spec, options), ...rest };
}

/** What the run itself says about any design, bit for bit on the same kernel. */
export async function advisorOf(
  { asked, model }: Pick<Run, 'asked' | 'model'>,
  engine: Engine,
): Promise<Advisor> {
  if (!model.judges)
    throw new UnsupportedError('the run had too few rows to model, so it expects nothing of any design');
  return openAdvisor(engine, (await requestFrom(asked)).problem, model);
}
