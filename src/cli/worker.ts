import { resolve } from 'node:path';
import type { Command } from 'commander';
import { jobsFor, TrialSlot } from '../bench/localTrials.js';
import { openRegistry } from '../bench/plugins.js';
import type { TrialProgress } from '../bench/trial.js';
import { describeQueue, workOnQueue } from '../bench/trialQueue.js';
import { dataFolderPath, examineFiles } from '../data/dataFolder.js';
import { fetchDataset } from '../data/fetchDataset.js';
import { count } from '../report/index.js';
import { listenForInterrupts } from '../runs/interrupts.js';
import { datasetOf, type TaskDefinition } from '../tasks/index.js';
import { CommandError, exitCodes } from './exitCodes.js';
import { collect, numberOf, secondsOf } from './optionValues.js';
import { nameOf } from './trialBoard.js';

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
    .option('--claim <time>', 'after this time without a sign of life a trial goes to another worker', '30s')
    .option('--plugin <file>', 'as given to bench run; may be repeated', collect)
    .option('--quiet', 'say nothing')
    .action(async (flags: WorkerFlags) => {
      const address = flags.queue ?? process.env.NEMOKIT_QUEUE;
      if (!address)
        throw new CommandError(exitCodes.usage, 'say where trials come from: --queue redis://host:6379');
      const jobs = flags.jobs === undefined ? jobsFor() : numberOf('--jobs', flags.jobs, { least: 1 });
      const plugins = (flags.plugin ?? []).map((path) => resolve(path));
      const registry = await openRegistry(plugins);
      const claim = 1000 * secondsOf('--claim', flags.claim);
      const say = (text: string) => {
        if (!flags.quiet) process.stderr.write(`${text}\n`);
      };
      using interrupts = listenForInterrupts({
        onInterrupt: () => say('finishing the trials that run; once more ends at once'),
      });
      say(`working on ${describeQueue(address)}, ${count(jobs, 'trial')} at once`);
      const slots = Array.from({ length: jobs }, () => new TrialSlot(plugins));
      const free = [...slots];
      try {
        await workOnQueue(address, {
          jobs,
          claim,
          signal: interrupts.signal,
          run: async (spec, onProgress) => {
            const slot = free.pop();
            if (!slot) throw new Error('more trials than places');
            try {
              await fetchMissing(registry.taskOf(spec.task));
              return await slot.run(spec, { onProgress: (progress: TrialProgress) => onProgress(progress) });
            } finally {
              free.push(slot);
            }
          },
          onStart: (spec) => say(`${nameOf(spec)} begins`),
          onEnd: (spec, message) =>
            say(`${nameOf(spec)} ${message === null ? 'done' : `failed: ${message}`}`),
        });
      } finally {
        for (const slot of slots) slot[Symbol.dispose]();
      }
      say('stopped');
    });
}

/** Datasets that a task needs and this machine lacks, from their public homes; what cannot be had is said by the trial. */
async function fetchMissing({ datasets }: TaskDefinition): Promise<void> {
  const folder = dataFolderPath();
  const files = await examineFiles(folder, datasets);
  for (const id of new Set(files.filter(({ state }) => state === 'missing').map(({ dataset }) => dataset)))
    await fetchDataset(folder, datasetOf(id));
}
