import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { nativeKernels } from '../../../src/numeric/threads/native.js';
import { serve } from '../../../src/numeric/threads/share.js';
import { delayAtomics } from './delays.js';

delayAtomics(workerData.seed + workerData.thread, workerData.chance);
serve(
  workerData,
  (message) => parentPort?.postMessage(message),
  ({ native, memory }) =>
    native && nativeKernels(createRequire(import.meta.url)(native.path), native.variant, memory),
);
