/** Trials on this machine with total progress, Ctrl-C and records. */
import { jobsFor, runLocally } from '../bench/localTrials.js';
import { RecordWriter } from '../bench/records.js';
import { percentiles, type TrialSpec, trialId } from '../bench/trial.js';
import { runOnQueue, type SubmitOptions } from '../bench/trialQueue.js';
import { count } from '../report/index.js';
import { listenForInterrupts } from '../runs/interrupts.js';
import { CommandError, exitCodes } from './exitCodes.js';
import { Progress } from './progress.js';
import { nameOf, TrialBoard } from './trialBoard.js';

export interface BenchRunOptions {
  /** Trials at once on this machine. */
  readonly jobs?: number;
  readonly quiet?: boolean;
  /** Address of a Redis: its workers run the trials. */
  readonly queue?: string;
  readonly plugins?: readonly string[];
}

/** Sets the exit code: 130 after Ctrl-C, 5 if trials failed. */
export async function runBench(
  folder: string,
  trials: readonly TrialSpec[],
  { jobs, quiet = false, queue, plugins = [] }: BenchRunOptions,
): Promise<void> {
  await using writer = await RecordWriter.open(folder);
  const missing = trials.filter((spec) => !writer.has(trialId(spec)));
  const say = (text: string) => {
    if (!quiet) process.stderr.write(`${text}\n`);
  };
  if (missing.length < trials.length)
    say(`${count(trials.length - missing.length, 'trial')} of ${trials.length} there already in ${folder}`);
  if (missing.length === 0) return;
  const failures: string[] = [];
  using interrupts = listenForInterrupts();
  {
    using progress = new Progress({ quiet });
    const atOnce = Math.min(jobs ?? jobsFor(), missing.length);
    const board = new TrialBoard(missing, writer.times, queue === undefined ? atOnce : null);
    const show = (spec: TrialSpec) =>
      progress.update(board.stage, board.done, nameOf(spec), {
        remaining: board.remaining,
        below: board.workerLines(),
      });
    const end = (spec: TrialSpec) => {
      board.end(spec);
      show(spec);
    };
    try {
      const hooks: SubmitOptions = {
        signal: interrupts.signal,
        onProgress: (spec, trial) => {
          const { worker } = trial;
          if (board.report(spec, trial)) progress.say(`worker ${worker} takes part`);
          show(spec);
        },
        onRecord: async (spec, record) => {
          await writer.append(record);
          const where = board.workerOf(spec);
          end(spec);
          const { best, median } = percentiles(record.result.scores);
          progress.say(
            `${nameOf(spec)}: best ${best.toPrecision(5)}, median ${median.toPrecision(5)}, ${record.made.seconds.toFixed(0)} s${where === undefined ? '' : ` on ${where}`}`,
          );
        },
        onFailure: (spec, message) => {
          failures.push(`${nameOf(spec)}: ${message}`);
          end(spec);
        },
      };
      if (queue === undefined) await runLocally(missing, { plugins, jobs: atOnce, ...hooks });
      else await runOnQueue(queue, missing, hooks);
    } catch (error) {
      if (!interrupts.signal.aborted) throw error;
    }
  }
  if (interrupts.signal.aborted) {
    say(`stopped; what was finished is in ${folder}, and the same command goes on with the rest`);
    process.exitCode = interrupts.exitCode;
    return;
  }
  if (failures.length > 0)
    throw new CommandError(
      exitCodes.partial,
      `${count(failures.length, 'trial')} failed; the same command tries again:\n${failures.map((text) => `  ${text}`).join('\n')}`,
    );
}
