/** Every command of `nemokit`. A call loads the modules of its own command alone. */
import { Command } from 'commander';
import { version } from '../version.js';

/** Declares a command: its arguments, its options and what it does. */
type Declare = (program: Command) => void;

/** In the order of `nemokit --help`. */
const commands: Readonly<Record<string, () => Promise<Declare>>> = {
  check: async () => (await import('./check.js')).addCheck,
  init: async () => (await import('./init.js')).addInit,
  design: async () => (await import('./design.js')).addDesign,
  score: async () => (await import('./score.js')).addScore,
  explain: async () => (await import('./explain.js')).addExplain,
  rehearse: async () => (await import('./rehearse.js')).addRehearse,
  runs: async () => (await import('./runs.js')).addRuns,
  studio: async () => (await import('./studio.js')).addStudio,
  reproduce: async () => (await import('./reproduce.js')).addReproduce,
  bench: async () => (await import('./bench.js')).addBench,
  worker: async () => (await import('./worker.js')).addWorker,
  data: async () => (await import('./data.js')).addData,
  doctor: async () => (await import('./doctor.js')).addDoctor,
  completion: async () => (await import('./completion.js')).addCompletion,
};

/**
 * The program with every command declared; nothing runs until it parses arguments. Given the arguments of a call, only
 * the command they name is loaded. The others stay empty: their names are known, their options are not.
 */
export async function buildProgram(args?: readonly string[]): Promise<Command> {
  const program = new Command('nemokit')
    .description(
      'Offline model-based optimisation: from a table of past experiments to a batch of better designs.',
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .option('--no-color', 'no colours')
    .showSuggestionAfterError()
    .exitOverride();
  const only = args && calledCommand(args);
  for (const [name, load] of Object.entries(commands))
    if (only === undefined || only === name) (await load())(program);
    else program.command(name);
  return program;
}

/** Undefined where the call needs all commands: help, an unknown name, or a completion script. */
function calledCommand(args: readonly string[]): string | undefined {
  const name = args.find((word) => word !== '--no-color');
  return name !== undefined && name !== 'completion' && Object.hasOwn(commands, name) ? name : undefined;
}
