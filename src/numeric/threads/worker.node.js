import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { nativeKernels } from './native.js';
import { serve } from './share.js';

serve(
  workerData,
  (message) => parentPort?.postMessage(message),
  ({ native, memory }) =>
    native && nativeKernels(createRequire(import.meta.url)(native.path), native.variant, memory),
);
