import { parentPort, workerData } from 'node:worker_threads';
import { serve } from './share.js';

serve(workerData, (message) => parentPort?.postMessage(message));
