/** `nemokit worker`: runs trials that a queue hands out. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { jobsFor, TrialSlot } from '../bench/localTrials.js';
import { openRegistry } from '../bench/plugins.js';
import { TaskError, type TrialProgress } from '../bench/trial.js';
import { builds } from '../bench/trialBuild.js';
import { describeQueue, UnableError, workOnQueue } from '../bench/trialQueue.js';
import { dataFolderPath, examineFiles } from '../data/dataFolder.js';
import { fetchDataset } from '../data/fetchDataset.js';
import { count } from '../report/index.js';
import { listenForInterrupts } from '../runs/interrupts.js';
import { datasetOf } from '../tasks/datasets.js';
import type { TaskDefinition } from '../tasks/task.js';
import { nameOf } from './benchRun.js';
import { CommandError, exitCodes } from './exitCodes.js';
import { collect, numberOf, secondsOf } from './optionValues.js';
import { writeErr } from './screen.js';

interface WorkerFlags {
  readonly queue?: string;
  readonly jobs?: string;
  readonly claim: string;
  readonly quiet?: boolean;
  readonly plugin?: readonly string[];
}

export function addWorker(program: Command): void {
  program
    .command('worker')
    .description('run trials that "nemokit bench run --queue" submits, until it is stopped')
    .option('--queue <address>', 'redis://host:6379; default: NEMOKIT_QUEUE')
    .option('--jobs <number>', 'trials at once; default: one per core, as far as memory goes')
    .option('--claim <time>', 'time without a sign of life after which a trial goes to another worker', '30s')
    .option('--plugin <file>', 'as given to bench run; may be repeated', collect)
    .option('--quiet', 'say nothing')
    .action(async (flags: WorkerFlags) => {
      const address = flags.queue ?? process.env.NEMOKIT_QUEUE;
      if (!address) throw new CommandError(exitCodes.usage, 'name the queue: --queue redis://host:6379');
      const jobs = flags.jobs === undefined ? jobsFor() : numberOf('--jobs', flags.jobs, { least: 1 });
      const plugins = (flags.plugin ?? []).map((path) => resolve(path));
      const registry = await openRegistry(plugins);
      const buildOf = await builds(registry, plugins);
      const claim = 1000 * secondsOf('--claim', flags.claim);
      const say = (text: string) => {
        if (!flags.quiet) writeErr(`${text}\n`);
      };
      using interrupts = listenForInterrupts({
        onInterrupt: () => say('finishing the running trials; press Ctrl-C again to stop at once'),
      });
      say(`working on ${describeQueue(address)}, ${count(jobs, 'trial')} at once`);
      const slots = Array.from({ length: jobs }, () => new TrialSlot(plugins));
      const free = [...slots];
      try {
        await workOnQueue(address, {
          jobs,
          claim,
          signal: interrupts.signal,
          buildOf: ({ task }) => buildOf(task),
          run: async (spec, onProgress) => {
            const slot = free.pop();
            if (!slot) throw new Error('more trials than slots');
            try {
              await fetchMissing(registry.taskOf(spec.task)).catch((error: unknown) => {
                throw new UnableError(error instanceof Error ? error.message : String(error));
              });
              return await slot.run(spec, { onProgress: (progress: TrialProgress) => onProgress(progress) });
            } catch (error) {
              throw error instanceof TaskError ? new UnableError(error.message) : error;
            } finally {
              free.push(slot);
            }
          },
          onUnable: (spec, reason) => say(`${spec.task} cannot be run here, and is handed back: ${reason}`),
          onStart: (spec) => say(`${nameOf(spec)} started`),
          onEnd: (spec, message) =>
            say(`${nameOf(spec)} ${message === null ? 'done' : `failed: ${message}`}`),
        });
      } finally {
        for (const slot of slots) slot[Symbol.dispose]();
      }
      say('stopped');
    });
}

/** Downloads the datasets that a task needs and this machine lacks. The trial reports those that cannot be fetched. */
async function fetchMissing({ datasets }: TaskDefinition): Promise<void> {
  const folder = dataFolderPath();
  const files = await examineFiles(folder, datasets);
  for (const id of new Set(files.filter(({ state }) => state === 'missing').map(({ dataset }) => dataset)))
    await fetchDataset(folder, datasetOf(id));
}
