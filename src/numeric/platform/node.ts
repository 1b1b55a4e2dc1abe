import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { findNative } from './nativeAddon.js';
import type { Platform } from './platform.js';

let isWarned = false;

export const platform: Platform = {
  name: 'node',

  // an empty setting is none
  wishes: () => ({
    kernel: process.env.NEMOKIT_KERNEL || undefined,
    threads: process.env.NEMOKIT_THREADS || undefined,
  }),

  allowRelaxedSimd() {
    // V8 11 (Node 20) has it behind a flag, which counts for every module compiled from now on, workers' included.
    if (Number(process.versions.node.split('.')[0]) < 22)
      setFlagsFromString('--experimental-wasm-relaxed-simd');
  },

  native: () => findNative(),

  hardwareThreads: () => availableParallelism(),

  canShareMemory: () => true,

  warn(message) {
    if (!isWarned) process.emitWarning(`nemokit: ${message}`);
    isWarned = true;
  },

  startThread(setup, onMessage, onFailure) {
    const worker = new Worker(new URL('../threads/worker.node.js', import.meta.url), {
      workerData: setup,
      execArgv: [],
    });
    let isStopping = false;
    const gone = new Promise<void>((resolve) => {
      worker.once('exit', (code) => {
        if (!isStopping) onFailure(new Error(`a worker thread ended with code ${code}`));
        resolve();
      });
    });
    worker.on('message', onMessage);
    worker.on('error', onFailure);
    worker.unref();
    return {
      hold: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
      async stop() {
        isStopping = true;
        worker.ref();
        await worker.terminate();
        await gone;
      },
    };
  },
};
