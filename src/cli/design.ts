import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { algorithms } from '../algorithms/index.js';
import { type DesignRequest, methodOptions, requireEffort, requireMethod } from '../design/designRequest.js';
import { planOf } from '../design/designRun.js';
import { ArgumentError } from '../numeric/errors.js';
import { openEngine } from '../numeric/index.js';
import { parseOption, requireSomeOptions } from '../options/requireOptions.js';
import { efforts, type Problem, type RunSettings } from '../problem/index.js';
import { manifestName, readManifest } from '../runs/manifest.js';
import { exists, sha256Of, tableHash } from '../runs/runFiles.js';
import { createRun } from '../runs/runFolder.js';
import { problemFileOf, runRequest } from '../runs/runInFolder.js';
import { defaultRunPath, listRuns } from '../runs/runsFolder.js';
import { addRunOptions, followRun, type RunOptions } from './followRun.js';
import { numberOf, secondsOf } from './optionValues.js';
import { addProblemOptions, type ProblemFlags, readAsked, stateAsked } from './problemOptions.js';
import { runsFolder } from './runArgument.js';
import { resumeRun } from './runs.js';
import { shellQuote } from './shellQuote.js';

export interface DesignOptions extends ProblemFlags, RunOptions {
  readonly batch?: string;
  readonly method?: string;
  readonly effort?: string;
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
      .addOption(
        new Option('--method <name>', 'how to search; default nemo').choices(Object.keys(algorithms)),
      )
      .addOption(new Option('--effort <name>', 'how much to compute; default balanced').choices(efforts))
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
    const request = requestFrom(await stateAsked(input), input.settings, options);
    if (options.resume) {
      const path = options.out ?? (await unfinished(request));
      // Killed before it was a run, or never begun: the same command then begins it.
      if (await exists(join(path, manifestName))) {
        await requireSame(path, request);
        return resumeRun(path, options);
      }
    }
    planOf(request);
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
function requestFrom(problem: Problem, settings: RunSettings, options: DesignOptions): DesignRequest {
  const batch =
    options.batch === undefined ? (settings.batch ?? 8) : numberOf('--batch', options.batch, { least: 1 });
  const seed =
    options.seed === undefined ? (settings.seed ?? 0) : numberOf('--seed', options.seed, { least: 0 });
  if (options.time !== undefined) secondsOf('--time', options.time);
  const method = requireMethod(options.method ?? settings.method ?? 'nemo');
  const declared = methodOptions[method]!;
  const set = (options.set ?? []).map((text) => parseOption('--set', method, declared, text));
  const given = { ...settings.options, ...Object.fromEntries(set) };
  requireSomeOptions(method, declared, given);
  return {
    problem,
    batch,
    seed,
    method,
    effort: requireEffort(options.effort ?? options.preset ?? settings.effort ?? 'balanced'),
    options: given,
  };
}

function freePath({ problem, seed }: DesignRequest, dataHash: string): Promise<string> {
  const goal = problem.goals.map(({ column }) => column).join(' ');
  return defaultRunPath(runsFolder, { date: new Date(), goal, dataHash, seed });
}

/** The last run of this table and goal that has not ended. */
async function unfinished({ problem: { table, spec } }: DesignRequest): Promise<string> {
  const hash = tableHash(table);
  const goal = spec.goals.join('; ');
  const open = (await listRuns(runsFolder)).filter(
    ({ manifest, status }) =>
      manifest && status !== 'done' && manifest.table.sha256 === hash && manifest.goal === goal,
  );
  const last = open.sort((a, b) => (a.manifest!.updated < b.manifest!.updated ? 1 : -1))[0];
  if (last) return last.path;
  throw new ArgumentError(
    '--resume',
    `--resume: no unfinished run of ${table.name} with the goal "${goal}" is in ${runsFolder}/; leave --resume out to start one, or name its folder with --out`,
  );
}

/** A run goes on with what it was started with; what was typed now must not say something else. */
async function requireSame(path: string, request: DesignRequest): Promise<void> {
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
  if (other.length === 0 && !isSame) other.push('table');
  if (other.length === 0) return;
  const what = other.map((name) =>
    name === 'table' ? 'another table or other constraints' : `another ${name}`,
  );
  throw new ArgumentError(
    '--resume',
    `${path} was started with ${what.join(' and ')}; go on with it by "nemokit runs resume ${shellQuote(path)}", or start a new run`,
  );
}
