import { Command } from 'commander';
import { version } from '../version.js';
import { addCheck } from './check.js';
import { addCompletion } from './completion.js';
import { addData } from './data.js';
import { addDesign } from './design.js';
import { doctor } from './doctor.js';
import { addExplain } from './explain.js';
import { addInit } from './init.js';
import { addRehearse } from './rehearse.js';
import { addReproduce } from './reproduce.js';
import { addRuns } from './runs.js';
import { addScore } from './score.js';

/** Every command there is. Nothing runs until it is given arguments. */
export function buildProgram(): Command {
  const program = new Command('nemokit')
    .description(
      'Offline model-based optimisation: from a table of past experiments to a batch of better designs.',
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .option('--no-color', 'no colours')
    .showSuggestionAfterError()
    .exitOverride();
  addCheck(program);
  addInit(program);
  addDesign(program);
  addScore(program);
  addExplain(program);
  addRehearse(program);
  addRuns(program);
  addReproduce(program);
  addData(program);
  program
    .command('doctor')
    .description('say what nemokit runs on here: version, kernel, SIMD, threads, and whether they work')
    .option('--json', 'print one JSON document')
    .action(doctor);
  addCompletion(program);
  return program;
}
