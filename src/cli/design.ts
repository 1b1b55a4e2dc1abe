import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { algorithms } from '../algorithms/index.js';
import {
  type DesignRequest,
  methodOptions,
  requestOf,
  requireEffort,
  requireMethod,
  requireRisk,
} from '../design/designRequest.js';
import { planOf } from '../design/designRun.js';
import { isTooFew } from '../design/spreadPlan.js';
import { ArgumentError } from '../numeric/errors.js';
import { openEngine } from '../numeric/index.js';
import { parseOption } from '../options/requireOptions.js';
import {
  type BatchSettings,
  efforts,
  MOST_DESIGNS,
  type Problem,
  type RunSettings,
  risks,
} from '../problem/index.js';
import type { ProblemInput } from '../problem/platform/node.js';
import { lastUnfinished, requireSame } from '../runs/continueRun.js';
import { manifestName } from '../runs/manifest.js';
import { exists, tableHash } from '../runs/runFiles.js';
import { createRun } from '../runs/runFolder.js';
import { runRequest } from '../runs/runInFolder.js';
import { defaultRunPath } from '../runs/runsFolder.js';
import { addRunOptions, followRun, type RunOptions } from './followRun.js';
import { collect, countsOf, numberOf, positiveOf, secondsOf } from './optionValues.js';
import { addProblemOptions, type ProblemFlags, readAsked, stateAsked } from './problemOptions.js';
import { runsFolder } from './runArgument.js';
import { resumeRun } from './runs.js';
import { shellQuote } from './shellQuote.js';

export interface DesignOptions extends ProblemFlags, RunOptions {
  readonly batch?: string;
  readonly same?: readonly string[];
  readonly cost?: string;
  readonly budget?: string;
  readonly tiers?: string;
  /** False after `--no-front`. */
  readonly front?: boolean;
  /** False after `--no-simplify`. */
  readonly simplify?: boolean;
  readonly method?: string;
  readonly effort?: string;
  readonly risk?: string;
  /** Show designs that the data do not support. */
  readonly anyway?: boolean;
  /** The earlier name of `effort`. */
  readonly preset?: string;
  readonly seed?: string;
  readonly set?: readonly string[];
  readonly out?: string;
  readonly resume?: boolean;
}

export function addDesign(program: Command): void {
  const command = program
    .command('design')
    .description('propose a batch of designs that should be better than all rows of a table')
    .argument('<table>', 'table of past experiments, or a problem file (.yaml); - is standard input');
  addRunOptions(
    addProblemOptions(command)
      .option('--batch <count>', 'how many designs to propose; default 8')
      .option(
        '--same <column>',
        'a column with one value in the whole batch, or "3 values of temp"; may be repeated',
        collect,
      )
      .option('--cost <formula>', 'what a design costs: "0.2*Pd + 1.5*ligand"')
      .option('--budget <sum>', 'what the batch may cost in all; needs --cost')
      .option('--tiers <counts>', 'how many safe, balanced and bold designs: "4,3,1"')
      .option(
        '--keep <table>',
        'designs that have to be in the batch: plan.csv, plan.csv:2,5-7 or a run folder',
      )
      .option(
        '--avoid <table>',
        'designs not to propose, nor any like them; an empty cell stands for any value',
      )
      .option('--no-front', 'several goals: one best compromise, not a batch along their front')
      .option('--no-simplify', 'leave columns as the search found them, however small the change')
      .addOption(
        new Option('--method <name>', 'how to search; default nemo').choices(Object.keys(algorithms)),
      )
      .addOption(new Option('--effort <name>', 'how much to compute; default balanced').choices(efforts))
      .addOption(
        new Option(
          '--risk <name>',
          'how far designs may leave what is known; default: what a rehearsal on the best past rows speaks for',
        ).choices(risks),
      )
      .option('--anyway', 'show designs even where the data do not support them')
      .addOption(new Option('--preset <name>', 'earlier name of --effort').choices(efforts).hideHelp())
      .option('--seed <number>', 'the same seed gives the same designs; default 0')
      .option(
        '--set <option=value>',
        'an option of the method by name, such as "steps=300"; may be repeated',
        (text: string, before: readonly string[] = []) => [...before, text],
      )
      .option('--out <folder>', 'where to keep the run; default: a new folder in runs/')
      .option(
        '--resume',
        'go on with the run in --out, which is begun if it is not there, or with the last unfinished one of this table and goal',
      ),
  ).action(async (path: string, options: DesignOptions) => {
    // with --method, the options of a problem file are checked against that method, below
    const input = await readAsked(path, options, options.method === undefined ? methodOptions : undefined);
    const request = requestFrom(await stateAsked(input), input, options);
    const begun = options.resume ? await begunRun(request, options) : undefined;
    if (begun !== undefined) return resumeRun(begun, options);
    if (!isTooFew(request.problem)) planOf(request);
    await using engine = await openEngine();
    const { table } = input;
    const source = input.source ?? { file: table.name, bytes: 0, sha256: tableHash(table) };
    const folder = await createRun(
      options.out ?? (await freePath(request, source.sha256)),
      await runRequest(request, source, process.argv.slice(2), engine),
    );
    await followRun(folder, request, engine, options);
  });
}

