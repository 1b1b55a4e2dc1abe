import { parentPort, workerData } from 'node:worker_threads';
import { serve } from '../../../src/numeric/threads/share.js';
import { delayAtomics } from './delays.js';

delayAtomics(workerData.seed + workerData.thread, workerData.chance);
serve(workerData, (message) => parentPort?.postMessage(message));
