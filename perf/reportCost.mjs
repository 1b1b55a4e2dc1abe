// Loaded into every process that perf/command.mjs measures: adds a line to a file when the process ends.
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const { NEMOKIT_COSTS: path } = process.env;
if (path && isMainThread)
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    appendFileSync(
      path,
      `${JSON.stringify({ megabytes: maxRSS / 1e3, cpu: (userCPUTime + systemCPUTime) / 1e6 })}\n`,
    );
  });