/** What is asked: options first, then the problem file, then defaults. */
function requestFrom(problem: Problem, input: ProblemInput, options: DesignOptions): DesignRequest {
  const { settings } = input;
  if (options.time !== undefined) secondsOf('--time', options.time);
  const method = requireMethod(options.method ?? settings.method ?? 'nemo');
  const set = (options.set ?? []).map((text) => parseOption('--set', method, methodOptions[method]!, text));
  const asked = {
    ...settings,
    method,
    ...batchFlags(options),
    ...(options.batch !== undefined && {
      batch: numberOf('--batch', options.batch, { least: 1, most: MOST_DESIGNS }),
    }),
    ...(options.seed !== undefined && { seed: numberOf('--seed', options.seed, { least: 0 }) }),
    ...((options.effort ?? options.preset) !== undefined && {
      effort: requireEffort((options.effort ?? options.preset)!),
    }),
    ...(options.risk !== undefined && { risk: requireRisk(options.risk) }),
    ...(options.anyway && { anyway: true }),
    options: { ...settings.options, ...(Object.fromEntries(set) as RunSettings['options']) },
  };
  return requestOf(problem, asked, input);
}

function batchFlags({ same, cost, budget, tiers, front, simplify }: DesignOptions): BatchSettings {
  return {
    ...(same && { same }),
    ...(cost !== undefined && { cost }),
    ...(budget !== undefined && { budget: positiveOf('--budget', budget) }),
    ...(tiers !== undefined && { tiers: countsOf('--tiers', tiers) }),
    // commander sets these to true where they are not given
    ...(front === false && { front }),
    ...(simplify === false && { simplify }),
  };
}

/** The run to go on with; undefined where it is yet to be begun. */
async function begunRun(request: DesignRequest, { out }: DesignOptions): Promise<string | undefined> {
  const path = out ?? (await lastUnfinished(runsFolder, request));
  if (path === undefined) {
    const { table, spec } = request.problem;
    throw new ArgumentError(
      '--resume',
      `--resume: no unfinished run of ${table.name} with the goal "${spec.goals.join('; ')}" is in ${runsFolder}/; leave --resume out to start one, or name its folder with --out`,
    );
  }
  // Killed before it was a run, or never begun: the same command then begins it.
  if (!(await exists(join(path, manifestName)))) return undefined;
  await requireSame(path, request).catch((error: unknown) => {
    if (!(error instanceof ArgumentError)) throw error;
    throw new ArgumentError(
      '--resume',
      `${error.message}; go on with it by "nemokit runs resume ${shellQuote(path)}", or start a new run`,
    );
  });
  return path;
}

function freePath({ problem, seed }: DesignRequest, dataHash: string): Promise<string> {
  const goal = problem.goals.map(({ column }) => column).join(' ');
  return defaultRunPath(runsFolder, { date: new Date(), goal, dataHash, seed });
}
