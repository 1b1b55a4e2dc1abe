// Drives the toy work in a run folder until it is done, interrupted or killed: node toyRun.js <settings as JSON>.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { drive } from '../../dist/design/drive.js';
import { listenForInterrupts } from '../../dist/runs/interrupts.js';
import { createRun, openRun } from '../../dist/runs/runFolder.js';
import { toyWork } from './toyWork.js';

/** @typedef {import('./toyWork.js').ToyState} ToyState */

/**
 * @type {{ path: string, request: import('../../dist/runs/runFolder.js').RunRequest, pieces: number, pause: number, most?: number, isDeaf?: boolean }}
 * `most`: pieces after which it waits to be killed, so that it is never done before. `isDeaf`: does not listen to signals, and has a second run open.
 */
const {
  path,
  request,
  pieces,
  pause,
  most = Number.POSITIVE_INFINITY,
  isDeaf = false,
} = JSON.parse(process.argv[2] ?? '');

/** @param {string} word */
const say = (word) => process.stdout.write(`${word}\n`);

try {
  process.exitCode = await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 3;
}

async function run() {
  const interrupts = isDeaf ? undefined : listenForInterrupts();
  const work = toyWork(pieces);
  say('loaded');
  if (isDeaf) await createRun(`${path}-2`, request);
  const run = existsSync(join(path, 'manifest.json')) ? await openRun(path) : await createRun(path, request);
  try {
    const from = /** @type {ToyState | undefined} */ (await run.loadState());
    say(`opened at ${from?.n ?? 0}`);
    const { state, outcome } = await drive(work, {
      ...(from && { from }),
      ...(interrupts && { signal: interrupts.signal }),
      now: () => performance.now(),
      every: 15,
      onState: async (state) => {
        await run.saveState(state);
        say(`saved ${state.n}`);
      },
      onPiece: async (state) => {
        await run.log(work.progress(state), work.watch(state));
        if (pause > 0) await setTimeout(pause);
        const isHeld = state.n - (from?.n ?? 0) >= most;
        while (isHeld && !interrupts?.signal.aborted) await setTimeout(pause);
      },
    });
    if (outcome === 'interrupted') {
      await run.interrupt();
      return interrupts?.exitCode ?? 1;
    }
    say('finishing');
    const text = await work.finish(state);
    await run.finish('done', {
      'candidates.csv': text,
      'report.html': `<pre>${text}</pre>`,
      'README.txt': text,
    });
    say('done');
    return 0;
  } finally {
    await run.close();
    interrupts?.stop();
  }
}
